"""The mailbox of a machine without a mail server: for its own browsers alone."""

import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from email import policy
from email.message import EmailMessage, MIMEPart
from email.parser import BytesHeaderParser, BytesParser
from math import ceil
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import msgspec
from babel.dates import format_datetime
from flask import (
    Blueprint,
    Response,
    current_app,
    has_request_context,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask_babel import get_locale

from service import config
from service.people import incoming_mail
from service.present import sentences
from service.values import entropy, urls
from service.values.errors import Forbidden, NotFound
from service.web.http import (
    error_pages,
    form_tokens,
    forms,
    page_headers,
    seat_cookies,
)

bp = Blueprint("mailbox", __name__)

_FORWARDED: Final = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip")
_PAGE: Final = 50
_PAPER: Final = (
    "<style>html, body { background: #fffdf8 !important; }"
    " @media (prefers-color-scheme: dark)"
    " { html, body { background: #241f1b !important; } }</style>"
)
_LINE: Final = 25
_GAP: Final = 10
_ROW: Final = 46
_BUTTON: Final = 50
_USE: Final = "answer"
_MOST_SAID: Final = 200
_MAILTO: Final = re.compile(r'href="mailto:[^"]*body=([^"&]*)"')
_PICTURE: Final = 760


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
    can_answer: bool


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
    """A mail as it looks. It counts as read from now on.

    `say` is what its answer begins with, as the links in the mail want it.
    """
    file = _file(number)
    message = _message(file)
    _mark_read(file)
    page_headers.allow_mail_styles()
    return render_template(
        "mail.html",
        mail=_opened(message, number),
        number=number,
        say=request.args.get("say", "")[:_MOST_SAID],
        is_sent="sent" in request.args,
        form_token=form_tokens.make(_USE, number),
    )


@bp.post("/mailbox/<int:number>")
def answer(number: int) -> Response:
    """Answer a mail as its reader would by a mail program; it goes the same way."""
    seat_cookies.check_origin()
    message = _message(_file(number))
    sent = request.form.get(form_tokens.FIELD, "")
    if not form_tokens.is_good(sent, _USE, number):
        raise Forbidden(reason="no-form-token")
    to = _addressee(message["Reply-To"])
    if not to:
        raise NotFound(what="page")
    text = request.form.get("text", "")
    incoming_mail.take(_written(message, to, text), to, trusted=True)
    page = url_for("web.mailbox.read", number=number, sent=1, _anchor="answer")
    return make_response(redirect(page, 303))


def _written(message: EmailMessage, to: str, text: str) -> bytes:
    """The mail that answers another, as its reader would send it."""
    answered = EmailMessage()
    answered["From"] = _addressee(message["To"])
    answered["To"] = to
    answered["Subject"] = f"Re: {sentences.header(str(message['Subject'] or ''))}"
    answered["Message-ID"] = f"<{entropy.identifier()}@localhost>"
    answered["In-Reply-To"] = str(message["Message-ID"] or "")
    answered.set_content(text)
    return answered.as_bytes(policy=policy.SMTP)


def _file(number: int) -> Path:
    """The mail of a number. Raises NotFound."""
    files = _files()
    if not 1 <= number <= len(files):
        raise NotFound(what="mail")
    return files[number - 1]


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


def _opened(message: EmailMessage, number: int) -> OpenedMail:
    part, html = message.get_body(("plain",)), message.get_body(("html",))
    text = "" if part is None else str(part.get_content())
    pictures = _pictures(message)
    return OpenedMail(
        to=str(message["To"] or ""),
        sender=str(message["From"] or ""),
        subject=str(message["Subject"] or ""),
        sent=str(message["Date"] or ""),
        text=text,
        html="" if html is None else _document(_with_pictures(html, pictures), number),
        heights=_heights(text, _PICTURE if pictures else 0),
        can_answer=bool(message["Reply-To"]),
    )


def _pictures(message: EmailMessage) -> Mapping[str, bytes]:
    """The pictures that came beside a mail's HTML, by the names it has for them."""
    return {
        str(part["Content-ID"]).strip("<> "): bytes(part.get_payload(decode=True))
        for part in message.walk()
        if part["Content-ID"] and part.get_content_type() == "image/png"
    }


def _with_pictures(html: MIMEPart, pictures: Mapping[str, bytes]) -> str:
    """A mail's HTML with its pictures in it."""
    page = str(html.get_content())
    for name, picture in pictures.items():
        packed = b64encode(picture).decode()
        page = page.replace(f"cid:{name}", f"data:image/png;base64,{packed}")
    return page


def _document(html: str, number: int) -> str:
    """A mail's HTML for a frame: its links lead the whole page on.

    Those that would open a mail program lead to the page's own form. The paper goes on
    below the mail, however high the frame is.
    """
    page = url_for("web.mailbox.read", number=number)
    here = _MAILTO.sub(lambda found: f'href="{page}?say={found[1]}#answer"', html)
    return f'<base target="_top">{_PAPER}{here}'


def _heights(text: str, picture: int) -> FrameHeights:
    """How high the frame of a mail must be, guessed from its words: no script asks.

    `picture` is how high its picture is at most.
    """
    # A guess too low would give the frame a scroll bar of its own, one too high shows
    # as empty paper below the mail: so it is a little too high.
    lines = text.splitlines()
    return FrameHeights(
        narrow=_BUTTON + picture + sum(_height(line, 36) for line in lines),
        wide=_BUTTON + picture + sum(_height(line, 76) for line in lines),
    )


def _height(line: str, columns: int) -> int:
    """One line of text as HTML shows it: lists and tables have less room in a row."""
    if line.startswith("- "):
        return _LINE * ceil(len(line) / (columns * 0.5)) + _GAP
    if "  " in line:
        words = " ".join(line.split())
        return max(_ROW, _LINE * ceil(len(words) / (columns * 0.7)) + _GAP)
    return _LINE * ceil(len(line) / columns) + _GAP
