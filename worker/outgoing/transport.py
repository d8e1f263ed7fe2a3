"""How mails leave: by SMTP, or into the built-in mailbox where none is set.

The mailbox is a Maildir in the folder of Config.mailbox. A mail's file is named after
its Message-ID, so that a repeat adds nothing.
"""

import hashlib
import mailbox
import os
import threading
from pathlib import Path

import msgspec

from service.config import Config
from worker.outgoing import smtp
from worker.outgoing.smtp import DeliveryOutcome, Fate


class Parcel(msgspec.Struct, frozen=True):
    """A rendered mail with its Message-ID and the one address it goes to.

    `sender` is where it comes back to, None for the usual address.
    """

    message_id: str
    recipient: str
    body: bytes
    sender: str | None = None


def send(parcel: Parcel, settings: Config) -> DeliveryOutcome:
    """Hand a mail over, and tell what became of it."""
    attempt = _attempt(settings, parcel.recipient, parcel.sender)
    if attempt is not None:
        return attempt.run(parcel.body)
    try:
        return _drop(parcel, settings.mailbox)
    except OSError as error:
        return DeliveryOutcome(Fate.LATER, f"{type(error).__name__} at mailbox")


def greet(settings: Config) -> DeliveryOutcome:
    """Try whether a mail could be handed over now, without one."""
    attempt = _attempt(settings, "")
    return DeliveryOutcome(Fate.SENT) if attempt is None else attempt.greet()


def _attempt(
    settings: Config, recipient: str, sender: str | None = None
) -> smtp.Attempt | None:
    """An attempt by SMTP; None where mails stay here."""
    if settings.mail_server is None:
        return None
    envelope = smtp.Envelope(
        server=settings.mail_server,
        our_name=settings.mail_domain,
        sender=sender or settings.mail_from.addr_spec,
        recipient=recipient,
    )
    return smtp.Attempt(envelope)


def _drop(parcel: Parcel, folder: Path) -> DeliveryOutcome:
    """Put a mail into the Maildir, whole or not at all, and once."""
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    mailbox.Maildir(folder, create=True)
    # A Message-ID has letters that file systems don't like; a repeat has to find its
    # file all the same.
    name = hashlib.sha256(parcel.message_id.encode()).hexdigest()[:32]
    # A reader moves there what was looked at, with its flags behind the name.
    if not any((folder / "cur").glob(f"{name}*")):
        unfinished = folder / "tmp" / f"{name}.{os.getpid()}.{threading.get_ident()}"
        with unfinished.open("wb") as file:
            file.write(parcel.body)
            file.flush()
            # Renamed before that, a mail may outlive a crash by its name alone, and be
            # empty.
            os.fsync(file.fileno())
        unfinished.rename(folder / "new" / name)
    return DeliveryOutcome(Fate.SENT)
