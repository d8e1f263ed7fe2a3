"""Tables before the start: games without a log, their seats and invitations."""

from uuid import UUID

import msgspec
from sqlalchemy import text

from engine import fairness
from engine.state import FORMAT, Game, freeze
from service.models import db
from service.store import publisher, quotas
from service.store.expiry import RESTART
from service.store.quotas import Recent
from service.values import entropy
from service.values.enums import GameStatus, SeatState, Visibility

_ADD_GAME = text(
    """WITH seeded AS (INSERT INTO game (id, host_id, status, edition, options,
        visibility, practice, position, record, head, snapshot, snapshot_format)
        VALUES (:id, :host, :status, :edition, CAST(:options AS jsonb), :visibility,
        :practice, 0, 0, :head, :snapshot, :format)
        ON CONFLICT (id) DO NOTHING RETURNING id)
    INSERT INTO game_seed (game_id, seed) SELECT id, :seed FROM seeded
    RETURNING game_id"""
)
# Whatever changes at a table that fills up lets it wait anew. Whoever leaves a seat
# leaves no browser behind that would be remembered for it.
_ADD_SEAT = text(
    f"""WITH kept AS (UPDATE game SET {RESTART}
        WHERE id = :game AND status = 'inviting'),
    gone AS (DELETE FROM device WHERE game_id = :game AND seat = :number
        AND (person_id IS DISTINCT FROM CAST(:person AS uuid) OR :state <> 'joined'))
    INSERT INTO seat (game_id, number, person_id, bot, name, state, word, asked)
    VALUES (:game, :number, :person, :bot, :name, :state, :word, :asked)
    ON CONFLICT (game_id, number) DO UPDATE SET person_id = excluded.person_id,
        bot = excluded.bot, name = excluded.name, state = excluded.state,
        word = excluded.word, asked = excluded.asked"""
)
_SEATS = text(
    """SELECT number, person_id, bot, name, state, word, asked FROM seat
    WHERE game_id = :game ORDER BY number"""
)
_CHOICES = text(
    "SELECT host_id, status, edition, options, visibility FROM game WHERE id = :game"
)
_STATUS = text(f"UPDATE game SET status = :status, {RESTART} WHERE id = :game")
_TERMS = text(
    f"""UPDATE game SET options = CAST(:options AS jsonb), visibility = :visibility,
        {RESTART} WHERE id = :game"""
)
_IS_THERE = text("SELECT EXISTS (SELECT FROM game WHERE id = :game)")
_MARK_REMATCH = text("UPDATE game SET rematch_id = :rematch WHERE id = :game")
_REMATCH_OF = text(
    """SELECT r.id FROM game g JOIN game r ON r.id = g.rematch_id
    WHERE g.id = :game AND (r.status <> 'over' OR r.started_at IS NOT NULL)"""
)
_HOLD_CAPS = text("SELECT pg_advisory_xact_lock(5464872)")
_OPEN_OF_HOST = text(
    "SELECT count(*) FROM invitation WHERE host_id = :host AND state = 'open'"
)
_OF_HOST = text(
    f"""SELECT {quotas.RECENT} FROM invitation WHERE host_id = :host
    AND created_at > kingup_now() - interval '1 day'"""
)


class GameThere(Exception):
    """There is a game with this id already."""


class NewGame(msgspec.Struct, frozen=True):
    """A game before its first event. `options` are those of the engine, as JSON.

    `host_id` is None for a game that comes from another instance.
    """

    host_id: UUID | None
    status: GameStatus
    edition: str
    options: bytes
    visibility: Visibility
    practice: bool


class SeatRecord(msgspec.Struct, frozen=True):
    """A seat with all that is kept of it.

    `asked` is a digest of the address that the host typed for it.
    """

    number: int
    person_id: UUID | None
    bot: str | None
    name: str
    state: SeatState
    word: bytes = b""
    asked: bytes | None = None


class TableOptions(msgspec.Struct, frozen=True):
    """What the host of a table has chosen."""

    host_id: UUID
    status: GameStatus
    edition: str
    options: dict[str, object]
    visibility: Visibility


def add_game(
    new: NewGame, wanted: UUID | None = None, seed: bytes | None = None
) -> UUID:
    """A new game with its seed, and no event yet; its id, `wanted` or a random one.

    The seed is a random one too, but for a game whose seed is open already.

    Raises GameThere, also when somebody else adds the wanted one at the same time.
    """
    game_id = wanted or entropy.identifier()
    values = msgspec.structs.asdict(new)
    added = db.session.execute(
        _ADD_GAME,
        {
            **values,
            "id": game_id,
            "host": values.pop("host_id"),
            "options": new.options.decode(),
            "head": fairness.chain_start(str(game_id)),
            "snapshot": freeze(Game(id=str(game_id))),
            "format": FORMAT,
            "seed": seed or entropy.seed(),
        },
    )
    if added.one_or_none() is None:
        raise GameThere(game_id)
    return game_id


def check_new(wanted: UUID | None) -> None:
    """Raise GameThere for the id of a game that is there already."""
    if (
        wanted is not None
        and db.session.execute(_IS_THERE, {"game": wanted}).scalar_one()
    ):
        raise GameThere(wanted)


def put_seat(game_id: UUID, chair: SeatRecord) -> None:
    """Fill a seat, or fill it anew."""
    values = msgspec.structs.asdict(chair)
    person = values.pop("person_id")
    db.session.execute(_ADD_SEAT, values | {"game": game_id, "person": person})
    publisher.publish(game_id)


def chairs(game_id: UUID) -> tuple[SeatRecord, ...]:
    """The seats of a game, in order."""
    rows = db.session.execute(_SEATS, {"game": game_id}).all()
    return tuple(
        SeatRecord(
            row.number,
            row.person_id,
            row.bot,
            row.name,
            SeatState(row.state),
            row.word,
            row.asked,
        )
        for row in rows
    )


def choices(game_id: UUID) -> TableOptions:
    """What the host has chosen."""
    row = db.session.execute(_CHOICES, {"game": game_id}).one()
    return TableOptions(
        row.host_id,
        GameStatus(row.status),
        row.edition,
        row.options,
        Visibility(row.visibility),
    )


def set_status(game_id: UUID, status: GameStatus) -> None:
    """Bring a table a step further: draft, inviting."""
    db.session.execute(_STATUS, {"game": game_id, "status": status})
    publisher.publish(game_id)


def set_terms(game_id: UUID, options: bytes, visibility: Visibility) -> None:
    """Keep what the host chose anew; `options` are those of the engine, as JSON."""
    values = {"options": options.decode(), "visibility": visibility}
    db.session.execute(_TERMS, values | {"game": game_id})
    publisher.publish(game_id)


def mark_rematch(game_id: UUID, rematch_id: UUID) -> None:
    """Keep at which table a game's players meet again."""
    db.session.execute(_MARK_REMATCH, {"game": game_id, "rematch": rematch_id})


def rematch_of(game_id: UUID) -> UUID | None:
    """The rematch of a game, if one was asked for and not called off."""
    found: UUID | None = db.session.execute(
        _REMATCH_OF, {"game": game_id}
    ).scalar_one_or_none()
    return found


def hold_caps() -> None:
    """Count and invite alone until the transaction ends: caps hold for all tables.

    Only for whoever has proved a mailbox: strangers count in buckets of their own
    (`quotas.hold`), so that no verified host ever waits for them.

    Whoever holds several things holds them in this order, so that no two ever wait for
    each other: the key of a repeated request, the caps or buckets, games by their ids,
    mails with their notices and codes, people, tokens. A row that this transaction adds
    itself may come at any time. People come by their ids, or by their addresses' keys
    where they may be new: those of the latter are held against erasure alone, and who
    is erased waits for nobody.
    """
    db.session.execute(_HOLD_CAPS)


def open_invitations(host_id: UUID) -> int:
    """How many invitations of a host wait for an answer."""
    count: int = db.session.execute(_OPEN_OF_HOST, {"host": host_id}).scalar_one()
    return count


def invitations_of_host(host_id: UUID) -> Recent:
    """The invitations that a host sent in the last 24 hours."""
    return Recent(*db.session.execute(_OF_HOST, {"host": host_id}).one())
