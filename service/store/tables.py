"""Tables before the start: games without a log, their seats and invitations."""

from uuid import UUID

import msgspec

from engine import fairness
from engine.state import FORMAT, Game, freeze
from service.store import publisher, quotas, sql
from service.store.expiry import RESTART
from service.store.quotas import Recent
from service.values import entropy
from service.values.enums import GameStatus, SeatState, Visibility
from service.values.errors import NotFound

_ADD_GAME = """WITH seeded AS (INSERT INTO game (id, host_id, status, edition, options,
        visibility, practice, position, record, head, snapshot, snapshot_format)
        VALUES (%(id)s, %(host)s, %(status)s, %(edition)s, CAST(%(options)s AS jsonb),
            %(visibility)s, %(practice)s, 0, 0, %(head)s, %(snapshot)s, %(format)s)
        ON CONFLICT (id) DO NOTHING RETURNING id)
    INSERT INTO game_seed (game_id, seed) SELECT id, %(seed)s FROM seeded
    RETURNING game_id"""
# Whatever changes at a table that fills up lets it wait anew. Whoever leaves a seat
# leaves no browser behind that would be remembered for it.
_ADD_SEAT = f"""WITH kept AS (UPDATE game SET {RESTART}
        WHERE id = %(game)s AND status = 'inviting'),
    gone AS (DELETE FROM device WHERE game_id = %(game)s AND seat = %(number)s
        AND (person_id IS DISTINCT FROM CAST(%(person)s AS uuid)
            OR %(state)s <> 'joined'))
    INSERT INTO seat (game_id, number, person_id, bot, name, state, word, asked,
        typed)
    VALUES (%(game)s, %(number)s, %(person)s, %(bot)s, %(name)s, %(state)s,
        %(word)s, %(asked)s, %(typed)s)
    ON CONFLICT (game_id, number) DO UPDATE SET person_id = excluded.person_id,
        bot = excluded.bot, name = excluded.name, state = excluded.state,
        word = excluded.word, asked = excluded.asked, typed = excluded.typed"""
_FORGET_TYPED = """UPDATE seat SET typed = NULL
    WHERE game_id = %(game)s AND typed IS NOT NULL"""
_SEATS = """SELECT number, person_id, bot, name, state, word, asked, typed FROM seat
    WHERE game_id = %(game)s ORDER BY number"""
_CHOICES = """SELECT host_id, status, edition, options, visibility FROM game
    WHERE id = %(game)s"""
_GUESTS = """SELECT p.address_key FROM seat s JOIN person p ON p.id = s.person_id
    WHERE s.game_id = %(game)s AND p.id <> %(host)s AND p.address_key IS NOT NULL"""
_STATUS = f"UPDATE game SET status = %(status)s, {RESTART} WHERE id = %(game)s"
_TERMS = f"""UPDATE game SET options = CAST(%(options)s AS jsonb),
        visibility = %(visibility)s, {RESTART} WHERE id = %(game)s"""
_IS_THERE = "SELECT EXISTS (SELECT FROM game WHERE id = %(game)s)"
_MARK_REMATCH = "UPDATE game SET rematch_id = %(rematch)s WHERE id = %(game)s"
_REMATCH_OF = """SELECT r.id FROM game g JOIN game r ON r.id = g.rematch_id
    WHERE g.id = %(game)s AND (r.status <> 'over' OR r.started_at IS NOT NULL)"""
_OPEN_OF_HOST = """SELECT count(*) FROM invitation
    WHERE host_id = %(host)s AND state = 'open'"""
_OF_HOST = f"""SELECT {quotas.RECENT} FROM invitation WHERE host_id = %(host)s
    AND created_at > kingup_now() - interval '1 day'"""


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

    `asked` is a digest of the address that the host typed for it. `typed` is that
    address, sealed: for the host's eyes alone.
    """

    number: int
    person_id: UUID | None
    bot: str | None
    name: str
    state: SeatState
    word: bytes = b""
    asked: bytes | None = None
    typed: bytes | None = None


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
    values["host"] = values.pop("host_id")
    values["options"] = new.options.decode()
    added = sql.value(
        _ADD_GAME,
        **values,
        id=game_id,
        head=fairness.chain_start(str(game_id)),
        snapshot=freeze(Game(id=str(game_id))),
        format=FORMAT,
        seed=seed or entropy.seed(),
    )
    if added is None:
        raise GameThere(game_id)
    return game_id


def check_new(wanted: UUID | None) -> None:
    """Raise GameThere for the id of a game that is there already."""
    if wanted is not None and sql.value(_IS_THERE, game=wanted):
        raise GameThere(wanted)


def put_seat(game_id: UUID, chair: SeatRecord) -> None:
    """Fill a seat, or fill it anew."""
    values = msgspec.structs.asdict(chair)
    values["person"] = values.pop("person_id")
    sql.execute(_ADD_SEAT, game=game_id, **values)
    publisher.publish(game_id)


def forget_typed(game_id: UUID) -> None:
    """Keep no address that a table's host has typed: nobody mends one any more."""
    sql.execute(_FORGET_TYPED, game=game_id)


def chairs(game_id: UUID) -> tuple[SeatRecord, ...]:
    """The seats of a game, in order."""
    found = sql.structs(SeatRecord, _SEATS, game=game_id)
    return tuple(
        msgspec.structs.replace(each, state=SeatState(each.state)) for each in found
    )


def choices(game_id: UUID) -> TableOptions:
    """What the host has chosen. Raises NotFound."""
    row = sql.row(_CHOICES, game=game_id)
    if row is None:
        raise NotFound(what="game")
    return TableOptions(
        row.host_id,
        GameStatus(row.status),
        row.edition,
        row.options,
        Visibility(row.visibility),
    )


def guests(game_id: UUID, host_id: UUID) -> list[str]:
    """The keys of the addresses of all others who are named for a table's seats."""
    return sql.values(_GUESTS, game=game_id, host=host_id)


def set_status(game_id: UUID, status: GameStatus) -> None:
    """Bring a table a step further: draft, inviting."""
    sql.execute(_STATUS, game=game_id, status=status)
    publisher.publish(game_id)


def set_terms(game_id: UUID, options: bytes, visibility: Visibility) -> None:
    """Keep what the host chose anew; `options` are those of the engine, as JSON."""
    text = options.decode()
    sql.execute(_TERMS, game=game_id, options=text, visibility=visibility)
    publisher.publish(game_id)


def mark_rematch(game_id: UUID, rematch_id: UUID) -> None:
    """Keep at which table a game's players meet again."""
    sql.execute(_MARK_REMATCH, game=game_id, rematch=rematch_id)


def rematch_of(game_id: UUID) -> UUID | None:
    """The rematch of a game, if one was asked for and not called off."""
    found: UUID | None = sql.value(_REMATCH_OF, game=game_id)
    return found


def open_invitations(host_id: UUID) -> int:
    """How many invitations of a host wait for an answer."""
    count: int = sql.value(_OPEN_OF_HOST, host=host_id)
    return count


def invitations_of_host(host_id: UUID) -> Recent:
    """The invitations that a host sent in the last 24 hours."""
    (found,) = sql.structs(Recent, _OF_HOST, host=host_id)
    return found
