"""Mails as people answer with them, made up by number: programs, languages, habits.

What they quote is nothing but commands, and none of them the one that is written: a
reader who takes a quoted line for a fresh one does the wrong thing.
"""

import quopri
import random
from base64 import encodebytes
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

import msgspec

from engine.commands import Answer, Move, Placement
from tests.rig.worker import reading
from tests.rig.worker.mail_programs import LANGUAGES, PROGRAMS, TELEPHONES, Program
from worker.incoming.commands import Unread

COMMANDS: Final = {
    "election": {
        "en": ("Yes", "yes.", "My vote is yes", "YES please"),
        "de": ("Ja", "ja!", "Ich stimme mit Ja", "JA bitte"),
        "fr": ("Oui", "oui !", "Je vote oui", "OUI"),
        "it": ("Sì", "si", "Voto sì", "SÌ!"),
    },
    "move": {
        "en": ("move Odessa", "Odessa", "raise Odessa up", "Odessa to the Nobles"),
        "de": ("ziehe Odessa", "Zieh Odessa.", "Odessa ziehen", "Odessa hoch"),
        "fr": (
            "monter Odessa",
            "monte la Contessa",
            "Odessa chez les Nobles",
            "Odessa",
        ),
        "it": ("sposta Odessa", "la Contessa", "Odessa dai Nobili", "muovi Odessa"),
    },
    "placement": {
        "en": ("place Odessa with the Officers", "Odessa 3", "O3", "Odessa on floor 3"),
        "de": (
            "setze Odessa auf die 3",
            "Odessa zu den Offizieren",
            "O 3",
            "Odessa: 3",
        ),
        "fr": (
            "place Odessa chez les Officiers",
            "Odessa au 3e étage",
            "O3",
            "Odessa 3",
        ),
        "it": ("metti Odessa al piano 3", "Odessa tra gli Ufficiali", "O3", "Odessa 3"),
    },
}
"""What is written, in each language; all of it means the same."""

OFFERS: Final[dict[str, tuple[Answer, ...]]] = {
    "election": reading.CARDS,
    "move": reading.MOVES,
    "placement": reading.PLACEMENTS,
}
MEANT: Final[dict[str, Answer]] = {
    "election": reading.YES,
    "move": Move("O"),
    "placement": Placement("O", "3"),
}
QUOTED: Final = {
    "election": ("No", "nein", "vote no", "", "non", "Stomachache", "Bob: no", "no"),
    "move": ("move Dario", "Alighiero", "", "ziehe Clemente", "sposta Piero", "Dario"),
    "placement": ("A1", "Beatrice 2", "", "place Merlino with the Traders", "M 1"),
}
"""Every line of it would do, were it fresh."""

COMMENTS: Final = {
    "en": "see you on Monday",
    "de": "bis Montag",
    "fr": "à lundi",
    "it": "a lunedì",
}
QUESTIONS: Final = {
    "en": "What do you all think?",
    "de": "Was meint ihr dazu?",
    "fr": "Qu'en pensez-vous ?",
    "it": "Che ne dite?",
}
HELLOS: Final = {
    "en": "Hi all,",
    "de": "Hallo zusammen,",
    "fr": "Bonjour,",
    "it": "Ciao a tutti!",
}
GREETINGS: Final = {
    "en": "Best wishes",
    "de": "Viele Grüße",
    "fr": "Bien à vous",
    "it": "Cari saluti",
}


class Posting(StrEnum):
    """Where somebody writes."""

    TOP = "top"
    BOTTOM = "bottom"
    INLINE = "inline"


class Written(StrEnum):
    """What somebody writes."""

    COMMAND = "command"
    GREETED = "greeted"
    COMMENTED = "commented"
    SAID = "said"
    QUESTION = "question"
    NOTHING = "nothing"


class Signed(StrEnum):
    """What stands below it."""

    NOT = "not"
    DASHES = "dashes"
    TELEPHONE = "telephone"
    GREETING = "greeting"
    BLOCK = "block"


class Shape(StrEnum):
    """In which parts it is sent."""

    PLAIN = "plain"
    PAGE = "page"
    ALTERNATIVE = "alternative"


class Generated(msgspec.Struct, frozen=True):
    """One mail, what it was made of, and what its writer means; None: nothing."""

    number: int
    made_of: str
    raw: bytes
    offers: tuple[Answer, ...]
    meant: Answer | None
    can_be_told: bool

    def is_right(self, found: Answer | Unread) -> bool:
        """Whether this is what a person would read; who can't tell may ask."""
        asked = isinstance(found, Unread)
        if self.meant is None:
            return asked
        return found == self.meant or (asked and not self.can_be_told)

    def read(self) -> Answer | Unread:
        """What it is taken for."""
        return reading.understood(*reading.lines(self.raw), offers=self.offers)


def generate(number: int) -> Generated:
    """The mail of a number; the same each time."""
    dice = random.Random(number)
    program, where = PROGRAMS[number % len(PROGRAMS)], dice.choice(LANGUAGES)
    kind = dice.choice(tuple(COMMANDS))
    written, signed = (
        dice.choice((Written.COMMAND, *Written)),
        dice.choice(list(Signed)),
    )
    posting, shape = dice.choice((Posting.TOP, *Posting)), dice.choice(list(Shape))
    own = _own(written, signed, dice.choice(COMMANDS[kind][where]), where)
    raw, encoded = _mail(program, own, QUOTED[kind], where, posting, shape, dice)
    return Generated(
        number,
        f"{program.name} {where} {kind} {written} {signed} {posting} {shape} {encoded}",
        raw,
        OFFERS[kind],
        MEANT[kind] if written not in (Written.QUESTION, Written.NOTHING) else None,
        # Below a quote without marks nobody can tell whose line it is, and between
        # quoted lines not what it answers to.
        posting is Posting.TOP or (posting is Posting.BOTTOM and program.marked),
    )


def _own(written: Written, signed: Signed, command: str, where: str) -> str:
    """What somebody writes themselves, signature and all."""
    match written:
        case Written.COMMAND:
            text = command
        case Written.GREETED:
            text = f"{HELLOS[where]}\n\n{command}"
        case Written.COMMENTED:
            text = f"{command}\n\n{COMMENTS[where]}"
        case Written.SAID:
            text = f"{command}\nsay: no, {COMMENTS[where]}"
        case Written.QUESTION:
            text = QUESTIONS[where]
        case Written.NOTHING:
            text = ""
    match signed:
        case Signed.NOT:
            below = ""
        case Signed.DASHES:
            below = "\n\n-- \nAnn Moor\nno\nDario, Beatrice 2"
        case Signed.TELEPHONE:
            below = f"\n\n{TELEPHONES[where]}"
        case Signed.GREETING:
            below = f"\n\n{GREETINGS[where]}\nAnn"
        case Signed.BLOCK:
            below = "\n\nAnn Moor | Sales | Sample & Sons\nTel. +41 00 000 00 00"
    return f"{text}{below}".strip("\n")


def _mail(
    program: Program,
    own: str,
    quote: Sequence[str],
    where: str,
    posting: Posting,
    shape: Shape,
    dice: random.Random,
) -> tuple[bytes, str]:
    """A mail's bytes, and how its letters are encoded."""
    before = own if posting is Posting.TOP else ""
    after = "" if posting is Posting.TOP else own
    plain = program.plain(before, quote, after, where)
    page = program.html(before, quote, after, where)
    if posting is Posting.INLINE:
        plain += "\n\n" + program.plain("", quote, "", where)
        page += program.html("", quote, "", where)
    charset = dice.choice(("utf-8", "utf-8", "iso-8859-1", "windows-1252"))
    transfer = dice.choice(("8bit", "quoted-printable", "base64"))
    flowed = "; format=flowed" if program.flows else ""
    one = _part(plain, f"text/plain{flowed}", charset, transfer)
    other = _part(page, "text/html", charset, transfer)
    parts = {
        Shape.PLAIN: one,
        Shape.PAGE: other,
        Shape.ALTERNATIVE: reading.parted("alternative", one, other),
    }
    return reading.from_ann(parts[shape]), f"{charset} {transfer}"


def _part(text: str, kind: str, charset: str, transfer: str) -> bytes:
    raw = text.replace("\n", "\r\n").encode(charset, "xmlcharrefreplace")
    encoded = {
        "8bit": lambda: raw,
        "quoted-printable": lambda: quopri.encodestring(raw),
        "base64": lambda: encodebytes(raw),
    }[transfer]()
    head = f"Content-Type: {kind}; charset={charset}\r\n"
    return f"{head}Content-Transfer-Encoding: {transfer}\r\n\r\n".encode() + encoded
