"""What happened, and its stored bytes.

Every event but a ballot has a public part, a record event, with exactly the fields of
docs/fairness.md; what a public part must not hold is stored apart as the secret part.
"""

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Final, TypeAlias, TypeVar, final, get_args

import msgspec

from engine import upcasting
from engine.board import Card, Character, PlaceKey, Seat, Verdict
from engine.commands import Chair, Options, Source
from engine.deck import CardNumber
from engine.errors import UnreadableLog

VERSION: Final = 1
"""The version written with every event; older ones are lifted when they are read."""

Hex: TypeAlias = str

T = TypeVar("T", bound="Event")


class Event(msgspec.Struct, frozen=True, gc=False, tag_field="type"):
    """The family of all events."""


class GameCreated(Event, frozen=True, tag="game_created"):
    """The log is open; `seed` binds the service, `word` is the host's."""

    seed: Hex
    word: Hex


class TableClosed(Event, frozen=True, tag="table_closed"):
    """Who plays what, and how: fixed for good."""

    edition: str
    rules: int
    options: Options
    seats: tuple[Chair, ...]
    words: tuple[Hex, ...]


class StartedRecord(Event, frozen=True, tag="started"):
    """What everybody may know of a start: who begins, and the bound deck."""

    first: Seat
    leaves: tuple[Hex, ...]


class Started(Event, frozen=True, tag="started"):
    """The deck is shuffled and bound; `deck` is the secret order of the 26 cards."""

    first: Seat
    leaves: tuple[Hex, ...]
    deck: tuple[CardNumber, ...]


class RoundStarted(Event, frozen=True, tag="round_started"):
    """A round begins; `placed` lists what was placed by lot, in the order drawn.

    Behind them stand those who have a place before anybody is drawn.
    """

    round: int
    first: Seat
    placed: tuple[tuple[Character, PlaceKey], ...]


class ActedBy(StrEnum):
    """Who placed or moved: whoever has the seat, the bot on it, or the clock."""

    SEAT = "seat"
    BOT = "bot"
    CLOCK = "clock"


@final
class Placed(Event, frozen=True, tag="placed"):
    """A character was placed; `dropped` went to the servants with the last one."""

    decision: int
    seat: Seat
    character: Character
    place: PlaceKey
    by: str
    dropped: tuple[Character, ...]


@final
class Moved(Event, frozen=True, tag="moved", rename={"origin": "from"}):
    """A character moved; onto the throne it opens the election of that number."""

    decision: int
    seat: Seat
    character: Character
    origin: PlaceKey
    to: PlaceKey
    by: str
    election: int | None


class BotSeated(Event, frozen=True, tag="bot_seated"):
    """A bot keeps a seat from now on; the person it was dealt to may come back."""

    seat: Seat
    bot: str


class PersonSeated(Event, frozen=True, tag="person_seated"):
    """The person whose seat a bot has kept plays it again."""

    seat: Seat


class TakenBack(Event, frozen=True, tag="taken_back"):
    """The latest placement or move is undone; its seat is asked anew.

    `decision` is the one it had answered, `reopened` the new one.
    """

    decision: int
    reopened: int


Seating: TypeAlias = BotSeated | PersonSeated
"""What changes who plays a seat: the rules know nothing of it."""


class Paused(Event, frozen=True, tag="paused"):
    """The clock stands still from now on; questions are answered all the same."""


class Resumed(Event, frozen=True, tag="resumed"):
    """The clock goes on: nobody's pause is left."""


class Extended(Event, frozen=True, tag="extended"):
    """The open decision has so many seconds more, by the terms of the game alone."""

    decision: int
    seconds: int


Timing: TypeAlias = Paused | Resumed | Extended
"""What changes when a decision ends: the rules know nothing of it."""

TableEvent: TypeAlias = Seating | Timing
"""What changes nothing of what is asked, and may come between any two answers."""


@final
class BallotCast(Event, frozen=True, tag="ballot_cast"):
    """A card was laid face down. Has no public part and no record number."""

    decision: int
    seat: Seat
    card: Card
    source: Source


class ElectionResolved(Event, frozen=True, tag="election_resolved"):
    """All cards were turned over together.

    `ballots` bind the cards in seat order; `to` is where the nominee stands now; `next`
    is the seat in turn, None when crowned. `cards` and `salts` are None while the table
    does not count for its players.
    """

    decision: int
    nominee: Character
    mover: Seat
    ballots: tuple[Hex, ...]
    verdict: Verdict
    to: PlaceKey
    next: Seat | None
    cards: tuple[Card, ...] | None
    salts: tuple[Hex, ...] | None


class ElectionOpened(msgspec.Struct, frozen=True, gc=False):
    """The cards of one election of a round, turned over for good."""

    decision: int
    cards: tuple[Card, ...]
    salts: tuple[Hex, ...]


class RoundScored(Event, frozen=True, tag="round_scored"):
    """A round is over: favourites, points and all its ballots, in seat order."""

    round: int
    favourites: tuple[CardNumber, ...]
    salts: tuple[Hex, ...]
    points: tuple[int, ...]
    bonus: tuple[int, ...]
    totals: tuple[int, ...]
    elections: tuple[ElectionOpened, ...]


class GameOver(Event, frozen=True, tag="game_over"):
    """The game is over, finished or cancelled; its seed is open."""

    reason: str
    winners: tuple[Seat, ...]
    seed_opened: Hex


_Bare: TypeAlias = (
    GameCreated
    | TableClosed
    | RoundStarted
    | Placed
    | Moved
    | TakenBack
    | TableEvent
    | GameOver
)
"""Events that the log, the record and the state all take whole."""

LogEvent: TypeAlias = _Bare | Started | BallotCast | ElectionResolved | RoundScored

Record: TypeAlias = _Bare | StartedRecord | ElectionResolved | RoundScored


class _Deck(msgspec.Struct, frozen=True):
    deck: tuple[CardNumber, ...]


_STARTED: Final = str(StartedRecord.__struct_config__.tag)
# The chain binds these bytes: in another order they would be another record.
_encoder = msgspec.json.Encoder(order="sorted")
_record: msgspec.json.Decoder[Record] = msgspec.json.Decoder(Record)
_ballot = msgspec.json.Decoder(BallotCast)
_start = msgspec.json.Decoder(StartedRecord)
_deck = msgspec.json.Decoder(_Deck)


def readers(kinds: Iterable[type[T]]) -> Mapping[str, Callable[[bytes], T]]:
    """What reads public bytes, by type: who knows what comes reads it quicker."""
    return {
        str(kind.__struct_config__.tag): msgspec.json.Decoder(kind).decode
        for kind in kinds
    }


WHOLE: Final[Mapping[str, Callable[[bytes], LogEvent]]] = readers(
    kind for kind in get_args(Record) if kind is not StartedRecord
)
"""The readers of every event that its public part tells whole."""


class Stored(msgspec.Struct, frozen=True):
    """An event as a row keeps it: its type, its public bytes, its secret bytes."""

    type: str
    public: bytes | None
    secret: bytes | None
    version: int = VERSION


def type_of(event: LogEvent | Record) -> str:
    """The stable name of an event's type."""
    return str(type(event).__struct_config__.tag)


def record_of(event: LogEvent) -> Record | None:
    """The public part of an event, built up from nothing; None for a ballot."""
    match event:
        case BallotCast():
            return None
        # Built up field by field: were secrets taken out of a copy instead, a new one
        # would get into the record because somebody forgot it.
        case Started(first=first, leaves=leaves):
            return StartedRecord(first=first, leaves=leaves)
        case _:
            return event


def store(event: LogEvent) -> Stored:
    """The bytes of an event: sorted keys, no spaces, ASCII, whole numbers only."""
    record = record_of(event)
    public = None if record is None else _encoder.encode(record)
    return Stored(type=type_of(event), public=public, secret=_secret_of(event))


def _secret_of(event: LogEvent) -> bytes | None:
    match event:
        case BallotCast():
            return _encoder.encode(event)
        case Started(deck=deck):
            return _encoder.encode(_Deck(deck))
        case _:
            return None


def read_rows(
    game: str, rows: Iterable[Stored], by_type: Mapping[str, Callable[[bytes], T]]
) -> list[T | BallotCast | Started]:
    """What `by_type` reads in the rows of a log, lifted where they are older.

    Raises UnreadableLog for what it doesn't know.
    """
    found: list[T | BallotCast | Started] = []
    for row in rows:
        try:
            stored = row if row.version == VERSION else _lifted(row)
            public, reader = stored.public, by_type.get(stored.type)
            if public is None:
                found.append(_ballot.decode(stored.secret or b""))
            elif reader is not None:
                found.append(reader(public))
            elif stored.type == _STARTED:
                found.append(_started(public, stored.secret or b""))
            else:
                raise UnreadableLog(game, f"{row.type} version {row.version}")
        except msgspec.DecodeError as error:
            raise UnreadableLog(game, f"{row.type} version {row.version}") from error
    return found


def _started(public: bytes, secret: bytes) -> Started:
    record, deck = _start.decode(public), _deck.decode(secret).deck
    return Started(first=record.first, leaves=record.leaves, deck=deck)


def _lifted(stored: Stored) -> Stored:
    """The row as this version stores it; its type may be another one, too."""
    public, secret = _lift(stored.public, stored.secret, stored.version)
    kind = stored.type if public is None else type_of(_record.decode(public))
    return Stored(kind, public, secret)


def _lift(
    public: bytes | None, secret: bytes | None, version: int
) -> tuple[bytes | None, bytes | None]:
    """The parts of an event of an older version as this version has them.

    Raises msgspec.DecodeError for what it doesn't know, a newer version among it.
    """
    if not 1 <= version < VERSION:
        unknown = f"version {version}, and no version above {VERSION} is known here"
        raise msgspec.ValidationError(unknown)
    try:
        return upcasting.lift(public, secret, version, VERSION)
    except KeyError as error:
        raise msgspec.ValidationError(str(error)) from error


def read_record(public: bytes, version: int = VERSION) -> Record:
    """A record event from its stored bytes, lifted if it is of an older version.

    Raises msgspec.DecodeError for what it doesn't know, a newer version among it.
    """
    if version == VERSION:
        return _record.decode(public)
    lifted, _ = _lift(public, None, version)
    return _record.decode(lifted or b"")
