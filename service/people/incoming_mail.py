"""Mails that people send us: kept, and the worker told that there is one."""

from service.game import task_hints
from service.store import incoming_mails
from service.store.incoming_mails import Full
from service.store.transactions import transaction
from service.values.errors import Busy


def take(raw: bytes, envelope: str, *, trusted: bool = False) -> None:
    """Keep a mail until the worker has handled it.

    `envelope` is the address it was delivered to, "" where nobody says; a `trusted` one
    needs no proof of its sender. Raises Busy, also where too many wait. Nobody is told
    what becomes of it, nor whether it came before.
    """
    try:
        with transaction():
            number = incoming_mails.add(raw, envelope, trusted=trusted)
    except Full as error:
        raise Busy from error
    task_hints.send(task_hints.HANDLE_MAIL, str(number))
