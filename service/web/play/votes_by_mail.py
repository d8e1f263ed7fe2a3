"""What became of a seat's vote by mail, told beside its cards and nowhere else."""

from collections.abc import Mapping
from typing import Final

from flask_babel import lazy_gettext as _l
from flask_babel.speaklater import LazyString

from engine.state import Kind
from service.store import mailed_votes
from service.store.games import GameReadModel
from service.values.enums import VoteByMail

_WORDS: Final[Mapping[VoteByMail, LazyString]] = {
    VoteByMail.COUNTED: _l("Your mail has come, and your card is on the table."),
    VoteByMail.NOT_HELD: _l(
        "Your mail has come, but you don't hold the card it names: nothing was laid."
    ),
    VoteByMail.LAID_BEFORE: _l(
        "Your mail has come, but you had laid a card before: that one stays."
    ),
    VoteByMail.NOT_UNDERSTOOD: _l(
        "Your mail has come, but its first line is no card: nothing was laid."
    ),
    VoteByMail.UNSAYABLE: _l(
        "Your mail has come, but what it says to the table can't be said:"
        " nothing was laid."
    ),
    VoteByMail.SAID: _l(
        "Your mail has come, and what it says was said. No card was laid by it."
    ),
}


def told(seen: GameReadModel, seat: int) -> str:
    """What became of the seat's latest mail in the open election; "" for no mail."""
    asked = seen.game.decision
    if asked is None or asked.kind is not Kind.ELECTION:
        return ""
    outcome = mailed_votes.latest(seen.id, seat, asked.number)
    return "" if outcome is None else str(_WORDS[outcome])
