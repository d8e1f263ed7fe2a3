"""Nobody can tell apart two worlds that share what he may know."""

import itertools
from collections import Counter
from collections.abc import Iterator

import pytest

from engine import fairness
from engine.board import Card, Seat
from tests.rig.engine.tables import GAME, SEED, Table, fill, options, settled
from tests.rig.engine.twins import CASES, handles
from tests.rig.engine.twins_guesser import Slot, bindings, guessed, opened
from tests.rig.engine.twins_leaks import LEAKS, Plant
from tests.rig.engine.twins_play import Told, play

PARTS = 3
KEYS = (b"k" * 32, b"l" * 32)


@pytest.fixture
def _handles(monkeypatch: pytest.MonkeyPatch) -> None:
    handles(monkeypatch)


def twins(numbers: range) -> "Counter[str]":
    tally = Counter[str]()
    for number in numbers:
        tally.update(play(number))
    return tally


@pytest.mark.usefixtures("_handles")
@pytest.mark.parametrize("part", range(PARTS))
def test_every_seat_and_a_spectator_see_the_same_in_both_worlds(part: int) -> None:
    """Every table that can be played at, with every fifth viewer, once.

    The long proof has each of them look at each table many times.
    """
    numbers = range(1, len(CASES), 5)[part::PARTS]

    tally = twins(numbers)

    assert tally["twins"] == len(numbers)
    assert tally["other favourites"] >= tally["twins"] - 1
    assert tally["other deck"] >= tally["twins"] - 1
    assert tally["other ballots"] >= tally["twins"] - 1
    assert tally["other spent cards"] >= 3
    assert tally["positions of other ballots"] > 300
    assert tally["bots bytes"] > 0
    assert tally["ended early"] <= 3


@pytest.mark.usefixtures("_handles")
@pytest.mark.parametrize("plant", LEAKS, ids=lambda plant: plant.__name__)
def test_a_planted_leak_is_found(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)

    with pytest.raises(Told) as leak:
        twins(range(len(CASES)))

    assert leak.value.channel == LEAKS[plant]


def test_without_handles_the_worlds_differ_in_what_their_records_bind() -> None:
    with pytest.raises(Told) as leak:
        play(0)

    assert leak.value.channel == "record"


# The commitments themselves


def two_rounds() -> Table:
    """A table in its third round, with open rounds behind and an election before it."""
    table = settled(4, options())
    for _ in range(2):
        table.nominate("A")
        table.vote("yes", "no", "yes", "no")
        table.crown("B")
        fill(table)
    table.nominate("A")
    table.vote("no", "yes", "yes", "no")
    return table


def test_no_sealed_card_can_be_guessed_from_the_record() -> None:
    table = two_rounds()

    assert len(bindings(table)) == 26 + 5 * 4
    assert len(opened(table)) == 2 * 4 + 4 * 4
    assert guessed(table) == set()


def sealed_slots() -> set[Slot]:
    cards = {("kingup/1/card", GAME, index) for index in range(2 * 4, 26)}
    return cards | {("kingup/1/ballot", GAME, 53, seat) for seat in range(4)}


def no_salt(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaf(game: str, key: bytes, index: int, card: int) -> bytes:
        return fairness.digest("kingup/1/card", game, index, card)

    def ballot(game: str, key: bytes, decision: int, seat: Seat, card: Card) -> bytes:
        return fairness.digest("kingup/1/ballot", game, decision, seat, card.value)

    monkeypatch.setattr(fairness, "leaf", leaf)
    monkeypatch.setattr(fairness, "ballot", ballot)


def one_salt_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    def salt(key: bytes, *slot: int) -> bytes:
        return fairness.keyed(key, "kingup/1/salt")

    monkeypatch.setattr(fairness, "card_salt", salt)
    monkeypatch.setattr(fairness, "ballot_salt", salt)


def public_salts(monkeypatch: pytest.MonkeyPatch) -> None:
    def salt(key: bytes, *slot: int) -> bytes:
        return fairness.keyed(GAME.encode(), "kingup/1/salt", *slot)

    monkeypatch.setattr(fairness, "card_salt", salt)
    monkeypatch.setattr(fairness, "ballot_salt", salt)


@pytest.mark.parametrize("weak", [no_salt, one_salt_for_all, public_salts])
def test_a_weak_commitment_is_guessed(
    weak: Plant, monkeypatch: pytest.MonkeyPatch
) -> None:
    weak(monkeypatch)

    table = two_rounds()

    found = guessed(table)
    assert {slot[0] for slot in found} == {"kingup/1/card", "kingup/1/ballot"}
    assert len(found) == 18 + 4


def slots(key: bytes) -> Iterator[tuple[bytes, ...]]:
    """The bindings of every content, slot by slot."""
    for index in range(26):
        yield tuple(fairness.leaf(GAME, key, index, card) for card in range(26))
    for decision, seat in itertools.product((7, 8, 300), map(Seat, range(8))):
        yield tuple(fairness.ballot(GAME, key, decision, seat, card) for card in Card)


def test_the_same_content_is_bound_differently_by_another_key() -> None:
    mine, other = (list(itertools.chain(*slots(key))) for key in KEYS)

    assert len(mine) == 26 * 26 + 3 * 8 * len(Card)
    assert not set(mine) & set(other)


def test_a_commitment_binds_one_content_of_one_slot() -> None:
    bound = list(itertools.chain(*slots(KEYS[0])))

    assert len(set(bound)) == len(bound)


def test_every_slot_has_a_salt_of_its_own() -> None:
    salts = [
        *(fairness.card_salt(key, index) for key in KEYS for index in range(26)),
        *(
            fairness.ballot_salt(key, decision, Seat(seat))
            for key in KEYS
            for decision in (7, 8, 300)
            for seat in range(8)
        ),
    ]

    assert {len(salt) for salt in salts} == {32}
    assert len(set(salts)) == len(salts) == 2 * (26 + 24)


def test_a_seed_is_bound_to_its_game() -> None:
    bound = fairness.seed_commitment(GAME, SEED)

    assert bound != fairness.seed_commitment(GAME, SEED[::-1])
    assert bound != fairness.seed_commitment(GAME[:-1] + "9", SEED)
