"""Whether the seat's person wrote a mail: by its headers alone, then by its proof.

Whoever has a secret of a seat can send as many mails as they like: those beyond a cap
cost a look at their headers, and no name server is asked about them.
"""

from flask import current_app

from service import config
from service.store import incoming_mails, people
from service.values import addresses
from service.values.enums import IncomingKind
from service.values.errors import Invalid
from worker.incoming import authentication, dns_texts
from worker.incoming.seat_mails import SeatMail


def doubt(received: SeatMail) -> IncomingKind | None:
    """What speaks against a mail by its headers alone; None if it is to be proved."""
    link = received.link
    # From first: what says it is a stranger's costs the seat no look at who wrote it.
    if not _is_from_person(received):
        over = incoming_mails.are_too_many_of_others(link.game_id, link.seat)
        return IncomingKind.PASSED_OVER if over else IncomingKind.OTHER_SENDER
    if received.mail.trusted or not _is_asked_too_often(received):
        return None
    # What our own mail server found costs no look, and counts however many come.
    return None if _holds(received, ask=False) else IncomingKind.NOT_LOOKED_UP


def is_proved(received: SeatMail) -> bool:
    """Whether a mail that says so is from the seat's person.

    Raises Occupied while name servers are asked about another mail.
    """
    return received.mail.trusted or _holds(received, ask=True)


def _holds(received: SeatMail, *, ask: bool) -> bool:
    look_up = dns_texts.look_up if ask else _know_nothing
    settings, sender = config.of(current_app), received.letter.sender
    raw = received.mail.raw
    return authentication.is_proved(raw, received.headers, sender, settings, look_up)


def _know_nothing(_name: bytes) -> None:
    """No name server is asked any more."""


def _is_asked_too_often(received: SeatMail) -> bool:
    """Whether name servers were asked often enough about mails with this secret.

    A secret of the open question is counted by itself, so nobody who has another uses
    it up; all that are older, and those that ask nothing, have what the whole seat
    leaves. Of an open question there are as many secrets as mails that asked it: the
    first, its reminders and one an hour.
    """
    link = received.link
    alone = received.secret if received.is_open else None
    return incoming_mails.is_asked_too_often(link.game_id, link.seat, alone)


def _is_from_person(received: SeatMail) -> bool:
    """Whether it says that it is from the one address of the seat's person."""
    person = people.by_id(received.link.person_id)
    try:
        sender = addresses.parse(received.letter.sender, "from").key
    except Invalid:
        return False
    return person is not None and person.address_key == sender
