from itertools import product

import pytest

from engine.board import Card, Seat, Verdict
from engine.commands import Ballot
from engine.errors import CannotMove, CardNotHeld
from engine.events import ElectionResolved
from engine.state import Phase
from tests.rig.engine.tables import RACHEL, SIMON, TERRY, Table, options, settled

HANDS = [(2, 4), (3, 4), (4, 3), (5, 2), (6, 2), (7, 2), (8, 2)]
DUNGEONS = ("dungeon3", "dungeon2", "dungeon1")


def nominated(letter: str, seats: int = 3, **places: str) -> Table:
    """An election of one whom Rachel has put up, others set out by place."""
    table = settled(seats, edition="jester")
    named = {name.removeprefix("floor"): who for name, who in places.items()}
    named["5"] = letter + named.get("5", "")
    taken = {letter, *"".join(named.values())}
    rest = "".join(c for c in "ABCDEFGILMNOPJ" if c not in taken)
    table.arrange({**named, "0": rest + named.get("0", "")})
    table.move(letter)
    return table


def last_resolved(table: Table) -> ElectionResolved:
    return [e for e in table.log if isinstance(e, ElectionResolved)][-1]


@pytest.mark.parametrize(("seats", "noes"), HANDS)
def test_every_hand_has_a_yes_a_stomachache_and_4_4_3_or_2_no(
    seats: int, noes: int
) -> None:
    table = settled(seats, edition="jester")

    hand = (Card.YES, *[Card.NO] * noes, Card.STOMACHACHE)
    assert table.game.hands == (hand,) * seats
    assert table.view().hand == hand


@pytest.mark.parametrize("cards", list(product(Card, repeat=3)))
def test_a_stomachache_beats_no_and_a_no_beats_yes(cards: tuple[Card, ...]) -> None:
    table = nominated("A")

    table.vote(*cards)

    expected = (Verdict.CROWNED, "throne")
    if Card.NO in cards:
        expected = (Verdict.REFUSED, "dungeon3")
    if Card.STOMACHACHE in cards:
        expected = (Verdict.CANCELLED, "5")
    resolved = last_resolved(table)
    assert (resolved.verdict, resolved.to) == expected


@pytest.mark.parametrize("cards", list(product(Card, repeat=3)))
def test_no_and_stomachache_played_are_lost_and_yes_returns(
    cards: tuple[Card, ...],
) -> None:
    table = nominated("A")
    before = table.game.hands

    table.vote(*cards)

    if set(cards) == {Card.YES}:
        assert table.game.hands == before
        return
    for old, new, card in zip(before, table.game.hands, cards, strict=True):
        lost = [] if card is Card.YES else [card]
        assert sorted([*new, *lost]) == sorted(old)


def test_a_stomachache_is_held_once_a_round() -> None:
    table = nominated("A")
    table.vote("stomachache", "yes", "yes")
    table.move("A")

    with pytest.raises(CardNotHeld) as refused:
        table.lay(RACHEL, "stomachache")

    assert refused.value.facts == {"card": "stomachache"}
    assert Ballot(Card.STOMACHACHE) not in table.legal(RACHEL)
    assert Ballot(Card.STOMACHACHE) in table.legal(SIMON)


@pytest.mark.parametrize("card", ["no", "stomachache"])
def test_after_a_failed_election_the_player_left_of_the_mover_is_in_turn(
    card: str,
) -> None:
    table = nominated("A")
    assert table.game.crown == RACHEL

    table.vote("yes", "yes", card)

    assert table.turn == SIMON
    assert last_resolved(table).next == SIMON


def test_the_refused_fill_the_dungeons_3_2_1_and_then_the_box() -> None:
    table = nominated("A", floor5="BCD", seats=2)
    went = []
    for letter in "ABCD":
        if letter != "A":
            table.move(letter)
        table.vote("no", "yes")
        went.append(table.game.board.at[letter])

    assert went == [*DUNGEONS, "box"]


def test_the_first_empty_dungeon_is_taken_whichever_others_are() -> None:
    table = nominated("A", dungeon3="B", dungeon1="C")

    table.vote("no", "yes", "yes")

    assert table.game.board.at["A"] == "dungeon2"


def test_a_cancelled_nominee_finds_room_on_floor_5_and_may_be_put_up_again() -> None:
    table = nominated("A", floor5="BCD", floor4="EFGI")

    table.vote("no", "stomachache", "yes")

    assert table.game.board.on("5") == tuple("ABCD")
    with pytest.raises(CannotMove):
        table.move("E")
    table.move("A")
    assert table.game.crown == SIMON


@pytest.mark.parametrize("full", [False, True])
def test_the_refused_jester_goes_home_to_floor_3_and_takes_no_dungeon(
    full: bool,
) -> None:
    table = nominated("J")
    if full:
        table = nominated("J", dungeon3="A", dungeon2="B", dungeon1="C")

    table.vote("no", "yes", "yes")

    assert table.game.board.at["J"] == "3"
    inside = [c for dungeon in DUNGEONS for c in table.game.board.on(dungeon)]
    assert inside == (list("ABC") if full else [])


def test_a_cancelled_jester_stays_on_floor_5() -> None:
    table = nominated("J")

    table.vote("stomachache", "no", "yes")

    assert table.game.board.at["J"] == "5"


def test_a_fifth_on_floor_3_keeps_it_full_until_two_have_left() -> None:
    table = nominated("J", floor3="ABCD", floor2="EF")
    table.vote("no", "yes", "yes")
    assert table.game.board.on("3") == tuple("ABCDJ")

    table.move("E")
    assert table.game.board.at["E"] == "wc3"
    table.move("A")
    for blocked in "EF":
        with pytest.raises(CannotMove):
            table.move(blocked)
    table.move("J")
    table.move("F")

    assert table.game.board.on("3") == tuple("BCDF")


def test_a_crowned_jester_ends_the_round() -> None:
    table = nominated("J")

    table.vote("yes", "yes", "yes")

    assert last_resolved(table).verdict is Verdict.CROWNED
    assert (table.game.phase, table.game.round) == (Phase.PLACEMENT, 2)
    assert table.game.board.at == {"J": "3"}


def test_a_new_round_has_empty_dungeons_wcs_and_whole_hands() -> None:
    table = nominated("A", wc3="B", wc4="C", floor5="D")
    table.vote("no", "no", "yes")
    table.move("D")
    table.vote("stomachache", "yes", "yes")
    table.crown("D")

    hand = (Card.YES, *[Card.NO] * 4, Card.STOMACHACHE)
    assert table.game.hands == (hand,) * 3
    assert table.game.board.at == {"J": "3"}


def test_every_kind_of_card_is_offered_whatever_a_hand_holds() -> None:
    table = nominated("A")
    table.vote("stomachache", "yes", "yes")
    table.move("A")

    decision = table.view(RACHEL).decision

    assert decision is not None
    assert decision.offers == tuple(Ballot(card) for card in Card)
    assert decision == table.view(SIMON).decision == table.view().decision


def test_the_clock_lays_yes_in_the_jester_edition_too() -> None:
    table = nominated("A")
    table.lay(TERRY, "no")

    table.clock()

    cards = table.game.elections[-1].cards
    assert cards == (Card.YES, Card.YES, Card.NO)
    assert table.game.board.at["A"] == "dungeon3"


def test_eight_seats_lay_a_stomachache_among_seven_others() -> None:
    """A whole election of eight, one Stomachache and two No among them."""
    table = nominated("O", seats=8)

    table.vote("yes", "no", "yes", "stomachache", "yes", "no", "yes", "yes")

    assert last_resolved(table).verdict is Verdict.CANCELLED
    assert table.game.board.at["O"] == "5"
    assert [len(hand) for hand in table.game.hands] == [4, 3, 4, 3, 4, 3, 4, 4]
    assert table.turn == SIMON


def test_next_round_begins_left_of_the_crown_with_8_seats() -> None:
    table = settled(8, options(first=6), edition="jester")
    table.nominate("A")
    assert table.game.crown == Seat(7)

    table.vote(*["yes"] * 8)

    assert table.game.first == table.turn == RACHEL
