"""What becomes of a mail that came in: looked at once, in an order that tells nothing.

Who is told what, and how often, stands in docs/mails.md. What a mail leads to and the
line that it was handled are written together: a mail that comes twice, or is taken by
two workers, acts once.
"""

import hashlib
import time
from contextlib import suppress
from typing import Final
from uuid import UUID

import msgspec
from flask import current_app

from service import config
from service.game import fresh_questions, task_hints
from service.game.fresh_questions import Reader
from service.store import event_log, games, incoming_mails, links, people, tables
from service.store.event_log import NoticeRow
from service.store.games import GameReadModel
from service.store.incoming_mails import (
    IncomingMail,
    JournalLine,
    Repeated,
    TakenByOthers,
)
from service.store.links import LinkRow
from service.store.transactions import transaction
from service.values import addresses, entropy
from service.values.enums import IncomingKind, LinkPurpose, NoticeKind
from service.values.errors import Invalid
from service.values.principals import ReplyHolder
from worker import error_isolation
from worker.incoming import (
    answering,
    authentication,
    delivery_reports,
    dns_texts,
    headers,
    letter,
)
from worker.incoming.answering import Result
from worker.incoming.headers import Headers
from worker.incoming.letter import Letter

_LEASE_SECONDS: Final = 60.0
_BATCH: Final = 20
PATIENCE_SECONDS: Final = 20.0
"""After this a sweep begins no mail more."""

MOST_ATTEMPTS: Final = 3
"""A mail that nobody has come to the end of so often is given up: whatever stops them
would stop everybody who takes it, again and again."""

_REPLIES: Final = (LinkPurpose.REPLY, LinkPurpose.REPLY_ASK)

_CAPS: Final = {
    NoticeKind.NOT_COUNTED: "help",
    NoticeKind.TOO_LATE: "help",
    NoticeKind.UNPROVED: "proof",
    NoticeKind.OTHER_SENDER: "sender",
    NoticeKind.MAIL_READ: "read",
    NoticeKind.UNREAD: "unread",
}
"""Of which the seat gets one for each decision, whatever it is about: what strangers
can cause uses up nothing of its own."""


class SeatMail(msgspec.Struct, frozen=True):
    """A mail with a secret of ours: whose seat's, for which question, and the game.

    `digest` tells it from the seat's other mails.
    """

    mail: IncomingMail
    headers: Headers
    letter: Letter
    link: LinkRow
    seen: GameReadModel
    digest: bytes

    def line(self, kind: IncomingKind) -> JournalLine:
        """What the journal says of it."""
        return JournalLine(kind, self.digest, self.link.game_id, self.link.seat)


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
    returned = delivery_reports.token(mail.raw, mail.envelope)
    if returned is not None:
        _take_report(mail, returned)
        return
    headers_ = headers.of(mail.raw)
    found = letter.outside(headers_, mail.envelope)
    received = _received(mail, headers_, found)
    if received is not None:
        found = letter.read(mail.raw, headers_, mail.envelope)
        received = msgspec.structs.replace(
            received, letter=found, digest=_digest(found)
        )
    try:
        if found.automatic:
            _end(mail, _line(IncomingKind.AUTOMATIC, found, received))
        elif received is None:
            _end(mail, _line(IncomingKind.NOT_OURS, found, None))
        else:
            _judge(received)
    except Repeated:
        # It came twice at the same time, and the other one has been handled.
        _end(mail, _line(IncomingKind.DUPLICATE, found, received))
    except TakenByOthers:
        return


def _take_report(mail: IncomingMail, token: str) -> None:
    """Keep that a mail of ours came back. Nothing else is read, nobody is answered."""
    with suppress(TakenByOthers), transaction():
        incoming_mails.settle(mail, JournalLine(IncomingKind.BOUNCE, None))
        delivery_reports.take(token, mail.raw)


def _line(kind: IncomingKind, found: Letter, received: SeatMail | None) -> JournalLine:
    return (
        JournalLine(kind, _digest(found)) if received is None else received.line(kind)
    )


def _end(mail: IncomingMail, line: JournalLine) -> None:
    with transaction():
        incoming_mails.settle(mail, line)


def _digest(found: Letter) -> bytes:
    """What tells a mail from others: its Message-ID, or else to what it says what."""
    said = found.message_id or "\n".join((found.token, *found.lines))
    return hashlib.sha256(said.encode("utf-8", "replace")).digest()


def _received(mail: IncomingMail, headers_: Headers, found: Letter) -> SeatMail | None:
    """The mail with what its secret is good for; None where it is good for nothing."""
    link = links.find(found.token) if found.token else None
    if link is None or link.purpose not in _REPLIES:
        return None
    seen = games.read(link.game_id, answering.SYSTEM)
    chairs = tables.chairs(link.game_id)
    if seen is None or link.seat >= len(chairs):
        return None
    if chairs[link.seat].person_id != link.person_id:
        return None
    return SeatMail(mail, headers_, found, link, seen, _digest(found))


def _judge(received: SeatMail) -> None:
    """Look at who wrote it, and then at what they wrote."""
    link, digest = received.link, received.digest
    if incoming_mails.was_read(link.game_id, link.seat, digest):
        _end(received.mail, received.line(IncomingKind.DUPLICATE))
        return
    kind = _unproved(received)
    if kind is not None:
        _refuse(received, kind)
    elif incoming_mails.are_too_many(link.game_id, link.seat):
        _conclude(received, IncomingKind.TOO_MANY, NoticeKind.UNREAD)
    elif link.purpose == LinkPurpose.REPLY_ASK:
        _ask_again(received)
    elif not _is_open(received):
        _conclude(received, IncomingKind.OVER, NoticeKind.TOO_LATE)
    else:
        _act(received)


def _unproved(received: SeatMail) -> IncomingKind | None:
    """Why nobody can tell that the seat's person wrote it; None where somebody can."""
    mail, link = received.mail, received.link
    # From first: what says it is a stranger's costs the seat no look at who wrote it.
    if not _is_from_person(received):
        over = incoming_mails.are_too_many_of_others(link.game_id, link.seat)
        return IncomingKind.PASSED_OVER if over else IncomingKind.OTHER_SENDER
    if mail.trusted:
        return None
    often = incoming_mails.is_asked_too_often(link.game_id, link.seat)
    # What our own mail server found costs no look, and counts however many come.
    look_up = _know_nothing if often else dns_texts.look_up
    settings, sender = config.of(current_app), received.letter.sender
    if authentication.is_proved(mail.raw, received.headers, sender, settings, look_up):
        return None
    return IncomingKind.PASSED_OVER if often else IncomingKind.UNAUTHENTICATED


def _know_nothing(_name: bytes) -> None:
    """No name server is asked any more."""


def _is_from_person(received: SeatMail) -> bool:
    """Whether it says that it is from the one address of the seat's person."""
    person = people.by_id(received.link.person_id)
    try:
        sender = addresses.parse(received.letter.sender, "from").key
    except Invalid:
        return False
    return person is not None and person.address_key == sender


def _refuse(received: SeatMail, kind: IncomingKind) -> None:
    """Count nothing; tell the seat's own address, which may be somebody else's wish."""
    if kind is IncomingKind.PASSED_OVER:
        _end(received.mail, received.line(kind))
    elif kind is IncomingKind.OTHER_SENDER:
        _conclude(received, kind, NoticeKind.OTHER_SENDER)
    else:
        _conclude(received, kind, NoticeKind.UNPROVED)


def _is_open(received: SeatMail) -> bool:
    """Whether the question it answers is open still."""
    asked = fresh_questions.asked(received.seen.game, received.link.seat)
    return asked is not None and asked.number == received.link.decision


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
    proof = ReplyHolder(entropy.digest(letter_.token), link.decision or 0)

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
    link, seen = received.link, received.seen
    asked = fresh_questions.asked(seen.game, link.seat)
    about = seen.game.last_decision if link.decision is None else link.decision
    row = NoticeRow(
        f"{seen.id}/mailed/{about}/{_CAPS[notice]}/{link.seat}",
        link.person_id,
        link.seat,
        notice,
        None if asked is None else asked.number,
        None,
    )
    event_log.notify(seen.id, (row,))
    task_hints.send(task_hints.FOLLOW_UP, str(seen.id))
