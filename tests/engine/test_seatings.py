"""A bot keeps a seat, its person comes back, and the record says so."""

import pytest
from msgspec.structs import replace

from engine import views
from engine.board import Card, Seat
from engine.bots import BOTS, blind
from engine.commands import (
    Ballot,
    CancelGame,
    Chair,
    GiveAnswer,
    SeatBot,
    SeatPerson,
    Source,
)
from engine.errors import CardsNotOpen, GameNotRunning, SeatKept, SeatNotKept
from engine.events import BotSeated, PersonSeated, record_of, store
from engine.evolve import evolve
from engine.fairness import chain
from engine.state import Kind, freeze, thaw
from engine.verify import verify
from tests.rig.engine.exported import exported
from tests.rig.engine.tables import (
    PAUL,
    RACHEL,
    SIMON,
    TERRY,
    Table,
    chance,
    closed,
    options,
    settled,
    started,
)

STEADY = "steady"


def in_election() -> Table:
    table = settled()
    table.nominate("A")
    return table


def in_second_round() -> Table:
    """Terry has left in the first round, and the second one has begun."""
    table = settled()
    table.do(SeatBot(TERRY, STEADY))
    table.crown("A")
    assert table.game.round == 2
    return table


def forge(table: Table, event: BotSeated | PersonSeated) -> None:
    """Write an event down that nothing has caused."""
    row = store(event)
    assert row.public is not None
    table.rows.append(row)
    table.heads.append(chain(table.heads[-1], len(table.heads), row.public))


def bot_answers(table: Table) -> None:
    """The bot in turn gives its answer."""
    game = table.game
    (seat,) = game.asked()
    answer = blind.answer(views.view(game, seat), chance(1))
    table.do(GiveAnswer(table.number, seat, answer, Source.BOT))


def test_a_seat_that_a_bot_takes_is_told_by_one_record_event() -> None:
    table = started()

    (event,) = table.do(SeatBot(SIMON, STEADY))

    assert event == BotSeated(SIMON, STEADY)
    assert record_of(event) == event
    assert store(event).public == b'{"bot":"steady","seat":1,"type":"bot_seated"}'
    assert table.game.seats[SIMON] == Chair("bot", STEADY)
    assert table.view().kept == (SIMON,)


def test_who_sits_where_changes_nothing_of_what_is_asked_or_held() -> None:
    table = in_election()
    table.lay(TERRY, "no")
    before = table.game

    table.do(SeatBot(TERRY, STEADY))
    after = table.game

    assert after.decision == before.decision
    assert after.ballots == before.ballots
    assert after.hands == before.hands
    assert after.asked() == (RACHEL, SIMON, PAUL)


def test_the_event_is_the_same_whether_the_seat_has_laid_a_card_or_not() -> None:
    laid, owing = in_election(), in_election()
    laid.lay(TERRY, "no")

    assert laid.do(SeatBot(TERRY, STEADY)) == owing.do(SeatBot(TERRY, STEADY))
    assert laid.heads == owing.heads


def test_nobody_comes_back_in_the_round_in_which_the_bot_took_the_seat() -> None:
    table = in_election()
    table.do(SeatBot(TERRY, STEADY))
    before = table.game

    with pytest.raises(CardsNotOpen) as refused:
        table.do(SeatPerson(TERRY))

    assert refused.value.facts == {"seat": TERRY, "round": 1}
    assert table.game == before


def test_a_person_comes_back_once_the_cards_are_open_that_they_left() -> None:
    table = in_second_round()

    (event,) = table.do(SeatPerson(TERRY))

    assert event == PersonSeated(TERRY)
    assert store(event).public == b'{"seat":2,"type":"person_seated"}'
    assert table.game.seats[TERRY] == Chair("person")
    assert table.view().kept == ()


def test_a_seat_that_nobody_has_left_is_not_given_back() -> None:
    table = in_second_round()

    with pytest.raises(SeatNotKept):
        table.do(SeatPerson(SIMON))
    with pytest.raises(SeatKept):
        table.do(SeatBot(TERRY, STEADY))


def test_seats_change_hands_in_a_running_game_alone() -> None:
    waiting, over = closed(), settled()
    over.do(CancelGame(over.seed))

    for table in (waiting, over):
        with pytest.raises(GameNotRunning):
            table.do(SeatBot(TERRY, STEADY))


def test_what_the_clock_did_in_a_row_counts_until_the_seat_acts_itself() -> None:
    table = started(3)
    for _ in range(2 * 3):
        table.clock()
    assert table.game.missed == (2, 2, 2)

    table.answer(table.legal(RACHEL)[0])

    assert table.game.missed == (0, 2, 2)


def test_ballots_neither_add_to_the_public_count_nor_end_it() -> None:
    table = settled(3)
    table.clock()
    while (asked := table.game.decision) and asked.kind is not Kind.ELECTION:
        table.clock()
    before, unanswered = table.game.missed, table.game.unanswered
    hands = table.game.hands
    no = next(seat for seat in (0, 1, 2) if Card.NO in hands[seat])

    table.lay(Seat(no), "no")
    table.clock()

    assert table.game.missed == before
    assert table.game.unanswered == tuple(
        0 if seat == no else count + 1 for seat, count in enumerate(unanswered)
    )


def test_a_return_ends_the_count() -> None:
    table = started(3)
    for _ in range(3):
        table.clock()
    table.do(SeatBot(SIMON, STEADY))

    assert table.game.missed == (1, 0, 1)
    assert table.game.kept == (0, 1, 0)


def test_the_counts_are_in_a_snapshot_and_in_no_view() -> None:
    table = in_second_round()

    assert thaw(table.game.id, freeze(table.game)) == table.game
    assert not {"missed", "unanswered"} & set(views.View.__struct_fields__)


def test_who_has_just_left_is_played_without_a_look_at_their_cards() -> None:
    table = settled()
    other = settled()
    mine = list(table.game.deck)
    mine[RACHEL], mine[20] = mine[20], mine[RACHEL]
    other.game = replace(other.game, deck=tuple(mine))
    seen = [views.view(each.game, RACHEL) for each in (table, other)]

    answers = [[blind.answer(v, chance(n)) for n in range(50)] for v in seen]

    assert seen[0].own != seen[1].own
    assert answers[0] == answers[1]
    assert len(set(answers[0])) > 1


def test_who_has_just_left_votes_yes_whatever_they_hold() -> None:
    table = in_election()

    assert blind.answer(table.view(TERRY), chance(1)) == Ballot(Card.YES)


def test_a_bot_that_has_nothing_to_answer_says_so() -> None:
    table = settled()
    table.do(CancelGame(table.seed))

    with pytest.raises(LookupError):
        blind.answer(table.view(TERRY), chance(1))


def test_a_game_whose_seats_changed_hands_is_true_to_the_verifier() -> None:
    table = settled(chosen=options(rounds=2))
    table.do(SeatBot(SIMON, STEADY))
    table.move("A")
    bot_answers(table)
    table.do(SeatBot(TERRY, STEADY))
    while table.game.round == 1:
        play(table)
    table.do(SeatPerson(TERRY))
    running = verify(exported(table))
    while table.game.running:
        play(table)
    whole = verify(exported(table))

    assert running.wrong is None
    assert whole.wrong is None
    assert not whole.sealed


def play(table: Table) -> None:
    """One answer, or an election's end; the highest goes up, everybody says Yes."""
    game = table.game
    if game.election_complete:
        table.resolve()
        return
    seat = game.asked()[0]
    source = Source.BOT if game.has_bot(seat) else Source.PERSON
    legal = table.legal(seat)
    best = max(legal, key=lambda a: game.board.at.get(getattr(a, "character", ""), ""))
    answer = Ballot(Card.YES) if isinstance(legal[0], Ballot) else best
    table.do(GiveAnswer(table.number, seat, answer, source))


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (PersonSeated(SIMON), "wrong-seating"),
        (PersonSeated(TERRY), "wrong-seating"),
        (BotSeated(TERRY, STEADY), "wrong-seating"),
        (BotSeated(Seat(9), STEADY), "wrong-seating"),
        (BotSeated(Seat(-1), STEADY), "wrong-seating"),
        (BotSeated(SIMON, "\x1b[31m"), "bad-table"),
    ],
)
def test_a_seat_that_could_not_change_hands_is_named(
    event: BotSeated | PersonSeated, code: str
) -> None:
    table = settled()
    table.do(SeatBot(TERRY, STEADY))
    forge(table, event)

    wrong = verify(exported(table)).wrong

    assert wrong is not None
    assert (wrong.code, wrong.event) == (code, len(table.heads) - 1)


def test_a_person_on_a_kept_seat_is_found() -> None:
    table = settled()
    table.do(SeatBot(RACHEL, STEADY))
    table.move("A")

    wrong = verify(exported(table)).wrong

    assert wrong is not None
    assert wrong.code == "wrong-by"


def test_no_seat_changes_hands_before_the_start_or_between_what_comes_together() -> (
    None
):
    table = closed()
    forge(table, BotSeated(SIMON, STEADY))

    wrong = verify(exported(table)).wrong

    assert wrong is not None
    assert wrong.code == "out-of-order"


def test_a_kept_seat_is_played_by_a_bot_that_the_house_has() -> None:
    table = in_second_round()
    while table.game.asked() != (TERRY,):
        play(table)

    answer = BOTS[STEADY](table.view(TERRY), chance(1))

    assert answer in table.legal(TERRY)
    assert evolve(table.game, BotSeated(SIMON, STEADY)).kept == (0, 2, 1, 0)
