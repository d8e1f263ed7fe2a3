"""How mails leave: by SMTP, or into the built-in mailbox where none is set.

The mailbox is a Maildir in the folder of Config.mailbox. A mail's file is named after
its Message-ID, so that a repeat adds nothing.
"""

import hashlib
import mailbox
import os
import threading
from email import policy
from email.parser import BytesParser
from pathlib import Path
from urllib.parse import urlsplit

from service.config import Config
from worker import smtp
from worker.smtp import Fate, Outcome


def send(body: bytes, settings: Config) -> Outcome:
    """Send a rendered mail to the one address in its header."""
    head = BytesParser(policy=policy.SMTP).parsebytes(body, headersonly=True)
    if settings.smtp_url is None:
        return _drop(body, str(head["Message-ID"]), settings.mailbox)
    envelope = smtp.Envelope(
        server=urlsplit(settings.smtp_url),
        our_name=urlsplit(settings.public_url).hostname or "localhost",
        sender=settings.mail_from.addr_spec,
        recipient=_utf8(head["To"].addresses[0].addr_spec),
    )
    return smtp.Attempt(envelope).run(body)


def _utf8(parsed: str) -> str:
    """An address from a header as it was written: the parser hides raw UTF-8."""
    return parsed.encode("utf-8", "surrogateescape").decode("utf-8")


def _drop(body: bytes, message_id: str, folder: Path) -> Outcome:
    """Put a mail into the Maildir, whole or not at all, and once."""
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    mailbox.Maildir(folder, create=True)
    name = hashlib.sha256(message_id.encode()).hexdigest()[:32]
    if not any((folder / "cur").glob(f"{name}*")):
        draft = folder / "tmp" / f"{name}.{os.getpid()}.{threading.get_ident()}"
        with draft.open("wb") as file:
            file.write(body)
            file.flush()
            os.fsync(file.fileno())
        draft.rename(folder / "new" / name)
    return Outcome(Fate.SENT)
