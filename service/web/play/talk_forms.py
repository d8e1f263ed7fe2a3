"""The forms of a table's talk: saying something, muting a seat, reporting a line."""

from typing import Final

from flask import request

from service.game import talk
from service.present import phrases
from service.store.games import GameReadModel
from service.values.errors import Forbidden
from service.values.principals import DeviceHolder
from service.web.http import form_tokens, forms

ACTS: Final = ("say", "mute", "unmute", "report")

_USE: Final = "talk"


def token(seen: GameReadModel) -> str:
    """The token of the forms; empty where nothing can be said."""
    if seen.seat is None or not talk.is_open(seen.started_at, seen.ended_at):
        return ""
    return form_tokens.make(_USE, str(seen.id), seen.seat)


def act(seen: GameReadModel, seat: int, holder: DeviceHolder, do: str) -> None:
    """Do what a form says for the browser's seat.

    Raises Forbidden for a form of another page, Invalid for words that can't be said,
    and what `talk` raises.
    """
    sent = request.form.get(form_tokens.FIELD, "")
    if not form_tokens.is_good(sent, _USE, str(seen.id), seat):
        raise Forbidden(reason="no-form-token")
    other = forms.number(request.form.get("seat", ""))
    match do:
        case "say":
            line = phrases.typed(request.form.get("line", ""))
            if line is not None:
                talk.say(seen.id, holder, line)
        case "report":
            message = forms.number(request.form.get("message", ""))
            talk.report(seen.id, holder, message)
        case _ if other < len(seen.seats):
            talk.mute(seen.id, holder, other, muted=do == "mute")
        case _:
            pass
