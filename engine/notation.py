"""A game as text that people read and write down: one line a turn (docs/notation.md).

Made from the record alone, so that of a running game everybody gets the same text.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, assert_never

from engine import editions, fairness, vocabulary
from engine.board import Card, Verdict
from engine.commands import USUAL_MISSES
from engine.deck import favourites
from engine.events import (
    BotSeated,
    ElectionResolved,
    Extended,
    GameCreated,
    GameOver,
    Moved,
    Paused,
    PersonSeated,
    Placed,
    Record,
    Resumed,
    RoundScored,
    RoundStarted,
    Seating,
    StartedRecord,
    TableClosed,
    TableEvent,
    TakenBack,
)
from engine.export import Export, UnreadableExport
from engine.verify import evidence, table
from engine.verify.report import Wrong

_LETTERS: Final[Mapping[Card, str]] = {
    Card.YES: "Y",
    Card.NO: "N",
    Card.STOMACHACHE: "S",
}
_UNSEEN: Final = "?"
_WIDTH: Final = 4

_Cards = Mapping[int, tuple[Card, ...]]


def write(whole: Export) -> str:
    """The notation of a game so far, every line ended by a newline.

    Raises UnreadableExport for a record whose form, order, table or words aren't those
    of a game. Whether the game went by the rules is not looked at.
    """
    record = _read(whole)
    seen = _turned_over(record)
    lines = [f"[Game {_quoted(whole.game)}]"]
    for event in record:
        lines += _lines(event, whole.names, seen)
    return "".join(f"{line}\n" for line in lines)


def _read(whole: Export) -> tuple[Record, ...]:
    heads = fairness.heads(whole.game, whole.record)
    try:
        read = evidence.read(whole, heads)
        table.check(read)
    except Wrong as wrong:
        raise UnreadableExport("no-game", str(wrong)) from None
    closed = read.only(TableClosed)
    if closed is None:
        return read.events
    law = editions.law(closed.edition, closed.rules)
    for number, event in enumerate(read.events, start=1):
        for said, known in vocabulary.of(event, law, range(read.seats)):
            if said not in known:
                what = f"record event {number}: {said!r}"
                raise UnreadableExport("unknown-word", what)
    return read.events


def _turned_over(record: Iterable[Record]) -> _Cards:
    """The cards that the record shows, by the number of their election."""
    seen: dict[int, tuple[Card, ...]] = {}
    for event in record:
        match event:
            case ElectionResolved(decision=number, cards=cards) if cards is not None:
                seen[number] = cards
            case RoundScored(elections=opened):
                seen |= {election.decision: election.cards for election in opened}
            case _:
                pass
    return seen


def _lines(event: Record, names: tuple[str, ...], seen: _Cards) -> Iterator[str]:
    match event:
        case GameCreated():
            pass
        case TableClosed():
            yield from _headers(event, names)
        case StartedRecord(first=first):
            yield f"[Begins {first}]"
        case RoundStarted():
            yield ""
            yield f"Round {event.round}, seat {event.first} begins"
            if event.placed:
                yield f"lot {_placed(event.placed)}"
        case Placed():
            yield _placement(event)
        case Moved():
            yield _move(event)
        case ElectionResolved():
            yield _election(event, seen)
        case (
            TakenBack()
            | BotSeated()
            | PersonSeated()
            | Paused()
            | Resumed()
            | Extended()
        ):
            yield _beside(event)
        case RoundScored():
            yield from _scores(event)
        case GameOver():
            yield from _result(event)
        case _:
            assert_never(event)


def _headers(event: TableClosed, names: tuple[str, ...]) -> Iterator[str]:
    options = event.options
    pace = options.decision_time
    yield f"[Edition {_quoted(event.edition)}]"
    yield f"[Rules {event.rules}]"
    yield f"[Seats {len(event.seats)}]"
    for seat, chair in enumerate(event.seats):
        name = names[seat] if seat < len(names) else ""
        bot = "" if chair.bot is None else f" bot {_quoted(chair.bot)}"
        yield f"[Seat {seat} {_quoted(name)}{bot}]"
    yield f"[Rounds {options.rounds}]"
    yield f"[Placement {options.placement}]"
    yield f"[BallotHistory {options.ballot_history}]"
    yield f"[First {'drawn' if options.first is None else options.first}]"
    yield f"[DecisionTime {'none' if pace is None else pace}]"
    if options.spare:
        yield f"[Spare {options.spare}]"
    if options.misses != USUAL_MISSES:
        yield f"[Misses {options.misses}]"
    if options.take_back:
        yield "[TakeBack yes]"
    if options.daily_at is not None:
        yield f"[DailyAt {_quoted(f'{options.daily_at} {options.zone}')}]"


def _turn(decision: int, seat: str, what: str, by: str = "seat") -> str:
    mark = "" if by == "seat" else f" ({by})"
    return f"{decision:>{_WIDTH}}. {seat} {what}{mark}"


def _placement(event: Placed) -> str:
    rest = _placed((character, "0") for character in event.dropped)
    what = f"{event.character}@{event.place}"
    line = _turn(event.decision, str(event.seat), what, event.by)
    return f"{line}, rest {rest}" if rest else line


def _placed(placed: Iterable[tuple[str, str]]) -> str:
    return " ".join(f"{character}@{place}" for character, place in placed)


def _move(event: Moved) -> str:
    what = f"{event.character} {event.origin}-{event.to}"
    return _turn(event.decision, str(event.seat), what, event.by)


def _election(event: ElectionResolved, seen: _Cards) -> str:
    """An election: the cards in seat order, or a question mark for each unseen one."""
    cards = seen.get(event.decision)
    cards_text = (
        _UNSEEN * len(event.ballots)
        if cards is None
        else "".join(_LETTERS[card] for card in cards)
    )
    what = f"{event.nominee} {cards_text} {event.verdict}"
    if event.verdict is not Verdict.CROWNED:
        what = f"{what} {event.to}"
    return _turn(event.decision, "*", what)


def _beside(event: TableEvent | TakenBack) -> str:
    """What is no turn: of seats, of the clock, or that one is taken back."""
    if isinstance(event, TakenBack):
        return f"back {event.decision}, asked again as {event.reopened}"
    if isinstance(event, Extended):
        return f"extended {event.decision} {event.seconds}"
    if isinstance(event, Paused | Resumed):
        return "paused" if isinstance(event, Paused) else "resumed"
    return _seating(event)


def _seating(event: Seating) -> str:
    who = "person" if isinstance(event, PersonSeated) else f"bot {_quoted(event.bot)}"
    return f"seat {event.seat} {who}"


def _scores(event: RoundScored) -> Iterator[str]:
    yield f"favourites {' '.join(''.join(favourites(c)) for c in event.favourites)}"
    yield f"points {_numbers(event.points)}"
    if any(event.bonus):
        yield f"bonus {_numbers(event.bonus)}"
    yield f"totals {_numbers(event.totals)}"


def _result(event: GameOver) -> Iterator[str]:
    yield ""
    winners = f", won by {_numbers(event.winners)}" if event.winners else ""
    yield f"Game {event.reason}{winners}"


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(str(number) for number in numbers)


def _quoted(text: str) -> str:
    """A text in quotes on one line; what can't be seen is written as its number."""
    # A crafted name could steer the terminal that it is printed on.
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in quoted)
