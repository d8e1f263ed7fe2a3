"""The API for programs, below /v1: one resource a file."""

from typing import cast

from flask import Flask
from flask.json.provider import DefaultJSONProvider

from service.api.http import ids, middleware
from service.api.openapi import document
from service.api.resources import (
    devices,
    editions,
    events,
    export,
    games,
    health,
    invitations,
    me,
    pictures,
    play,
    rematch,
    seats,
    sign_in,
    stream,
    tickets,
    tokens,
    turns,
)

_RESOURCES = (
    editions,
    games,
    seats,
    invitations,
    rematch,
    play,
    pictures,
    events,
    stream,
    tickets,
    sign_in,
    me,
    tokens,
    devices,
    turns,
    export,
    document,
    health,
)


def init_app(app: Flask) -> None:
    """Put the API on an app."""
    # Answers read best in the order of their schemas.
    cast(DefaultJSONProvider, app.json).sort_keys = False
    ids.init_app(app)
    api = document.init_app(app)
    stream.describe(api.spec)
    for resource in _RESOURCES:
        api.register_blueprint(resource.blueprint)
    middleware.init_app(app)
