"""A record read event by event: its form and its order, before anything is judged."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, TypeVar

import msgspec

from engine import events, fairness
from engine.commands import Sealed
from engine.deck import CARDS
from engine.events import (
    ElectionResolved,
    GameCreated,
    GameOver,
    Record,
    RoundScored,
    StartedRecord,
    TableClosed,
)
from engine.export import Export
from engine.verify.report import Wrong

E = TypeVar("E", bound=Record)

_HEX: Final = re.compile(r"[0-9a-f]{64}")

_AFTER: Final[Mapping[str, frozenset[str]]] = {
    "": frozenset(("game_created",)),
    "game_created": frozenset(("table_closed", "game_over")),
    "table_closed": frozenset(("started", "game_over")),
    "started": frozenset(("round_started",)),
    "round_started": frozenset(("placed", "moved", "game_over")),
    "placed": frozenset(("placed", "moved", "taken_back", "game_over")),
    "moved": frozenset(("moved", "election_resolved", "taken_back", "game_over")),
    "taken_back": frozenset(("placed", "moved", "game_over")),
    "election_resolved": frozenset(("moved", "round_scored", "game_over")),
    "round_scored": frozenset(("round_started", "game_over")),
    "game_over": frozenset(),
}
"""By the type of an event, the types that the next one may have."""

_BETWEEN: Final = frozenset(
    ("bot_seated", "person_seated", "paused", "resumed", "extended")
)
_MAY_BREAK: Final = frozenset(
    ("round_started", "placed", "moved", "taken_back", "election_resolved")
)
"""Behind what those may stand; what comes next is as if they did not."""

_NEVER_LAST: Final = frozenset(("", "started", "round_scored"))
"""What comes together with the next event: no record ends between the two."""


class Case(msgspec.Struct, frozen=True):
    """A record whose events are read, each of its form and in an order that can be.

    `heads` are those of the chain, the one before event 1 first; `sealed` is the
    opened seed with the key drawn from it, None while they are sealed.
    """

    game: str
    record: tuple[bytes, ...]
    events: tuple[Record, ...]
    heads: tuple[bytes, ...]
    sealed: Sealed | None

    def numbered(self, kind: type[E]) -> Iterator[tuple[int, E]]:
        """The events of one kind, each with its number."""
        for number, event in enumerate(self.events, start=1):
            if isinstance(event, kind):
                yield number, event

    def only(self, kind: type[E]) -> E | None:
        """The event of a kind that a record holds once at most."""
        return next((event for _, event in self.numbered(kind)), None)

    @property
    def over(self) -> bool:
        """Whether the record goes to the end of its game."""
        return isinstance(self.events[-1], GameOver)

    @property
    def seats(self) -> int:
        """How many play; 0 before the table is closed."""
        closed = self.only(TableClosed)
        return 0 if closed is None else len(closed.seats)


def read(export: Export, chain: tuple[bytes, ...]) -> Case:
    """The case of a record with these heads. Raises Wrong."""
    record = tuple(_events(export))
    _check_order(record)
    case = Case(export.game, export.record, record, chain, sealed=None)
    for number, event in enumerate(record, start=1):
        _check_form(number, event, case.seats)
    return msgspec.structs.replace(case, sealed=_sealed(case))


def _events(export: Export) -> Iterator[Record]:
    pairs = zip(export.record, export.versions, strict=True)
    for number, (stored, version) in enumerate(pairs, start=1):
        try:
            event = events.read_record(stored, version)
        except msgspec.DecodeError as error:
            raise Wrong(
                "unknown-event", number, expected="an event", found=str(error)
            ) from None
        # Older versions are read through a lift: their bytes need not come back.
        if (
            version == events.VERSION
            and msgspec.json.encode(event, order="sorted") != stored
        ):
            raise Wrong(
                "not-as-written",
                number,
                expected="exactly the fields of the event",
                found=stored.decode(),
            )
        yield event


def _check_order(record: tuple[Record, ...]) -> None:
    before, left = "", 0
    for number, event in enumerate(record, start=1):
        kind = events.type_of(event)
        may = _AFTER[before]
        if before in _MAY_BREAK:
            may |= _BETWEEN
        if isinstance(event, TableClosed):
            left = event.options.rounds
        if isinstance(event, RoundScored):
            left -= 1
        if kind not in may or left < 0:
            expected = " or ".join(sorted(may)) or "nothing"
            raise Wrong("out-of-order", number, expected=expected, found=kind)
        if kind not in _BETWEEN:
            before = kind
    if before in _NEVER_LAST:
        expected = " or ".join(sorted(_AFTER[before]))
        raise Wrong("breaks-off", len(record) + 1, expected=expected, found=None)


def _check_form(number: int, event: Record, seats: int) -> None:
    """Every hash has its digits, every list by seat its length."""
    match event:
        case GameCreated():
            _hex(number, (event.seed,))
            _hex(number, (event.word,), may_lack=True)
        case TableClosed():
            _count(number, seats, event.words)
            _hex(number, event.words, may_lack=True)
        case StartedRecord():
            _count(number, len(CARDS), event.leaves)
            _hex(number, event.leaves)
        case ElectionResolved():
            _count(number, seats, event.ballots, event.cards, event.salts)
            _hex(number, (*event.ballots, *(event.salts or ())))
            if (event.cards is None) != (event.salts is None):
                raise Wrong("wrong-count", number, expected=seats, found=None)
        case RoundScored():
            by_seat = event.points, event.bonus, event.totals
            _count(number, seats, event.favourites, event.salts, *by_seat)
            _hex(number, event.salts)
            for opened in event.elections:
                _count(number, seats, opened.cards, opened.salts)
                _hex(number, opened.salts)
        case GameOver():
            _hex(number, (event.seed_opened,))
        case _:
            pass


def _count(number: int, expected: int, *lists: tuple[object, ...] | None) -> None:
    for each in lists:
        if each is not None and len(each) != expected:
            raise Wrong("wrong-count", number, expected=expected, found=len(each))


def _hex(number: int, texts: Iterable[str], *, may_lack: bool = False) -> None:
    for text in texts:
        if not _HEX.fullmatch(text) and (text or not may_lack):
            raise Wrong("bad-hex", number, expected="64 hex digits", found=text)


def _sealed(case: Case) -> Sealed | None:
    """The opened seed and the key it gives; its commitment is not looked at here."""
    over, closed = case.only(GameOver), case.only(TableClosed)
    if over is None:
        return None
    seed = bytes.fromhex(over.seed_opened)
    if closed is None:
        return Sealed(seed, b"")
    words = [bytes.fromhex(word) for word in closed.words]
    return Sealed(seed, fairness.draw_key(seed, case.heads[2], words))
