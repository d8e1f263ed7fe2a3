"""Acts at the very moment of a deadline: each ends one way, and both are told which."""

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial

from engine.board import Card, Seat
from engine.commands import Ballot, PlacementOption
from engine.errors import CannotTakeBack, DecisionClosed
from engine.state import Kind
from service.game import acts_taken_back, handlers, table_acts, time_up
from service.store import clock, event_log
from tests.rig.service import seated
from tests.rig.service.races import Apps, together
from tests.rig.service.seated import Seated, run


def sources(table: Seated, decision: int, seat: int) -> list[str]:
    """Whose hands a seat's answers to a decision were."""
    found = run(
        "SELECT source FROM answer WHERE game_id = :g AND decision = :d AND seat = :s",
        {"g": table.id, "d": decision, "s": seat},
    )
    return [str(source) for (source,) in found]


def types_after(table: Seated, record: int = 0) -> list[str]:
    """The record's types from some entry on."""
    return [each.type for each in event_log.record_after(table.id, record, 1000)]


def leave(table: Seated, seat: int) -> None:
    table_acts.depart(table.id, table.holder(seat), seat)


def come_back(table: Seated, seat: int) -> None:
    table_acts.come_back(table.id, table.holder(seat), seat)


def newly_placed() -> Iterator[tuple[Seated, int, int]]:
    """Tables at which a seat has just placed, with its number and the decision's."""
    while True:
        table = seated.started(3, rounds=1, misses=5)
        while (asked := table.game.decision) and asked.kind is Kind.PLACEMENT:
            seat = int(table.game.asked()[0])
            table.answer(seat, seated.own(table.game, seat).legal[0].answer)
            if table.game.reopened != asked.number:
                yield table, seat, asked.number


def time_is_up(table: Seated, decision: int) -> Callable[[], object]:
    """The clock's answer to an open decision, whose time has just passed."""
    clock.shift(timedelta(days=1, seconds=1))
    return partial(time_up.run_out, table.id, decision)


def next_seat(table: Seated, decision: int) -> Callable[[], object]:
    """The answer of whoever is asked next."""
    seat = int(table.game.asked()[0])
    answer = seated.own(table.game, seat).legal[-1].answer
    return partial(table.answer, seat, answer, decision)


def taking_back(
    apps: Apps,
    rounds: int,
    against: Callable[[Seated, int], Callable[[], object]] = time_is_up,
) -> Counter[str]:
    """An act taken back, or the next answer: there is one, never both."""
    ends = Counter[str]()
    for _, (table, seat, number) in zip(range(rounds), newly_placed(), strict=False):
        before = len(types_after(table))
        back = partial(acts_taken_back.take_back, table.id, table.holder(seat), number)

        taken, given = together(apps, [back, against(table, number + 1)])

        types = types_after(table, before)
        assert table.game == event_log.replayed(table.id)
        if taken == number + 2:
            assert given is False or isinstance(given, DecisionClosed)
            assert types == ["taken_back"]
            assert table.game.asked() == (seat,)
        else:
            assert isinstance(taken, CannotTakeBack)
            assert taken.reason == "acted-since"
            assert given is True or isinstance(given, bytes)
            assert types in (["placed"], ["moved"])
        ends["by hand" if taken == number + 2 else "by clock"] += 1
    return ends


def last_card(apps: Apps, rounds: int) -> Counter[str]:
    """A last ballot, or the clock's for that seat, however many sweepers come."""
    ends = Counter[str]()
    for _ in range(rounds):
        table = seated.in_election(3)
        decision = table.decision
        table.answer(0, Ballot(Card.YES))
        table.answer(1, Ballot(Card.YES))
        ran_out = time_is_up(table, decision)

        laid, *fired = together(
            apps,
            [partial(table.answer, 2, Ballot(Card.NO), decision), ran_out, ran_out],
        )
        handlers.resolve(table.id, decision)

        counted = isinstance(laid, bytes)
        assert counted or isinstance(laid, DecisionClosed), laid
        assert sources(table, decision, 2) == ["person" if counted else "clock"]
        [(resolved, answers)] = run(
            """SELECT
            (SELECT count(*) FROM event WHERE game_id = :g AND decision = :d),
            (SELECT count(*) FROM answer WHERE game_id = :g AND decision = :d)""",
            {"g": table.id, "d": decision},
        )
        assert (resolved, answers) == (1, 3)
        assert fired.count(True) == (not counted)
        ends["by hand" if counted else "by clock"] += 1
    return ends


def leaving(apps: Apps, rounds: int) -> Counter[str]:
    """Whoever is asked leaves as their time ends: one answer, and a bot in the seat."""
    ends = Counter[str]()
    for _ in range(rounds):
        table = seated.started(3)
        decision, seat = table.decision, int(table.game.asked()[0])

        ran_out, left = together(
            apps, [time_is_up(table, decision), partial(leave, table, seat)]
        )

        assert (ran_out, left) == (True, None)
        assert sources(table, decision, seat) == ["clock"]
        written = types_after(table)[-2:]
        assert sorted(written) == ["bot_seated", "placed"]
        assert table.game == event_log.replayed(table.id)
        ends["by hand" if written[0] == "bot_seated" else "by clock"] += 1
    return ends


def returning(apps: Apps, rounds: int) -> Counter[str]:
    """Somebody comes back to a seat that a bot keeps as its time ends."""
    ends = Counter[str]()
    for _ in range(rounds):
        table = seated.started(3, placement=PlacementOption.RANDOM)
        leave(table, 1)
        table.play_round()
        table.play_until(1)
        decision, before = table.decision, len(types_after(table))

        ran_out, back = together(
            apps, [time_is_up(table, decision), partial(come_back, table, 1)]
        )

        assert back is None
        assert not table.game.has_bot(Seat(1))
        assert sources(table, decision, 1) == (["clock"] if ran_out else [])
        written = types_after(table, before)
        assert written.count("person_seated") == 1
        assert written.count("moved") == bool(ran_out)
        assert table.game == event_log.replayed(table.id)
        ends["by clock" if written[0] == "moved" else "by hand"] += 1
    return ends
