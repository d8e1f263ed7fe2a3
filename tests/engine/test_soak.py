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
from tests.engine.soak import check_proof, check_record, play
from tests.engine.tables import chance, options, settled

MOVES = {3: 54, 4: 54, 5: 58, 6: 54}
GAMES = range(40)


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
@pytest.mark.parametrize("number", GAMES)
def test_whole_games_keep_every_rule_to_their_end(number: int, seats: int) -> None:
    table = play(number, seats)

    assert table.game.phase is Phase.OVER
    assert table.referee.over
    assert 2 <= table.referee.longest <= MOVES[seats]
    assert table.referee.answers <= 432
    check_record(table)
    check_proof(table)


ANSWERS: list[Answer] = [
    *(Move(c) for c in "ABCDEFGILMNOPJ"),
    *(Placement(c, p) for c in "ABCDEFGILMNOPJ" for p in "01234579"),
    *(Ballot(card) for card in Card),
]


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_only_legal_answers_are_taken_and_a_refusal_changes_nothing(seats: int) -> None:
    """At every step of a game all answers of all seats are tried."""
    rng = chance(seats)
    table = settled(seats, options(rounds=2))
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
