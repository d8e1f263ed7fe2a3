"""The yardsticks: bare Flask and psycopg doing what is comparable, and no more.

For an answer one transaction: it checks a token and locks the game's row in one SELECT,
writes an event, an answer, two due rows, a notice and the game's row in one statement,
and commits. For a view one query, without a transaction around it: a token, the game's
row and its seats; and a JSON object of a view's size. No rules, no schemas, no ORM, no
words. The tables are our own, in the same database.
"""

import hashlib
import os
import threading
from functools import partial
from uuid import UUID, uuid4

import psycopg
from flask import Flask, request
from flask.typing import ResponseReturnValue

from service.models.base import db
from service.store import connections

_LOCK = """SELECT g.position, g.record, g.head, g.snapshot, d.seed, s.number,
    s.person_id
    FROM game g JOIN game_seed d ON d.game_id = g.id
    JOIN token t ON t.token_hash = %(proof)s AND t.revoked_at IS NULL
        AND 'games:play' = ANY(t.scopes)
    JOIN seat s ON s.game_id = g.id AND s.person_id = t.person_id
    WHERE g.id = %(game)s FOR UPDATE OF g"""

_WRITE = """WITH written AS (
        INSERT INTO event (game_id, position, record, type, version, public, link)
        VALUES (%(game)s, %(position)s, %(record)s, 'moved', 1, %(public)s, %(link)s)
    ), answered AS (
        INSERT INTO answer (game_id, decision, seat, source, answer, receipt)
        VALUES (%(game)s, %(position)s, %(seat)s, 'person', %(public)s, %(public)s)
    ), done AS (
        DELETE FROM due WHERE game_id = %(game)s AND decision < %(position)s
    ), waiting AS (
        INSERT INTO due (game_id, decision, kind, seat, due_at, claim_at) VALUES
        (%(game)s, %(position)s, 'deadline', -1, clock_timestamp() + interval '1 day',
            clock_timestamp() + interval '1 day'),
        (%(game)s, %(position)s, 'reminder', -1, clock_timestamp() + interval '12 h',
            clock_timestamp() + interval '12 h')
    ), told AS (
        INSERT INTO notice (game_id, key, person_id, seat, kind, decision, cause)
        VALUES (%(game)s, %(key)s, %(person)s, 0, 'your_turn', %(position)s, 1)
    )
    UPDATE game SET position = %(position)s, record = %(record)s, head = %(link)s,
        snapshot = %(snapshot)s, deadline = clock_timestamp() + interval '1 day'
    WHERE id = %(game)s"""

_READ = """SELECT g.id, g.status, g.record, g.head, g.deadline, g.laid, g.options,
        g.snapshot, (SELECT json_agg(json_build_array(p.number, p.name, p.bot, p.state)
            ORDER BY p.number) FROM seat p WHERE p.game_id = g.id) AS seats, r.seat
    FROM game g LEFT JOIN LATERAL (SELECT (SELECT s.number FROM seat s
            WHERE s.game_id = g.id AND s.person_id = t.person_id) AS seat
        FROM token t WHERE t.token_hash = %(proof)s AND t.revoked_at IS NULL
        AND 'games:read' = ANY(t.scopes)) r ON true
    WHERE g.id = %(game)s"""

_PLACES = [
    {
        "key": str(number),
        "name": "Dignitaries",
        "kind": "floor",
        "value": number,
        "capacity": 4,
        "beside": None,
        "characters": ["A", "B", "C"],
    }
    for number in range(8)
]
_OFFERS = [
    {
        "answer": {"kind": "move", "character": letter},
        "label": "Alighiero up to the Dignitaries",
        "nominates": False,
    }
    for letter in "ABCDEF"
]

_local = threading.local()


def _connection() -> psycopg.Connection:
    if not hasattr(_local, "connection"):
        # Whoever writes opens a transaction; reading needs none.
        url = os.environ["BARE_DATABASE_URL"]
        _local.connection = psycopg.connect(url, autocommit=True)
    connection: psycopg.Connection = _local.connection
    return connection


def create_app() -> Flask:
    """The bare app."""
    app = Flask("bare")
    # The server that it shares with us looks up whose tokens it sees.
    app.config["SQLALCHEMY_DATABASE_URI"] = "postgresql+psycopg://"
    app.config["SQLALCHEMY_ENGINE_OPTIONS"] = {
        "creator": partial(connections.connect, os.environ["BARE_DATABASE_URL"])
    }
    db.init_app(app)
    app.put("/v1/games/<game>/decisions/<int:number>/answer")(_answer)
    app.get("/v1/games/<game>/view")(_view)
    return app


def _answer(game: str, number: int) -> ResponseReturnValue:
    given = request.get_json()
    connection = _connection()
    with connection.transaction():
        cursor = connection.execute(_LOCK, {"proof": _proof(), "game": UUID(game)})
        row = cursor.fetchone()
        if row is None:
            return {"code": "unauthorized"}, 401
        position, record, head, snapshot, _, seat, person = row
        public = request.get_data()
        values = {
            "game": UUID(game),
            "position": position + 1,
            "record": record + 1,
            "public": public,
            "link": hashlib.sha256(head + public).digest(),
            "seat": seat,
            "key": f"{game}/{position}/{number}/{uuid4()}",
            "person": person,
            "snapshot": snapshot,
        }
        connection.execute(_WRITE, values)
    return {"decision": number, "answer": given, "record": record + 1}


def _view(game: str) -> ResponseReturnValue:
    cursor = _connection().execute(_READ, {"proof": _proof(), "game": UUID(game)})
    row = cursor.fetchone()
    if row is None:
        return {"code": "not-found"}, 404
    _, status, record, head, deadline, laid, options, _, seats, seat = row
    return {
        "game": game,
        "status": status,
        "record": record,
        "head": f"{record}:{head.hex()}",
        "deadline": None if deadline is None else deadline.isoformat(),
        "laid": laid,
        "options": options,
        "seats": seats,
        "seat": seat,
        "places": _PLACES,
        "decision": {"number": record, "offers": _OFFERS},
        "legal": _OFFERS,
    }


def _proof() -> bytes:
    """What is kept of the token that a request brings."""
    token = request.headers["Authorization"].removeprefix("Bearer ")
    return hashlib.sha256(token.encode()).digest()
