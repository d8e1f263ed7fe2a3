"""The reckoning of a whole game from its public record, with none of our code.

The rules are the naive referee's, the hashes the naive proof's.
"""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from tests.rig.browser import Browser
from tests.rig.engine import naive_proof
from tests.rig.engine.naive_rules import BOOKS
from tests.rig.engine.referee import Referee

Json = dict[str, Any]


def fetch(browser: Browser, origin: str, game_id: str) -> list[Json]:
    """The record as anybody may read it; every head is checked on the way."""
    found: list[Json] = []
    head = naive_proof.h("kingup/1/chain", game_id)
    while True:
        url = f"{origin}/v1/games/{game_id}/events?after={len(found)}"
        part = json.loads(browser.get(url).body)
        for each in part["events"]:
            number, event = each["revision"], each["event"]
            assert number == len(found) + 1
            stored = json.dumps(event, sort_keys=True, separators=(",", ":"))
            head = naive_proof.h("kingup/1/event", head, number, stored.encode())
            assert each["head"] == f"{number}:{head.hex()}"
            found.append(event)
        if not part["events"] or part["head"] == f"{len(found)}:{head.hex()}":
            assert part["head"] == f"{len(found)}:{head.hex()}"
            return found


def settle(game_id: str, record: list[Json]) -> Referee:
    """The referee after the whole game; every rule and every hash has been checked."""
    referee = Referee()
    for event in _with_ballots(record):
        referee.see(event)
    assert referee.over
    _check_proof(game_id, record)
    _check_facts(record)
    return referee


def _with_ballots(record: list[Json]) -> Iterator[Json]:
    """The record with the ballots it tells at each round's end, put where they fell."""
    for at, event in enumerate(record):
        if event["type"] == "election_resolved":
            for seat, card in enumerate(_cards(record[at:], event["decision"])):
                ballot = {"type": "ballot_cast", "decision": event["decision"]}
                yield {**ballot, "seat": seat, "card": card}
        yield event


def _cards(later: list[Json], decision: int) -> list[str]:
    scored = next(event for event in later if event["type"] == "round_scored")
    opened = {e["decision"]: e["cards"] for e in scored["elections"]}
    return list(opened[decision])


def _check_proof(game_id: str, record: list[Json]) -> None:
    """What the seed opens at the end is what was bound, dealt and laid."""
    created, closed, start, over = record[0], record[1], record[2], record[-1]
    seats = len(closed["seats"])
    seed = bytes.fromhex(over["seed_opened"])
    assert naive_proof.h("kingup/1/seed", game_id, seed).hex() == created["seed"]
    heads = naive_proof.heads(game_id, [_bytes(event) for event in record])
    key = naive_proof.key(seed, heads[2], closed["words"])
    deck = naive_proof.Draws(key, "deck").shuffle(26)
    assert start["leaves"] == [
        naive_proof.leaf(game_id, key, at, card) for at, card in enumerate(deck)
    ]
    if closed["options"]["first"] is None:
        assert start["first"] == naive_proof.Draws(key, "first").below(seats)
    bound = {e["decision"]: e["ballots"] for e in record if "ballots" in e}
    for scored in _of(record, "round_scored"):
        dealt = (scored["round"] - 1) * seats
        assert scored["favourites"] == deck[dealt : dealt + seats]
        for opened in scored["elections"]:
            number = opened["decision"]
            assert bound.pop(number) == [
                naive_proof.ballot(game_id, key, number, seat, card)
                for seat, card in enumerate(opened["cards"])
            ]
    assert bound == {}


def _check_facts(record: list[Json]) -> None:
    """What RULES asks to be asserted, counted once more round by round."""
    seats, book = len(record[1]["seats"]), BOOKS[record[1]["edition"]]
    placing = record[1]["options"]["placement"] == "choose"
    for part in _rounds(record):
        placed = Counter(event["seat"] for event in _of(part, "placed"))
        if placing:
            assert placed == dict.fromkeys(range(seats), book.quota[seats])
            dropped = [e["dropped"] for e in _of(part, "placed")]
            assert all(each == [] for each in dropped[:-1])
            assert len(dropped[-1]) == 13 - book.quota[seats] * seats
        spent: Counter[tuple[int, str]] = Counter()
        for opened in part[-1]["elections"]:
            spent.update(enumerate(opened["cards"]))
        for seat in range(seats):
            assert spent[seat, "no"] <= book.noes[seats]
            assert spent[seat, "stomachache"] <= book.stomachaches
    crowned = [
        (event["mover"] + 1) % seats
        for event in _of(record, "election_resolved")
        if event["verdict"] == "crowned"
    ]
    firsts = [event["first"] for event in _of(record, "round_started")]
    assert firsts[1:] == crowned[:-1]


def _rounds(record: list[Json]) -> Iterator[list[Json]]:
    """The events of each round, its score the last."""
    part: list[Json] = []
    for event in record:
        part = [event] if event["type"] == "round_started" else [*part, event]
        if event["type"] == "round_scored":
            yield part


def _of(record: list[Json], kind: str) -> list[Json]:
    return [event for event in record if event["type"] == kind]


def _bytes(event: Json) -> bytes:
    return json.dumps(event, sort_keys=True, separators=(",", ":")).encode("ascii")
