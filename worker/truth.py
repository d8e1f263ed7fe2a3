"""Whether a notice is still true: read again before every attempt to send it."""

from uuid import UUID

import msgspec

from engine.board import Seat
from engine.state import Phase
from service.i18n import LANGUAGES
from service.principals import System
from service.store import games, people, tables
from service.store.games import Seen
from service.store.mails import Notice
from service.store.people import PersonRow
from service.store.tables import Chair


class Truth(msgspec.Struct, frozen=True):
    """A game as it stands now, for one reader. `wanted` is False after an opt-out."""

    seen: Seen
    chairs: tuple[Chair, ...]
    reader: PersonRow
    wanted: bool

    @property
    def language(self) -> str:
        """The reader's language, if we speak it."""
        wish = self.reader.profile.language
        return wish if wish in LANGUAGES else LANGUAGES[0]

    def sits(self, seat: int) -> bool:
        """Whether the reader is the person on a seat."""
        chair = self.chairs[seat]
        return chair.person_id == self.reader.id and chair.bot is None

    def asks(self, decision: int | None, seat: int) -> bool:
        """Whether a decision is open and still waits for the reader on a seat."""
        game = self.seen.game
        asked = game.decision is not None and game.decision.number == decision
        return asked and Seat(seat) in game.asked() and self.sits(seat)


def read(game_id: UUID, person_id: UUID) -> Truth | None:
    """What holds now; None for a person without an address or a game that is gone.

    Raises UnreadableLog for a game that only a newer process can read.
    """
    reader = people.by_id(person_id)
    seen = games.read(game_id, System())
    if seen is None or reader is None or reader.address_key is None:
        return None
    wanted = not people.opted_out(reader.address_key)
    return Truth(seen, tables.chairs(game_id), reader, wanted)


def holds(notice: Notice, truth: Truth) -> bool:
    """Whether a notice may still be sent.

    Raises LookupError for a kind that only a newer process knows.
    """
    seen, game = truth.seen, truth.seen.game
    match notice.kind:
        case "your_turn" | "election" | "reminder":
            return truth.asks(notice.decision, notice.seat)
        case "result":
            # The next reveal ends the showing, and a new round has no election yet.
            latest = game.elections[-1:]
            return bool(latest) and latest[0].decision == notice.decision
        case "round_over":
            return game.phase is not Phase.OVER
        case "started" | "game_over" | "called_off":
            return True
        case "invitation":
            invited = truth.chairs[notice.seat].state == "invited"
            return (
                _inviting(seen) and invited and truth.sits(notice.seat) and truth.wanted
            )
        case "confirm":
            return seen.status == "draft"
        case "declined":
            refused = any(chair.state == "declined" for chair in truth.chairs)
            return _inviting(seen) and refused
        case _:
            raise LookupError(notice.kind)


def _inviting(seen: Seen) -> bool:
    return seen.status == "inviting"
