"""A second verifier, put down naively from docs/fairness.md, for games that ended.

The rules are the naive referee's, the hashes those of the naive proof.
"""

import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from tests.rig.engine import naive_proof
from tests.rig.engine.naive_proof import Draws
from tests.rig.engine.referee import Referee

Json = dict[str, Any]
Kept = Sequence[tuple[int, int, str]]
"""Receipts: decision, seat and what binds the ballot."""

ORDER = {
    "game_created": {"table_closed"},
    "table_closed": {"started"},
    "started": {"round_started"},
    "round_started": {"placed", "moved", "game_over"},
    "placed": {"placed", "moved", "taken_back", "game_over"},
    "moved": {"moved", "election_resolved", "taken_back", "game_over"},
    "taken_back": {"placed", "moved", "game_over"},
    "election_resolved": {"moved", "round_scored", "game_over"},
    "round_scored": {"round_started", "game_over"},
}


def accepts(game: str, record: Sequence[bytes], receipts: Kept = ()) -> bool:
    """Whether a whole record is true as far as it and some receipts can prove."""
    try:
        check(game, list(record), receipts)
    except (
        AssertionError,
        KeyError,
        IndexError,
        ValueError,
        TypeError,
        ArithmeticError,
        AttributeError,
    ):
        return False
    return True


def check(game: str, record: list[bytes], receipts: Kept = ()) -> None:
    """Raises one error or another for a record that isn't true."""
    events = [json.loads(stored) for stored in record]
    assert events[0]["type"] == "game_created"
    for event, after in pairwise(events):
        assert after["type"] in ORDER[event["type"]]
    created, closed, start, over = events[0], events[1], events[2], events[-1]
    assert over["type"] == "game_over"
    seed = bytes.fromhex(over["seed_opened"])
    assert naive_proof.h("kingup/1/seed", game, seed).hex() == created["seed"]
    _check_table(created, closed)
    head = naive_proof.heads(game, record)[2]
    key = naive_proof.key(seed, head, closed["words"])
    deck = Draws(key, "deck").shuffle(26)
    _check_start(game, key, deck, closed, start)
    referee = Referee()
    for event in events:
        _check_drawn(key, referee, closed["seats"], event)
        for ballot in _ballots(game, key, event):
            referee.see(ballot)
        referee.see({**event, "deck": deck} if event is start else event)
    _check_end(events, closed, referee)
    for decision, seat, bound in receipts:
        if has_ballot(record, decision, seat, bound):
            continue
        # Of an election that the end left open: the seat could lay what is bound.
        stub = {"type": "election_resolved", "decision": decision, "ballots": [bound]}
        (laid,) = _ballots(game, key, stub, seat)
        assert laid["card"] in referee.held[seat]


def has_ballot(record: Sequence[bytes], decision: int, seat: int, bound: str) -> bool:
    """Whether a ballot is in the record of any game that has started.

    False when its election is the last thing in it, and so was open. Raises
    AssertionError for any other ballot that is missing, and for another one.
    """
    events = [json.loads(stored) for stored in record]
    assert events[1]["seats"][seat]["kind"] == "person"
    for event in events:
        if event["type"] == "election_resolved" and event["decision"] == decision:
            assert event["ballots"][seat] == bound
            return True
    last = events[-2] if events[-1]["type"] == "game_over" else events[-1]
    assert last["type"] == "moved"
    assert last["election"] == decision
    return False


def has_head(game: str, record: Sequence[bytes], number: int, digits: str) -> bool:
    """Whether a kept head is the record's."""
    heads = naive_proof.heads(game, list(record))
    return number < len(heads) and heads[number].hex().startswith(digits)


def _check_table(created: Json, closed: Json) -> None:
    assert closed["words"][0] == created["word"]
    assert closed["rules"] == 1
    for chair, word in zip(closed["seats"], closed["words"], strict=True):
        assert chair["kind"] in ("person", "bot")
        assert (chair["bot"] is None) == (chair["kind"] == "person")
        assert not (chair["bot"] and word)


def _check_start(
    game: str, key: bytes, deck: list[int], closed: Json, start: Json
) -> None:
    assert start["leaves"] == [
        naive_proof.leaf(game, key, index, card) for index, card in enumerate(deck)
    ]
    drawn = Draws(key, "first").below(len(closed["seats"]))
    chosen = closed["options"]["first"]
    assert start["first"] == (drawn if chosen is None else chosen)


def _check_end(events: list[Json], closed: Json, referee: Referee) -> None:
    scored = [event for event in events if event["type"] == "round_scored"]
    over = events[-1]
    if over["reason"] == "finished":
        assert len(scored) == closed["options"]["rounds"]
        assert events[-2] == scored[-1]
    else:
        assert over["reason"] == "cancelled"
        assert events[-2] not in scored
        assert "throne" not in referee.at.values() or referee.election


def _check_drawn(key: bytes, referee: Referee, chairs: list[Json], event: Json) -> None:
    """What the key draws, as it stands before the event."""
    match event["type"]:
        case "round_started" if referee.options["placement"] == "random":
            number, quota = referee.round + 1, sum(referee.quotas)
            lot = naive_proof.lot(key, number, quota, referee.book.opening)
            assert event["placed"] == lot
        case "placed" | "moved":
            own = "bot" if chairs[event["seat"]]["bot"] else "seat"
            assert event["by"] in (own, "clock")
            assert [event["seat"]] == referee.asked()
            if event["by"] == "clock":
                allowed = referee.legal(event["seat"])
                stream = Draws(key, f"clock/{event['decision']}")
                answer = allowed[stream.below(len(allowed))]
                for name in set(answer) - {"kind"}:
                    assert event[name] == answer[name]
        case "election_resolved" if event["salts"] is not None:
            assert event["salts"] == naive_proof.ballot_salts(
                key, event["decision"], referee.n
            )
        case "round_scored":
            before = (referee.round - 1) * referee.n
            assert event["round"] == referee.round
            salts = [
                naive_proof.card_salt(key, before + seat) for seat in range(referee.n)
            ]
            assert event["salts"] == [salt.hex() for salt in salts]
            for opened in event["elections"]:
                number = opened["decision"]
                wanted = naive_proof.ballot_salts(key, number, referee.n)
                assert opened["salts"] == wanted
        case _:
            pass


def _ballots(game: str, key: bytes, event: Json, first: int = 0) -> list[Json]:
    """The cards of an election from a seat on, each found by trying all three."""
    if event["type"] != "election_resolved":
        return []
    found = []
    for seat, bound in enumerate(event["ballots"], start=first):
        cards = [
            card
            for card in ("yes", "no", "stomachache")
            if naive_proof.ballot(game, key, event["decision"], seat, card) == bound
        ]
        ballot = {"type": "ballot_cast", "decision": event["decision"], "seat": seat}
        found.append({**ballot, "card": cards[0]})
    return found
