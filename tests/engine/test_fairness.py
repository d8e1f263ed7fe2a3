import pytest
from msgspec.structs import replace

from engine import events, fairness
from engine.board import Board, Card, Seat
from engine.commands import AnswerByClock, Sealed, StartGame
from engine.events import Placed, RoundStarted, Started
from engine.state import Decision, Kind
from tests.rig.engine import naive_proof
from tests.rig.engine.tables import GAME, SEED, SIMON, closed, options, settled, started

C = "9a3ddb5cd315e7af7dcf0c9da2b5a851736742bec76cb12d27812aee6cec3938"
W0 = "4923a22a05682e3f3fcb54535b7b8bb5b863532e403597887ba2c6c4e38055cb"
W1 = "3bbd28ef77070596aed50e62596d6d3030faff75634d2f2f84854ae0f18889bc"
T = "2bc7dab33870678d7d11ff4e9958009154c1f31307fce7cef1aa8a4e90b9bcbf"
K = "0126dc968a2c20fa6bf87d243689019efc9a59bbc2023dfbd58abf4d6a4fc3e2"
D = "16 0 11 25 4 7 14 5 13 6 3 12 19 2 23 22 1 21 15 10 8 24 9 18 17 20"
LEAF_0 = "f576c125337a87a481a943949ced42334d9f65d0d14e337eddcbcdf1a4dfa4be"
BALLOT_7_1_NO = "365301a44374fb260f76534af56ecf0257961a96806c8f66b5e9d9d6d81b75cf"
PLACED_1 = "I1 L3 G1 M2 P1 N1 A2 F4 B2 O3 D3 C2 E0"

KEY = bytes.fromhex(K)
VECTOR = Sealed(SEED, KEY)


def test_the_seed_is_committed_as_in_the_vectors() -> None:
    assert fairness.seed_commitment(GAME, SEED).hex() == C


def test_words_are_kept_as_in_the_vectors() -> None:
    assert fairness.word(GAME, Seat(0), "Würfel").hex() == W0
    assert fairness.word(GAME, Seat(1), "luck").hex() == W1
    assert fairness.word(GAME, Seat(2), "") == b""


def test_the_chain_and_the_key_are_as_in_the_vectors() -> None:
    created = f'{{"seed":"{C}","type":"game_created","word":"{W0}"}}'
    words = f'["{W0}","{W1}",""]'
    table = f'{{"edition":"classic","seats":3,"type":"table_closed","words":{words}}}'

    head = fairness.chain_start(GAME)
    head = fairness.chain(head, 1, created.encode())
    head = fairness.chain(head, 2, table.encode())
    key = fairness.draw_key(SEED, head, [bytes.fromhex(W0), bytes.fromhex(W1), b""])

    assert head.hex() == T
    assert key.hex() == K


def test_a_start_with_the_vectors_key_shuffles_and_draws_as_they_say() -> None:
    table = closed(3, options(placement="random", first=None))

    start, round_start = table.do(StartGame(VECTOR))

    assert isinstance(start, Started)
    assert isinstance(round_start, RoundStarted)
    assert " ".join(map(str, start.deck)) == D
    assert start.first == round_start.first == 2
    assert start.leaves[0] == LEAF_0
    assert " ".join(c + place for c, place in round_start.placed) == PLACED_1


def test_a_ballot_is_bound_as_in_the_vectors() -> None:
    assert fairness.ballot(GAME, KEY, 7, SIMON, Card.NO).hex() == BALLOT_7_1_NO


def test_the_clock_places_as_in_the_vectors() -> None:
    table = started(3)
    asked = Decision(number=5, kind=Kind.PLACEMENT, seat=SIMON)
    table.game = replace(table.game, board=Board(), decision=asked, last_decision=5)

    assert fairness.DrawStream(KEY, "clock/5").below(52) == 33
    (placed,) = table.do(AnswerByClock(5, VECTOR))

    assert isinstance(placed, Placed)
    assert (placed.decision, placed.seat) == (5, SIMON)
    assert (placed.character, placed.place, placed.by) == ("L", "2", "clock")


def test_words_are_trimmed_and_composed_before_they_are_bound() -> None:
    decomposed = "Wu\u0308rfel"

    assert fairness.word(GAME, Seat(0), f" \t{decomposed}\u00a0\n").hex() == W0


def test_a_word_of_nothing_but_white_space_is_none() -> None:
    assert fairness.word(GAME, Seat(0), " \t\u2003") == b""


def test_a_word_has_at_most_64_code_points_after_composition() -> None:
    longest = "u\u0308" * 64

    assert len(fairness.word(GAME, Seat(0), longest)) == 32
    with pytest.raises(fairness.UnfitWord):
        fairness.word(GAME, Seat(0), "x" * 65)


def test_the_same_word_is_bound_differently_on_another_seat_or_in_another_game() -> (
    None
):
    kept = fairness.word(GAME, Seat(0), "luck")

    assert kept != fairness.word(GAME, Seat(1), "luck")
    assert kept != fairness.word(GAME[:-1] + "2", Seat(0), "luck")


@pytest.mark.parametrize("limit", [1, 2, 3, 13, 26, 52, 2**31 + 1, 2**32 - 1])
def test_draws_follow_the_protocol_for_every_limit(limit: int) -> None:
    ours = fairness.DrawStream(KEY, "first")
    theirs = naive_proof.Draws(KEY, "first")

    assert [ours.below(limit) for _ in range(40)] == [
        theirs.below(limit) for _ in range(40)
    ]


def test_draws_that_would_favour_small_numbers_are_skipped() -> None:
    limit = 2**31 + 1
    draws = naive_proof.Draws(KEY, "first")
    numbers = [draws.number() for _ in range(40)]
    stream = fairness.DrawStream(KEY, "first")
    kept = [number for number in numbers if number < limit]
    assert 0 < len(kept) < len(numbers)

    assert [stream.below(limit) for _ in kept] == kept


def test_shuffles_follow_the_protocol() -> None:
    for label in ("deck", "place/1", "place/2"):
        ours = fairness.DrawStream(KEY, label).shuffled(range(26))

        assert list(ours) == naive_proof.Draws(KEY, label).shuffle(26)


def test_the_whole_deck_is_bound_before_the_first_deal() -> None:
    table = started(4)

    (start,) = [event for event in table.log if isinstance(event, Started)]

    assert start.leaves == tuple(
        naive_proof.leaf(GAME, table.sealed.key, index, card)
        for index, card in enumerate(start.deck)
    )
    assert sorted(start.deck) == list(range(26))


def test_a_resolved_election_carries_every_ballots_binding_in_seat_order() -> None:
    table = settled(4)
    table.nominate("A")
    number, key = table.number, table.sealed.key

    (resolved,) = table.vote("yes", "no", "yes", "no")

    assert isinstance(resolved, events.ElectionResolved)
    assert list(resolved.ballots) == [
        naive_proof.ballot(GAME, key, number, seat, card)
        for seat, card in enumerate(["yes", "no", "yes", "no"])
    ]


def test_the_key_hangs_on_the_seed_the_closed_table_and_every_word() -> None:
    words = [b"a" * 32, b"", b"b" * 32]
    key = fairness.draw_key(SEED, b"t" * 32, words)

    others = [
        fairness.draw_key(b"s" * 32, b"t" * 32, words),
        fairness.draw_key(SEED, b"u" * 32, words),
        fairness.draw_key(SEED, b"t" * 32, [b"a" * 32, b"b" * 32, b""]),
        fairness.draw_key(SEED, b"t" * 32, [b"", b"", b""]),
    ]

    assert len({key, *others}) == 5


def test_the_same_card_of_two_seats_is_bound_by_different_bytes() -> None:
    bound = {
        fairness.ballot(GAME, KEY, decision, Seat(seat), card)
        for decision in (7, 8)
        for seat in range(6)
        for card in Card
    }

    assert len(bound) == 2 * 6 * len(Card)
