"""Games as rows: locked for writing, read for showing."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from engine.board import Seat
from engine.errors import UnreadableLog
from engine.state import FORMAT, Game, thaw
from service.store import (
    absences,
    devices,
    event_log,
    good_tokens,
    proposals,
    seats,
    sql,
)
from service.store.absences import SeatAbsence
from service.store.proposals import Proposal
from service.store.seats import SeatRow
from service.values.enums import GameStatus, LinkPurpose, Visibility
from service.values.principals import (
    Bearer,
    Bot,
    DeviceHolder,
    LinkHolder,
    Principal,
    ProposalHolder,
    ReplyHolder,
    System,
    UnsubscribeHolder,
)

_COLUMNS = """g.id, g.status, g.practice, g.visibility, g.host_id, g.position,
    g.record, g.head, g.table_head, g.snapshot, g.snapshot_format,
    g.opened_at, g.deadline, g.paused_at, g.answered_deadline"""

# With a bot on it, too: who plays is read from the state behind the lock, since this
# join has the seat as it was before a wait.
_MEMBER = "JOIN seat s ON s.game_id = g.id AND s.state = 'joined' AND"

# They are joins of the locking SELECT, so that whoever has no seat locks nothing.
PROOF: Mapping[type, str] = {
    Bearer: f"""JOIN token t ON {good_tokens.PROVES}
        {_MEMBER} s.person_id = t.person_id""",
    LinkHolder: f"""JOIN link t ON t.token_hash = %(proof)s AND t.game_id = g.id
        AND t.purpose IN ('{LinkPurpose.DECISION}', '{LinkPurpose.NEXT}')
        AND t.decision = %(decision)s
        {_MEMBER} s.number = t.seat AND s.person_id = t.person_id""",
    ProposalHolder: f"""JOIN link t ON t.token_hash = %(proof)s AND t.game_id = g.id
        AND t.purpose = '{LinkPurpose.PROPOSAL}'
        {_MEMBER} s.number = t.seat AND s.person_id = t.person_id""",
    UnsubscribeHolder: f"""JOIN link t ON t.token_hash = %(proof)s
        AND t.game_id = g.id AND t.purpose = '{LinkPurpose.UNSUBSCRIBE}'
        {_MEMBER} s.number = t.seat AND s.person_id = t.person_id""",
    ReplyHolder: f"""JOIN link t ON t.token_hash = %(proof)s AND t.game_id = g.id
        AND t.purpose = '{LinkPurpose.REPLY}' AND t.decision = %(decision)s
        {_MEMBER} s.number = t.seat AND s.person_id = t.person_id""",
    DeviceHolder: f"""JOIN device t ON t.token_hash = %(proof)s AND t.game_id = g.id
        AND {devices.LIVE}
        {_MEMBER} s.number = t.seat AND s.person_id = t.person_id""",
    Bot: f"""JOIN seat s ON s.game_id = g.id AND s.number = %(seat)s
        AND NOT ({seats.PERSON_PLAYS})""",
    System: "",
}
"""What a locking SELECT of a game `g` joins to prove who asks: their seat is `s`."""


class Locked(msgspec.Struct, frozen=True):
    """A game whose row this transaction holds.

    `seat` is the principal's, None for the service itself; `people` whose each seat is,
    None for a bot's own; `answer` what this seat has answered to the decision before,
    with its source and receipt. `answered_deadline` is until when the decision before
    the open one would wait, had the clock not stood still since `stopped_at`;
    `opened_at` when the open one was put. `now` is a moment after
    the lock.
    """

    now: datetime
    game: Game
    status: GameStatus
    practice: bool
    host_id: UUID | None
    position: int
    record: int
    head: bytes
    table_head: bytes | None
    seed: bytes
    opened_at: datetime | None
    deadline: datetime | None
    paused_at: datetime | None
    answered_deadline: datetime | None
    seat: int | None
    people: tuple[UUID | None, ...]
    answer: "GivenAnswer | None"

    @property
    def has_bot(self) -> bool:
        """Whether a bot plays the principal's seat."""
        game, seat = self.game, self.seat
        return seat is not None and bool(game.seats) and game.has_bot(Seat(seat))

    @property
    def stopped_at(self) -> datetime | None:
        """Since when the clock of the open decision stands still; None where it goes.

        Not before it was put: in a pause it has all its time ahead.
        """
        if self.paused_at is None or self.opened_at is None:
            return self.paused_at
        return max(self.paused_at, self.opened_at)


class GivenAnswer(msgspec.Struct, frozen=True):
    """An answer given before, as its row keeps it.

    `reopened` is the decision that was put again because this one was taken back.
    """

    source: str
    answer: bytes
    receipt: bytes
    reopened: int | None


def _lock_statement(kind: type) -> str:
    seat = "NULL::int" if kind is System else "s.number"
    # FOR UPDATE would wait for every mail of the game that is being written: its rows
    # refer to the game's. The earlier answer is read here, so that a retry costs what
    # an answer costs, and finds its receipt even when the decision is long over.
    # The time is read above the lock: beside it, it would be that before the wait.
    return f"""SELECT held.*, kingup_now() AS now FROM (
        SELECT {_COLUMNS}, {seat} AS seat, d.seed, a.source, a.answer, a.receipt,
            a.reopened, g.successions, chairs.people, chairs.known
        FROM game g JOIN game_seed d ON d.game_id = g.id {PROOF[kind]}
        CROSS JOIN LATERAL (SELECT array_agg(p.person_id ORDER BY p.number) AS people,
            coalesce(max(p.successions), 0) AS known
            FROM seat p WHERE p.game_id = g.id) chairs
        LEFT JOIN answer a ON a.game_id = g.id AND a.decision = %(decision)s
            AND a.seat = {seat}
        WHERE g.id = %(game)s FOR NO KEY UPDATE OF g) held"""


_LOCK = {kind: _lock_statement(kind) for kind in PROOF}


def proof(principal: Principal) -> dict[str, object]:
    """What a statement is to be told of who asks."""
    match principal:
        case Bearer(token_hash=proof, scope=scope):
            return {"proof": proof, "scope": scope}
        case (
            LinkHolder(token_hash=proof)
            | ProposalHolder(token_hash=proof)
            | UnsubscribeHolder(token_hash=proof)
            | DeviceHolder(token_hash=proof)
        ):
            return {"proof": proof}
        case ReplyHolder(token_hash=proof, decision=decision):
            return {"proof": proof, "decision": decision}
        case Bot(seat=seat):
            return {"seat": seat}
        case System():
            return {}


def lock(game_id: UUID, principal: Principal, decision: int | None) -> Locked | None:
    """Hold a game's row, if the principal sits at its table; None if not.

    The first statement of a writing transaction. Whoever doesn't belong locks nothing.
    Raises UnreadableLog for a log this process can't read.
    """
    asked = {**proof(principal), "game": game_id, "decision": decision}
    row = sql.row(_LOCK[type(principal)], **asked)
    # Only the locked row is read anew after a wait. If a seat has gone to somebody else
    # meanwhile, whose it is and who has proved it was read before.
    if row is not None and row.successions != row.known:
        row = sql.row(_LOCK[type(principal)], **asked)
    if row is None:
        return None
    given = (
        None
        if row.source is None
        else GivenAnswer(row.source, row.answer, row.receipt, row.reopened)
    )
    return Locked(
        now=row.now,
        game=state(row),
        status=GameStatus(row.status),
        practice=row.practice,
        host_id=row.host_id,
        position=row.position,
        record=row.record,
        head=row.head,
        table_head=row.table_head,
        seed=row.seed,
        opened_at=row.opened_at,
        deadline=row.deadline,
        paused_at=row.paused_at,
        answered_deadline=row.answered_deadline,
        seat=row.seat,
        people=tuple(row.people or ()),
        answer=given,
    )


def state(row: Any) -> Game:
    """The state from a row's snapshot, or from the log where that is an old one.

    Raises UnreadableLog for one this process can't read.
    """
    game_id = str(row.id)
    if row.snapshot_format == FORMAT:
        return thaw(game_id, row.snapshot)
    # While an upgrade runs, older processes serve beside newer ones: what one of these
    # wrote is left to it. A replay here would write back less than there was.
    if row.snapshot_format > FORMAT:
        raise UnreadableLog(game_id, f"snapshot format {row.snapshot_format}")
    return event_log.replayed(row.id)


class GameReadModel(msgspec.Struct, frozen=True):
    """A game as it is read, and which seat the reader proved to be theirs, if any.

    `beside` is theirs too, but a bot keeps it. `proved` tells whether the proof the
    reader brought is good at all. `absences` are there for a reader who plays alone,
    the latest `proposal` of all also for one whose seat a bot keeps.
    """

    id: UUID
    game: Game
    status: GameStatus
    edition: str
    options: dict[str, object]
    practice: bool
    visibility: Visibility
    record: int
    head: bytes
    opened_at: datetime | None
    deadline: datetime | None
    laid: tuple[int, ...] | None
    paused_at: datetime | None
    seats: tuple[SeatRow, ...]
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    proved: bool
    seat: int | None
    beside: int | None = None
    absences: tuple[SeatAbsence, ...] = ()
    proposal: Proposal | None = None


_SITS = f"""LEFT JOIN seat s ON s.game_id = g.id AND {seats.PERSON_BELONGS} AND"""

_READER: Mapping[type, str] = {
    Bearer: f"""LEFT JOIN LATERAL (SELECT true AS proved, {seats.SEAT_AND_BESIDE}
        FROM token t {_SITS} s.person_id = t.person_id
        WHERE {good_tokens.PROVES}) r ON true""",
    DeviceHolder: f"""LEFT JOIN LATERAL (SELECT true AS proved, {seats.SEAT_AND_BESIDE}
        FROM device t {_SITS} s.number = t.seat AND s.person_id = t.person_id
        WHERE t.token_hash = %(proof)s AND t.game_id = g.id
        AND {devices.LIVE}) r ON true""",
    System: """CROSS JOIN (SELECT true AS proved, NULL::int AS seat,
        NULL::int AS beside) r""",
}

SHOWN = f"""g.id, g.status, g.practice, g.visibility, g.record, g.head,
    g.snapshot, g.snapshot_format, g.opened_at, g.deadline, g.laid, g.paused_at,
    g.edition, g.options::text, g.created_at, g.started_at, g.ended_at,
    g.newest_message, {seats.ROWS}::text AS seats, {absences.ROWS}::text AS absences,
    {proposals.ROW}::text AS proposal"""
"""The columns of a game `g` that GameRow takes first, in its order."""

_READ = {
    kind: f"""SELECT {SHOWN}, r.proved, r.seat,
            (SELECT max(a.decision) FROM answer a
             WHERE a.game_id = g.id AND a.seat = r.seat) AS answered, r.beside
        FROM game g {reader} WHERE g.id = %(game)s"""
    for kind, reader in _READER.items()
}


def head_of(record: int, head: bytes) -> str:
    """Number and hash of a record event, as they are told."""
    return f"{record}:{head.hex()}"


class GameRow(msgspec.Struct, frozen=True):
    """A game's row as it is read, before anything is made of it: JSON is text.

    `answered` is the latest decision that the reader's own seat has answered.
    `newest_message`, the number of what was said last, `absences` and the latest
    `proposal` are for seats alone.
    """

    id: UUID
    status: str
    practice: bool
    visibility: str
    record: int
    head: bytes
    snapshot: bytes
    snapshot_format: int
    opened_at: datetime | None
    deadline: datetime | None
    laid: list[int] | None
    paused_at: datetime | None
    edition: str
    options: str
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    newest_message: int
    seats: str | None
    absences: str | None
    proposal: str | None
    proved: bool | None
    seat: int | None
    answered: int | None
    beside: int | None = None

    @property
    def own_table_absences(self) -> str | None:
        """Who of the table is away, for a reader who plays there."""
        return None if self.seat is None else self.absences

    @property
    def own_table_proposal(self) -> str | None:
        """What the table was asked last, for a reader whose seat is there."""
        belongs = self.seat is not None or self.beside is not None
        return self.proposal if belongs else None

    def game(self) -> Game:
        """The state alone. Raises UnreadableLog."""
        return state(self)

    def read_model(self, game: Game | None = None) -> GameReadModel:
        """The game as its reader may see it, out of this row and `game`, its state.

        Without one the state is read, too. Raises UnreadableLog for one this process
        can't read.
        """
        known = self.game() if game is None else game
        away = absences.read(self.own_table_absences)
        return GameReadModel(
            id=self.id,
            game=known,
            status=GameStatus(self.status),
            edition=self.edition,
            options=msgspec.json.decode(self.options),
            practice=self.practice,
            visibility=Visibility(self.visibility),
            record=self.record,
            head=self.head,
            opened_at=self.opened_at,
            deadline=self.deadline,
            laid=None if self.laid is None else tuple(self.laid),
            paused_at=self.paused_at,
            seats=seats.read(self.seats or "[]"),
            absences=tuple(a for a in away if known.leads_to_a_deal(Seat(a.seat))),
            proposal=proposals.read(self.own_table_proposal),
            created_at=self.created_at,
            started_at=self.started_at,
            ended_at=self.ended_at,
            proved=bool(self.proved),
            seat=self.seat,
            beside=self.beside,
        )


def find(game_id: UUID, reader: Bearer | DeviceHolder | System) -> GameRow | None:
    """What `read` makes a game of: enough to tell whether anything has changed."""
    # By their order: names for so many columns would cost more.
    return sql.struct(GameRow, _READ[type(reader)], **proof(reader), game=game_id)


def read(game_id: UUID, reader: Bearer | DeviceHolder | System) -> GameReadModel | None:
    """A game for showing, with what the reader proved; None when there is none.

    Locks nothing; a spectator reads as System. Raises UnreadableLog.
    """
    found = find(game_id, reader)
    return None if found is None else found.read_model()
