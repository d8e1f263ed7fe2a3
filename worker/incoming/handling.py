"""What becomes of a mail that came in: looked at once, in an order that tells nothing.

Who is told what, and how often, stands in docs/mails.md. What a mail leads to and the
line that it was handled are written together: a mail that comes twice, or is taken by
two workers, acts once.
"""

import time
from contextlib import suppress
from typing import Final
from uuid import UUID

import msgspec

from engine.errors import UnreadableLog
from service.game import fresh_questions, task_hints
from service.game.fresh_questions import Reader
from service.store import event_log, games, incoming_mails
from service.store.event_log import NoticeRow
from service.store.incoming_mails import (
    IncomingMail,
    JournalLine,
    Repeated,
    TakenByOthers,
)
from service.store.transactions import transaction
from service.values.enums import IncomingKind, LinkPurpose, NoticeKind
from service.values.principals import ReplyHolder
from worker import error_isolation
from worker.incoming import (
    answering,
    delivery_reports,
    headers,
    letter,
    seat_mails,
    senders,
)
from worker.incoming.answering import Result
from worker.incoming.dns_texts import Occupied
from worker.incoming.seat_mails import SeatMail

_LEASE_SECONDS: Final = 60.0
_BATCH: Final = 20
PATIENCE_SECONDS: Final = 20.0
"""After this a sweep begins no mail more."""

MOST_ATTEMPTS: Final = 3
"""A mail that nobody has come to the end of so often is given up: whatever stops them
would stop everybody who takes it, again and again."""

_STRANGERS: Final = {
    IncomingKind.OTHER_SENDER: "sender",
    IncomingKind.UNAUTHENTICATED: "proof",
    IncomingKind.NOT_LOOKED_UP: "look",
}
"""Of what strangers can cause, of which the seat gets one for each open decision."""

_CAPS: Final = {
    NoticeKind.NOT_COUNTED: "help",
    NoticeKind.TOO_LATE: "help",
    NoticeKind.MAIL_READ: "read",
    NoticeKind.UNREAD: "unread",
}
"""Of what the seat's person alone can cause, of which it gets one for each decision
that they answered, whatever it is about: what strangers cause uses up nothing of it."""


def sweep() -> None:
    """Handle the mails that no task hint came for; each fails by itself."""
    end = time.monotonic() + PATIENCE_SECONDS
    for _ in range(_BATCH):
        if time.monotonic() > end:
            return
        with transaction():
            mail = incoming_mails.claim_next(_LEASE_SECONDS)
        if mail is None:
            return
        with error_isolation.contained("incoming_mail_failed", mail=str(mail.id)):
            _handle(mail)


def handle(number: UUID) -> None:
    """Handle one mail, unless somebody else does, or has."""
    with transaction():
        mail = incoming_mails.claim(number, _LEASE_SECONDS)
    if mail is not None:
        _handle(mail)


def _handle(mail: IncomingMail) -> None:
    if mail.attempts > MOST_ATTEMPTS:
        with suppress(TakenByOthers):
            _end(mail, JournalLine(IncomingKind.GIVEN_UP, None))
        return
    try:
        _look_at(mail)
    except TakenByOthers:
        return
    except (UnreadableLog, Occupied):
        # A newer process reads that game, or the name servers are free in a moment.
        incoming_mails.put_off(mail)


def _look_at(mail: IncomingMail) -> None:
    returned = delivery_reports.token(mail.raw, mail.envelope)
    if returned is not None:
        _take_report(mail, returned)
        return
    headers_ = headers.of(mail.raw)
    found = letter.outside(headers_, mail.envelope)
    received = seat_mails.find(mail, headers_, found)
    if received is None:
        kind = IncomingKind.AUTOMATIC if found.automatic else IncomingKind.NOT_OURS
        _end(mail, JournalLine(kind, seat_mails.digest(found)))
        return
    try:
        _judge(received)
    except Repeated:
        # It came twice at the same time, and the other one has been handled.
        _end(mail, received.line(IncomingKind.DUPLICATE))


def _take_report(mail: IncomingMail, token: str) -> None:
    """Keep that a mail of ours came back. Nothing else is read, nobody is answered."""
    with transaction():
        incoming_mails.settle(mail, JournalLine(IncomingKind.BOUNCE, None))
        delivery_reports.take(token, mail.raw)


def _end(mail: IncomingMail, line: JournalLine) -> None:
    with transaction():
        incoming_mails.settle(mail, line)


def _judge(received: SeatMail) -> None:
    """Look at who wrote it, and then at what they wrote.

    By its headers first: whoever has a secret can send what is long to read, and what
    leads to nothing, or to what was told before, is read no further.
    """
    if _has_ended(received):
        return
    kind = senders.doubt(received)
    if kind is not None and _is_told(received, kind):
        _end(received.mail, received.line(kind))
        return
    known, received = received.digest is not None, received.opened()
    if (received.letter.automatic or not known) and _has_ended(received):
        return
    if kind is None and not senders.is_proved(received):
        kind = IncomingKind.UNAUTHENTICATED
    if kind is not None:
        _refuse(received, kind)
    else:
        _read(received)


def _has_ended(received: SeatMail) -> bool:
    """Whether no person sent it, or it came before, and that was its end."""
    link = received.link
    if received.letter.automatic:
        kind = IncomingKind.AUTOMATIC
    elif incoming_mails.was_read(link.game_id, link.seat, received.digest):
        kind = IncomingKind.DUPLICATE
    else:
        return False
    _end(received.mail, received.line(kind))
    return True


def _is_told(received: SeatMail, kind: IncomingKind) -> bool:
    """Whether there is nothing to tell the seat, or it was told in this decision."""
    if kind not in _STRANGERS:
        return True
    return event_log.is_noted(received.seen.id, _strangers_key(received, kind))


def _strangers_key(received: SeatMail, kind: IncomingKind) -> str:
    # Not by what its secret answers: a seat has as many old ones as it got mails.
    decision = received.seen.game.last_decision
    return _key(received, decision, _STRANGERS[kind])


def _refuse(received: SeatMail, kind: IncomingKind) -> None:
    """Count nothing; tell the seat's own address, which may be somebody else's wish."""
    other = kind is IncomingKind.OTHER_SENDER
    notice = NoticeKind.OTHER_SENDER if other else NoticeKind.UNPROVED
    with transaction():
        incoming_mails.settle(received.mail, received.line(kind))
        _tell(received, notice, _strangers_key(received, kind))


def _read(received: SeatMail) -> None:
    """Do what its person wrote, or tell them why not."""
    link = received.link
    if incoming_mails.are_too_many(link.game_id, link.seat):
        _conclude(received, IncomingKind.TOO_MANY, NoticeKind.UNREAD)
    elif link.purpose == LinkPurpose.REPLY_ASK:
        _ask_again(received)
    elif not received.is_open:
        _conclude(received, IncomingKind.OVER, NoticeKind.TOO_LATE)
    else:
        _act(received)


def _ask_again(received: SeatMail) -> None:
    """Mail the open question; an answer to what asked nothing never acts."""
    link = received.link
    asked = fresh_questions.asked(received.seen.game, link.seat)
    if asked is None:
        _conclude(received, IncomingKind.READ, NoticeKind.TOO_LATE)
        return
    with transaction():
        incoming_mails.settle(received.mail, received.line(IncomingKind.READ))
        reader = Reader(link.person_id, link.seat)
        fresh_questions.mail(received.seen, asked, reader)


def _act(received: SeatMail) -> None:
    """Do what it says, and tell what the seat is to hear of that, in one write."""
    letter_, link = received.letter, received.link
    proof = ReplyHolder(received.secret, link.decision or 0)

    def conclude(result: Result) -> None:
        result.note(link)
        _write(received, IncomingKind.READ, result.notice)

    if answering.answer(received.seen, link, proof, letter_.lines, conclude):
        return
    # What is asked has changed since it was looked at.
    seen = games.read(link.game_id, answering.SYSTEM) or received.seen
    received = msgspec.structs.replace(received, seen=seen)
    _conclude(received, IncomingKind.OVER, NoticeKind.TOO_LATE)


def _conclude(received: SeatMail, kind: IncomingKind, notice: NoticeKind) -> None:
    """End a mail that has led to nothing but an answer."""
    with transaction():
        _write(received, kind, notice)


def _write(received: SeatMail, kind: IncomingKind, notice: NoticeKind | None) -> None:
    """The journal's line and our answer, in the caller's transaction."""
    incoming_mails.settle(received.mail, received.line(kind))
    if notice is None:
        return
    answered = received.link.decision
    about = received.seen.game.last_decision if answered is None else answered
    _tell(received, notice, _key(received, about, _CAPS[notice]))


def _key(received: SeatMail, decision: int, cap: str) -> str:
    return f"{received.seen.id}/mailed/{decision}/{cap}/{received.link.seat}"


def _tell(received: SeatMail, notice: NoticeKind, key: str) -> None:
    """Tell the seat's person once, in the caller's transaction."""
    link, seen = received.link, received.seen
    asked = fresh_questions.asked(seen.game, link.seat)
    number = None if asked is None else asked.number
    row = NoticeRow(key, link.person_id, link.seat, notice, number, None)
    event_log.notify(seen.id, (row,))
    task_hints.send(task_hints.FOLLOW_UP, str(seen.id))
