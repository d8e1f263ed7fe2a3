"""A game's record as a file."""

from marshmallow import fields, validate

from engine import export
from service.api.schemas.base import Reply
from service.api.schemas.event import RECORD_EVENT


class ExportSchema(Reply):
    """The record of a game in one file, keys in this order (docs/api.md)."""

    format = fields.String(validate=validate.Equal(export.FORMAT))
    game = fields.UUID()
    names = fields.List(
        fields.String(),
        metadata={"description": "Of the seats, as they are now; empty for none."},
    )
    versions = fields.List(
        fields.Integer(),
        metadata={"description": "The version each event was stored with."},
    )
    record = fields.List(
        fields.Raw(metadata={"x-schema": RECORD_EVENT}),
        metadata={"description": "Its events: docs/fairness.md."},
    )
