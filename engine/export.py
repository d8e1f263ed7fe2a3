"""A game's record as a file: read and written to the byte."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final, NoReturn
from uuid import UUID

import msgspec

from engine import events, fairness
from engine.board import Seat
from engine.commands import Sealed, Source
from engine.events import (
    BallotCast,
    ElectionResolved,
    GameOver,
    LogEvent,
    Record,
    Started,
    StartedRecord,
    Stored,
    TableClosed,
)

FORMAT: Final = "kingup/1"
LIMIT: Final = 4 * 2**20
"""The most bytes a file may have; the longest game needs a tenth of it."""

_LONGEST: Final = 400
"""The most characters that are told of what is wrong: a file can hold long ones."""


class UnreadableExport(ValueError):
    """A file that is no export, with a stable `code` and what exactly is wrong."""

    def __init__(self, code: str, what: str) -> None:
        if len(what) > _LONGEST:
            what = f"{what[:_LONGEST]}…"
        super().__init__(f"{code}: {what}")
        self.code = code
        self.what = what


class Export(msgspec.Struct, frozen=True):
    """A game's record as it goes out.

    `names` are the seats' names, "" for none; `versions` the stored version of each
    event; `record` the stored bytes of each, exactly as they are chained.
    """

    game: str
    names: tuple[str, ...]
    versions: tuple[int, ...]
    record: tuple[bytes, ...]


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file's keys, in their order."""

    format: str
    game: str
    names: tuple[str, ...]
    versions: tuple[int, ...]
    record: tuple[dict[str, Any], ...]


def write(export: Export) -> bytes:
    """The file: ASCII, one JSON object, a line for each event, a newline at the end."""
    head = ",".join(
        f"{_line(key)}:{_line(value)}"
        for key, value in (
            ("format", FORMAT),
            ("game", export.game),
            ("names", export.names),
            ("versions", export.versions),
        )
    )
    lines = b",\n".join(export.record)
    return b"{" + head.encode() + b',"record":[\n' + lines + b"\n]}\n"


def read(data: bytes) -> Export:
    """The export in a file. Raises UnreadableExport for whatever `write` can't give.

    The events are read as canonical JSON only: what they say is not judged here.
    """
    if len(data) > LIMIT:
        raise UnreadableExport("too-large", f"more than {LIMIT} bytes")
    if not data.isascii():
        raise UnreadableExport("not-ascii", "a byte above 127")
    file = _checked(_parsed(data))
    record = tuple(_line(event, sort_keys=True).encode() for event in file.record)
    export = Export(file.game, file.names, file.versions, record)
    _compare(write(export), data)
    return export


def _line(value: object, *, sort_keys: bool = False) -> str:
    return json.dumps(value, sort_keys=sort_keys, separators=(",", ":"))


def _parsed(data: bytes) -> object:
    try:
        return json.loads(
            data,
            object_pairs_hook=_object,
            parse_float=_no_number,
            parse_constant=_no_number,
        )
    except UnreadableExport:
        raise
    except RecursionError:
        raise UnreadableExport("too-deep", "brackets within brackets") from None
    except ValueError as error:
        raise UnreadableExport("not-json", str(error)) from None


def _object(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        # Told in ASCII: a crafted file could steer the terminal that shows what is
        # wrong.
        raise UnreadableExport("duplicate-key", ascii(twice))
    return found


def _no_number(text: str) -> NoReturn:
    raise UnreadableExport("not-whole", f"the number {text}")


def _checked(plain: object) -> _File:
    """The file's parts, each of its kind and all of one length."""
    if not isinstance(plain, dict):
        raise UnreadableExport("not-an-object", "the file")
    if plain.get("format", FORMAT) != FORMAT:
        raise UnreadableExport("unknown-format", ascii(plain["format"]))
    keys = _File.__struct_fields__
    for key in (*keys, *plain):
        if key not in plain:
            raise UnreadableExport("missing-key", key)
        if key not in keys:
            raise UnreadableExport("unknown-key", ascii(key))
    try:
        file = msgspec.convert(plain, _File)
    except msgspec.ValidationError as error:
        raise UnreadableExport("wrong-type", str(error)) from None
    if len(file.versions) != len(file.record):
        raise UnreadableExport("wrong-length", "versions and record differ")
    _check_texts(file)
    return file


def _check_texts(file: _File) -> None:
    """Only a game's id, and names that are text (no half of a surrogate pair)."""
    try:
        plain = str(UUID(file.game))
    except ValueError:
        plain = ""
    if plain != file.game:
        raise UnreadableExport("wrong-type", "game is no UUID in lower case")
    for seat, name in enumerate(file.names):
        if "\0" in name or any("\ud800" <= sign <= "\udfff" for sign in name):
            raise UnreadableExport("wrong-type", f"the name of seat {seat} is no text")


def _compare(canonical: bytes, data: bytes) -> None:
    if canonical != data:
        length = min(len(canonical), len(data))
        at = next((i for i in range(length) if canonical[i] != data[i]), length)
        what = f"reformatted from byte {at} on; take the original file"
        raise UnreadableExport("not-canonical", what)


def record_of(export: Export) -> tuple[Record, ...]:
    """The record's events. Raises UnreadableExport for one that isn't known."""
    found = []
    pairs = zip(export.record, export.versions, strict=True)
    for number, (stored, version) in enumerate(pairs, start=1):
        try:
            found.append(events.read_record(stored, version))
        except msgspec.DecodeError as error:
            what = f"record event {number}: {error}"
            raise UnreadableExport("unknown-event", what) from None
    return tuple(found)


class OpenedGame(msgspec.Struct, frozen=True):
    """A game that is over, with what was secret while it ran.

    `log` has each event with its row: the record's bytes as they came.
    """

    sealed: Sealed
    log: tuple[tuple[LogEvent, Stored], ...]

    @property
    def events(self) -> tuple[LogEvent, ...]:
        """The events of the log, without their rows."""
        return tuple(event for event, _ in self.log)


def opened(export: Export) -> OpenedGame:
    """The whole log of a game that is over.

    The deck follows from the seed, and so does each card laid: it is the one that its
    ballot binds. Whose hand laid it, a person's or the clock's, is not in the record;
    cards of an election that a cancellation left open are nowhere. Raises
    UnreadableExport for a game that isn't over, and for what doesn't fit its seed.
    """
    record = record_of(export)
    sealed = _sealed(export, record)
    log: list[tuple[LogEvent, Stored]] = []
    kept = zip(record, export.record, export.versions, strict=True)
    for event, public, version in kept:
        for whole in _whole(export, event, sealed):
            row = events.store(whole)
            if row.public is not None:
                row = Stored(row.type, public, row.secret, version)
            log.append((whole, row))
    return OpenedGame(sealed, tuple(log))


def _sealed(export: Export, record: Sequence[Record]) -> Sealed:
    """The seed and key of a game that is over.

    Raises UnreadableExport for one that isn't over, that never started, or whose seed
    isn't the one that was bound.
    """
    match record[:1], record[1:2], record[-1:]:
        case (
            (events.GameCreated(seed=commitment),),
            (TableClosed(words=words),),
            (GameOver(seed_opened=seed_opened),),
        ):
            seed = _unhex(seed_opened)
        case _:
            raise UnreadableExport("not-finished", "a game that started and is over")
    if fairness.seed_commitment(export.game, seed).hex() != commitment:
        raise UnreadableExport("broken-seed", "it is not the one that was bound")
    table_head = fairness.heads(export.game, export.record[:2])[-1]
    key = fairness.draw_key(seed, table_head, [_unhex(word) for word in words])
    return Sealed(seed, key)


def _whole(export: Export, event: Record, sealed: Sealed) -> Iterator[LogEvent]:
    """A record event as the log has it, behind the ballots that it turns over."""
    match event:
        case StartedRecord(first=first, leaves=leaves):
            deck = fairness.shuffled_deck(sealed.key)
            if leaves != fairness.leaves(export.game, sealed.key, deck):
                raise UnreadableExport("broken-deck", "its leaves are not the seed's")
            yield Started(first=first, leaves=leaves, deck=deck)
        case ElectionResolved(decision=decision, ballots=ballots):
            for number, ballot in enumerate(ballots):
                seat = Seat(number)
                about = decision, seat, ballot
                card = fairness.card_bound(export.game, sealed.key, *about)
                if card is None:
                    what = f"election {decision}, seat {seat}"
                    raise UnreadableExport("broken-ballot", what)
                yield BallotCast(decision, seat, card, Source.PERSON)
            yield event
        case _:
            yield event


def _unhex(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise UnreadableExport("broken-seed", "it is not in hex") from None
