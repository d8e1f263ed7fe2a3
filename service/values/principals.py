"""Who asks: the ways a seat can be proved, as values."""

from typing import TypeAlias

import msgspec


class Bearer(msgspec.Struct, frozen=True):
    """A program with a personal access token; `scope` is what it wants to do."""

    token_hash: bytes
    scope: str


class LinkHolder(msgspec.Struct, frozen=True):
    """Somebody who opened a mailed decision link."""

    token_hash: bytes


class ProposalHolder(msgspec.Struct, frozen=True):
    """Somebody who opened a mailed link to a proposal, which is good for a vote."""

    token_hash: bytes


class UnsubscribeHolder(msgspec.Struct, frozen=True):
    """Somebody who opened the mailed link by which mails end, and one leaves."""

    token_hash: bytes


class ReplyHolder(msgspec.Struct, frozen=True):
    """Somebody who answered the mail of a decision, by the secret it is answered to."""

    token_hash: bytes
    decision: int


class DeviceHolder(msgspec.Struct, frozen=True):
    """A browser remembered for one seat of one game."""

    token_hash: bytes


class Bot(msgspec.Struct, frozen=True):
    """Our own bot on a seat."""

    seat: int


class System(msgspec.Struct, frozen=True):
    """The service itself: its worker, its clock."""


Principal: TypeAlias = (
    Bearer
    | LinkHolder
    | ProposalHolder
    | UnsubscribeHolder
    | ReplyHolder
    | DeviceHolder
    | Bot
    | System
)
