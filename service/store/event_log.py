"""The event log: read in order, appended to by the one writing statement."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from engine import replay_codec
from engine.errors import UnreadableLog
from engine.events import ElectionResolved, GameCreated, LogEvent, Stored, read_record
from engine.evolve import replay
from engine.state import FORMAT, Game
from service.store import publisher, sql, standing_answers
from service.store.standing_answers import Ahead
from service.values.enums import OF_THE_CLOCK, DueKind, GameStatus, NoticeKind

_HELD = f"%(paused)s AND kind IN {tuple(kind.value for kind in OF_THE_CLOCK)}"

_STOOD = """CASE WHEN paused_at IS NULL THEN interval '0'
    ELSE CAST(%(now)s AS timestamptz) - greatest(paused_at, opened_at) END"""
"""For how long the clock of the decision stood still that was open before."""

_OWED = f"""(SELECT due_at FROM due WHERE game_id = %(game)s AND seat = -1
    AND decision = CAST(%(asked)s AS int) AND kind = '{DueKind.DEADLINE}')"""
"""Until when it waited: in a pause the game has no deadline, but its row is kept."""

_EVENTS = """SELECT position, type, version, public, secret FROM event
    WHERE game_id = %(game)s AND position <= %(upto)s ORDER BY position"""

_RECORD = """SELECT record, type, version, public, link FROM event
    WHERE game_id = %(game)s AND record > %(after)s ORDER BY record LIMIT %(limit)s"""

_POSITION = (
    "SELECT position FROM event WHERE game_id = %(game)s AND record = %(record)s"
)

# It is one statement, because round trips are what costs time: in a trial without rules
# eight clients on two cores got 354 to 486 answers a second by several, and 921 to
# 1,144 by the locking SELECT and this one. Due rows go by exactly their decision: a
# range over the game's past would walk over ever more dead entries of the index.
_APPEND = f"""WITH standing AS {standing_answers.WAITING},
    dropped AS {standing_answers.DROPPED},
    written AS (
        INSERT INTO event (game_id, position, record, type, version, decision, public,
            secret, link, recorded_at)
        SELECT %(game)s, position, record, type, version, resolved,
            convert_to(public, 'UTF8'), convert_to(secret, 'UTF8'),
            decode(link, 'hex'), %(now)s
        FROM json_to_recordset(CAST(%(entries)s AS json)) AS e (position int,
            record int, type text, version smallint, resolved int, public text,
            secret text, link text)
    ), answered AS (
        INSERT INTO answer (game_id, decision, seat, source, answer, receipt, wished)
        SELECT %(game)s, decision, seat, source, convert_to(answer, 'UTF8'),
            convert_to(receipt, 'UTF8'), wished
        FROM json_to_recordset(CAST(%(answers)s AS json)) AS a (decision int,
            seat smallint, source text, answer text, receipt text, wished text)
        RETURNING decision, seat
    ), done AS (
        DELETE FROM due WHERE game_id = %(game)s AND decision = CAST(%(asked)s AS int)
            AND (%(closed)s OR kind IN ('{DueKind.BOT}', '{DueKind.STANDING}')
                AND seat IN (SELECT seat FROM answered))
    ), waiting AS (
        INSERT INTO due (game_id, decision, kind, seat, due_at, claim_at)
        SELECT %(game)s, decision, kind, seat, at,
            CASE WHEN {_HELD} THEN 'infinity' ELSE at END
        FROM json_to_recordset(CAST(%(due)s AS json)) AS d (decision int,
            kind text, seat smallint, at timestamptz)
        UNION ALL SELECT %(game)s, CAST(%(opened)s AS int), '{DueKind.STANDING}', seat,
            CAST(%(stands_at)s AS timestamptz), CAST(%(stands_at)s AS timestamptz)
        FROM standing
    ), notified AS (
        INSERT INTO notice (game_id, key, person_id, seat, kind, decision, cause,
            due_at)
        SELECT %(game)s, key, person_id, seat, kind, decision, cause,
            greatest(kingup_now(), due_at, CASE WHEN decision = CAST(%(opened)s AS int)
                AND seat IN (TABLE standing) THEN CAST(%(asks_at)s AS timestamptz) END)
        FROM json_to_recordset(CAST(%(notices)s AS json)) AS n (key text,
            person_id uuid, seat smallint, kind text, decision int, cause int,
            due_at timestamptz)
        ON CONFLICT (game_id, key) DO NOTHING
    )
    UPDATE game SET position = %(position)s, record = %(record)s, head = %(head)s,
        table_head = coalesce(CAST(%(table_head)s AS bytea), table_head),
        opened_at = CASE WHEN %(same)s THEN opened_at ELSE %(now)s END,
        snapshot = %(snapshot)s, snapshot_format = %(format)s, status = %(status)s,
        laid = CASE WHEN %(same)s THEN laid END,
        deadline = CASE WHEN %(paused)s THEN NULL WHEN %(same)s THEN deadline
            ELSE CAST(%(deadline)s AS timestamptz) END,
        paused_at = CASE WHEN %(paused)s THEN coalesce(paused_at, %(now)s) END,
        answered_deadline = CASE WHEN %(same)s AND %(paused)s THEN answered_deadline
            ELSE {_STOOD} + CASE WHEN %(same)s THEN answered_deadline
                WHEN paused_at IS NULL THEN deadline ELSE {_OWED} END END,
        started_at = CASE WHEN %(starts)s THEN %(now)s ELSE started_at END,
        ended_at = CASE WHEN %(ends)s THEN %(now)s ELSE ended_at END
    WHERE id = %(game)s"""

# A game that is over, with something to tell all the same, has mails again.
_NOTIFY = """WITH again AS (UPDATE game SET has_mails = true
        WHERE id = %(game)s AND ended_at IS NOT NULL)
    INSERT INTO notice (game_id, key, person_id, seat, kind, decision, cause,
        due_at, superseded_at)
    SELECT %(game)s, key, person_id, seat, kind, decision, cause,
        moment + make_interval(secs => %(wait)s),
        CASE WHEN NOT %(mailed)s THEN moment END
    FROM json_to_recordset(CAST(%(notices)s AS json)) AS n (key text,
            person_id uuid, seat smallint, kind text, decision int, cause int),
        (SELECT kingup_now() AS moment) clock
    ON CONFLICT (game_id, key) DO NOTHING"""
_IS_NOTED = """SELECT EXISTS (SELECT FROM notice
    WHERE game_id = %(game)s AND key = %(key)s)"""


class Entry(msgspec.Struct, frozen=True):
    """An event ready to be written, with its place in log and record.

    `public` and `secret` are its stored JSON, `link` the head after it in hex,
    `resolved` the decision that an election_resolved closes.
    """

    position: int
    record: int | None
    type: str
    version: int
    resolved: int | None
    public: str | None
    secret: str | None
    link: str | None


def entry(
    position: int, record: int, head: bytes, event: LogEvent, row: Stored
) -> Entry:
    """An event and its row, ready to be written.

    `record` and `head` are those of the record up to and with this event.
    """
    public, secret = row.public, row.secret
    return Entry(
        position=position,
        record=None if public is None else record,
        type=row.type,
        version=row.version,
        resolved=event.decision if isinstance(event, ElectionResolved) else None,
        public=None if public is None else public.decode(),
        secret=None if secret is None else secret.decode(),
        link=None if public is None else head.hex(),
    )


class AnswerRow(msgspec.Struct, frozen=True):
    """An answer ready to be written; `answer` and `receipt` are JSON.

    `wished` is the card that a standing answer named and the seat didn't hold.
    """

    decision: int
    seat: int
    source: str
    answer: str
    receipt: str
    wished: str | None = None


class DueRow(msgspec.Struct, frozen=True):
    """Something that falls due `at` a moment; seat -1 means no seat."""

    decision: int
    kind: DueKind
    seat: int
    at: datetime


class NoticeRow(msgspec.Struct, frozen=True):
    """Something a person shall hear of.

    Of an event it makes no mail before `due_at`; None is at once.
    """

    key: str
    person_id: UUID
    seat: int
    kind: NoticeKind
    decision: int | None
    cause: int | None
    due_at: datetime | None = None


class Writing(msgspec.Struct, frozen=True):
    """All that one write changes, and when.

    `asked` is the decision that was open before, `same` tells that it still is;
    `deadline` is that of the one that opens, None without one. While the game is
    `paused` nothing has a deadline.
    """

    game_id: UUID
    now: datetime
    entries: tuple[Entry, ...]
    answers: tuple[AnswerRow, ...]
    due: tuple[DueRow, ...]
    notices: tuple[NoticeRow, ...]
    asked: int | None
    position: int
    record: int
    head: bytes
    table_head: bytes | None
    snapshot: bytes
    status: GameStatus
    deadline: datetime | None
    same: bool
    paused: bool
    starts: bool
    ends: bool
    ahead: Ahead = Ahead()


class Recorded(msgspec.Struct, frozen=True):
    """A record event as it is stored, with the head after it."""

    record: int
    type: str
    version: int
    public: bytes
    link: bytes


def append(writing: Writing) -> None:
    """Write events, answers, due rows, notices and the game's row in one statement.

    Rows travel as JSON, which costs a fraction of arrays and keeps one prepared plan.
    """
    sql.execute(
        _APPEND,
        game=writing.game_id,
        now=writing.now,
        entries=_rows(writing.entries),
        answers=_rows(writing.answers),
        due=_rows(writing.due),
        notices=_rows(writing.notices),
        **writing.ahead.values(),
        asked=writing.asked,
        closed=not writing.same,
        position=writing.position,
        record=writing.record,
        head=writing.head,
        table_head=writing.table_head,
        snapshot=writing.snapshot,
        format=FORMAT,
        status=writing.status,
        deadline=writing.deadline,
        same=writing.same,
        paused=writing.paused,
        starts=writing.starts,
        ends=writing.ends,
    )
    # A ballot adds nothing to the record, and nobody hears of it.
    if any(entry.record is not None for entry in writing.entries):
        publisher.publish(writing.game_id)


def _rows(rows: Sequence[msgspec.Struct]) -> str:
    return msgspec.json.encode(rows).decode()


def replayed(game_id: UUID, upto: int | None = None) -> Game:
    """The state after the log's first `upto` positions, or all of it.

    Raises UnreadableLog for a gap or for what this process doesn't know.
    """
    rows = sql.rows(_EVENTS, game=game_id, upto=2**31 - 1 if upto is None else upto)
    if [row.position for row in rows] != list(range(1, len(rows) + 1)):
        raise UnreadableLog(str(game_id), "gap")
    stored = (Stored(r.type, r.public, r.secret, r.version) for r in rows)
    return replay(str(game_id), replay_codec.read(str(game_id), stored))


def at_record(game_id: UUID, record: int) -> Game | None:
    """The state right after record event `record`; None when there is none such."""
    position = sql.value(_POSITION, game=game_id, record=record)
    return None if position is None else replayed(game_id, position)


def record_after(game_id: UUID, after: int, limit: int) -> tuple[Recorded, ...]:
    """At most `limit` record events behind number `after`, in order."""
    return sql.structs(Recorded, _RECORD, game=game_id, after=after, limit=limit)


def seed_commitment(game_id: UUID) -> str:
    """What binds the service to a game's seed, from its first record event.

    Raises LookupError for a record that begins otherwise.
    """
    (stored,) = record_after(game_id, 0, 1)
    first = read_record(stored.public, stored.version)
    if not isinstance(first, GameCreated):
        raise LookupError(game_id)
    return first.seed


def notify(
    game_id: UUID,
    notices: Sequence[NoticeRow],
    wait: float = 0.0,
    *,
    mailed: bool = True,
) -> None:
    """Keep notices that no event causes; one that is there already stays as it is.

    They make no mail before `wait` seconds have gone by, and none at all where they
    aren't `mailed`.
    """
    sql.execute(_NOTIFY, game=game_id, notices=_rows(notices), wait=wait, mailed=mailed)


def is_noted(game_id: UUID, key: str) -> bool:
    """Whether there is a notice with this key, however it ended."""
    return bool(sql.value(_IS_NOTED, game=game_id, key=key))
