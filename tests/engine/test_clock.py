from collections import Counter

import pytest
from msgspec.structs import replace

from engine.board import Card, Seat, Verdict
from engine.commands import AnswerByClock, Ballot, Sealed, Source
from engine.errors import AlreadyAnswered, DecisionClosed, NoSuchDecision
from engine.events import BallotCast, ElectionResolved, Moved, Placed
from tests.rig.engine.naive_proof import Draws
from tests.rig.engine.tables import (
    PAUL,
    RACHEL,
    SEED,
    SIMON,
    TERRY,
    chance,
    settled,
    started,
)


def keys(count: int) -> list[Sealed]:
    return [Sealed(SEED, chance(number).randbytes(32)) for number in range(count)]


def test_a_missed_placement_is_drawn_from_the_offers_by_its_own_stream() -> None:
    table = started()
    table.place("C", "4")
    offers = table.legal(SIMON)
    draw = Draws(table.sealed.key, "clock/2").below(len(offers))

    (event,) = table.clock()

    assert isinstance(event, Placed)
    drawn = offers[draw]
    assert (event.character, event.place) == (
        getattr(drawn, "character", None),
        getattr(drawn, "place", None),
    )
    assert (event.seat, event.by) == (SIMON, "clock")


def test_a_missed_move_is_drawn_from_the_offers_by_its_own_stream() -> None:
    table = settled()
    offers = table.legal(RACHEL)
    draw = Draws(table.sealed.key, "clock/13").below(len(offers))

    (event,) = table.clock()

    assert isinstance(event, Moved)
    assert event.character == getattr(offers[draw], "character", None)
    assert (event.seat, event.by) == (RACHEL, "clock")


def test_moves_are_drawn_evenly() -> None:
    table = settled()
    table.arrange({"0": "P", "1": "LMNO", "3": "EFG", "5": "ABC"})
    games = 2000
    command = [AnswerByClock(table.number, sealed) for sealed in keys(games)]
    before = table.game

    drawn = Counter[str]()
    for one in command:
        (event,) = table.do(one)
        table.game = before
        assert isinstance(event, Moved)
        drawn[event.character] += 1

    # P can't move onto the full first floor; a nomination is as likely as the rest.
    assert set(drawn) == set("LMNOEFGABC")
    assert all(0.75 < times * 10 / games < 1.25 for times in drawn.values())


def test_placements_are_drawn_evenly() -> None:
    table = started()
    games = 2600
    before = table.game

    drawn = Counter[tuple[str, str]]()
    for sealed in keys(games):
        (event,) = table.do(AnswerByClock(1, sealed))
        table.game = before
        assert isinstance(event, Placed)
        drawn[event.character, event.place] += 1

    assert len(drawn) == 52
    assert all(0.4 < times * 52 / games < 1.7 for times in drawn.values())


def test_the_clocks_move_never_depends_on_favourites_or_hands() -> None:
    table = settled()
    other = replace(
        table.game,
        deck=table.game.deck[::-1],
        hands=((Card.YES,),) * 4,
    )

    first = table.clock()
    table.game = other
    second = table.do(AnswerByClock(other.last_decision, table.sealed))

    assert first == second


def test_missing_ballots_are_all_yes_laid_and_resolved_in_one_step() -> None:
    table = settled()
    table.nominate("A")
    table.lay(SIMON, "no")

    events = table.clock()

    *laid, resolved = events
    assert laid == [
        BallotCast(15, seat, Card.YES, Source.CLOCK) for seat in (RACHEL, TERRY, PAUL)
    ]
    assert isinstance(resolved, ElectionResolved)
    assert resolved.verdict is Verdict.REFUSED


def test_if_everybody_misses_an_election_the_nominee_is_crowned() -> None:
    table = settled()
    table.nominate("A")

    table.clock()

    assert table.game.round == 2
    assert table.game.totals == table.game.scored[0].points


def test_the_clocks_ballot_is_yes_for_every_hand_alike() -> None:
    table = settled(5)
    for letter in "ABC":
        table.nominate(letter)
        if letter != "C":
            table.vote("no", "yes", "yes", "yes", "yes")
    assert table.game.hands[RACHEL] == (Card.YES,)

    events = table.clock()

    assert [e.card for e in events if isinstance(e, BallotCast)] == [Card.YES] * 5


def test_the_clock_only_turns_over_when_every_card_is_in() -> None:
    table = settled()
    table.nominate("A")
    for seat in range(4):
        table.lay(Seat(seat), "no")

    events = table.clock()

    assert [type(event) for event in events] == [ElectionResolved]


def test_the_clock_answers_an_open_decision_only() -> None:
    table = settled()
    number = table.number
    table.clock()

    with pytest.raises(DecisionClosed):
        table.do(AnswerByClock(number, table.sealed))
    with pytest.raises(NoSuchDecision):
        table.do(AnswerByClock(number + 2, table.sealed))


def test_whoever_comes_after_the_clock_is_refused() -> None:
    table = settled()
    table.nominate("A")
    table.lay(RACHEL, "yes")
    number = table.number

    with pytest.raises(AlreadyAnswered):
        table.lay(RACHEL, "no")
    table.clock()
    with pytest.raises(DecisionClosed) as refused:
        table.answer_number(number)

    assert refused.value.facts == {"decision": number}


@pytest.mark.parametrize(
    ("source", "by"),
    [
        (Source.PERSON, "seat"),
        (Source.STANDING, "seat"),
        (Source.BOT, "bot"),
        (Source.CLOCK, "clock"),
    ],
)
def test_the_record_tells_bot_and_clock_from_a_seat_for_moves(
    source: Source, by: str
) -> None:
    table = settled()

    (event,) = table.answer(table.legal(RACHEL)[0], source=source)

    assert isinstance(event, Moved)
    assert event.by == by


@pytest.mark.parametrize("source", list(Source))
def test_the_record_never_tells_who_or_what_laid_a_ballot(source: Source) -> None:
    records = []
    for hand in (Source.PERSON, source):
        table = settled()
        table.nominate("A")
        for seat in range(4):
            table.answer(Ballot(Card.NO), Seat(seat), hand)
        table.resolve()
        records.append(table.record)

    assert records[0] == records[1]
