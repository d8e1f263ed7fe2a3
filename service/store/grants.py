"""What a mailed code is good for: how much a token by it may do, and how long."""

from typing import Any, Final
from uuid import UUID

import msgspec

from service.values.addresses import Address

A_YEAR: Final = 365 * 24 * 60 * 60
"""How many seconds a token by a code is good, at most and unless less is said."""

# It is shown with another value, which ends the first: of two who ask, one notices.
AGAIN_SECONDS: Final = 60
"""How long a new token is shown anew to whoever asks the same again: a line was cut."""


class Grant(msgspec.Struct, frozen=True):
    """What a token is good for: scopes, one game, so many seconds; None: for the most.

    A code's is what its mail says that whoever types it in gets.
    """

    scopes: tuple[str, ...] | None = None
    # The mail doesn't say which: nobody gets a text of theirs, or a number that could
    # be one, into another's mail.
    game: UUID | None = None
    expires_in: int | None = None


THE_MOST: Final = Grant()
"""Every scope, all games, a year."""


class Tried(msgspec.Struct, frozen=True):
    """The right code: to which address it was mailed, and what it is good for.

    `token_id` is the token that was had by it just now, in an answer that was cut.
    """

    address: Address
    grant: Grant
    token_id: UUID | None


def of_row(row: Any) -> Grant:
    """What a code's row says that it is good for."""
    scopes = None if row.scopes is None else tuple(row.scopes)
    return Grant(scopes, row.game_id, row.expires_in)
