"""The API for programs, below /v1: one resource a file."""

from flask import Flask

from service.api.http import ids, middleware
from service.api.openapi import document
from service.api.resources import (
    absences,
    calendars,
    card_orders,
    clock,
    departure,
    devices,
    editions,
    events,
    export,
    games,
    health,
    invitations,
    me,
    messages,
    pauses,
    personal_data,
    pictures,
    play,
    proposals,
    rematch,
    replacements,
    seats,
    sign_in,
    standing_answers,
    stream,
    tickets,
    tokens,
    turns,
    waits,
)

_RESOURCES = (
    editions,
    games,
    seats,
    invitations,
    rematch,
    play,
    clock,
    standing_answers,
    card_orders,
    waits,
    departure,
    pauses,
    replacements,
    proposals,
    messages,
    pictures,
    events,
    stream,
    tickets,
    sign_in,
    me,
    personal_data,
    absences,
    calendars,
    tokens,
    devices,
    turns,
    export,
    document,
    health,
)


def init_app(app: Flask) -> None:
    """Put the API on an app."""
    ids.init_app(app)
    for resource in _RESOURCES:
        app.register_blueprint(resource.blueprint)
    middleware.init_app(app)
