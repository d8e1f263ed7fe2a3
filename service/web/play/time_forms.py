"""The time of a game on its page: pausing it, and a day more for a question."""

from datetime import datetime
from typing import Final

import msgspec
from flask import request

from service.game import table_acts, timing
from service.store.games import GameReadModel
from service.values.errors import Forbidden
from service.values.principals import DeviceHolder
from service.web.http import form_tokens, forms

PAUSE: Final = "pause"
RESUME: Final = "resume"
EXTEND: Final = "extend"

ACTS: Final = (PAUSE, RESUME, EXTEND)

_USE: Final = "time"


class TimeForms(msgspec.Struct, frozen=True):
    """What the seat of a browser may do about the time of its game.

    `until` is the end of its pause that runs, None while it has none. `decision` is the
    one that a day may be added to, 0 where that can't be.
    """

    token: str
    until: datetime | None
    days: range
    pauses_left: int
    decision: int
    extensions_left: int


def offered(seen: GameReadModel) -> TimeForms | None:
    """The forms of a browser's seat; None where there is no time to change."""
    game = seen.game
    if seen.seat is None or not game.running or game.table.decision_time is None:
        return None
    own, number = seen.seats[seen.seat], game.last_decision
    longer = game.extensions_left and number not in game.extended
    return TimeForms(
        token=form_tokens.make(_USE, str(seen.id), seen.seat),
        until=own.paused_until,
        days=range(1, timing.MOST_DAYS + 1),
        pauses_left=timing.MOST - own.pauses,
        decision=number if longer else 0,
        extensions_left=game.extensions_left,
    )


def act(seen: GameReadModel, seat: int, holder: DeviceHolder, do: str) -> None:
    """Do what one of the forms asks for.

    Raises Forbidden for a form that isn't ours, and what `table_acts.pause`, `resume`
    and `extend` raise.
    """
    sent = request.form.get(form_tokens.FIELD, "")
    if not form_tokens.is_good(sent, _USE, str(seen.id), seat):
        raise Forbidden(reason="no-form-token")
    if do == PAUSE:
        days = forms.number(request.form.get("days", ""))
        table_acts.pause(seen.id, holder, min(max(days, 1), timing.MOST_DAYS))
    elif do == RESUME:
        table_acts.resume(seen.id, holder)
    else:
        decision = forms.number(request.form.get("decision", ""))
        table_acts.extend(seen.id, holder, decision)
