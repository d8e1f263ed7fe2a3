"""People at a table talk between their acts; what goes with an act is `handlers`'."""

from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from service.game.handlers import NotAtTable
from service.store import clock, messages
from service.store.messages import Message, Speaker
from service.store.transactions import transaction
from service.values.conflicts import TalkClosed
from service.values.errors import TooManyRequests
from service.values.lines import Line
from service.values.principals import Bearer, DeviceHolder, ReplyHolder

_LIMIT: Final = "messages"
_WHOSE: Final = "seat"


def is_open(started_at: datetime | None, ended_at: datetime | None) -> bool:
    """Whether people may talk in a game that began and ended at some moments."""
    if started_at is None or ended_at is None:
        return started_at is not None
    return clock.now() < ended_at + timedelta(days=messages.DAYS_AFTER)


def say(
    game_id: UUID, principal: Bearer | DeviceHolder | ReplyHolder, said: Line
) -> Message:
    """Say something to the table.

    Raises NotAtTable, TalkClosed, and TooManyRequests for a seat that said a lot.
    """
    with transaction():
        speaker = _held(game_id, principal)
        # In a statement of its own: the one that locks has the moment from before its
        # wait, and the count from before what others wrote.
        allowed = messages.allowance(game_id, speaker.seat)
        if not allowed.is_open:
            raise TalkClosed
        if allowed.said >= messages.AN_HOUR:
            raise TooManyRequests(
                limit=_LIMIT,
                whose=_WHOSE,
                most=messages.AN_HOUR,
                retry_after=max(1, allowed.wait),
            )
        return messages.say(game_id, speaker, said)


def mute(
    game_id: UUID, principal: Bearer | DeviceHolder, seat: int, *, muted: bool
) -> None:
    """Leave out what a seat says, for the principal alone, or show it again.

    Raises NotAtTable.
    """
    with transaction():
        person_id = _held(game_id, principal).person_id
        change = messages.mute if muted else messages.unmute
        change(game_id, person_id, seat)


def report(game_id: UUID, principal: Bearer | DeviceHolder, number: int) -> bool:
    """Report a message, once; whether there is such a message. Raises NotAtTable."""
    with transaction():
        person_id = _held(game_id, principal).person_id
        return messages.report(game_id, number, person_id)


def _held(game_id: UUID, principal: Bearer | DeviceHolder | ReplyHolder) -> Speaker:
    speaker = messages.hold(game_id, principal)
    if speaker is None:
        raise NotAtTable(game_id)
    return speaker
