"""Whether a notice is still true: read again before every attempt to send it."""

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from engine.board import Seat
from engine.state import Phase
from service.game import agreements, consequences
from service.store import (
    card_orders,
    devices,
    expiry,
    games,
    opt_outs,
    proposals,
    replacements,
    seats,
)
from service.store.games import GameReadModel
from service.store.links import REMEMBER_MINUTES
from service.store.outbox import ClaimedMail, Notice
from service.store.replacements import Replacement
from service.values.enums import (
    GameStatus,
    MailChoice,
    NoticeKind,
    ReplacementState,
    SeatState,
)
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


def holds(notice: Notice, now: Relevance) -> bool:
    """Whether a notice may still be sent: none of the game's course to who has left it.

    A program gets none of it either, but for the end.

    Raises LookupError for a kind that only a newer process knows.
    """
    return is_for_reader(notice, now) and _RULES[notice.kind](notice, now)


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


def _asks(notice: Notice, now: Relevance) -> bool:
    """Whether the reader owes the answer that it asks for."""
    return now.asks(notice.decision, notice.seat)


def _is_latest_showing(notice: Notice, now: Relevance) -> bool:
    """Whether the cards it tells of lie open: until the next reveal, or a new round."""
    latest = now.seen.game.elections[-1:]
    return bool(latest) and latest[0].decision == notice.decision


def _goes_on(_notice: Notice, now: Relevance) -> bool:
    return now.seen.game.phase is not Phase.OVER


def _always(_notice: Notice, _now: Relevance) -> bool:
    return True


def _is_invited(notice: Notice, now: Relevance) -> bool:
    """Whether the reader is asked to their seat, or sits there, before the start."""
    state = now.mail.chairs[notice.seat].state
    waits = notice.kind is NoticeKind.SEATED or state == SeatState.INVITED
    invited = waits and now.sits(notice.seat) and _inviting(now.seen)
    return invited and now.may_be_invited()


def _is_to_hear_of_the_end(notice: Notice, now: Relevance) -> bool:
    """Whether they sat there, or haven't asked for no more invitations."""
    joined = now.mail.chairs[notice.seat].state == SeatState.JOINED
    return joined or now.may_be_invited()


def _is_draft(_notice: Notice, now: Relevance) -> bool:
    return now.seen.status == GameStatus.DRAFT


def _is_warned(_notice: Notice, now: Relevance) -> bool:
    return expiry.is_warned(now.seen.id)


def _waits_for_host(_notice: Notice, now: Relevance) -> bool:
    """Whether a table still has a seat that its host is to fill."""
    states = {chair.state for chair in now.mail.chairs}
    return _inviting(now.seen) and not states.isdisjoint(
        (SeatState.DECLINED, SeatState.OPEN)
    )


def _is_kept(notice: Notice, now: Relevance) -> bool:
    """Whether a bot keeps the reader's seat in a game that runs."""
    return now.seen.game.running and now.has_left(notice.seat)


def _is_theirs(notice: Notice, now: Relevance) -> bool:
    """Whether the seat is the reader's, whether they play it or a bot keeps it."""
    return now.sits(notice.seat) or now.has_left(notice.seat)


def _is_open(notice: Notice, now: Relevance) -> bool:
    """Whether the question is open that a mail of the reader's was about.

    Whether they have laid a card makes no difference: no mail is to show it.
    """
    return now.is_open(notice.decision) and now.sits(notice.seat)


def _may_object(notice: Notice, now: Relevance) -> bool:
    """Whether it tells of somebody who is named, while others may object."""
    return any(tells_of(notice, each, now) for each in now.named)


def _is_offered(notice: Notice, now: Relevance) -> bool:
    """Whether the reader is asked now to a seat that a bot keeps."""
    asked = (each for each in now.named if each.state is ReplacementState.ASKED)
    theirs = (each for each in asked if each.seat == notice.seat)
    mine = any(each.person_id == now.mail.reader.id for each in theirs)
    return mine and now.may_be_invited()


def _is_link_good(notice: Notice, now: Relevance) -> bool:
    """Whether a browser may still be remembered by the link that it brings."""
    return _is_theirs(notice, now) and notice.age < REMEMBER_MINUTES * 60


def _is_remembered(notice: Notice, now: Relevance) -> bool:
    """Whether there is a browser that the seat remembers."""
    there = _is_theirs(notice, now)
    return there and bool(devices.of_seat(now.seen.id, now.mail.reader.id))


def _is_proposed(notice: Notice, now: Relevance) -> bool:
    return _is_theirs(notice, now) and _is_asked(notice, now)


def _is_of_this_round(notice: Notice, now: Relevance) -> bool:
    """Whether the cards it brings are those of now, and still ordered by the reader."""
    game, reader = now.seen.game, now.mail.reader
    wanted = consequences.cards_key(game, notice.seat, reader.id)
    theirs = game.running and notice.key == wanted and now.sits(notice.seat)
    return theirs and card_orders.is_there(now.seen.id, notice.seat)


def _is_asked(notice: Notice, now: Relevance) -> bool:
    """Whether the table, and the reader, is asked what they haven't agreed to."""
    found = proposals.latest(now.seen.id)
    return (
        found is not None
        and not found.is_closed
        and notice.seat not in found.agreed
        and found.lapses_at > now.mail.now
        and notice.seat in agreements.asked(now.seen.game)
    )


def _inviting(seen: GameReadModel) -> bool:
    return seen.status == GameStatus.INVITING


_RULES: Final[Mapping[NoticeKind, Callable[[Notice, Relevance], bool]]] = {
    NoticeKind.YOUR_TURN: _asks,
    NoticeKind.ELECTION: _asks,
    NoticeKind.REMINDER: _asks,
    NoticeKind.RESULT: _is_latest_showing,
    NoticeKind.ROUND_OVER: _goes_on,
    NoticeKind.STARTED: _always,
    NoticeKind.GAME_OVER: _always,
    NoticeKind.EXPIRED: _always,
    NoticeKind.UNSUBSCRIBED: _always,
    NoticeKind.INVITATION: _is_invited,
    NoticeKind.SEATED: _is_invited,
    NoticeKind.CALLED_OFF: _is_to_hear_of_the_end,
    NoticeKind.CONFIRM: _is_draft,
    NoticeKind.EXPIRING: _is_warned,
    NoticeKind.DECLINED: _waits_for_host,
    NoticeKind.KEPT: _is_kept,
    NoticeKind.TOO_LATE: _is_theirs,
    NoticeKind.NOT_COUNTED: _is_open,
    NoticeKind.UNPROVED: _is_open,
    NoticeKind.OTHER_SENDER: _is_open,
    NoticeKind.MAIL_READ: _is_open,
    NoticeKind.UNREAD: _is_open,
    NoticeKind.REPLACEMENT: _may_object,
    NoticeKind.OFFERED: _is_offered,
    NoticeKind.REMEMBER: _is_link_good,
    NoticeKind.DEVICES: _is_remembered,
    NoticeKind.PROPOSAL: _is_proposed,
    NoticeKind.MY_CARDS: _is_of_this_round,
}
"""Of every kind but that of a newer process: whether a notice is still true."""
