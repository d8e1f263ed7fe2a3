"""What the host of a table settles anew before the start."""

from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from engine.board import Seat
from engine.commands import History, Options, PlacementOption
from engine.editions import edition
from service.game import pace
from service.store import seats, tables
from service.store.transactions import transaction
from service.tables import seat_changes, seating
from service.values.conflicts import TermsAgreed
from service.values.enums import GameStatus, SeatState, Visibility


class TermsChange(msgspec.Struct, frozen=True):
    """What shall be otherwise; what isn't set stays."""

    visibility: Visibility | UnsetType = UNSET
    rounds: int | UnsetType = UNSET
    placement: PlacementOption | UnsetType = UNSET
    ballot_history: History | UnsetType = UNSET
    first: Seat | UnsetType | None = UNSET
    decision_time: int | UnsetType | None = UNSET
    spare: int | UnsetType = UNSET
    daily_at: str | UnsetType | None = UNSET
    zone: str | UnsetType | None = UNSET
    misses: int | UnsetType = UNSET
    take_back: bool | UnsetType = UNSET


def change(game_id: UUID, wish: TermsChange) -> None:
    """Change what is played, while nobody but the host is asked to it or in.

    Whoever is asked reads the terms, and agrees to what they read. A draft has asked
    nobody yet. Raises TermsAgreed, BadTable, AlreadyStarted, or NotFound for a table
    that was given up.
    """
    with transaction():
        locked = seating.hold(game_id)
        if locked.status != GameStatus.DRAFT:
            seating.check_inviting(locked)
        chosen, chairs = tables.choices(game_id), tables.chairs(game_id)
        visibility = chosen.visibility if wish.visibility is UNSET else wish.visibility
        before = msgspec.convert(chosen.options, Options)
        wished = msgspec.structs.replace(before, **_options_of(wish))
        options = pace.settled(wished)
        if (options, visibility) == (before, chosen.visibility):
            return
        if locked.status != GameStatus.DRAFT and any(map(_has_read, chairs)):
            raise TermsAgreed
        edition(chosen.edition).check_options(options, len(chairs))
        if any(chair.state == SeatState.OPEN for chair in chairs):
            seat_changes.check_findable(visibility)
        tables.set_terms(game_id, msgspec.json.encode(options), visibility)


def _has_read(chair: tables.SeatRecord) -> bool:
    """Whether a seat is that of a guest who knows the terms: asked to it, or in."""
    guest = chair.number != 0 and seats.person_of(chair) is not None
    return guest and chair.state in (SeatState.INVITED, SeatState.JOINED)


def _options_of(wish: TermsChange) -> dict[str, object]:
    named = msgspec.structs.asdict(wish)
    return {
        name: value
        for name, value in named.items()
        if value is not UNSET and name != "visibility"
    }
