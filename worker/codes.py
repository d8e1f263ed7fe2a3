"""Mails that bring a code: what they say, and to whom."""

from datetime import datetime
from email.headerregistry import Address as Mailbox
from urllib.parse import urlsplit

import msgspec

from service import links
from service.i18n import LANGUAGES
from service.store.codemails import CodeMail
from service.store.codes import MINUTES, CodeKind


class CodeLetter(msgspec.Struct, frozen=True):
    """A mail with a code before it has a form; `kind` chooses its templates.

    `site` is where the code is good, for `minutes`. What belongs to a game is empty.
    """

    kind: CodeKind
    message_id: str
    date: datetime
    recipient: Mailbox
    code: str
    minutes: int
    site: str
    thread_id: str = ""
    scene: None = None
    ended: tuple[()] = ()


def write(mail: CodeMail, code: str) -> CodeLetter:
    """The letter that brings a code. Raises LookupError for a mail without one."""
    if mail.kind is None:
        raise LookupError(mail.id)
    return CodeLetter(
        kind=mail.kind,
        message_id=mail.message_id,
        date=mail.now,
        recipient=recipient(mail),
        code=code,
        minutes=MINUTES,
        site=urlsplit(links.url("")).netloc,
    )


def recipient(mail: CodeMail) -> Mailbox:
    """The address that was asked for, with no name: only its owner knows whose it is.

    Raises LookupError for a mail without a code.
    """
    if mail.address is None:
        raise LookupError(mail.id)
    local = mail.address.typed.rpartition("@")[0]
    domain = mail.address.key.rpartition("@")[2]
    return Mailbox("", username=local, domain=domain)


def language(mail: CodeMail) -> str:
    """The reader's language, if we know it and speak it."""
    return mail.language if mail.language in LANGUAGES else LANGUAGES[0]
