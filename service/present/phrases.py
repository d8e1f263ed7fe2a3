"""What people said, in the reader's language where it is a stock phrase."""

from collections.abc import Mapping
from typing import Final

from flask_babel import lazy_gettext as _l
from flask_babel.speaklater import LazyString

from service.values import lines
from service.values.lines import Line, StockPhrase

PHRASES: Final[Mapping[StockPhrase, LazyString]] = {
    StockPhrase.HELLO: _l("Hello everybody!"),
    StockPhrase.GOOD_LUCK: _l("Good luck!"),
    StockPhrase.THANKS: _l("Thank you!"),
    StockPhrase.SORRY: _l("Sorry!"),
    StockPhrase.TRUST_ME: _l("Trust me."),
    StockPhrase.PROMISE: _l("I promise."),
    StockPhrase.VOTE_YES: _l("Lay a Yes!"),
    StockPhrase.VOTE_NO: _l("Lay a No!"),
    StockPhrase.NOT_ME: _l("It wasn't me."),
    StockPhrase.WELL_PLAYED: _l("Well played!"),
    StockPhrase.SURPRISE: _l("What a surprise!"),
    StockPhrase.KNEW_IT: _l("I knew it."),
    StockPhrase.TREASON: _l("Treason!"),
    StockPhrase.LONG_LIVE_THE_KING: _l("Long live the King!"),
    StockPhrase.INTERESTING: _l("Interesting …"),
    StockPhrase.GO_ON: _l("Shall we go on?"),
    StockPhrase.TAKE_YOUR_TIME: _l("Take your time."),
    StockPhrase.BACK_LATER: _l("I'll be back later."),
    StockPhrase.ONE_MORE: _l("Another game?"),
    StockPhrase.GOOD_NIGHT: _l("Good night!"),
}
"""Each stock phrase in words."""


def stock() -> tuple[str, ...]:
    """Every stock phrase in the reader's language."""
    return tuple(str(said) for said in PHRASES.values())


def typed(text: str) -> Line | None:
    """What somebody typed: a stock phrase of their language goes by its code.

    None for nothing. Raises Invalid.
    """
    if not text.strip():
        return None
    said = lines.clean(text, "line")
    known = {str(words): code for code, words in PHRASES.items()}
    phrase = known.get(said)
    return Line(said, None) if phrase is None else Line(None, phrase)


def words(line: str | None, phrase: str | None) -> str:
    """A line as it was typed, or a stock phrase in the reader's language.

    One that only a newer process has words for is told by its code.
    """
    if phrase is None:
        return line or ""
    known = {code.value: str(said) for code, said in PHRASES.items() if code == phrase}
    return known.get(phrase, phrase)
