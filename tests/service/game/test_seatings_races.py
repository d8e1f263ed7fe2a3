"""Leaving and coming back at the very moment of an answer, a deadline or each other."""

from functools import partial

from engine.board import Card, Seat
from engine.commands import Ballot, PlacementOption
from engine.errors import Refusal
from service.game import handlers
from service.store import event_log
from service.values.principals import Bot
from tests.rig.service import deadline_races, seated
from tests.rig.service.deadline_races import come_back, leave, sources, types_after
from tests.rig.service.races import Apps, together

ROUNDS = 8


def test_a_last_card_and_a_leaving_end_one_way_and_both_are_told(
    apps: Apps,
) -> None:
    for _ in range(ROUNDS):
        table = seated.in_election(3)
        decision = table.decision
        for seat in (0, 1):
            table.answer(seat, Ballot(Card.YES))

        laid, left = together(
            apps,
            [
                partial(table.answer, 2, Ballot(Card.NO), decision),
                partial(leave, table, 2),
            ],
        )

        assert left is None
        assert types_after(table).count("bot_seated") == 1
        given = sources(table, decision, 2)
        assert given == (["person"] if isinstance(laid, bytes) else [])
        assert table.game.has_bot(Seat(2))
        assert table.game == event_log.replayed(table.id)


def test_a_leaving_and_the_deadline_end_one_way(apps: Apps) -> None:
    assert deadline_races.leaving(apps, ROUNDS).total() == ROUNDS


def test_a_return_and_the_deadline_end_one_way(apps: Apps) -> None:
    assert deadline_races.returning(apps, ROUNDS).total() == ROUNDS


def test_a_return_and_the_bots_answer_end_one_way(apps: Apps) -> None:
    for _ in range(ROUNDS):
        table = seated.started(3, placement=PlacementOption.RANDOM)
        leave(table, 1)
        table.play_round()
        table.play_until(1)
        decision = table.decision
        answer = seated.own(table.game, 1).legal[0].answer

        given, back = together(
            apps,
            [
                partial(handlers.answer, table.id, Bot(1), decision, answer),
                partial(come_back, table, 1),
            ],
        )

        assert back is None
        assert not table.game.has_bot(Seat(1))
        by_bot = isinstance(given, bytes)
        assert sources(table, decision, 1) == (["bot"] if by_bot else [])
        assert by_bot or isinstance(given, handlers.NotAtTable)
        assert table.game == event_log.replayed(table.id)


def test_leaving_twice_at_once_is_leaving_once(apps: Apps) -> None:
    for _ in range(ROUNDS):
        table = seated.started(3)

        assert together(apps, [partial(leave, table, 1)] * 4) == [None] * 4
        assert types_after(table).count("bot_seated") == 1


def test_who_answers_while_a_bot_takes_their_seat_is_told_which_it_was(
    apps: Apps,
) -> None:
    for _ in range(ROUNDS):
        table = seated.started(3, placement=PlacementOption.RANDOM)
        seat, decision = int(table.game.asked()[0]), table.decision
        answer = seated.own(table.game, seat).legal[0].answer

        given, left = together(
            apps,
            [
                partial(table.answer, seat, answer, decision),
                partial(leave, table, seat),
            ],
        )

        assert left is None
        if isinstance(given, bytes):
            assert types_after(table)[-2:] == ["moved", "bot_seated"]
        else:
            assert isinstance(given, Refusal)
            assert given.code == "seat-kept"
            assert types_after(table)[-1] == "bot_seated"
