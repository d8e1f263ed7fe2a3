"""What a table is asked to agree to, and a seat's vote on it."""

import msgspec
from marshmallow import fields

from service.api.schemas.base import Request, flag
from service.values.enums import ProposalKind


class Proposing(msgspec.Struct, frozen=True):
    """What is proposed."""

    kind: ProposalKind


class ProposalCreationSchema(Request):
    """What you propose to the table."""

    makes = Proposing
    kind = fields.Enum(
        ProposalKind,
        by_value=fields.String,
        required=True,
        metadata={"description": "To call the game off."},
    )


class Vote(msgspec.Struct, frozen=True):
    """Whether somebody agrees."""

    agrees: bool


class VoteSchema(Request):
    """Whether you agree to a proposal; a single No ends it."""

    makes = Vote
    agrees = flag(required=True)
