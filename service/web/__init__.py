"""The pages: server-rendered, no script needed."""

from flask import Flask


def init_app(app: Flask) -> None:
    """Put the pages on an app."""
