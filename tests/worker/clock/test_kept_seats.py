"""A seat that a bot keeps: asked at once, played blindly, and never waited for."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from engine.board import Card, Seat
from engine.commands import Ballot, PlacementOption
from engine.state import FORMAT, freeze
from service import config
from service.game import handlers, table_acts
from service.people import deletion
from service.store import clock, due
from service.store.due import Claimed
from service.store.transactions import transaction
from service.values import entropy
from service.values.enums import DueKind
from tests.rig.service import seated
from tests.rig.service.seated import Seated, run
from tests.rig.worker import rows
from worker.clock import bots, sweeper


def leave(table: Seated, seat: int) -> None:
    table_acts.depart(table.id, table.holder(seat), seat)


def erased(table: Seated, seat: int) -> None:
    deletion.erase(seated.person_on(table.id, seat))


def sweep() -> None:
    clock.shift(timedelta(seconds=config.USUAL_BOT_DELAY))
    sweeper.sweep()


@pytest.mark.parametrize("go", [leave, erased])
def test_an_election_is_over_when_the_last_one_missing_goes(go: object) -> None:
    table = seated.in_election(5)
    election = table.decision
    for seat in (0, 1, 2, 3):
        table.answer(seat, Ballot(Card.NO if seat == 3 else Card.YES))

    go(table, 4)
    sweep()

    assert table.game.elections[0].cards == (Card.YES,) * 3 + (Card.NO, Card.YES)
    assert table.game.last_decision == election + 1


def test_an_election_waits_for_nobody_but_those_who_stayed() -> None:
    table = seated.in_election(5)
    for seat in (3, 4):
        leave(table, seat)

    sweep()

    assert table.game.asked() == (0, 1, 2)


def test_a_table_of_which_one_is_left_goes_on_to_its_end() -> None:
    table = seated.started(3, rounds=1)
    for seat in (1, 2):
        leave(table, seat)

    while table.game.running:
        if table.game.asks(Seat(0)):
            legal = seated.own(table.game, 0).legal
            table.answer(0, max(legal, key=lambda each: each.nominates).answer)
        sweep()

    assert table.game.reason == "finished"


@pytest.mark.parametrize("placement", list(PlacementOption)[:2])
def test_bots_finish_a_game_that_everybody_has_left_and_mail_nobody(
    placement: PlacementOption,
) -> None:
    table = seated.started(3, rounds=1, placement=placement)
    for seat in range(3):
        leave(table, seat)
    told = run("SELECT count(*) FROM notice WHERE game_id = :g", {"g": table.id})

    for _ in range(10):
        if table.game.running:
            sweep()

    assert table.game.reason == "finished"
    assert told == run(
        "SELECT count(*) FROM notice WHERE game_id = :g", {"g": table.id}
    )


def test_the_crown_stays_with_the_seat_of_who_holds_it() -> None:
    table = seated.in_election(3)
    crown = table.game.crown

    leave(table, int(crown))
    sweep()

    assert table.game.crown == crown


def test_who_leaves_in_the_placement_is_placed_for() -> None:
    table = seated.started(3)
    seat = table.game.asked()[0]

    leave(table, seat)
    sweep()

    assert table.game.asked() != (seat,)
    assert rows.events(table.id, "placed") == 1
    [(by,)] = run(
        "SELECT convert_from(public, 'UTF8')::json->>'by' FROM event"
        " WHERE type = 'placed'"
    )
    assert by == "bot"


def thoughts(table: Seated, seat: int, games: int = 20) -> list[object]:
    """What the bot on a seat would answer, at so many throws of the dice."""
    row = Claimed(table.id, table.decision, DueKind.BOT, seat)
    return [bots.think(row) for _ in range(games)]


def swap_favourites(table: Seated, seat: int) -> None:
    """Give a seat another card of favourites: one that nobody is dealt."""
    game = table.game
    deck = list(game.deck)
    at = (game.round - 1) * len(game.seats) + seat
    deck[at], deck[-1] = deck[-1], deck[at]
    run(
        "UPDATE game SET snapshot = :s, snapshot_format = :f WHERE id = :g",
        {"s": freeze(replace(game, deck=tuple(deck))), "f": FORMAT, "g": table.id},
    )


def test_until_the_round_is_over_a_keeping_bot_looks_at_no_favourites(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = seated.started(3, placement=PlacementOption.RANDOM)
    seat = table.game.asked()[0]
    leave(table, seat)

    answers = []
    for _ in range(2):
        source = iter(range(10_000))
        monkeypatch.setattr(
            entropy, "source", lambda size, s=source: next(s).to_bytes(size, "big")
        )
        answers.append(thoughts(table, seat))
        swap_favourites(table, seat)

    assert answers[0] == answers[1]
    assert len(set(answers[0])) > 1


def test_a_turn_that_was_taken_for_somebody_who_is_back_does_nothing() -> None:
    table = seated.started(3, placement=PlacementOption.RANDOM)
    leave(table, 1)
    table.play_round()
    table.play_until(1)
    clock.shift(timedelta(seconds=config.USUAL_BOT_DELAY))
    with transaction():
        (row,) = due.claim(10, 5.0, bots=True)
    answer = bots.think(row)
    table_acts.come_back(table.id, table.holder(1), 1)
    before = table.game

    with pytest.raises(handlers.NotAtTable):
        bots.give(row, answer)

    assert table.game == before
    assert bots.think(row) is None
