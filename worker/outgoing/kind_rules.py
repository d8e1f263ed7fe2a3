"""How long a notice of each kind is true: asked before every attempt to send it."""

from collections.abc import Callable
from typing import Literal, TypeAlias, assert_never

from engine.state import Phase
from service.game import agreements, consequences
from service.store import card_orders, devices, expiry, proposals
from service.store.games import GameReadModel
from service.store.links import REMEMBER_MINUTES
from service.store.outbox import Notice
from service.values.enums import GameStatus, NoticeKind, ReplacementState, SeatState
from worker.outgoing import relevance
from worker.outgoing.relevance import Relevance

_Rule: TypeAlias = Callable[[Notice, Relevance], bool]

_OfSeating: TypeAlias = Literal[
    NoticeKind.CONFIRM,
    NoticeKind.INVITATION,
    NoticeKind.SEATED,
    NoticeKind.DECLINED,
    NoticeKind.CALLED_OFF,
    NoticeKind.EXPIRING,
    NoticeKind.EXPIRED,
    NoticeKind.KEPT,
    NoticeKind.REPLACEMENT,
    NoticeKind.OFFERED,
]
"""What is about who sits where: before the start, and on a seat that a bot keeps."""


def holds(notice: Notice, now: Relevance) -> bool:
    """Whether a notice may still be sent: none of the game's course to who has left it.

    A program gets none of it either, but for the end.

    Raises LookupError for a kind that only a newer process knows.
    """
    return relevance.is_for_reader(notice, now) and _rule(notice.kind)(notice, now)


def _rule(kind: NoticeKind) -> _Rule:
    """What tells whether a notice of a kind is still true. Raises as `holds` does."""
    match kind:
        case NoticeKind.YOUR_TURN | NoticeKind.ELECTION | NoticeKind.REMINDER:
            return _asks
        case NoticeKind.RESULT:
            return _is_latest_showing
        case NoticeKind.ROUND_OVER:
            return _game_runs_on
        case NoticeKind.STARTED | NoticeKind.GAME_OVER | NoticeKind.UNSUBSCRIBED:
            return _always
        case NoticeKind.TOO_LATE:
            return _is_theirs
        case (
            NoticeKind.NOT_COUNTED
            | NoticeKind.UNPROVED
            | NoticeKind.OTHER_SENDER
            | NoticeKind.MAIL_READ
            | NoticeKind.UNREAD
        ):
            return _is_open
        case NoticeKind.PROPOSAL:
            return _is_proposed
        case NoticeKind.REMEMBER:
            return _is_link_good
        case NoticeKind.DEVICES:
            return _is_remembered
        case NoticeKind.MY_CARDS:
            return _is_of_this_round
        case NoticeKind.UNKNOWN:
            raise LookupError(kind)
        case _:
            return _rule_of_seating(kind)


def _rule_of_seating(kind: _OfSeating) -> _Rule:
    match kind:
        case NoticeKind.CONFIRM:
            return _is_draft
        case NoticeKind.INVITATION | NoticeKind.SEATED:
            return _is_invited
        case NoticeKind.DECLINED:
            return _waits_for_host
        case NoticeKind.CALLED_OFF:
            return _is_to_hear_of_the_end
        case NoticeKind.EXPIRING:
            return _is_warned
        case NoticeKind.EXPIRED:
            return _always
        case NoticeKind.KEPT:
            return _is_kept
        case NoticeKind.REPLACEMENT:
            return _may_object
        case NoticeKind.OFFERED:
            return _is_offered
        case _:
            assert_never(kind)


def _asks(notice: Notice, now: Relevance) -> bool:
    """Whether the reader owes the answer that it asks for."""
    return now.asks(notice.decision, notice.seat)


def _is_latest_showing(notice: Notice, now: Relevance) -> bool:
    """Whether the cards it tells of lie open: until the next reveal, or a new round."""
    latest = now.seen.game.elections[-1:]
    return bool(latest) and latest[0].decision == notice.decision


def _game_runs_on(_notice: Notice, now: Relevance) -> bool:
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
    return any(relevance.tells_of(notice, each, now) for each in now.named)


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
    """Whether the table, and the reader, is asked what they haven't agreed to."""
    found = proposals.latest(now.seen.id) if _is_theirs(notice, now) else None
    return (
        found is not None
        and not found.is_closed
        and notice.seat not in found.agreed
        and found.lapses_at > now.mail.now
        and notice.seat in agreements.asked(now.seen.game)
    )


def _is_of_this_round(notice: Notice, now: Relevance) -> bool:
    """Whether the cards it brings are those of now, and still ordered by the reader."""
    game, reader = now.seen.game, now.mail.reader
    wanted = consequences.cards_key(game, notice.seat, reader.id)
    theirs = game.running and notice.key == wanted and now.sits(notice.seat)
    return theirs and card_orders.is_there(now.seen.id, notice.seat)


def _inviting(seen: GameReadModel) -> bool:
    return seen.status == GameStatus.INVITING
