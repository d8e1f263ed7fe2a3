"""A record is played again: only what the rules make of its answers is believed."""

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from engine import playback
from engine.errors import UnreadableLog
from engine.export import Export, UnreadableExport
from tests.engine import random_games
from tests.engine.tables import chance
from tests.engine.test_export import cancelled, exported, finished


@pytest.mark.parametrize("number", range(33))
def test_a_whole_game_is_played_again_to_its_end(number: int) -> None:
    table = random_games.game(number)

    assert playback.played(exported(table)) == table.game


@pytest.mark.parametrize("history", ["table", "open"])
def test_a_game_cancelled_in_an_election_is_played_again(history: str) -> None:
    table = cancelled(history)

    assert playback.played(exported(table)) == table.game


def paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value of a JSON object that may be changed."""
    inner = value.items() if isinstance(value, dict) else ()
    inner = enumerate(value) if isinstance(value, list) else inner
    for key, each in inner:
        yield from paths(each, (*path, key))
    if path and not isinstance(value, dict):
        yield path


def other(value: Any, rng: random.Random) -> Any:
    """Another value of much the same kind."""
    if isinstance(value, list):
        return rng.choice([[*value, *value[-1:]], value[:-1], value[::-1], []])
    if isinstance(value, str):
        return rng.choice([value[:-1], f"{value}0", "A", "5", "no", value.swapcase()])
    return rng.choice([0, 1, 5, -1, 1000]) if value is None else value + 1


def altered(whole: Export, rng: random.Random) -> Export:
    """The same record with one value of one event changed."""
    while True:
        at = rng.randrange(len(whole.record))
        event = json.loads(whole.record[at])
        *way, last = rng.choice(list(paths(event)))
        holder = event
        for key in way:
            holder = holder[key]
        holder[last] = other(holder[last], rng)
        stored = json.dumps(event, sort_keys=True, separators=(",", ":")).encode()
        if stored != whole.record[at]:
            return replace(
                whole, record=(*whole.record[:at], stored, *whole.record[at + 1 :])
            )


@pytest.mark.parametrize("number", range(300))
def test_any_single_change_of_a_record_is_noticed(number: int) -> None:
    whole = exported(random_games.game(number % 22))

    with pytest.raises((UnreadableExport, UnreadableLog)):
        playback.played(altered(whole, chance(number)))


@pytest.mark.parametrize("number", range(22))
def test_an_event_left_out_or_told_twice_is_noticed(number: int) -> None:
    whole = exported(random_games.game(number))
    at = chance(number).randrange(len(whole.record))

    for part in ((), whole.record[at : at + 1] * 2):
        record = (*whole.record[:at], *part, *whole.record[at + 1 :])
        changed = replace(whole, record=record, versions=(1,) * len(record))
        with pytest.raises(UnreadableExport):
            playback.played(changed)


def test_what_is_wrong_is_named() -> None:
    whole = exported(finished())
    record = tuple(e.replace(b'"from":"4"', b'"from":"3"') for e in whole.record)

    with pytest.raises(UnreadableExport) as unread:
        playback.played(replace(whole, record=record))

    assert str(unread.value) == (
        "broken-rules: moved of decision 13: not what the rules make of it"
    )
