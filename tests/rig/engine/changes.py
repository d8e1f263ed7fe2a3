"""Single changes to a record, planted by chance or by name."""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from engine.export import Export

Path = tuple[str | int, ...]

VOCABULARIES: tuple[tuple[str, ...], ...] = (
    tuple("ABCDEFGILMNOPJ"),
    ("0", "1", "2", "3", "4", "5", "throne", "out", "box", "wc3", "wc4", "dungeon3"),
    ("yes", "no", "stomachache"),
    ("seat", "bot", "clock"),
    ("crowned", "refused", "cancelled"),
    ("finished", "cancelled"),
    ("classic", "jester"),
    ("person", "bot"),
    ("choose", "random", "compensated"),
    ("table", "open"),
    ("placed", "moved", "round_started", "election_resolved"),
)
OPENINGS = ("favourites", "salts", "cards", "elections", "seed_opened")


class Change(msgspec.Struct, frozen=True):
    """A changed record; `event` is the number of the first event that differs."""

    what: str
    event: int
    type: str
    export: Export


def edited(whole: Export, number: int, edit: Callable[[Any], None]) -> Export:
    """The export with one event changed by hand."""
    event = json.loads(whole.record[number - 1])
    edit(event)
    stored = json.dumps(event, sort_keys=True, separators=(",", ":")).encode()
    record = (*whole.record[: number - 1], stored, *whole.record[number:])
    return replace(whole, record=record)


def numbers(whole: Export, *types: str) -> list[int]:
    """The numbers of the events of some types."""
    return [
        number
        for number, stored in enumerate(whole.record, start=1)
        if json.loads(stored)["type"] in types
    ]


def _leaves(value: object, path: Path = ()) -> Iterator[Path]:
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _leaves(each, (*path, key))
    elif isinstance(value, list):
        for at, each in enumerate(value):
            yield from _leaves(each, (*path, at))
    else:
        yield path


def _put(event: Any, path: Path, value: object) -> None:
    for step in path[:-1]:
        event = event[step]
    event[path[-1]] = value


def _get(event: Any, path: Path) -> Any:
    for step in path:
        event = event[step]
    return event


def _other(value: object, rng: random.Random) -> object:
    """Another value that could stand in the same place."""
    match value:
        case None:
            return rng.choice((0, 1))
        case int():
            return rng.choice(
                [n for n in (value - 1, value + 1, 0, 3, 25) if n != value]
            )
        case "":
            return rng.randbytes(32).hex()
        case str() if len(value) == 64:
            at = rng.randrange(64)
            digit = rng.choice([d for d in "0123456789abcdef" if d != value[at]])
            return value[:at] + digit + value[at + 1 :]
        case str():
            known = [v for v in VOCABULARIES if value in v] or [(value, f"{value}s")]
            return rng.choice([v for v in rng.choice(known) if v != value])
        case _:
            raise TypeError(value)


def value_change(
    whole: Export, rng: random.Random, wanted: Callable[[str, Path], bool]
) -> Change | None:
    """One value of one event changed; None when the record has none that is wanted."""
    places = [
        (number, kind, path)
        for number, stored in enumerate(whole.record, start=1)
        for event in (json.loads(stored),)
        for kind in (event["type"],)
        for path in _leaves(event)
        if wanted(kind, path)
    ]
    if not places:
        return None
    number, kind, path = rng.choice(places)
    old = _get(json.loads(whole.record[number - 1]), path)
    new = _other(old, rng)
    what = f"{kind} {'.'.join(map(str, path))}: {old!r} becomes {new!r}"
    changed = edited(whole, number, lambda event: _put(event, path, new))
    return Change(what, number, kind, changed)


def _reordered(whole: Export, what: str, order: Sequence[int]) -> Change:
    """The record with its events in another order, by their places from 0."""
    first = next(
        (at for at, place in enumerate(order) if place != at), len(whole.record) - 1
    )
    changed = replace(
        whole,
        record=tuple(whole.record[place] for place in order),
        versions=tuple(whole.versions[place] for place in order),
    )
    return Change(what, first + 1, "order", changed)


def order_change(whole: Export, rng: random.Random) -> Change:
    """An event missing, doubled, or two swapped that follow each other."""
    size = len(whole.record)
    order = list(range(size))
    match rng.randrange(3):
        case 0:
            at = rng.randrange(size)
            return _reordered(
                whole, f"event {at + 1} missing", order[:at] + order[at + 1 :]
            )
        case 1:
            at = rng.randrange(size)
            return _reordered(
                whole, f"event {at + 1} doubled", [*order[:at], at, *order[at:]]
            )
        case _:
            at = rng.randrange(size - 1)
            order[at], order[at + 1] = order[at + 1], order[at]
            return _reordered(whole, f"events {at + 1} and {at + 2} swapped", order)


def change(whole: Export, rng: random.Random) -> Change:
    """One change by chance: in the record, its openings, the seed or the words."""
    wanted: Sequence[Callable[[str, Path], bool]] = (
        lambda kind, path: True,
        lambda kind, path: path[0] in OPENINGS,
        lambda kind, path: path[0] in ("seed", "seed_opened"),
        lambda kind, path: path[0] in ("word", "words"),
        lambda kind, path: kind in ("placed", "moved"),
    )
    pick = rng.randrange(len(wanted) + 1)
    found = value_change(whole, rng, wanted[pick]) if pick < len(wanted) else None
    return order_change(whole, rng) if found is None else found
