"""The yardstick: bare Flask and psycopg doing one comparable transaction.

It checks a token and locks the game's row in one SELECT, writes an event, an answer,
two due rows, a notice and the game's row in one statement, and commits; no rules, no
schemas, no ORM. The tables are our own, in the same database.
"""

import hashlib
import os
import threading
from uuid import UUID, uuid4

import psycopg
from flask import Flask, request
from flask.typing import ResponseReturnValue

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

_local = threading.local()


def _connection() -> psycopg.Connection:
    if not hasattr(_local, "connection"):
        _local.connection = psycopg.connect(os.environ["BARE_DATABASE_URL"])
    connection: psycopg.Connection = _local.connection
    return connection


def create_app() -> Flask:
    """The bare app."""
    app = Flask("bare")

    @app.put("/v1/games/<game>/decisions/<int:number>/answer")
    def answer(game: str, number: int) -> ResponseReturnValue:
        given = request.get_json()
        token = request.headers["Authorization"].removeprefix("Bearer ")
        proof = hashlib.sha256(token.encode()).digest()
        connection = _connection()
        with connection.transaction():
            cursor = connection.execute(_LOCK, {"proof": proof, "game": UUID(game)})
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

    return app
