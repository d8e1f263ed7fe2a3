"""The rounds that shrewd plays in mind: by the rules, and as steady would play them."""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import ClassVar, TypeAlias

import pytest
from msgspec.structs import replace

from engine import editions
from engine.board import THRONE, Board, Card, PlaceKind, Seat, Verdict
from engine.bots import BOTS, judgement, playout, shrewd
from engine.bots.habits import habits
from engine.bots.lawful import LawfulRound
from engine.bots.playout import LONGEST, NOISE, Position, Round
from engine.bots.tabulated import tables
from engine.commands import Answer, Ballot, Move
from engine.deck import CARDS, favourites
from engine.editions import EDITIONS
from engine.editions.base import Edition
from engine.editions.jester import Jester
from engine.state import Kind
from tests.rig.engine.playouts import counted
from tests.rig.engine.tables import RACHEL, Table, chance, options, settled, started

FLOORS = "4443332221110"

Source: TypeAlias = Callable[[str, int], Iterator[tuple[Table, Sequence[Seat]]]]
"""Tables of an edition, and the asked seats whose view tells what the others hold."""


class Majority(Jester):
    """It takes a majority to refuse or to cancel, and Alighiero never moves.

    Tables of places don't say who moves.
    """

    id: ClassVar = "majority"

    def verdict(self, ballots: Sequence[Card]) -> Verdict:
        for card in (Card.STOMACHACHE, Card.NO):
            if 2 * list(ballots).count(card) > len(ballots):
                return super().verdict([card])
        return Verdict.CROWNED

    def destinations(self, board: Board) -> Mapping[str, str]:
        return {c: to for c, to in super().destinations(board).items() if c != "A"}


class Endless(Jester):
    """No king pleases anybody: every election is cancelled."""

    id: ClassVar = "endless"

    def verdict(self, ballots: Sequence[Card]) -> Verdict:
        return Verdict.CANCELLED


@pytest.fixture(params=[Majority, Endless])
def odd(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Edition:
    """An edition that is known for the time of a test."""
    law: Edition = request.param()
    monkeypatch.setitem(editions._BY_RULES, (law.id, law.rules), law)
    monkeypatch.setitem(EDITIONS, law.id, law)
    return law


def random_start(edition: str, seats: int, number: int) -> Position:
    law, rng = tables(edition, 1, seats, 3, 3), chance(number)
    floors = rng.sample(FLOORS, len(FLOORS))
    keys = dict(zip(law.letters, [*floors, "3"], strict=False))
    keys |= {"J": "3"} if "J" in law.letters else {}
    hand = EDITIONS[edition].hand(seats)
    return Position(
        at=[law.keys.index(keys[letter]) for letter in law.letters],
        cards=[law.cards[n] for n in rng.sample(range(len(CARDS)), seats)],
        hands=[[hand.count(veto) for veto in law.vetoes]] * seats,
        turn=rng.randrange(seats),
    )


@pytest.mark.parametrize("name", EDITIONS)
def test_every_edition_fits_the_tables(name: str) -> None:
    for seats in EDITIONS[name].seats:
        for number in (1, 2, 3):
            assert tables(name, 1, seats, number, 3).exact


@pytest.mark.parametrize("name", EDITIONS)
def test_rounds_played_by_tables_are_rounds_played_by_the_law(name: str) -> None:
    for seats in EDITIONS[name].seats:
        known = habits(name, 1, seats, 3, 3)
        for number in range(20):
            start = random_start(name, seats, number)
            whim = chance(number).randrange(NOISE)
            fast, slow = (kind(known, start, whim) for kind in (Round, LawfulRound))

            fast.play()
            slow.play()

            assert fast.at == slow.at
            assert fast.hands == slow.hands
            assert fast.points() == slow.points()


def test_verdicts_are_tabulated_by_how_many_cards_are_laid() -> None:
    law = tables("jester", 1, 4, 1, 3)

    assert law.verdicts[0, 0] is Verdict.CROWNED
    assert law.verdicts[3, 0] is Verdict.REFUSED
    assert law.verdicts[3, 1] is Verdict.CANCELLED


class Even(random.Random):
    """A chance by which no whim tips anything: a ballot's goes either way."""

    def random(self) -> float:
        return 0.5


@pytest.fixture
def no_whims(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playout, "_WHIMS", (judgement.WHIM / 2,) * NOISE * 2)


def position(table: Table) -> Position:
    """Where the table stands, all its secrets told."""
    game, law = table.game, tables(table.game.edition, 1, len(table.game.seats), 1, 3)
    assert game.decision is not None
    turn = game.decision.mover if game.decision.seat is None else game.decision.seat
    assert turn is not None
    return Position(
        at=[law.keys.index(game.board.at[letter]) for letter in law.letters],
        cards=[
            law.cards[game.card_of(Seat(seat), game.round)]
            for seat in range(len(game.seats))
        ],
        hands=[[hand.count(veto) for veto in law.vetoes] for hand in game.hands],
        turn=turn,
    )


def expected(going: Round, table: Table) -> Mapping[Seat, Answer]:
    """What the asked seats do in mind."""
    law, decision = going.law, table.game.decision
    assert decision is not None
    if decision.nominee is None:
        return {Seat(going.turn): Move(law.letters[going.choose()])}
    before = [hand[:] for hand in going.hands]
    going.elect(law.letters.index(decision.nominee))
    spent = [
        [veto for veto, n, m in zip(law.vetoes, was, left, strict=True) if n > m]
        for was, left in zip(before, going.hands, strict=True)
    ]
    return {Seat(s): Ballot(*(cards or [Card.YES])) for s, cards in enumerate(spent)}


def games(name: str, seats: int) -> Iterator[tuple[Table, Sequence[Seat]]]:
    """A game at each of its moves and elections, answered evenly or steadily."""
    rng = chance(seats)
    table = started(seats, options(history="open"), rng.randbytes(32), name)
    while table.game.running and table.game.decision is not None:
        if table.game.election_complete:
            table.resolve()
            continue
        if table.game.decision.kind is not Kind.PLACEMENT and not any(
            table.game.ballots
        ):
            yield table, table.game.asked()
        bot = BOTS[rng.choice(["random", "steady"])]
        seat = table.game.asked()[0]
        table.answer(bot(table.view(seat), rng), seat)


def castle(law: Edition, first: Sequence[str], lost: bool, rng: random.Random) -> Board:
    """Any castle with an empty throne; or `first` are lost, and the rest stand high."""
    room = [p for p in law.places if p.key != THRONE for _ in range(p.capacity or 7)]
    rng.shuffle(room)
    if lost:
        room.sort(key=lambda place: (place.kind is not PlaceKind.OUT, -place.value))
    rest = [c for c in law.characters if c not in first]
    letters = (*first, *rest) if lost else law.characters
    return Board({c: p.key for c, p in zip(letters, room, strict=False)})


def castles(name: str, seats: int) -> Iterator[tuple[Table, Sequence[Seat]]]:
    """Rachel, with any hand, in castles of every kind, or all favourites lost."""
    rng = chance(seats)
    table = settled(seats, options(history="open"), rng.randbytes(32), name)
    at_hand, law = table.game, table.game.law
    for number in range(60):
        round_number = rng.choice([1, 3])
        own = favourites(at_hand.card_of(RACHEL, round_number))
        hand = [card for card in law.hand(seats)[1:] if rng.random() < 0.5]
        table.game = replace(
            at_hand,
            board=castle(law, own, number % 4 == 0, rng),
            round=round_number,
            hands=((Card.YES, *hand), *at_hand.hands[1:]),
        )
        ways = law.destinations(table.game.board)
        if ways:
            yield table, [RACHEL]
        top = [c for c, to in ways.items() if to == THRONE]
        if top:
            table.move(rng.choice(top))
            yield table, [RACHEL]


@pytest.mark.usefixtures("no_whims")
@pytest.mark.parametrize("kind", [Round, LawfulRound])
@pytest.mark.parametrize("name", EDITIONS)
@pytest.mark.parametrize("found", [games, castles])
def test_everybody_is_expected_to_play_as_steady_does(
    name: str, kind: type[Round], found: Source
) -> None:
    """Without whims, in an open game: hands are known to steady then, too."""
    given: list[Answer] = []
    for seats in EDITIONS[name].seats:
        for table, asked in found(name, seats):
            known = habits(name, 1, seats, table.game.round, 3)
            steady = [BOTS["steady"](table.view(seat), Even()) for seat in asked]

            in_mind = expected(kind(known, position(table), 0), table)

            assert [in_mind[seat] for seat in asked] == steady
            given += steady

    assert {Move, Ballot} == set(map(type, given))
    cards = {answer.card for answer in given if isinstance(answer, Ballot)}
    assert cards == set(EDITIONS[name].cards)


@pytest.mark.parametrize("odd", [Majority], indirect=True)
def test_an_edition_that_no_tables_fit_is_asked_itself(
    odd: Edition, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = counted(monkeypatch, LawfulRound)
    bot, rng = shrewd.bot(playouts=8), chance(1)
    table = started(4, options(rounds=1), edition=odd.id)

    while table.game.running:
        if table.game.election_complete:
            table.resolve()
            continue
        seat = table.game.asked()[0]
        answer = bot(table.view(seat), rng)
        assert answer in table.legal(seat)
        table.answer(answer, seat)

    assert table.game.reason == "finished"
    assert not tables(odd.id, 1, 4, 1, 1).exact
    assert played


@pytest.mark.parametrize("odd", [Endless], indirect=True)
def test_a_round_that_would_never_end_is_not_played_on_for_ever(
    odd: Edition, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = counted(monkeypatch, Round)
    choose, choices = Round.choose, Counter[str]()

    def noted(going: Round) -> int:
        choices["all"] += 1
        return choose(going)

    monkeypatch.setattr(Round, "choose", noted)
    table = settled(edition=odd.id)

    answer = shrewd.bot(playouts=8)(table.view(RACHEL), chance(1))

    assert answer in table.legal(RACHEL)
    assert choices.total() == len(played) * (LONGEST + 1)
