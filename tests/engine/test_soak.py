import pytest

from engine.board import Card, Seat
from engine.commands import (
    Answer,
    Ballot,
    CloseTable,
    Command,
    GiveAnswer,
    Move,
    Placement,
    Source,
    StartGame,
)
from engine.decide import decide
from engine.errors import Refusal
from engine.state import Phase
from tests.rig.engine.bounds import TABLES, Figures
from tests.rig.engine.soak import check_proof, check_record, play, play_fast
from tests.rig.engine.tables import chance, options, settled

GAMES, ROUNDS = 1, 40
"""`make proof` plays a hundred thousand."""

LETTERS = "ABCDEFGILMNOPJ"
PLACES = ["0", "1", "2", "3", "4", "5", "throne", "wc3", "dungeon3", "out", ""]


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_whole_games_keep_every_rule_to_their_end(edition: str, seats: int) -> None:
    figures = Figures(edition, seats)
    for number in range(GAMES):
        table = play(number, seats, edition)

        assert table.game.phase is Phase.OVER
        figures.add(table.referee)
        check_record(table)
        check_proof(table)
    assert figures.games == GAMES


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_many_rounds_stay_within_the_bounds(edition: str, seats: int) -> None:
    figures = Figures(edition, seats)
    number = 100

    while figures.rounds < ROUNDS:
        figures.add(play_fast(number, seats, edition).referee)
        number += 1

    assert figures.points
    assert bool(figures.turned) == (edition == "jester")


ANSWERS: list[Answer] = [
    *(Move(c) for c in LETTERS),
    *(Placement(c, p) for c in LETTERS for p in PLACES),
    *(Ballot(card) for card in Card),
]


@pytest.mark.parametrize(
    ("edition", "seats"), [("classic", 3), ("classic", 5), ("jester", 2), ("jester", 7)]
)
def test_only_legal_answers_are_taken_and_a_refusal_changes_nothing(
    edition: str, seats: int
) -> None:
    """At every step of a round all answers of all seats are tried."""
    rng = chance(seats)
    table = settled(seats, options(rounds=1), edition=edition)
    while table.game.running:
        if table.game.election_complete:
            table.resolve()
            continue
        game = table.game
        for seat in range(seats):
            legal = table.legal(Seat(seat))
            for answer in ANSWERS:
                command = GiveAnswer(table.number, Seat(seat), answer, Source.PERSON)
                if answer in legal:
                    assert decide(game, command)
                else:
                    with pytest.raises(Refusal):
                        decide(game, command)
        assert table.game is game
        seat = rng.choice(game.asked())
        table.answer(rng.choice(table.legal(seat)), seat)


def test_a_game_that_is_over_takes_nothing_more() -> None:
    table = settled(3, options(rounds=1))
    table.crown("A")
    number = table.game.last_decision
    closing = CloseTable("classic", options(), (), ())

    commands: list[Command] = [
        closing,
        StartGame(table.sealed),
        *(
            GiveAnswer(n, Seat(0), Ballot(Card.YES), Source.PERSON)
            for n in (number, number + 1)
        ),
    ]

    for command in commands:
        with pytest.raises(Refusal):
            table.do(command)
