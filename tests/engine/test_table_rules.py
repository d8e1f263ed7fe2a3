import pytest

from engine.board import Seat
from engine.commands import CancelGame, Chair, CloseTable, CreateGame, StartGame
from engine.decide import decide
from engine.editions import EDITIONS
from engine.errors import AlreadyStarted, BadTable, GameNotRunning
from engine.events import GameOver, RoundScored, Started, TableClosed
from engine.state import Phase
from tests.rig.engine.tables import (
    SEED,
    Table,
    closed,
    closing,
    options,
    settled,
    started,
)


@pytest.mark.parametrize("seats", [0, 1, 2, 7, 8])
def test_classic_is_not_played_by_fewer_than_3_or_more_than_6(seats: int) -> None:
    table = Table()

    with pytest.raises(BadTable) as refused:
        table.do(closing(seats, options()))

    assert refused.value.code == "bad-table"
    assert refused.value.facts == {"option": "seats", "value": seats}
    assert table.log == []


@pytest.mark.parametrize("rounds", [0, 4])
def test_a_game_has_one_to_three_rounds(rounds: int) -> None:
    with pytest.raises(BadTable) as refused:
        Table().do(closing(4, options(rounds=rounds)))

    assert refused.value.facts == {"option": "rounds", "value": rounds}


def test_classic_has_no_compensated_placement() -> None:
    with pytest.raises(BadTable) as refused:
        Table().do(closing(4, options(placement="compensated")))

    assert refused.value.facts == {"option": "placement", "value": "compensated"}


@pytest.mark.parametrize("first", [-1, 4])
def test_the_first_seat_is_one_of_the_table(first: int) -> None:
    with pytest.raises(BadTable) as refused:
        Table().do(closing(4, options(first=first)))

    assert refused.value.facts == {"option": "first", "value": first}


def test_an_unknown_edition_is_refused() -> None:
    with pytest.raises(BadTable) as refused:
        Table().do(closing(4, options(), edition="chess"))

    assert refused.value.facts == {"option": "edition", "value": "chess"}


def test_the_first_of_each_choice_is_the_classic_default() -> None:
    choices = EDITIONS["classic"].choices

    assert choices.rounds[0] == 3
    assert choices.placement[0] == "choose"
    assert choices.ballot_history[0] == "table"


def test_a_closed_table_carries_edition_rules_options_seats_and_words() -> None:
    table = Table()
    chairs = (Chair("person"), Chair("bot", "steady"), Chair("person"))
    words = (b"\x01", b"", b"\xff")

    (event,) = table.do(CloseTable("classic", options(rounds=2), chairs, words))

    assert event == TableClosed(
        edition="classic",
        rules=1,
        options=options(rounds=2),
        seats=chairs,
        words=("01", "", "ff"),
    )


def test_a_table_is_closed_once() -> None:
    table = closed()

    with pytest.raises(AlreadyStarted) as refused:
        table.do(closing(4, options()))

    assert refused.value.code == "already-started"


def test_a_game_is_started_once() -> None:
    table = started()

    with pytest.raises(AlreadyStarted):
        table.do(StartGame(table.sealed))


def test_a_game_is_not_started_before_its_table_is_closed() -> None:
    sealed = closed().sealed
    table = Table()
    table.do(CreateGame(SEED, b""))

    with pytest.raises(GameNotRunning) as refused:
        table.do(StartGame(sealed))

    assert refused.value.facts == {"phase": "table"}


def test_a_cancelled_table_is_not_started() -> None:
    table = closed()
    table.do(CancelGame(SEED))

    with pytest.raises(GameNotRunning):
        table.do(StartGame(table.sealed))


@pytest.mark.parametrize("first", range(4))
def test_the_host_may_choose_who_begins(first: int) -> None:
    table = started(4, options(first=first))

    assert table.game.first == first
    assert table.turn == first


def test_otherwise_the_games_key_draws_who_begins() -> None:
    begun = set()
    for number in range(40):
        table = started(4, options(first=None), seed=bytes([number]) * 32)
        begun.add(table.turn)
        again = started(4, options(first=None), seed=bytes([number]) * 32)
        assert again.turn == table.turn

    assert begun == {0, 1, 2, 3}


def test_favourites_are_dealt_without_replacement_over_the_whole_game() -> None:
    table = settled(6)
    for _ in range(3):
        table.crown("A")
        if table.game.phase is Phase.PLACEMENT:
            letters = iter("ABCDEFGILMNO")
            for place in "444433332222":
                table.place(next(letters), place)

    (start,) = [event for event in table.log if isinstance(event, Started)]
    rounds = [event for event in table.log if isinstance(event, RoundScored)]

    dealt = [card for scored in rounds for card in scored.favourites]
    assert len(dealt) == len(set(dealt)) == 18
    assert tuple(dealt) == start.deck[:18]


@pytest.mark.parametrize("make", [Table, closed, started, settled])
def test_a_game_may_be_cancelled_in_any_phase_and_opens_its_seed(make: object) -> None:
    assert callable(make)
    table: Table = make()

    (event,) = table.do(CancelGame(SEED))

    assert event == GameOver(reason="cancelled", winners=(), seed_opened=SEED.hex())
    assert table.game.phase is Phase.OVER
    assert table.game.decision is None
    assert not table.game.running


def test_a_cancellation_keeps_the_open_elections_ballots_out_of_the_record() -> None:
    table = settled()
    table.nominate("A")
    table.lay(Seat(0), "no")
    before = table.record

    table.do(CancelGame(SEED))

    assert table.record[: len(before)] == before
    assert len(table.record) == len(before) + 1
    assert table.game.ballots == ()


def test_a_game_that_is_over_is_not_cancelled() -> None:
    table = settled()
    table.do(CancelGame(SEED))

    with pytest.raises(GameNotRunning) as refused:
        decide(table.game, CancelGame(SEED))

    assert refused.value.code == "game-not-running"
    assert refused.value.facts == {"phase": "over"}
