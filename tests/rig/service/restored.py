"""Recorded games as rows of the database, as the release left them that played them."""

from collections.abc import Iterator, Mapping
from uuid import UUID, uuid4

import msgspec

from engine import fairness
from engine.events import Stored
from engine.state import FORMAT, Game, Phase
from service.values.enums import DueKind
from tests.rig.engine.recordings import Recording, Restored, restored
from tests.rig.service.seated import Seated, run

_STATUS = {Phase.TABLE: "inviting", Phase.OVER: "over"}


def install(recording: Recording) -> Seated:
    """The game of a recording, its people seated, its snapshot one of an older format.

    The deadline of the open decision is a day from now.
    """
    table = restored(recording)
    game, game_id = table.game, UUID(table.game.id)
    people = {
        seat: _person()
        for seat, chair in enumerate(game.seats)
        if chair.kind == "person" or seat == 0
    }
    _game(table, game_id, people[0])
    for seat, chair in enumerate(game.seats):
        _seat(game_id, seat, people.get(seat), None if seat in people else chair.bot)
    for event in _events(game_id, recording):
        run(_EVENT, event)
    _due(game_id, game)
    return Seated(game_id)


def _person() -> UUID:
    person = uuid4()
    run(
        "INSERT INTO person (id, address, address_key, name, verified_at)"
        " VALUES (:p, :a, :a, 'Rachel', kingup_now())",
        {"p": person, "a": f"{person}@example.org"},
    )
    return person


def _game(table: Restored, game_id: UUID, host: UUID) -> None:
    game = table.game
    run(
        "INSERT INTO game (id, host_id, status, edition, options, visibility, practice,"
        " position, record, head, table_head, snapshot, snapshot_format, deadline,"
        " started_at)"
        " VALUES (:g, :h, :s, :e, CAST(:o AS jsonb), 'link', false,"
        " :p, :r, :head, :closed, '', :f, kingup_now() + interval '1 day',"
        " CASE WHEN :started THEN kingup_now() END)",
        {
            "g": game_id,
            "h": host,
            "s": _STATUS.get(game.phase, "running"),
            "e": game.edition,
            "o": msgspec.json.encode(game.options).decode(),
            "p": len(table.rows),
            "r": len(table.heads) - 1,
            "head": table.heads[-1],
            "closed": table.heads[2],
            "f": FORMAT - 1,
            "started": bool(game.deck),
        },
    )
    run("INSERT INTO game_seed VALUES (:g, :s)", {"g": game_id, "s": table.seed})


def _seat(game_id: UUID, seat: int, person: UUID | None, bot: str | None) -> None:
    run(
        "INSERT INTO seat (game_id, number, person_id, bot, name, state, word)"
        " VALUES (:g, :n, :p, :b, :name, 'joined', '')",
        {"g": game_id, "n": seat, "p": person, "b": bot, "name": f"Guest {seat}"},
    )


_EVENT = (
    "INSERT INTO event (game_id, position, record, type, version, decision,"
    " public, secret, link) VALUES (:g, :p, :r, :t, :v, :d, :public, :secret, :l)"
)


def _events(game_id: UUID, recording: Recording) -> Iterator[Mapping[str, object]]:
    number, head = 0, fairness.chain_start(str(game_id))
    for position, row in enumerate(recording.rows, start=1):
        is_public = row.public is not None
        if row.public is not None:
            number += 1
            head = fairness.chain(head, number, row.public)
        yield {
            "g": game_id,
            "p": position,
            "r": number if is_public else None,
            "t": row.type,
            "v": row.version,
            "d": _decision(row) if row.type == "election_resolved" else None,
            "public": row.public,
            "secret": row.secret,
            "l": head if is_public else None,
        }


def _decision(row: Stored) -> int:
    plain: dict[str, int] = msgspec.json.decode(row.public or b"")
    return plain["decision"]


def _due(game_id: UUID, game: Game) -> None:
    if game.decision is None:
        return
    kind = DueKind.RESOLVE if game.election_complete else DueKind.DEADLINE
    run(
        "INSERT INTO due (game_id, decision, kind, seat, due_at, claim_at) SELECT :g,"
        " :d, :k, -1, moment, moment FROM (SELECT kingup_now() + interval '1 day'"
        " AS moment) AS tomorrow",
        {"g": game_id, "d": game.decision.number, "k": kind.value},
    )
