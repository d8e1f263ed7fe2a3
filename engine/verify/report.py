"""What a check says of a record: true so far, sealed, or wrong and how exactly."""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Final, TypeAlias

import msgspec

Fact: TypeAlias = str | int | None

_LONGEST: Final = 300
"""The most characters of a fact that are told; the fact itself is whole."""


class Check(StrEnum):
    """The checks, in the order in which they are made and told."""

    FORMAT = "format"
    ORDER = "order"
    CHAIN = "chain"
    DECISIONS = "decisions"
    SEED = "seed"
    WORDS = "words"
    TABLE = "table"
    DECK = "deck"
    DEALS = "deals"
    BALLOTS = "ballots"
    FIRST = "first seat"
    LOTS = "placed by lot"
    CLOCK = "clock"
    HANDS = "hands"
    RULES = "rules"
    SCORES = "scores"
    END = "end"
    MAIL = "mail"
    WORD = "own word"
    BALLOT = "own ballot"


CODES: Final[Mapping[str, Check]] = {
    "unknown-event": Check.FORMAT,
    "not-as-written": Check.FORMAT,
    "wrong-count": Check.FORMAT,
    "bad-hex": Check.FORMAT,
    "out-of-order": Check.ORDER,
    "breaks-off": Check.ORDER,
    "wrong-decision": Check.DECISIONS,
    "wrong-seed": Check.SEED,
    "wrong-word": Check.WORDS,
    "bot-word": Check.WORDS,
    "unknown-rules": Check.TABLE,
    "bad-table": Check.TABLE,
    "wrong-key": Check.DECK,
    "wrong-leaf": Check.DECK,
    "wrong-favourites": Check.DEALS,
    "dealt-twice": Check.DEALS,
    "wrong-ballot": Check.BALLOTS,
    "wrong-openings": Check.BALLOTS,
    "wrong-first": Check.FIRST,
    "wrong-lot": Check.LOTS,
    "wrong-clock": Check.CLOCK,
    "card-not-held": Check.HANDS,
    "wrong-seat": Check.RULES,
    "wrong-by": Check.RULES,
    "wrong-seating": Check.RULES,
    "wrong-timing": Check.RULES,
    "wrong-taking-back": Check.RULES,
    "not-allowed": Check.RULES,
    "wrong-from": Check.RULES,
    "wrong-to": Check.RULES,
    "wrong-dropped": Check.RULES,
    "wrong-election": Check.RULES,
    "wrong-nominee": Check.RULES,
    "wrong-mover": Check.RULES,
    "wrong-verdict": Check.RULES,
    "wrong-next": Check.RULES,
    "wrong-round": Check.RULES,
    "wrong-beginner": Check.RULES,
    "wrong-points": Check.SCORES,
    "wrong-bonus": Check.SCORES,
    "wrong-totals": Check.SCORES,
    "wrong-reason": Check.END,
    "wrong-winners": Check.END,
    "mail-differs": Check.MAIL,
    "mail-ahead": Check.MAIL,
    "mail-of-another-game": Check.MAIL,
    "mail-without-head": Check.MAIL,
    "mail-unreadable": Check.MAIL,
    "own-word-differs": Check.WORD,
    "own-ballot-differs": Check.BALLOT,
    "own-ballot-missing": Check.BALLOT,
    "own-ballot-ahead": Check.BALLOT,
    "own-ballot-not-held": Check.BALLOT,
}
"""Every name of something wrong, and the check that finds it. Names never change."""


_HASHED: Final[Mapping[str, str]] = {
    "wrong-seed": "seed",
    "wrong-word": "word",
    "bot-word": "word",
    "wrong-key": "card in the deck",
    "wrong-leaf": "card in the deck",
    "wrong-favourites": "card in the deck",
    "wrong-ballot": "ballot",
    "mail-differs": "record",
    "own-word-differs": "word",
    "own-ballot-differs": "ballot",
    "own-ballot-missing": "ballot",
    "own-ballot-ahead": "ballot",
}
"""What stands behind the hashes that are told with a code."""

_HASH: Final = re.compile(r"[0-9a-f]{32}")


class State(StrEnum):
    """How a check ended."""

    OK = "ok"
    SEALED = "sealed"
    WRONG = "WRONG"
    SKIPPED = "not reached"


class Wrong(Exception):
    """The first thing wrong: a code of CODES, where it stands, and what should.

    `event` is the number of a record event, None for the file as a whole.
    """

    def __init__(
        self,
        code: str,
        event: int | None,
        *,
        expected: Fact,
        found: Fact,
        decision: int | None = None,
        seat: int | None = None,
    ) -> None:
        super().__init__(code, event, expected, found, decision, seat)
        self.check = CODES[code]
        self.code = code
        self.event = event
        self.expected = expected
        self.found = found
        self.decision = decision
        self.seat = seat

    def __str__(self) -> str:
        """One line that says it all."""
        places = ("event", self.event), ("decision", self.decision), ("seat", self.seat)
        where = [f"{name} {value}" for name, value in places if value is not None]
        expected, found = self._printed(self.expected), self._printed(self.found)
        return (
            f"{self.code}{' at ' if where else ''}{', '.join(where)}:"
            f" expected {expected}, found {found}"
        )

    def _printed(self, fact: Fact) -> str:
        """A fact in words; what a hash stands for is said before it."""
        hashed = _HASHED.get(self.code)
        if fact is None or fact == "":
            return f"no {hashed}" if hashed else "nothing"
        text = str(fact)
        if hashed and _HASH.match(text):
            text = f"a {hashed} whose hash is {text}"
        return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


class CheckLine(msgspec.Struct, frozen=True):
    """What one check says; `about` names the mail or seat that it looked at.

    `fixed` is the last event that a kept mail has shown to be as it was.
    """

    check: Check
    state: State
    detail: str
    about: str = ""
    fixed: int = 0


class Report(msgspec.Struct, frozen=True):
    """A line for each check, in their order, and the first thing wrong."""

    lines: tuple[CheckLine, ...]
    wrong: Wrong | None

    @property
    def sealed(self) -> bool:
        """Whether something can be checked only when more of the game is open."""
        return any(line.state is State.SEALED for line in self.lines)

    @property
    def fixed(self) -> int:
        """The last event that is fixed by what somebody kept; 0 for none."""
        return max((line.fixed for line in self.lines), default=0)
