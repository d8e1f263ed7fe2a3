import json
from typing import Any

import msgspec
import pytest

from engine import events
from engine.board import Card, Seat, Verdict
from engine.commands import Chair, Source
from engine.events import (
    BallotCast,
    ElectionOpened,
    ElectionResolved,
    GameCreated,
    GameOver,
    LogEvent,
    Moved,
    Placed,
    RoundScored,
    RoundStarted,
    Started,
    TableClosed,
)
from tests.rig.engine import loading
from tests.rig.engine.tables import options

CLOSED = TableClosed(
    edition="classic",
    rules=1,
    options=options(first=None, decision_time=None),
    seats=(Chair("person"), Chair("bot", "steady")),
    words=("ab", ""),
)
RESOLVED = ElectionResolved(
    decision=15,
    nominee="O",
    mover=Seat(1),
    ballots=("aa", "bb"),
    verdict=Verdict.REFUSED,
    to="out",
    next=Seat(0),
    cards=None,
    salts=None,
)
CROWNED = ElectionResolved(
    decision=15,
    nominee="O",
    mover=Seat(1),
    ballots=("aa", "bb"),
    verdict=Verdict.CROWNED,
    to="throne",
    next=None,
    cards=(Card.YES, Card.YES),
    salts=("cc", "dd"),
)
SCORED = RoundScored(
    round=2,
    favourites=(4, 25),
    salts=("ee", "ff"),
    points=(33, 0),
    bonus=(0, 0),
    totals=(40, 9),
    elections=(ElectionOpened(15, (Card.NO, Card.YES), ("cc", "dd")),),
)

BYTES: list[tuple[LogEvent, str]] = [
    (
        GameCreated(seed="9a", word=""),
        '{"seed":"9a","type":"game_created","word":""}',
    ),
    (
        CLOSED,
        '{"edition":"classic","options":{"ballot_history":"table",'
        '"decision_time":null,"first":null,"placement":"choose","rounds":3},'
        '"rules":1,"seats":[{"bot":null,"kind":"person"},'
        '{"bot":"steady","kind":"bot"}],"type":"table_closed","words":["ab",""]}',
    ),
    (
        Started(first=Seat(2), leaves=("f5", "00"), deck=(1, 0)),
        '{"first":2,"leaves":["f5","00"],"type":"started"}',
    ),
    (
        RoundStarted(round=1, first=Seat(2), placed=()),
        '{"first":2,"placed":[],"round":1,"type":"round_started"}',
    ),
    (
        RoundStarted(round=1, first=Seat(2), placed=(("I", "1"), ("E", "0"))),
        '{"first":2,"placed":[["I","1"],["E","0"]],"round":1,"type":"round_started"}',
    ),
    (
        Placed(12, Seat(0), "L", "2", "clock", ("M", "P")),
        '{"by":"clock","character":"L","decision":12,"dropped":["M","P"],'
        '"place":"2","seat":0,"type":"placed"}',
    ),
    (
        Placed(1, Seat(0), "L", "2", "seat", ()),
        '{"by":"seat","character":"L","decision":1,"dropped":[],'
        '"place":"2","seat":0,"type":"placed"}',
    ),
    (
        Moved(13, Seat(1), "A", "3", "4", "bot", None),
        '{"by":"bot","character":"A","decision":13,"election":null,"from":"3",'
        '"seat":1,"to":"4","type":"moved"}',
    ),
    (
        Moved(14, Seat(1), "A", "5", "throne", "seat", 15),
        '{"by":"seat","character":"A","decision":14,"election":15,"from":"5",'
        '"seat":1,"to":"throne","type":"moved"}',
    ),
    (
        RESOLVED,
        '{"ballots":["aa","bb"],"cards":null,"decision":15,"mover":1,"next":0,'
        '"nominee":"O","salts":null,"to":"out","type":"election_resolved",'
        '"verdict":"refused"}',
    ),
    (
        CROWNED,
        '{"ballots":["aa","bb"],"cards":["yes","yes"],"decision":15,"mover":1,'
        '"next":null,"nominee":"O","salts":["cc","dd"],"to":"throne",'
        '"type":"election_resolved","verdict":"crowned"}',
    ),
    (
        SCORED,
        '{"bonus":[0,0],"elections":[{"cards":["no","yes"],"decision":15,'
        '"salts":["cc","dd"]}],"favourites":[4,25],"points":[33,0],"round":2,'
        '"salts":["ee","ff"],"totals":[40,9],"type":"round_scored"}',
    ),
    (
        GameOver(reason="cancelled", winners=(), seed_opened="00"),
        '{"reason":"cancelled","seed_opened":"00","type":"game_over","winners":[]}',
    ),
    (
        GameOver(reason="finished", winners=(Seat(0), Seat(1)), seed_opened="00"),
        '{"reason":"finished","seed_opened":"00","type":"game_over","winners":[0,1]}',
    ),
]

FIELDS = {
    "game_created": {"seed", "word"},
    "table_closed": {"edition", "rules", "options", "seats", "words"},
    "started": {"first", "leaves"},
    "round_started": {"round", "first", "placed"},
    "placed": {"decision", "seat", "character", "place", "by", "dropped"},
    "moved": {"decision", "seat", "character", "from", "to", "by", "election"},
    "election_resolved": {
        *("decision", "nominee", "mover", "ballots", "verdict", "to", "next"),
        *("cards", "salts"),
    },
    "round_scored": {
        *("round", "favourites", "salts", "points", "bonus", "totals", "elections"),
    },
    "game_over": {"reason", "winners", "seed_opened"},
}


def whole(value: Any) -> bool:
    """Whether plain JSON holds texts, whole numbers, nulls, lists and objects only."""
    if isinstance(value, dict):
        return all(isinstance(k, str) and whole(v) for k, v in value.items())
    if isinstance(value, list):
        return all(whole(v) for v in value)
    return value is None or type(value) in (str, int)


@pytest.mark.parametrize(("event", "stored"), BYTES)
def test_a_record_event_is_stored_as_exactly_these_bytes(
    event: LogEvent, stored: str
) -> None:
    assert events.store(event).public == stored.encode()


@pytest.mark.parametrize(("event", "stored"), BYTES)
def test_stored_bytes_are_sorted_ascii_without_spaces(
    event: LogEvent, stored: str
) -> None:
    plain = json.loads(stored)

    again = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=True)

    assert again == stored
    assert whole(plain)


@pytest.mark.parametrize(("event", "stored"), BYTES)
def test_a_record_event_has_its_type_and_exactly_its_fields(
    event: LogEvent, stored: str
) -> None:
    kind = events.type_of(event)

    assert set(json.loads(stored)) == {"type", *FIELDS[kind]}
    assert events.store(event).type == kind


def test_every_type_of_event_but_a_ballot_is_a_record_event() -> None:
    covered = {events.type_of(event) for event, _ in BYTES}

    assert covered == set(FIELDS)


@pytest.mark.parametrize(("event", "_stored"), BYTES)
def test_a_stored_event_loads_as_the_same_event(event: LogEvent, _stored: str) -> None:
    assert loading.load("game", events.store(event)) == event


@pytest.mark.parametrize("source", list(Source))
def test_a_ballot_laid_has_no_public_part(source: Source) -> None:
    ballot = BallotCast(15, Seat(1), Card.NO, source)

    row = events.store(ballot)

    assert (row.type, row.public) == ("ballot_cast", None)
    assert json.loads(row.secret or b"") == {
        "type": "ballot_cast",
        "decision": 15,
        "seat": 1,
        "card": "no",
        "source": source.value,
    }
    assert loading.load("game", row) == ballot


def test_the_order_of_the_deck_is_stored_apart_from_the_record() -> None:
    row = events.store(Started(first=Seat(0), leaves=(), deck=(3, 1, 2)))

    assert row.public == b'{"first":0,"leaves":[],"type":"started"}'
    assert row.secret == b'{"deck":[3,1,2]}'


def test_bytes_that_are_no_record_event_are_not_read() -> None:
    with pytest.raises(msgspec.ValidationError):
        events.read_record(b'{"type":"ballot_cast","decision":1,"seat":0}')
