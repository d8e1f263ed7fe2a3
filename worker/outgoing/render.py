"""A mail's content as an e-mail: subject, text and HTML, as the bytes that are sent.

Every body is plain ASCII or quoted-printable with the link on a line of its own, so
that no server on the way has a reason to break it.
"""

import base64
import functools
import itertools
from collections.abc import Iterator, Mapping
from email.headerregistry import Address, BaseHeader, HeaderRegistry
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import format_datetime
from typing import Final, TypeAlias

import msgspec
from flask_babel import get_locale
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from service.present import castle, nouns, sentences
from service.present.languages import phrasebook
from service.present.mosaic import CastlePicture
from service.values.enums import ANSWERS
from worker.outgoing.code_mails import CodeMailContent
from worker.outgoing.content import Beside, MailContent
from worker.outgoing.my_cards import MyCardsContent

AnyContent: TypeAlias = MailContent | CodeMailContent | MyCardsContent
"""What a mail says, whatever it is about."""

_WORDS: Final = ("ask", "details", "act", "until", "offers", "why")
"""The blocks of a text template whose words its HTML shows too; of what is told beside
a lead the first three are all that is told."""

_templates = Environment(
    loader=PackageLoader("worker"),
    # What a worker has read once it need not look for again at every mail.
    auto_reload=False,
    autoescape=select_autoescape(("html",), default=False),
    trim_blocks=True,
    lstrip_blocks=True,
    # A misspelt word would else be mailed, as nothing.
    undefined=StrictUndefined,
)
_templates.globals["names"] = sentences.listed
# Behind the hidden first line, so that no list of mails shows more than that of one.
_templates.globals["padding"] = "\u034f " * 80
_templates.globals["castle_lines"] = castle.lines
_templates.filters["isolated"] = sentences.isolated
_templates.filters["opening"] = sentences.opening
_templates.filters["signed"] = nouns.signed

_CACHED: Final = 256
"""How many headers are remembered: a mail has some fifteen, most the same in all."""


class _Headers(HeaderRegistry):
    """The library's headers, parsed once each; most of a mail's say the same in all."""

    @functools.cache  # noqa: B019 - lives as long as we do
    def __getitem__(self, name: str) -> type:
        """The class for a header of this name; the library makes one each time."""
        kind: type = super().__getitem__(name)
        return kind

    @functools.lru_cache(maxsize=_CACHED)  # noqa: B019 - lives as long as we do
    def __call__(self, name: str, value: str) -> BaseHeader:
        """The header of this name and value."""
        header: BaseHeader = super().__call__(name, value)
        return header


class _Form(EmailPolicy):
    """The library's form of a mail on its way, each header folded once."""

    @functools.lru_cache(maxsize=_CACHED)  # noqa: B019 - lives as long as we do
    def fold_binary(self, name: str, value: str) -> bytes:
        """The lines of a header as they are sent."""
        return super().fold_binary(name, value)


_ASCII: Final = _Form(linesep="\r\n", header_factory=_Headers())
_UTF8: Final = _ASCII.clone(utf8=True)


def warm_up() -> None:
    """Read every template, so that no mail waits for it."""
    for name in _templates.list_templates():
        _templates.get_template(name)


def render(content: AnyContent, sender: Address) -> bytes:
    """The whole mail in the current locale, the same for the same content."""
    values: dict[str, object] = {"mail": content, "_": phrasebook(), "beside": ()}
    if isinstance(content, MailContent):
        values["beside"] = [_told_beside(each, values) for each in content.beside]
    subject = _subject(content, values)
    text, words = _text(content.kind, values)
    page = _html(content, {**values, "subject": subject}, words)
    message = _headed(content, sender, subject)
    message.set_content(text, cte="7bit" if text.isascii() else "quoted-printable")
    # Python would roll dice for it; nobody can make a line of ours look like this.
    boundary = f"--{content.message_id.partition('@')[0].removeprefix('<')}"
    message.make_alternative(boundary)
    message.add_alternative(page, subtype="html", cte="7bit")
    if isinstance(content, MailContent) and content.picture is not None:
        inner = f"{boundary}.castle"
        return _with_picture(message, content.picture, content.picture_id, inner)
    return message.as_bytes()


def _headed(content: AnyContent, sender: Address, subject: str) -> EmailMessage:
    """A mail with nothing but its headers."""
    ascii_address = content.recipient.username.isascii()
    # Servers that don't know SMTPUTF8 refuse headers in UTF-8, so only who needs them
    # gets them.
    message = EmailMessage(_ASCII if ascii_address else _UTF8)
    message["Message-ID"] = content.message_id
    if content.thread_id:
        message["References"] = content.thread_id
    message["Date"] = format_datetime(content.date)
    message["From"] = str(sender)
    # An `Address` quotes itself: glued together, a name with a comma would be two
    # recipients.
    message["To"] = str(content.recipient)
    if content.reply is not None:
        message["Reply-To"] = str(content.reply)
    if content.unsubscribe:
        # By one click in the mail program, which sends just these words (RFC 8058).
        message["List-Unsubscribe"] = f"<{content.unsubscribe}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message["Subject"] = subject
    if isinstance(content, MailContent):
        _mark(message, content)
    answers = content.kind in ANSWERS
    message["Auto-Submitted"] = "auto-replied" if answers else "auto-generated"
    # Exchange heeds this one and not the standard's, and would answer for whoever is
    # out.
    message["X-Auto-Response-Suppress"] = "All"
    return message


def _with_picture(
    message: EmailMessage, picture: CastlePicture, name: str, boundary: str
) -> bytes:
    """The whole mail, with a picture beside the HTML part that shows it by its name."""
    *_text, page = message.iter_parts()
    if not isinstance(page, EmailMessage):
        raise TypeError(page)
    page.make_related(boundary)
    page.add_related(
        b"",
        maintype="image",
        subtype="png",
        cid=f"<{name}>",
        disposition="inline",
        filename="castle.png",
    )
    # The library would walk through its lines once for each part around it.
    *_page, inside = page.iter_parts()
    inside.set_payload(boundary)
    whole = message.as_bytes().rpartition(f"\r\n{boundary}\r\n".encode())
    return b"".join((whole[0], b"\r\n", _packed(picture.png), whole[2]))


@functools.lru_cache(maxsize=_CACHED)
def _packed(png: bytes) -> bytes:
    """A picture in lines that any server lets pass; a table is mailed the same."""
    return base64.encodebytes(png).replace(b"\n", b"\r\n")


def _mark(message: EmailMessage, content: MailContent) -> None:
    """Say to programs what people needn't read: the kind, and the record's head."""
    message["X-Kingup-Notice"] = content.kind.value
    if content.head:
        message["X-Kingup-Head"] = content.head


def _subject(content: AnyContent, values: Mapping[str, object]) -> str:
    template = _templates.get_template(f"{content.kind}/subject.txt")
    return sentences.header(template.render(values).strip())


class _ToldBeside(msgspec.Struct, frozen=True):
    """What a mail tells beside its lead: a sentence, more about it, and a link."""

    ask: str
    details: tuple[str, ...]
    act: str
    link: str


def _told_beside(beside: Beside, values: Mapping[str, object]) -> _ToldBeside:
    """It in the words of a mail about that alone."""
    _whole, words = _text(beside.kind, values)
    details = tuple(words["details"].splitlines())
    return _ToldBeside(words["ask"], details, words["act"], beside.link)


def _text(kind: str, values: Mapping[str, object]) -> tuple[str, Mapping[str, str]]:
    """The text part of a kind's mail, and the words of its blocks by name."""
    template = _templates.get_template(f"{kind}/body.txt")
    context = template.new_context({**values})
    whole = "".join(template.root_render_func(context))
    # Jinja has collected the blocks of the whole family now, the youngest first.
    words: dict[str, str] = {
        name: "".join(context.blocks[name][0](context)).strip()
        for name in _WORDS
        if name in context.blocks
    }
    return "\n".join(_tidied(whole)) + "\n", words


def _tidied(text: str) -> Iterator[str]:
    """The lines, with single empty ones between paragraphs."""
    lines = [sentences.plain(line.rstrip()) for line in text.strip().splitlines()]
    for line, following in itertools.pairwise((*lines, "end")):
        if line or following:
            yield line


def _html(
    content: AnyContent,
    values: Mapping[str, object],
    words: Mapping[str, str],
) -> str:
    """The HTML part: styles on every element, ASCII alone, each name isolated."""
    paragraphs = {name: block.splitlines() for name, block in words.items()}
    lines = {name: paragraphs.get(name, []) for name in _WORDS}
    whole = {"ask": words["ask"], "act": words["act"], "language": str(get_locale())}
    template = _templates.get_template(f"{content.kind}/body.html")
    page = template.render({**values, **lines, **whole})
    isolated = page.replace(sentences.FSI, "<bdi>").replace(sentences.PDI, "</bdi>")
    return isolated.encode("ascii", "xmlcharrefreplace").decode()
