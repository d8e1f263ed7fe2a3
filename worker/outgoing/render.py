"""A mail's content as an e-mail: subject, text and HTML, as the bytes that are sent.

Every body is plain ASCII or quoted-printable with the link on a line of its own, so
that no server on the way has a reason to break it.
"""

import itertools
from collections.abc import Iterator, Mapping
from email.headerregistry import Address
from email.utils import format_datetime
from typing import Final, TypeAlias

import msgspec
from flask_babel import get_locale
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from service.present import castle, nouns, sentences
from service.present.languages import phrasebook
from service.values.enums import ANSWERS
from worker.outgoing import mime
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
    # Python would roll dice for it; nobody can make a line of ours look like this.
    boundary = content.message_id.partition("@")[0].removeprefix("<")
    return mime.assemble(
        _headers(content, sender, subject),
        text,
        page,
        _picture(content),
        boundary,
        # Servers that don't know SMTPUTF8 refuse headers in UTF-8, so only who needs
        # them gets them.
        utf8=not content.recipient.username.isascii(),
    )


def _headers(
    content: AnyContent, sender: Address, subject: str
) -> Iterator[tuple[str, str]]:
    """The headers of a mail, but for those of its form."""
    yield "Message-ID", content.message_id
    if content.thread_id:
        yield "References", content.thread_id
    yield "Date", format_datetime(content.date)
    yield "From", str(sender)
    # An `Address` quotes itself: glued together, a name with a comma would be two
    # recipients.
    yield "To", str(content.recipient)
    if content.reply is not None:
        yield "Reply-To", str(content.reply)
    if content.unsubscribe:
        # By one click in the mail program, which sends just these words (RFC 8058).
        yield "List-Unsubscribe", f"<{content.unsubscribe}>"
        yield "List-Unsubscribe-Post", "List-Unsubscribe=One-Click"
    yield "Subject", subject
    if isinstance(content, MailContent):
        yield from _marks(content)
    answers = content.kind in ANSWERS
    yield "Auto-Submitted", "auto-replied" if answers else "auto-generated"
    # Exchange heeds this one and not the standard's, and would answer for whoever is
    # out.
    yield "X-Auto-Response-Suppress", "All"


def _marks(content: MailContent) -> Iterator[tuple[str, str]]:
    """What people needn't read and programs may: the kind, and the record's head."""
    yield "X-Kingup-Notice", content.kind.value
    if content.head:
        yield "X-Kingup-Head", content.head


def _picture(content: AnyContent) -> mime.InlinePicture | None:
    if not isinstance(content, MailContent) or content.picture is None:
        return None
    return mime.InlinePicture(content.picture_id, content.picture.png)


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
