"""The mailbox of a machine without a mail server: for its own browsers alone."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from email import policy
from email.message import EmailMessage
from email.parser import BytesHeaderParser, BytesParser
from math import ceil
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import msgspec
from babel.dates import format_datetime
from flask import Blueprint, current_app, has_request_context, render_template, request
from flask_babel import get_locale

from service import config
from service.values import urls
from service.values.errors import NotFound
from service.web.http import error_pages, forms, page_headers

bp = Blueprint("mailbox", __name__)

_FORWARDED: Final = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip")
_PAGE: Final = 50
_PAPER: Final = "<style>html, body { background: #fffdf8 !important; }</style>"
_LINE: Final = 25
_GAP: Final = 10
_ROW: Final = 46
_BUTTON: Final = 50


class ListedMail(msgspec.Struct, frozen=True):
    """A mail in the list; `number` counts from the oldest."""

    number: int
    to: str
    subject: str
    sent: str
    unread: bool


class MailList(msgspec.Struct, frozen=True):
    """A page of the list, for one person or for all (`to` is empty)."""

    mails: Sequence[ListedMail]
    people: Sequence[str]
    to: str
    page: int
    pages: int


class FrameHeights(msgspec.Struct, frozen=True):
    """How high a mail's frame is, in pixels, on a telephone and on a wide screen."""

    narrow: int
    wide: int


class OpenedMail(msgspec.Struct, frozen=True):
    """A mail as it is read: `html` is the document for a frame of its own."""

    to: str
    sender: str
    subject: str
    sent: str
    text: str
    html: str
    heights: FrameHeights


@bp.get("/mailbox")
def index() -> str:
    """The mails of everybody who plays here, newest first; or those of one person."""
    mails = [_listed(number, file) for number, file in enumerate(_files(), start=1)]
    people = sorted({mail.to for mail in mails})
    to = request.args.get("to", "")
    found = [mail for mail in reversed(mails) if to in ("", mail.to)]
    pages = max(1, ceil(len(found) / _PAGE))
    page = min(max(1, forms.number(request.args.get("page", ""))), pages)
    on_page = found[(page - 1) * _PAGE : page * _PAGE]
    return render_template(
        "mailbox.html", listed=MailList(on_page, people, to, page, pages)
    )


@bp.get("/mailbox/<int:number>")
def read(number: int) -> str:
    """A mail as it looks. It counts as read from now on."""
    files = _files()
    if not 1 <= number <= len(files):
        raise NotFound(what="mail")
    mail = _opened(_message(files[number - 1]))
    _mark_read(files[number - 1])
    page_headers.allow_mail_styles()
    return render_template("mail.html", mail=mail)


def badge() -> dict[str, int | None]:
    """For every page: how many mails are unread; None where there is no mailbox."""
    if not has_request_context() or not error_pages.is_page() or not _is_local():
        return {"unread": None}
    folder = config.of(current_app).mailbox / "new"
    return {"unread": len(list(folder.iterdir())) if folder.is_dir() else 0}


def _is_local() -> bool:
    """Whether the browser runs on this machine, by address, name and way."""
    # By its name, too: another site's name may be made to lead here. By a proxy's mark,
    # too: behind one, everybody seems to be local.
    if config.of(current_app).mail_server is not None:
        return False
    # A proxy may hide itself; whoever serves the world has another address than this.
    if not urls.is_loopback(urlsplit(config.of(current_app).public_url).hostname or ""):
        return False
    if any(name in request.headers for name in _FORWARDED):
        return False
    host = request.host.rsplit(":", 1)[0].strip("[]")
    return urls.is_loopback(request.remote_addr or "") and urls.is_loopback(host)


def _files() -> Sequence[Path]:
    """The mails, the oldest first. Raises NotFound for anybody they aren't for."""
    if not _is_local():
        raise NotFound(what="page")
    folder = config.of(current_app).mailbox
    files = (*folder.glob("new/*"), *folder.glob("cur/*"))
    return sorted(files, key=lambda file: (file.stat().st_mtime_ns, file.name))


def _message(file: Path) -> EmailMessage:
    return BytesParser(EmailMessage, policy=policy.default).parsebytes(
        file.read_bytes()
    )


def _listed(number: int, file: Path) -> ListedMail:
    with file.open("rb") as opened:
        head = BytesHeaderParser(policy=policy.default).parse(opened)
    written = head["Date"]
    moment = getattr(written, "datetime", None)
    return ListedMail(
        number=number,
        to=_addressee(head["To"]),
        subject=str(head["Subject"] or ""),
        sent=_short(moment) if moment else str(written or ""),
        unread=_is_new(file),
    )


def _short(moment: datetime) -> str:
    """Day and time, in UTC, as a list has room for."""
    return format_datetime(moment, "d MMM, HH:mm", locale=get_locale())


def _addressee(header: object) -> str:
    """The address alone; the header as it stands when it holds none."""
    addresses = getattr(header, "addresses", ())
    return str(addresses[0].addr_spec) if addresses else str(header or "")


def _is_new(file: Path) -> bool:
    return file.parent.name == "new"


def _mark_read(file: Path) -> None:
    """As a Maildir wants it; somebody else may have been quicker."""
    if _is_new(file):
        with suppress(FileNotFoundError):
            file.rename(file.parent.with_name("cur") / f"{file.name}:2,S")


def _opened(message: EmailMessage) -> OpenedMail:
    part, html = message.get_body(("plain",)), message.get_body(("html",))
    text = "" if part is None else str(part.get_content())
    return OpenedMail(
        to=str(message["To"] or ""),
        sender=str(message["From"] or ""),
        subject=str(message["Subject"] or ""),
        sent=str(message["Date"] or ""),
        text=text,
        html="" if html is None else _document(str(html.get_content())),
        heights=_heights(text),
    )


def _document(html: str) -> str:
    """A mail's HTML for a frame: its links lead the whole page on.

    The paper goes on below the mail, however high the frame is.
    """
    return f'<base target="_top">{_PAPER}{html}'


def _heights(text: str) -> FrameHeights:
    """How high the frame of a mail must be, guessed from its words: no script asks."""
    # A guess too low would give the frame a scroll bar of its own, one too high shows
    # as empty paper below the mail: so it is a little too high.
    lines = text.splitlines()
    return FrameHeights(
        narrow=_BUTTON + sum(_height(line, 36) for line in lines),
        wide=_BUTTON + sum(_height(line, 76) for line in lines),
    )


def _height(line: str, columns: int) -> int:
    """One line of text as HTML shows it: lists and tables have less room in a row."""
    if line.startswith("- "):
        return _LINE * ceil(len(line) / (columns * 0.5)) + _GAP
    if "  " in line:
        words = " ".join(line.split())
        return max(_ROW, _LINE * ceil(len(words) / (columns * 0.7)) + _GAP)
    return _LINE * ceil(len(line) / columns) + _GAP
