"""Events of older versions: what is upcast, what is refused, what stays as it was.

No released event has changed yet, so the versions and changes here are invented.
"""

import json

import msgspec
import pytest

from engine import events, fairness, upcasting
from engine.board import Card, Seat
from engine.commands import Source
from engine.errors import UnreadableLog
from engine.events import Moved, Placed, Started, Stored
from engine.evolve import replay
from engine.upcasting import Parts
from tests.rig.engine import loading
from tests.rig.engine.tables import GAME, Table, settled

PLACED = b'{"by":"seat","decision":1,"dropped":[],"floor":"4","seat":0,"type":"set"}'
"""A placement of the first of three versions: its type and one field had other names,
and it didn't name a character."""


def renamed(parts: Parts) -> Parts:
    """Version 1 to 2: "set" is called "placed", "floor" is called "place"."""
    assert parts.public is not None
    rest = {k: v for k, v in parts.public.items() if k not in ("floor", "type")}
    public = {**rest, "type": "placed", "place": parts.public["floor"]}
    return Parts(public, parts.secret)


def with_character(parts: Parts) -> Parts:
    """Version 2 to 3: a new field, with what it was before it had a name."""
    assert parts.public is not None
    return Parts({**parts.public, "character": "A"}, parts.secret)


def laid_by_hand(parts: Parts) -> Parts:
    """Version 1 to 2: a ballot says where it came from."""
    assert parts.secret is not None
    return Parts(parts.public, {**parts.secret, "source": "person"})


def bound_deck(parts: Parts) -> Parts:
    """Version 2 to 3: the deck moves from one name to another in the secret part."""
    assert parts.secret is not None
    return Parts(parts.public, {"deck": parts.secret["cards"]})


def played() -> Table:
    table = settled()
    table.move("A")
    return table


TABLE = played()
"""A game as this process writes it; played before any test changes the version."""

(MOVED,) = (row for row in TABLE.rows if row.type == "moved")


@pytest.fixture
def third_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that writes version 3, and knows what changed on the way there."""
    monkeypatch.setattr(events, "VERSION", 3)
    monkeypatch.setattr(
        upcasting,
        "LIFTS",
        {
            ("set", 1): renamed,
            ("placed", 2): with_character,
            ("ballot_cast", 1): laid_by_hand,
            ("started", 2): bound_deck,
        },
    )


pytestmark = pytest.mark.usefixtures("third_version")

EXPECTED = Placed(
    decision=1, seat=Seat(0), character="A", place="4", by="seat", dropped=()
)


def test_an_event_is_lifted_through_every_version_on_the_way() -> None:
    event = loading.load(GAME, Stored("set", PLACED, None, version=1))

    assert event == EXPECTED


def test_an_event_enters_the_way_at_its_own_version() -> None:
    second = PLACED.replace(b'"floor"', b'"place"').replace(b'"set"', b'"placed"')

    event = loading.load(GAME, Stored("placed", second, None, version=2))

    assert event == EXPECTED


def test_an_event_of_today_is_lifted_by_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upcasting, "LIFTS", {("moved", 3): renamed})

    event = loading.load(GAME, Stored("moved", MOVED.public, None, version=3))

    assert isinstance(event, Moved)


def test_a_type_that_stayed_the_same_is_read_as_it_is() -> None:
    old = loading.load(GAME, Stored("moved", MOVED.public, None, version=1))

    assert old == loading.load(GAME, Stored("moved", MOVED.public, None, version=3))


def test_a_secret_event_is_lifted_too() -> None:
    stored = b'{"card":"no","decision":9,"seat":2,"type":"ballot_cast"}'

    event = loading.load(GAME, Stored("ballot_cast", None, stored, version=1))

    assert event == events.BallotCast(9, Seat(2), Card.NO, Source.PERSON)


def test_the_secret_part_of_an_event_is_lifted_with_its_public_one() -> None:
    start = b'{"first":1,"leaves":["00"],"type":"started"}'

    event = loading.load(GAME, Stored("started", start, b'{"cards":[7]}', version=2))

    assert event == Started(first=Seat(1), leaves=("00",), deck=(7,))


def test_a_record_event_alone_is_lifted_for_those_who_only_read_the_record() -> None:
    assert events.read_record(PLACED, version=1) == EXPECTED


@pytest.mark.parametrize("version", [-1, 0, 4, 99])
def test_a_version_that_never_was_or_is_to_come_is_not_read(version: int) -> None:
    stored = PLACED.replace(b'"floor"', b'"place"').replace(b'"set"', b'"placed"')

    with pytest.raises(UnreadableLog) as unread:
        loading.load(GAME, Stored("placed", stored, None, version=version))
    with pytest.raises(msgspec.ValidationError):
        events.read_record(stored, version=version)

    assert unread.value.what == f"placed version {version}"


@pytest.mark.parametrize(
    "public", [b"{", b"[]", b"{}", b"", b'{"type":"danced"}', b'{"type":"set"}', None]
)
def test_what_is_not_of_its_version_stops_its_game_only(public: bytes | None) -> None:
    with pytest.raises(UnreadableLog) as unread:
        loading.load(GAME, Stored("set", public, None, version=1))

    assert (unread.value.game, unread.value.what) == (GAME, "set version 1")


def test_lifting_changes_neither_the_stored_bytes_nor_the_chain() -> None:
    older = tuple(as_of_second_version(row) for row in TABLE.rows)

    again = replay(GAME, (loading.load(GAME, row) for row in older))

    head = fairness.chain_start(GAME)
    stored = [row.public for row in older if row.public is not None]
    for number, public in enumerate(stored, start=1):
        head = fairness.chain(head, number, public)
    assert again == TABLE.game
    assert head == TABLE.heads[-1]


def as_of_second_version(row: Stored) -> Stored:
    if row.type != "started":
        return Stored(row.type, row.public, row.secret, version=3)
    deck = json.loads(row.secret or b"")["deck"]
    secret = json.dumps({"cards": deck}).encode()
    return Stored(row.type, row.public, secret, version=2)


def test_no_event_of_this_release_needs_a_lift(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.undo()

    assert events.VERSION == 1
    assert upcasting.LIFTS == {}
