"""An event as the engine decides it, beside the recorded one, field by field."""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import fields

from engine.events import (
    ElectionResolved,
    LogEvent,
    Moved,
    Placed,
    Record,
    RoundScored,
    record_of,
    type_of,
)
from engine.verify.report import Fact, Wrong

_CODES: Final[Mapping[tuple[str, str], str]] = {
    ("started", "leaves"): "wrong-leaf",
    ("round_started", "first"): "wrong-beginner",
    ("round_started", "placed"): "wrong-lot",
    ("placed", "character"): "wrong-clock",
    ("placed", "place"): "wrong-clock",
    ("moved", "character"): "wrong-clock",
    ("taken_back", "reopened"): "wrong-decision",
    ("election_resolved", "ballots"): "wrong-ballot",
    ("election_resolved", "cards"): "wrong-openings",
    ("election_resolved", "salts"): "wrong-openings",
    ("round_scored", "salts"): "wrong-favourites",
    ("round_scored", "elections"): "wrong-openings",
    ("game_over", "seed_opened"): "wrong-seed",
}
"""What a field is called when it differs; any other one is `wrong-` and its name."""


def compare(number: int, caused: LogEvent, recorded: Record) -> None:
    """Raises Wrong for the first field of a record event that differs."""
    expected, kind = record_of(caused), type_of(recorded)
    if type(expected) is not type(recorded):
        raise Wrong("out-of-order", number, expected=type_of(caused), found=kind)
    for field in fields(recorded):
        ours, theirs = getattr(expected, field.name), getattr(recorded, field.name)
        if ours != theirs:
            name = field.encode_name
            decision, seat = _where(recorded, ours, theirs)
            raise Wrong(
                _CODES.get((kind, name), f"wrong-{name}"),
                number,
                expected=_fact(ours),
                found=_fact(theirs),
                decision=decision,
                seat=seat,
            )


def _where(
    recorded: Record, ours: object, theirs: object
) -> tuple[int | None, int | None]:
    """The decision and the seat that a difference belongs to, where there are such."""
    match recorded:
        case Placed() | Moved():
            return recorded.decision, recorded.seat
        case ElectionResolved():
            return recorded.decision, None
        case RoundScored() if isinstance(ours, tuple) and isinstance(theirs, tuple):
            pairs = enumerate(zip(ours, theirs, strict=False))
            return None, next((at for at, (one, two) in pairs if one != two), None)
        case _:
            return None, None


def _fact(value: object) -> Fact:
    match value:
        case None | int():
            return value
        case str():
            return str(value)
        case tuple():
            return " ".join(str(_fact(each)) for each in value) or "nobody"
        case _:
            return repr(value)
