"""Mails that bring a code: what they say, and to whom."""

import math
from collections.abc import Mapping
from datetime import datetime
from email.headerregistry import Address as Mailbox
from typing import Final
from urllib.parse import urlsplit

import msgspec
from babel.units import format_unit
from flask_babel import get_locale
from flask_babel import lazy_gettext as _l
from flask_babel.speaklater import LazyString

from service.auth import bearer
from service.store.code_mails import CodeMail
from service.store.codes import MINUTES, CodeKind
from service.store.grants import A_YEAR, Grant
from service.values import addresses, public_urls

_WORDS: Final[Mapping[str, LazyString]] = {
    "games:read": _l("see your games, and your cards in them"),
    "games:play": _l("answer for you, and take seats for you"),
    "games:create": _l("host games as you"),
    "invite": _l("invite others as you"),
    "messages": _l("write messages as you"),
    "profile": _l("see and change your account, and make more tokens"),
}
"""What a scope lets somebody do."""

_UNITS: Final = (
    (24 * 60 * 60, "duration-day"),
    (60 * 60, "duration-hour"),
    (60, "duration-minute"),
    (1, "duration-second"),
)


class CodeMailContent(msgspec.Struct, frozen=True):
    """A mail with a code before it has a form; `kind` chooses its templates.

    `site` is where the code is good, for `minutes`. `may` is what whoever types it in
    may do then, for `long`: no words but ours.
    """

    kind: CodeKind
    message_id: str
    date: datetime
    recipient: Mailbox
    code: str
    minutes: int
    site: str
    may: tuple[str, ...]
    one_game: bool
    long: str
    thread_id: str = ""
    reply: Mailbox | None = None
    unsubscribe: str = ""


def write(mail: CodeMail, code: str) -> CodeMailContent:
    """What brings a code to its reader."""
    return CodeMailContent(
        kind=mail.kind,
        message_id=mail.message_id,
        date=mail.now,
        recipient=recipient(mail),
        code=code,
        minutes=MINUTES,
        site=urlsplit(public_urls.url("")).netloc,
        may=_may(mail.grant),
        one_game=mail.grant.game is not None,
        long=_long(mail.grant.expires_in or A_YEAR),
    )


def _may(grant: Grant) -> tuple[str, ...]:
    """What each scope is good for, in the reader's words; nothing for all of them."""
    wanted = grant.scopes or bearer.SCOPES
    if len(wanted) == len(bearer.SCOPES):
        return ()
    return tuple(str(_WORDS[scope]) for scope in wanted)


def _long(seconds: int) -> str:
    """How long that is, never less than it is."""
    if seconds == A_YEAR:
        return format_unit(1, "duration-year", locale=get_locale())
    size, unit = next(e for e in _UNITS if seconds >= 2 * e[0] or e[0] == 1)
    return format_unit(math.ceil(seconds / size), unit, locale=get_locale())


def recipient(mail: CodeMail) -> Mailbox:
    """The address that was asked for, with no name: only its owner knows whose."""
    return addresses.recipient(mail.address.typed, mail.address.key)
