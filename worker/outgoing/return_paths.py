"""Where mails come back to, and how long whose mails come back is left in peace."""

from datetime import datetime, timedelta
from typing import Final

from flask import current_app

from service import config
from service.store import bounces
from service.store.outbox import ClaimedMail
from service.values import inbound_addresses, signed_tokens
from service.values.enums import CALLS_TO_ACT

_QUESTIONS_FIRST: Final = timedelta(hours=1)
"""So much later a day's one try is anything's that asks nothing in a running game."""


def fresh() -> str | None:
    """A secret for the return path of an attempt; None where no mail comes in."""
    if config.of(current_app).inbound_address is None:
        return None
    return signed_tokens.make()


def address(secret: str) -> str | None:
    """The return path with that secret."""
    inbound = config.of(current_app).inbound_address
    if inbound is None:
        return None
    return inbound_addresses.for_bounces(inbound, secret).addr_spec


def wait(mail: ClaimedMail) -> datetime | None:
    """Until when a mail waits because its reader's come back; None: it leaves at once.

    What somebody waits for on a page does: they may know that their mailbox is back.
    """
    if not mail.bounces or any(notice.is_waited_for for notice in mail.notices):
        return None
    again = bounces.retry_at(mail.reader.id)
    if again is None:
        return None
    if not any(notice.kind in CALLS_TO_ACT for notice in mail.notices):
        again += _QUESTIONS_FIRST
    return again if again > mail.now else None
