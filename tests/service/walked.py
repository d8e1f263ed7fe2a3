"""What an instance does from day to day: one of everything, against a full database."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
import pytest
from flask import Flask

from service import entropy, handlers, health
from service.kinds import NoticeKind
from service.people import accounts, auth, remembering
from service.principals import LinkHolder, System
from service.store import (
    calls,
    devices,
    games,
    invitations,
    kept,
    links,
    log,
    mails,
    people,
    signs,
    tables,
    tokens,
)
from service.store.log import NoticeRow
from service.store.transactions import transaction
from service.tables import expiring, hosting, rematching, seating
from service.tables.hosting import OpenSeat, TableWish
from tests.rig import crowded, statements
from tests.rig.statements import Explained
from tests.service import programs, seated
from tests.service.hosts import SIMON
from tests.service.postbox import RITA, Postbox
from tests.service.programs import Api, Table
from tests.service.seated import run
from tests.service.visitor import Visitor, link
from worker import deadlines, heartbeat, notices, tidying

OLD = {
    "kept_answer": "created_at = created_at - interval '8 days'",
    "known_network": "used_at = used_at - interval '181 days'",
    "quota": "hour = hour - interval '2 days'",
    "mailed_code": "created_at = created_at - interval '2 days'",
    "token": "revoked_at = created_at - interval '31 days'",
    "device": "last_used_at = last_used_at - interval '181 days'",
    "link": "purpose = 'remember', created_at = created_at - interval '182 days'",
}
"""How one row of each kind grows so old that it is erased."""


MOST_ROWS = 200
"""More rows than any step has to look at in the walk."""

MANY_ROWS = 250
"""A table that has more is never to be read as a whole."""

BOUNDED = {
    "quotas._USED": "a budget's day: at most KINGUP_INVITATIONS_A_DAY",
}
"""What reads more on purpose, and what limits that."""

ELSEWHERE = {
    "SELECT kingup_now()": "service/clock.py",
    "SELECT version_num FROM alembic_version": "service/health.py",
}
"""What is said outside of the store."""

UNWALKED = frozenset({"erasure._CODES", "erasure._MAILS", "erasure._RENDERED"})
"""Parts of statements."""


class Verdict(NamedTuple):
    """What is wrong: statements that read too much, unknown ones, those never said."""

    greedy: tuple[str, ...]
    unknown: tuple[str, ...]
    unsaid: tuple[str, ...]


@contextmanager
def filled(app: Flask, database: str, running: int, others: int) -> Iterator[None]:
    """So many games run, beside `others` that are listed and over; and none after."""
    plain = database.replace("+psycopg", "", 1)
    try:
        with app.app_context():
            _others()
        crowded.multiply(plain, others)
        since = crowded.moment(plain)
        with app.app_context():
            _running()
        crowded.multiply(plain, running, since)
        yield
    finally:
        crowded.empty(plain)


def verdict(
    app: Flask,
    database: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    scanning: bool,
) -> Verdict:
    """What the walk's statements read; the hungriest of them are printed."""
    wide = msgspec.structs.replace(app.config["KINGUP"], invitations_a_day=10**6)
    monkeypatch.setitem(app.config, "KINGUP", wide)
    post = Postbox(app, folder, monkeypatch)
    large = crowded.large(database.replace("+psycopg", "", 1), MANY_ROWS)
    with statements.explained(monkeypatch, scanning=scanning) as found:
        walk(post, database)
    known = statements.of_the_store()
    said = {each.statement for each in found}
    greedy = {
        f"{name}: {each.most}, {each.pages} pages"
        for each in found
        if _is_greedy(each, large)
        and (name := known.get(each.statement, each.statement)) not in BOUNDED
    }
    _show(found, known)
    return Verdict(
        tuple(sorted(greedy)),
        tuple(sorted(said - known.keys() - ELSEWHERE.keys())),
        tuple(sorted({known[each] for each in known.keys() - said} - UNWALKED)),
    )


def _is_greedy(each: Explained, large: frozenset[str]) -> bool:
    whole = any(s.kind == "Seq Scan" and s.table in large for s in each.scans)
    return whole or each.most.rows > MOST_ROWS


def _show(found: Sequence[Explained], known: Mapping[str, str]) -> None:
    hungriest = sorted(found, key=lambda each: each.most.rows, reverse=True)
    for each in hungriest[:12]:
        kind, table, rows = each.most
        name = known.get(each.statement, each.statement[:40])
        sys.stdout.write(
            f"{name}: {rows} rows by {kind} of {table}, {each.pages} pages,"
            f" {each.seconds * 1000:.1f} ms\n"
        )


def _running() -> None:
    """A game that goes on, with all that its people have caused."""
    table = seated.started(3, bots=1, first=0)
    table.answer(0, seated.own(table.game, 0).legal[0].answer)
    _mailed(table.id)


def _others() -> None:
    """A listed table, a listed game that is over, and somebody who signs in."""
    host = seated.person_on(seated.draft(3), 0)
    hosting.open_table(host, "", TableWish((SIMON, OpenSeat()), visibility="listed"))
    over = seated.started(3, visibility="listed")
    handlers.cancel(over.id, System())
    accounts.ask_to_sign_in("uwe@example.org", "192.0.2.1")
    with transaction():
        tokens.issue(host, "a program", auth.SCOPES)
        kept.claim(host.bytes, "a key", b"what was asked")
    for (game_id,) in run("SELECT id FROM game"):
        _mailed(game_id)


def _mailed(game_id: UUID) -> None:
    notices.queue(game_id)
    run(
        "UPDATE mail SET state = 'sent', settled_at = kingup_now() WHERE game_id = :g",
        {"g": game_id},
    )
    told = "UPDATE device SET told_at = kingup_now() WHERE game_id = :g"
    run(told, {"g": game_id})


def walk(post: Postbox, database: str) -> None:
    """One of everything that people, programs and the worker do."""
    token = _signs_in(post)
    _lists(post.api, token)
    _hosts(post, token)
    _plays(post)
    with post.api.app.app_context():
        _reads_by_links(post.api.app)
        _is_called(database)
        _tidies()
    assert post.api.call("DELETE", "/v1/me", token).status_code == 204


def _signs_in(post: Postbox) -> str:
    """Signs in, changes the address and looks at all that is kept."""
    api, token = post.api, post.sign_in(RITA)
    new = "rita+new@example.org"
    asked = api.call("PATCH", "/v1/me", token, json={"address": new, "name": "Rita"})
    assert asked.status_code == 200
    both = {"old_code": post.code(RITA), "new_code": post.code(new)}
    api.call("POST", "/v1/me/address/confirmation", token, json=both)
    made = api.call(
        "POST", "/v1/me/tokens", token, json={"name": "bot", "scopes": ["games:read"]}
    )
    api.call("DELETE", f"/v1/me/tokens/{made.json['id']}", token)
    for path in ("", "/tokens", "/devices", "/mails", "/turns", "/export"):
        assert api.get(f"/v1/me{path}", token).status_code == 200
    api.call("POST", "/v1/practice-games", json={})
    api.get("/readyz")
    return token


def _lists(api: Api, token: str) -> None:
    """Looks at every list of games, and behind its first page."""
    for query in (
        "",
        *(f"status={status}" for status in ("inviting", "running", "over")),
        "open=true",
        "edition=jester",
        "status=over&edition=classic",
    ):
        first = api.get(f"/v1/games?limit=5&{query}")
        assert first.status_code == 200
        if "Link" in first.headers:
            path = first.headers["Link"].partition(">")[0].removeprefix("<")
            assert api.get(path.partition("localhost")[2] or path).json["games"]
    assert api.get("/v1/games?mine=true", token).status_code == 200
    assert api.get("/v1/games", token).status_code == 200


def _hosts(post: Postbox, token: str) -> None:
    """Lays a table, changes it, and fills it."""
    api = post.api
    guest = {"kind": "person", "address": "simon@example.org", "name": "Simon"}
    wish: dict[str, Any] = {"seats": [guest, {"kind": "open"}], "visibility": "listed"}
    key = {"Idempotency-Key": "once"}
    laid, again = (
        api.call("POST", "/v1/games", token, json=wish, headers=key) for _ in range(2)
    )
    assert laid.status_code == again.status_code == 201, laid.text
    path = f"/v1/games/{laid.json['id']}"
    api.get(path, token)
    api.get(f"{path}/invitations", token)
    api.call("PATCH", path, token, json={"rounds": 2})
    api.call("PUT", f"{path}/seats/1", token, json={"kind": "bot"})
    api.call("PUT", f"{path}/seats/1", token, json=guest)
    terry = programs.operator_token(api, "terry@example.org")
    open_seats: dict[str, Any] = {"seats": [{"kind": "open"}, {"kind": "open"}]}
    open_table = api.call("POST", "/v1/games", token, json=open_seats)
    beside = f"/v1/games/{open_table.json['id']}"
    api.call("PATCH", beside, token, json={"rounds": 2})
    paul = programs.operator_token(api, "paul@example.org")
    api.call("POST", f"{beside}/seats", paul, json={})
    assert api.call("DELETE", "/v1/me", paul).status_code == 204
    came = api.call("POST", f"{path}/seats", terry, json={"word": "luck"})
    assert came.status_code == 201, came.text
    assert api.call("DELETE", f"{path}/seats/2", terry).status_code == 204
    post.tell(UUID(laid.json["id"]))
    post.letters()
    assert api.call("DELETE", path, token).status_code == 204
    with api.app.app_context():
        table = seated.draft(3, tag="+walked")
        seated.confirm(table)
        seated.decline(table, 1, seating.Choice.NEVER)
        run("UPDATE game SET expiry_at = kingup_now() WHERE id = :g", {"g": table})
        expiring.step(table)
        expiring.prolong(table)


def _plays(post: Postbox) -> None:
    """A whole game, told by mail and over the API, a turn of a bot, and a rematch."""
    table = Table(post.api, 3, rounds=1)
    with post.api.app.app_context():
        seated.started(3, bots=2, first=1)
        run("UPDATE due SET claim_at = kingup_now() WHERE kind = 'bot'")
        late = "UPDATE due SET claim_at = kingup_now() WHERE kind = 'deadline'"
        run(f"{late} AND game_id = :g", {"g": table.id})
        deadlines.sweep()
        voting = seated.in_election(3)
        handlers.remind(voting.id, voting.decision)
        handlers.remind(table.id, table.decision)
        _runs_out(table)
        notices.sweep()
    for path in ("view", "view.svg", "view?at=3", "events?after=0", "export"):
        post.api.get(f"{table.path}/{path}", table.tokens[0])
    post.api.get("/v1/me/turns", table.tokens[0])
    table.play_a_turn()
    table.inside("finish")
    post.tell(table.id)
    post.letters()
    post.api.get(table.path, table.tokens[0])
    with post.api.app.app_context():
        rematching.again(table.id, seated.person_on(table.id, 0))


def _runs_out(table: Table) -> None:
    """Lets the clock answer."""
    run(
        "UPDATE game SET deadline = kingup_now() WHERE id = :g",
        {"g": table.id},
    )
    handlers.run_out(table.id, table.decision)


def _reads_by_links(app: Flask) -> None:
    """A remembered browser, a link of a mail, and one that ends browsers."""
    table = seated.started(3)
    visitor = Visitor(app)
    page = visitor.get(link(table, table.game.asked()[0]))
    assert page.status == 200
    person = seated.person_on(table.id, 0)
    remembering.ask(table.id, person, 0)
    row = seated.link(table.id, 0, "remember")
    with transaction():
        token = links.add(row)
    assert remembering.plant(row, token, devices.UNKNOWN)
    visitor.remember(table, 0)
    visitor.get(f"/g/{table.id}")
    notices.queue(table.id)
    notices.sweep()
    ends = link(table, 0, "devices").replace("/d/", "/b/")
    assert visitor.get(ends).status == 200
    proof = entropy.digest(token)
    holder = LinkHolder(entropy.digest(token))
    with transaction():
        devices.used([proof])
        tokens.used([proof])
        people.proved_by([proof])
        games.lock(table.id, holder, table.decision)
        devices.forget_one(proof)
        devices.forget(person, [entropy.identifier()])
        devices.mark_told(table.id, person)
        tokens.sits(person, table.id)
        tables.check_new(entropy.identifier())
        invitations.withdraw(table.id, 1)
        signs.state(health.MAIL)
    _puts_off(table.id, person)


def _puts_off(game_id: UUID, person_id: UUID) -> None:
    """A mail whose server is away, and a notice that goes into another one."""
    row = NoticeRow("put off", person_id, 0, NoticeKind.EXPIRED, None, None)
    with transaction():
        log.notify(game_id, (row,))
    (mail_id,) = notices.queue(game_id)
    with transaction():
        mail = mails.claim(mail_id, 10.0)
        assert mail is not None
        mails.release(mail.notices)
        assert mails.put_off(mail, "away", 30.0, False, 3600.0)


def _is_called(database: str) -> None:
    """Whom a call is for."""
    line = calls.connect(database.replace("+psycopg", "", 1))
    table = seated.started(3)
    calls.call(line, {table.id: 1})
    assert calls.people_of(line, [table.id])
    line.close()


def _tidies() -> None:
    """Erases a row or two of each kind, where all others stay."""
    for table, older in OLD.items():
        row = f"SELECT ctid FROM {table} ORDER BY ctid DESC LIMIT 2"
        run(f"UPDATE {table} SET {older} WHERE ctid IN ({row})")
    practised = "UPDATE game SET created_at = created_at - interval '2 days'"
    run(f"{practised} WHERE practice")
    draft = seated.draft(3, tag="+old")
    run(
        "UPDATE game SET created_at = created_at - interval '8 days' WHERE id = :g",
        {"g": draft},
    )
    ended = "UPDATE game SET ended_at = ended_at - interval '91 days'"
    over = "SELECT max(id::text)::uuid FROM game WHERE ended_at IS NOT NULL"
    run(f"{ended} WHERE id = ({over})")
    tidying.tidy()
    heartbeat.leave()
