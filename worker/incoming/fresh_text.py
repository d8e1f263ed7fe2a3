"""What somebody wrote in a mail themselves: without quotes, signatures and the like.

Mail programs mark what they quote in a dozen ways. Each line is looked at once, with a
few behind it, so that a long mail costs no more than its length.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

MOST_LINES: Final = 5_000
"""So many lines are looked at; nobody answers below that much of a quote."""

_LONGEST_LINE: Final = 500
"""What is longer is no line that somebody typed to be counted."""

_CUT: Final = "(cut)"
"""What stands at the end of a line that went on: no command has such a word."""

_BETWEEN: Final = "(between quoted lines)"
"""What stands at the end of a line that may answer to anything in the quote around it:
no command has such words."""

_LINES_OF_HEAD: Final = 6
"""So many lines a program's list of sender, date and subject has at most."""

_LINES_OF_ATTRIBUTION: Final = 3
"""Over so many lines the sentence before a quote is wrapped at most."""

_LONGEST_NAME: Final = 20

_HEADS: Final = (
    frozenset(("from", "von", "de", "da", "expéditeur", "mittente", "absender")),
    frozenset(
        ("sent", "date", "gesendet", "datum", "envoyé", "envoyé le", "inviato", "data")
    ),
    frozenset(("to", "an", "à", "a", "destinataire", "empfänger", "destinatario")),
    frozenset(("subject", "betreff", "objet", "oggetto")),
)
"""How Outlook and its like begin the lines above what they quote."""

_WROTE: Final = ("wrote", "schrieb", "geschrieben", "a écrit", "ha scritto")

_COLONS: Final = (":", "\N{FULLWIDTH COLON}")

_MAILBOX: Final = re.compile(r"[^\s@<>]@[^\s@<>]")

_SENT_FROM: Final = re.compile(
    r"(?:sent (?:from|with|via|using) |get outlook for |gesendet (?:von|mit|aus|über) "
    r"|von .{2,60} gesendet|diese nachricht wurde (?:von|mit) "
    r"|outlook für |holen sie sich outlook |envoyé (?:de(?:puis)? |à partir |avec )"
    r"|(?:télécharger|obtenez) outlook |inviato (?:da|con )"
    r"|(?:scarica|ottieni) outlook )"
)
"""How the line begins that a telephone or a program adds."""

_GREETING: Final = re.compile(
    r"(?:hi|hello|hey|dear|good (?:morning|day|afternoon|evening)"
    r"|hallo|hoi|moin|servus|grüezi|guten (?:morgen|tag|abend)|liebe[rs]?"
    r"|ciao|salve|buongiorno|buonasera|bonjour|bonsoir|salut)"
    r"(?: (?:king up|all|everybody|everyone|there|zusammen|alle|leute|a tutti|tutti"
    r"|à tous|tout le monde))?[ ,.!]*"
)
"""A line that only greets; with anybody's name in it it might say more."""

_RULE: Final = re.compile(r"[-‐‑‒–—_=*]{3,}+(?:[^-‐‑‒–—_=*].{1,200}[-‐‑‒–—_=*]{3})?")
"""A line drawn across, perhaps with "Original message" in it."""

_FORWARDED: Final = re.compile(
    r"(?:begin forwarded|forwarded|original) message|message (?:d'origine|transféré)"
    r"|(?:anfang der weitergeleiteten|ursprüngliche|original|weitergeleitete)"
    r" ?nachricht"
    r"|(?:inizio )?messaggio (?:originale|inoltrato)"
)

_MARKED: Final = re.compile(r"(?:[A-Z]{2,4})?>|\|")
"""How a quoted line begins."""

_SIGNATURES: Final = ("--", "—", "- -")


def of(text: str) -> tuple[str, ...]:
    """The lines that are neither empty nor anybody else's, without the blanks around.

    Spaces of all kinds are plain, and composed letters one each.
    """
    # Python knows more ends of lines than mail programs do: what they quote as one line
    # is one here, whatever stands in it.
    lines = text.replace("\r\n", "\n").split("\n", MOST_LINES)[:MOST_LINES]
    return tuple(_fresh([_plain(line) for line in lines]))


def _fresh(lines: Sequence[str]) -> Iterator[str]:
    last = max((at for at, line in enumerate(lines) if _is_marked(line)), default=-1)
    position, signed, torn, below = 0, False, False, False
    while position < len(lines):
        line = lines[position]
        if _is_marked(line):
            # An answer may stand below the quote, and a signature above it.
            signed, torn, below = False, True, True
            position += 1
            continue
        if _ends_all(lines, position):
            return
        wrapped = _attribution(lines, position)
        if wrapped:
            position += wrapped
            if not _is_marked(_next(lines, position)):
                # What follows is the quote, without a mark.
                return
            continue
        signed = signed or line in _SIGNATURES
        # Some programs wrap what they have marked, and the rest has no mark.
        torn = torn and bool(line)
        if line and not (signed or torn or _is_said_to_nobody(line.casefold())):
            yield f"{line} {_BETWEEN}" if below and position < last else line
        position += 1


def _plain(line: str) -> str:
    """A line with plain spaces, without what nobody sees."""
    line = line.strip()
    short = unicodedata.normalize("NFC", line[:_LONGEST_LINE])
    seen = (" " if letter.isspace() else letter for letter in short)
    words = "".join(each for each in seen if not _is_unseen(each)).split()
    if len(line) > _LONGEST_LINE:
        words.append(_CUT)
    return " ".join(words)


def _is_unseen(letter: str) -> bool:
    # A letter that turns the others round is seen by what it does to them.
    turning = "\u202a" <= letter <= "\u202e"
    return unicodedata.category(letter) in ("Cc", "Cf") and not turning


def _is_said_to_nobody(line: str) -> bool:
    """Whether a line greets, or is what a program adds."""
    return bool(_SENT_FROM.match(line) or _GREETING.fullmatch(line))


def _is_marked(line: str) -> bool:
    return _MARKED.match(line) is not None


def _next(lines: Sequence[str], position: int) -> str:
    """The next line that isn't empty; an empty one at the end."""
    few = lines[position : position + _LINES_OF_HEAD]
    return next((line for line in few if line), "")


def _ends_all(lines: Sequence[str], position: int) -> bool:
    """Whether nothing of one's own comes any more: a quote's head, or a line across."""
    line = lines[position]
    if _RULE.fullmatch(line) or _FORWARDED.fullmatch(line.strip(" :*-").casefold()):
        return True
    return _is_head(lines, position)


def _is_head(lines: Sequence[str], position: int) -> bool:
    """Whether a mail's sender, date and subject are listed here, as above a quote."""
    few = lines[position : position + _LINES_OF_HEAD]
    names = [_name(line) for line in few]
    if not names[0]:
        return False
    if all(names[:3]) and len(few) > 2 and any(map(_MAILBOX.search, few[:3])):
        # In a language that isn't ours.
        return True
    known = any(names[0] in kind for kind in _HEADS)
    kinds = sum(any(name in kind for name in names) for kind in _HEADS)
    return known and kinds > 2


def _name(line: str) -> str:
    """What stands before a line's colon, as a header's name is compared."""
    name, colon, _value = line.partition(":")
    name = name.strip(" *").casefold()
    return name if colon and len(name) <= _LONGEST_NAME else ""


def _attribution(lines: Sequence[str], position: int) -> int:
    """Over how many lines a sentence like "On Monday Ann wrote:" goes; 0: none."""
    few: list[str] = []
    for line in lines[position : position + _LINES_OF_ATTRIBUTION]:
        if not line or _is_marked(line):
            return 0
        few.append(line)
        if line.endswith(_COLONS):
            break
    sentence = " ".join(few)
    if not sentence.endswith(_COLONS):
        return 0
    told = _says_who_wrote(few[0], sentence)
    alone = len(few) == 1 and _is_marked(_next(lines, position + 1))
    return len(few) if told or alone else 0


def _says_who_wrote(begin: str, sentence: str) -> bool:
    """Whether somebody is said to have written something at some moment."""
    if not (any(map(str.isdigit, begin)) or _MAILBOX.search(begin)):
        # What was written above it without an empty line between is no part of it.
        return False
    wrote = any(word in sentence.casefold() for word in _WROTE)
    return wrote or _MAILBOX.search(sentence) is not None
