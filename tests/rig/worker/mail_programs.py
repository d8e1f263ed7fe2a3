"""Mail programs as they quote: what each puts around what it answers to.

After the shapes of real ones. Each says the same in plain text and as a page.
"""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

import msgspec

OURS: Final = "game+abcdefghijklmnopqrstuvwxyz@play.example.org"
SUBJECT: Final = "The ballots are open: Odessa · Ann's table"

LANGUAGES: Final = ("en", "de", "fr", "it")

Sayings = Mapping[str, str]
"""The same in each language."""

GMAIL: Final[Sayings] = {
    "en": f"On Wed, Dec 2, 2026 at 7:12 AM King Up! <{OURS}> wrote:",
    "de": f"Am Mi., 2. Dez. 2026 um 07:12 Uhr schrieb King Up! <{OURS}>:",
    "fr": f"Le mer. 2 déc. 2026 à 07:12, King Up! <{OURS}> a écrit\u00a0:",
    "it": f"Il giorno mer 2 dic 2026 alle ore 07:12 King Up! <{OURS}> ha scritto:",
}
THUNDERBIRD: Final[Sayings] = {
    "en": "On 12/2/26 07:12, King Up! wrote:",
    "de": "Am 02.12.26 um 07:12 schrieb King Up!:",
    "fr": "Le 02/12/2026 à 07:12, King Up! a écrit\u00a0:",
    "it": "Il 02/12/26 07:12, King Up! ha scritto:",
}
APPLE: Final[Sayings] = {
    "en": f"On 2 Dec 2026, at 07:12, King Up! <{OURS}> wrote:",
    "de": f"Am 02.12.2026 um 07:12 schrieb King Up! <{OURS}>:",
    "fr": f"Le 2 déc. 2026 à 07:12, King Up! <{OURS}> a écrit\u00a0:",
    "it": f"Il giorno 2 dic 2026, alle ore 07:12, King Up! <{OURS}> ha scritto:",
}
YAHOO: Final[Sayings] = {
    "en": f"On Wednesday, December 2, 2026 at 07:12:00 AM GMT+1, King Up! <{OURS}>"
    " wrote:",
    "de": f"Am Mittwoch, 2. Dezember 2026 um 07:12:00 MEZ hat King Up! <{OURS}>"
    " Folgendes geschrieben:",
    "fr": f"Le mercredi 2 décembre 2026 à 07:12:00 UTC+1, King Up! <{OURS}> a écrit :",
    "it": f"Il mercoledì 2 dicembre 2026 alle ore 07:12:00 CET, King Up! <{OURS}>"
    " ha scritto:",
}
PROTON: Final[Sayings] = {
    "en": f"On Wednesday, December 2nd, 2026 at 7:12 AM, King Up! <{OURS}> wrote:",
    "de": f"Am Mittwoch, 2. Dezember 2026 um 07:12, King Up! <{OURS}> schrieb:",
    "fr": f"Le mercredi 2 décembre 2026 à 07:12, King Up! <{OURS}> a écrit :",
    "it": f"Il mercoledì 2 dicembre 2026 07:12, King Up! <{OURS}> ha scritto:",
}
ORIGINAL: Final[Sayings] = {
    "en": "-------- Original message --------",
    "de": "-------- Ursprüngliche Nachricht --------",
    "fr": "-------- Message d'origine --------",
    "it": "-------- Messaggio originale --------",
}
_HEADS: Final[Mapping[str, Sequence[str]]] = {
    "en": ("From", "Sent", "To", "Subject"),
    "de": ("Von", "Gesendet", "An", "Betreff"),
    "fr": ("De ", "Envoyé ", "À ", "Objet "),
    "it": ("Da", "Inviato", "A", "Oggetto"),
}
TELEPHONES: Final[Sayings] = {
    "en": "Sent from my iPhone",
    "de": "Von meinem iPhone gesendet",
    "fr": "Envoyé de mon iPhone",
    "it": "Inviato da iPhone",
}


class Program(msgspec.Struct, frozen=True):
    """How a program quotes; `marked` where each quoted line shows that it is."""

    name: str
    marked: bool
    attribution: Sayings | None = None
    dated_first: bool = False
    flows: bool = False
    page: str = "{before}<div>{head}</div><div>{quote}</div>{after}"

    def plain(self, before: str, quote: Sequence[str], after: str, where: str) -> str:
        """A text with what it quotes, and what is written above and below."""
        mark = "> " if self.marked else ""
        quoted = "\n".join(f"{mark}{line}".rstrip() for line in quote)
        parts = (before, self._head(where), quoted, after)
        return "\n\n".join(part for part in parts if part)

    def html(self, before: str, quote: Sequence[str], after: str, where: str) -> str:
        """The same as a page."""
        return self.page.format(
            before=_divisions(before),
            head=_lines(self._head(where)),
            quote="<br>".join(map(escape, quote)),
            after=_divisions(after),
        )

    def _head(self, where: str) -> str:
        if self.attribution is not None:
            return self.attribution[where]
        sender, sent, to, subject = _HEADS[where]
        said = [
            f"{sender}: King Up! <{OURS}>",
            f"{sent}: 2.12.2026 07:12",
            f"{to}: Ann Moor <ann@example.org>",
            f"{subject}: {SUBJECT}",
        ]
        if self.dated_first:
            said[:2] = said[1::-1]
        return "\n".join(said)


def _divisions(text: str) -> str:
    return "".join(f"<div>{escape(line) or '<br>'}</div>" for line in text.split("\n"))


def _lines(text: str) -> str:
    return "<br>".join(map(escape, text.split("\n")))


PROGRAMS: Final = (
    Program(
        "Gmail",
        marked=True,
        attribution=GMAIL,
        page='<div dir="ltr">{before}</div><br><div class="gmail_quote'
        ' gmail_quote_container"><div dir="ltr" class="gmail_attr">{head}<br></div>'
        '<blockquote class="gmail_quote" style="margin:0 0 0 .8ex;border-left:1px'
        ' solid rgb(204,204,204);padding-left:1ex">{quote}</blockquote></div>{after}',
    ),
    Program(
        "Outlook",
        marked=False,
        page="<html><head><style><!-- p.MsoNormal {{margin:0}} --></style></head><body"
        ' lang="DE"><div class="WordSection1">{before}<div style="border:none;'
        'border-top:solid #E1E1E1 1.0pt"><p class="MsoNormal">{head}</p></div>'
        '<p class="MsoNormal">{quote}<o:p></o:p></p>{after}</div></body></html>',
    ),
    Program(
        "Outlook on the web",
        marked=False,
        page='{before}<div id="appendonsend"></div><hr style="width:98%"><div'
        ' id="divRplyFwdMsg" dir="ltr">{head}</div><div>{quote}</div>{after}',
    ),
    Program(
        "Apple Mail",
        marked=True,
        attribution=APPLE,
        flows=True,
        page='<html><body>{before}<div><br><blockquote type="cite"><div>{head}</div>'
        "<br><div>{quote}</div></blockquote></div>{after}</body></html>",
    ),
    Program(
        "Thunderbird",
        marked=True,
        attribution=THUNDERBIRD,
        flows=True,
        page='<html><body>{before}<div class="moz-cite-prefix">{head}<br></div>'
        '<blockquote type="cite" cite="mid:a@b">{quote}</blockquote>{after}</body>',
    ),
    Program(
        "Yahoo",
        marked=False,
        attribution=YAHOO,
        page='<div class="ydp">{before}</div><div id="yahoo_quoted_1"'
        ' class="yahoo_quoted"><div>{head}</div><div>{quote}</div></div>{after}',
    ),
    Program(
        "GMX",
        marked=False,
        dated_first=True,
        page='<div>{before}</div><div name="quote" style="margin:10px 5px 5px 10px;'
        'border-left:2px solid #C3D9E5"><div>{head}</div><div name="quoted-content">'
        "{quote}</div></div>{after}",
    ),
    Program(
        "Proton",
        marked=True,
        attribution=PROTON,
        page='<div>{before}</div><div class="protonmail_quote">{head}<br><blockquote'
        ' class="protonmail_quote" type="cite">{quote}</blockquote></div>{after}',
    ),
    Program("Samsung", marked=False, attribution=ORIGINAL),
    Program(
        "K-9",
        marked=True,
        attribution=GMAIL,
        page='{before}<br><br><div class="gmail_quote">{head}<blockquote'
        ' class="gmail_quote">{quote}</blockquote></div>{after}',
    ),
    Program("A newer one", marked=False, attribution=GMAIL),
    Program("An unmarked one", marked=False, attribution=THUNDERBIRD),
)
