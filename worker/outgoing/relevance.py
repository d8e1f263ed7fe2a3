"""What a mail is checked against before it leaves: the game now, and its reader."""

from typing import Final

import msgspec

from engine.board import Seat
from service.store import games, opt_outs, replacements, seats
from service.store.games import GameReadModel
from service.store.outbox import ClaimedMail, Notice
from service.store.replacements import Replacement
from service.values.enums import MailChoice, NoticeKind, ReplacementState
from service.values.principals import System

_AS_IT_GOES: Final = (
    NoticeKind.STARTED,
    NoticeKind.YOUR_TURN,
    NoticeKind.ELECTION,
    NoticeKind.REMINDER,
    NoticeKind.RESULT,
    NoticeKind.ROUND_OVER,
)
"""What a program hears from the API, and needs no mail for."""


_TOLD_BY_THE_NEXT: Final = (NoticeKind.STARTED, NoticeKind.RESULT)
"""What the next mail tells anyhow, as what happened since: whoever wants to be mailed
only when they must act hears of it by that."""


_OF_A_SEAT: Final = (
    NoticeKind.STARTED,
    NoticeKind.RESULT,
    NoticeKind.ROUND_OVER,
    NoticeKind.GAME_OVER,
    NoticeKind.REPLACEMENT,
)
"""What whoever had a seat doesn't hear any more once it is somebody else's."""


_BESIDE_A_BOT: Final = (
    NoticeKind.KEPT,
    NoticeKind.REPLACEMENT,
    NoticeKind.DEVICES,
    NoticeKind.PROPOSAL,
    NoticeKind.TOO_LATE,
    NoticeKind.GAME_OVER,
)
"""What somebody hears while a bot keeps their seat: how to end that, and what else
could: whoever is named for it, perhaps an absence, the end of the game, or a proposal
of that, if they will be back by themselves; and an answer to a mail of theirs."""


_OF_A_NAMING: Final = (NoticeKind.REPLACEMENT, NoticeKind.OFFERED)


class Relevance(msgspec.Struct, frozen=True):
    """A game as it stands now, and the mail that wants to tell of it.

    `named` are those named latest for its seats, none where no mail could say so.
    """

    seen: GameReadModel
    mail: ClaimedMail
    named: tuple[Replacement, ...] = ()

    def sits(self, seat: int) -> bool:
        """Whether the reader is the person on a seat."""
        chair = self.mail.chairs[seat]
        return seats.person_of(chair) == self.mail.reader.id

    def has_left(self, seat: int) -> bool:
        """Whether a bot keeps a seat for the reader."""
        chair = self.mail.chairs[seat]
        return chair.bot is not None and chair.person_id == self.mail.reader.id

    def asks(self, decision: int | None, seat: int) -> bool:
        """Whether a decision is open and still waits for the reader on a seat."""
        asked = Seat(seat) in self.seen.game.asked()
        return self.is_open(decision) and asked and self.sits(seat)

    def may_be_invited(self) -> bool:
        """Whether the reader hasn't asked for no invitations ever again."""
        return not opt_outs.has(self.mail.reader.address_key)

    def is_open(self, decision: int | None) -> bool:
        """Whether a decision is the open one."""
        asked = self.seen.game.decision
        return asked is not None and asked.number == decision


def read(mail: ClaimedMail) -> Relevance | None:
    """What holds now; None for a reader without an address.

    Raises UnreadableLog for a game that only a newer process can read.
    """
    seen = games.read(mail.game_id, System())
    if seen is None or mail.reader.address_key is None:
        return None
    return Relevance(seen, mail, _named(mail))


def _named(mail: ClaimedMail) -> tuple[Replacement, ...]:
    """Who is named for its seats, read once, if it may tell of that or of its end."""
    kept = any(chair.bot and chair.person_id for chair in mail.chairs)
    if kept or any(notice.kind in _OF_A_NAMING for notice in mail.notices):
        return replacements.latest(mail.game_id)
    return ()


def is_for_reader(notice: Notice, now: Relevance) -> bool:
    """Whether the reader is still whom a notice of its kind is for."""
    reader = now.mail.reader
    if notice.kind is NoticeKind.UNSUBSCRIBED:
        return now.mail.unsubscribed
    # What somebody asks for on a page comes all the same.
    if now.mail.unsubscribed and not notice.is_waited_for:
        return False
    # It follows the game by the API, and would get each question twice.
    if reader.program and notice.kind in _AS_IT_GOES:
        return False
    if reader.mails is MailChoice.ASKS and notice.kind in _TOLD_BY_THE_NEXT:
        return False
    if now.has_left(notice.seat):
        return notice.kind in _BESIDE_A_BOT
    return notice.kind not in _OF_A_SEAT or now.sits(notice.seat)


def tells_of(notice: Notice, named: Replacement, now: Relevance) -> bool:
    """Whether a notice tells of just this naming, while others may object.

    To whoever has that seat it does as long as a bot keeps it, to others while they
    play.
    """
    return (
        named.state is ReplacementState.NAMED
        and replacements.heard(named, now.seen.id, notice.seat) == notice.key
        and now.has_left(notice.seat) == (named.seat == notice.seat)
    )
