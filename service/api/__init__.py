"""The API for programs, below /v1: one resource a file."""

from flask import Flask


def init_app(app: Flask) -> None:
    """Put the API on an app."""
