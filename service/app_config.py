"""The settings of the app that is running."""

from flask import current_app

from service.config import Config


def current() -> Config:
    """The settings of the app that answers this request, or does this task."""
    settings: Config = current_app.config["KINGUP"]
    return settings
