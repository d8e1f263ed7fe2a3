"""What somebody has done themself: told to their seat, or by the record alone."""

import msgspec

from engine.commands import Answer
from engine.events import ElectionResolved, Moved, Placed, Record
from service import i18n, telling
from service.i18n import gettext as _
from service.store import games
from service.store.games import Seen
from service.web import past, play
from service.web.shown import record

_BY_THEMSELF = "person"


def done(seen: Seen, seat: int, decision: int) -> str:
    """What the person on a seat answered, for a browser that proved to be theirs.

    Empty when they gave no answer themself.
    """
    given = games.given(seen.id, decision, seat)
    if given is None or given.source != _BY_THEMSELF:
        return ""
    answer: Answer = msgspec.json.decode(given.answer, type=Answer)
    return play.told(answer, seen.game.law, nominee(seen, decision))


def nominee(seen: Seen, decision: int) -> str:
    """Whom a decision wanted to be king; empty when it was no election."""
    asked = past.asked(record(seen), decision)
    return i18n.name_of(asked.nominee) if asked.nominee else ""


def answered(seen: Seen, events: tuple[Record, ...], seat: int, decision: int) -> str:
    """What the record says of a seat's answer, which may have been the clock's.

    For whoever holds the link of that seat. Of a ballot it tells no more than that one
    is laid; of what the clock did, nothing.
    """
    for event in events:
        match event:
            case (
                Placed(decision=number, seat=mine, by="seat", character=who, place=to)
                | Moved(decision=number, seat=mine, by="seat", character=who, to=to)
            ) if (number, mine) == (decision, seat):
                return _(
                    "You answered: %(character)s, %(place)s.",
                    character=i18n.name_of(who),
                    place=telling.place_name(seen.game.law, to),
                )
            case ElectionResolved(decision=number) if number == decision:
                return _("Your card is laid.")
            case _:
                pass
    return ""
