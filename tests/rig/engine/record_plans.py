"""What a set of recorded games holds: each kind of table, end, and open question."""

from collections.abc import Callable, Iterator
from itertools import pairwise

import msgspec

from engine.commands import EXTENSIONS, Options, Source
from engine.deck import favourites
from engine.events import (
    BotSeated,
    Extended,
    Moved,
    Paused,
    PersonSeated,
    Placed,
    Resumed,
    TakenBack,
)
from engine.state import Game, Kind, Phase
from tests.rig.engine.tables import Table, options

Sight = Callable[[Table], bool]

_FIFTH = 5


class Player(msgspec.Struct, frozen=True):
    """How everybody at a table plays: the chances of a Yes, and of lifting the highest.

    `hero` is lifted whenever it can be; `calm` rounds crown whoever is nominated;
    `late` is the chance that the clock answers, `away` that somebody leaves or comes
    back before an answer, `stops` that the clock is stopped, or goes on, or that the
    decision waits for longer, `regrets` that the latest act is taken back instead.
    """

    agrees: float = 0.75
    hasty: float = 0.7
    hero: str = ""
    calm: int = 0
    late: float = 0.0
    away: float = 0.0
    stops: float = 0.0
    regrets: float = 0.0


class Plan(msgspec.Struct, frozen=True):
    """A game to record: its table, its players, when it stops, what it must show."""

    name: str
    edition: str
    seats: int
    kept_for: str
    chosen: Options = options(first=None)
    player: Player = Player()
    shows: Sight = lambda table: table.game.reason == "finished"
    stops: Sight = lambda table: False
    cancelled: bool = False


def both(table: Table) -> bool:
    """Two or more share the victory."""
    return len(table.game.winners) > 1


def broken_tie(table: Table) -> bool:
    """Two are level, and one wins by the favourites left in the castle."""
    game = table.game
    return game.totals.count(max(game.totals)) > 1 and len(game.winners) == 1


def zero_turned_33(table: Table) -> bool:
    """A zero of the third round became 33, not six favourites at their highest."""
    last = table.game.scored[-1]
    return any(
        points == 33 and all(last.board.at[c] in ("0", "out") for c in letters)
        for points, letters in zip(last.points, _favourites(table.game), strict=True)
    )


def _favourites(game: Game) -> Iterator[tuple[str, ...]]:
    return (favourites(card) for card in game.scored[-1].favourites)


def jester_crowned(table: Table) -> bool:
    """A round turned its signs."""
    return any(scored.board.at["J"] == "throne" for scored in table.game.scored)


def in_the_box(table: Table) -> bool:
    """The dungeons were full, and somebody went into the box."""
    return any(scored.board.on("box") for scored in table.game.scored)


def below_zero(table: Table) -> bool:
    """A round brought somebody less than nothing."""
    return any(min(scored.points) < 0 for scored in table.game.scored)


def fifth_on_three(table: Table) -> bool:
    """The refused Jester has squeezed in on floor 3."""
    return table.game.board.count("3") == _FIFTH


def in_wc(table: Table) -> bool:
    """Somebody stands in both WCs."""
    return bool(table.game.board.on("wc3") and table.game.board.on("wc4"))


def clock_answered(table: Table) -> bool:
    """The clock has placed, moved and laid a card."""
    by_clock = {
        type(event)
        for event in table.log
        if isinstance(event, Placed | Moved) and event.by == "clock"
    }
    ballots = any(getattr(e, "source", "") == Source.CLOCK for e in table.log)
    return by_clock == {Placed, Moved} and ballots


def changed_hands(table: Table) -> bool:
    """Somebody left, came back and left again, in a game that is over."""
    seatings = [e for e in table.log if isinstance(e, BotSeated | PersonSeated)]
    of_one = [[e for e in seatings if e.seat == seat] for seat in range(_FIFTH)]
    finished = table.game.reason == "finished"
    return finished and any(len(each) > 2 for each in of_one)


def changed_clock(table: Table) -> bool:
    """The clock was stopped and went on twice, and three decisions waited longer."""
    kinds = [type(event) for event in table.log]
    finished = table.game.reason == "finished"
    stops = min(kinds.count(Paused), kinds.count(Resumed))
    return finished and stops > 1 and kinds.count(Extended) == EXTENSIONS


def taken_back(table: Table) -> bool:
    """A placement, the last one and a move were taken back, in a game that is over."""
    pairs = [
        before
        for before, after in pairwise(table.log)
        if isinstance(after, TakenBack) and not isinstance(before, BotSeated)
    ]
    last = any(isinstance(each, Placed) and each.dropped for each in pairs)
    kinds = {type(each) for each in pairs}
    return table.game.reason == "finished" and last and kinds == {Placed, Moved}


def asked(kind: Kind, number: int) -> Sight:
    """A decision of that kind is open, and the game is not at its very beginning."""

    def sight(table: Table) -> bool:
        decision = table.game.decision
        return (
            decision is not None and decision.kind is kind and decision.number >= number
        )

    return sight


def missing(cards: int) -> Sight:
    """An election is open in which so many cards are missing, not the first one."""

    def sight(table: Table) -> bool:
        game = table.game
        opened = game.decision is not None and game.decision.seat is None
        return opened and bool(game.elections) and game.ballots.count(None) == cards

    return sight


def called_off(table: Table) -> bool:
    """The game was cancelled where it had stopped."""
    return table.game.reason == "cancelled"


_SHORT = options(rounds=1, placement="random", first=None)
_OPEN = options(history="open", first=None)
_REFUSES = Player(agrees=0.25, hasty=0.9)


def _whole() -> Iterator[Plan]:
    """A whole game for each edition and number of players, histories in turn."""
    for edition, span in (("classic", range(3, 7)), ("jester", range(2, 9))):
        for seats in span:
            chosen = options(
                rounds=3,
                history="open" if seats % 2 else "table",
                first=None if seats % 3 else 1,
                decision_time=None if seats == 4 else 86400,
            )
            player = Player(hasty=0.9)
            yield Plan("whole", edition, seats, "a whole game", chosen, player)


def _ends() -> Iterator[Plan]:
    """Games that end in a way of their own."""
    yield Plan("tie", "classic", 6, "a shared victory", _SHORT, shows=both)
    yield Plan("broken-tie", "classic", 5, "a tie broken", _SHORT, shows=broken_tie)
    yield Plan("tie", "jester", 6, "a shared victory", _SHORT, shows=both)
    calm = Player(agrees=0.1, hasty=0.97, calm=2)
    random3 = options(placement="random", history="open", first=None)
    yield Plan("33", "classic", 4, "a zero turned 33", random3, calm, zero_turned_33)
    yield Plan("two-rounds", "classic", 3, "two rounds", options(rounds=2, first=2))
    hero = Player(agrees=0.9, hasty=0.5, hero="J")
    yield Plan("crowned-jester", "jester", 4, "J crowned", _SHORT, hero, jester_crowned)
    hard = msgspec.structs.replace(_REFUSES, agrees=0.1)
    open1 = options(rounds=1, placement="random", history="open", first=None)
    yield Plan("box", "jester", 3, "full dungeons", open1, hard, in_the_box)
    yield Plan("box", "jester", 8, "full dungeons", _SHORT, _REFUSES, in_the_box)
    yield Plan("below-zero", "jester", 5, "less than 0", _SHORT, _REFUSES, below_zero)
    for seats in (7, 8):
        chosen = options(placement="compensated", history="open", first=None, rounds=2)
        yield Plan("compensated", "jester", seats, "compensation", chosen)
    away = Player(away=0.1, hasty=0.9)
    for edition in ("classic", "jester"):
        chosen = options(rounds=3, first=None)
        yield Plan("kept", edition, 4, "kept seats", chosen, away, changed_hands)
    stops = Player(stops=0.1, hasty=0.9)
    for edition in ("classic", "jester"):
        chosen = options(rounds=2, first=None)
        yield Plan("timed", edition, 3, "pauses", chosen, stops, changed_clock)
    regrets = Player(regrets=0.3, hasty=0.9)
    for edition, seats in (("classic", 4), ("jester", 3)):
        chosen = options(rounds=1, first=None, take_back=True)
        plan = Plan("taken-back", edition, seats, "what was taken back", chosen)
        yield msgspec.structs.replace(plan, player=regrets, shows=taken_back)
    late = Player(late=0.3)
    short = options(rounds=1, first=None)
    yield Plan("clock", "classic", 4, "the clock", short, late, clock_answered)
    yield Plan("clock", "jester", 5, "the clock", short, late, clock_answered)


def _open() -> Iterator[Plan]:
    """Games that wait in the middle of every phase."""
    for edition, seats in (("classic", 4), ("jester", 8)):
        for name, sight in (
            ("placing", asked(Kind.PLACEMENT, 5)),
            ("climbing", asked(Kind.MOVE, 25)),
            ("ballot-open", missing(seats)),
            ("one-card-missing", missing(1)),
            ("all-cards-in", missing(0)),
        ):
            chosen = _SHORT if edition == "jester" and name != "placing" else _OPEN
            yield _waiting(Plan(name, edition, seats, name, chosen), sight)
    hero = Player(agrees=0.5, hasty=0.7, hero="J")
    fifth = Plan("fifth-on-3", "jester", 6, "a fifth on floor 3", _SHORT, hero)
    yield _waiting(fifth, fifth_on_three)
    yield _waiting(Plan("wc", "jester", 2, "both WCs taken"), in_wc)
    closed = Plan("closed", "jester", 3, "seats settled, not started")
    yield _waiting(closed, lambda table: table.game.phase is Phase.TABLE)


def _waiting(plan: Plan, sight: Sight) -> Plan:
    return msgspec.structs.replace(plan, stops=sight, shows=sight)


def _cancelled() -> Iterator[Plan]:
    """Games that were called off, one in each phase."""
    for name, edition, seats, sight in (
        ("closed", "classic", 3, lambda table: table.game.phase is Phase.TABLE),
        ("placing", "classic", 5, asked(Kind.PLACEMENT, 4)),
        ("climbing", "jester", 7, asked(Kind.MOVE, 10)),
        ("in-ballot", "jester", 4, missing(2)),
    ):
        chosen = _SHORT if name == "in-ballot" else _OPEN
        kept_for = f"cancelled: {name}"
        plan = Plan(f"cancelled-{name}", edition, seats, kept_for, chosen)
        waiting = _waiting(plan, sight)
        yield msgspec.structs.replace(waiting, shows=called_off, cancelled=True)


def plans() -> Iterator[Plan]:
    """Every game of a set."""
    for part in (_whole, _ends, _open, _cancelled):
        yield from part()
