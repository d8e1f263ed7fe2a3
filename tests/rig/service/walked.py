"""What an instance does from day to day: one of everything, against a full database."""

from typing import Any
from uuid import UUID

from flask import Flask

from engine.commands import PlacementOption
from service.game import handlers, pace, table_acts, time_up
from service.monitoring import health
from service.people import absences, accounts, deletion, remembered_browsers
from service.people.absences import AbsenceWish
from service.processes import pulse
from service.store import absences as absencestore
from service.store import (
    answers,
    availability,
    clock,
    code_mails,
    devices,
    event_log,
    excuses,
    games,
    heartbeats,
    invitations,
    links,
    messages,
    outages,
    outbox,
    people,
    pubsub,
    readings,
    tables,
    tokens,
)
from service.store import expiry as expirystore
from service.store.absences import AwaySeat
from service.store.availability import Availability
from service.store.event_log import NoticeRow
from service.store.transactions import transaction
from service.tables import expiry, rematch, seating
from service.values import entropy
from service.values.enums import AbsenceChoice, NoticeKind
from service.values.principals import LinkHolder, ProposalHolder
from tests.rig.service import programs, replaced, seated
from tests.rig.service.postbox import RITA, Postbox
from tests.rig.service.programs import Api, Table
from tests.rig.service.seated import run
from tests.rig.service.visitor import Visitor, link
from worker import heartbeat
from worker.clock import absences as away
from worker.clock import outages as giving_back
from worker.clock import retention, sweeper
from worker.outgoing import delivery

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


def walk(post: Postbox, database: str) -> None:
    """One of everything that people, programs and the worker do."""
    token = _signs_in(post)
    _lists(post.api, token)
    _hosts(post, token)
    _plays(post)
    with post.api.app.app_context():
        _reads_by_links(post.api.app)
        _is_called(database)
        _comes_back(post.api.app)
        _tidies()
    assert post.api.call("DELETE", "/v1/me", token).status_code == 204


def _signs_in(post: Postbox) -> str:
    """Signs in, changes the address and looks at all that is kept."""
    api, number = post.api, post.ask(RITA)
    for _ in range(2):
        token: str = post.confirm(number, post.code(RITA)).json["token"]
    new = "rita+new@example.org"
    asked = api.call("PATCH", "/v1/me", token, json={"address": new, "name": "Rita"})
    assert asked.status_code == 200
    both = {"old_code": post.code(RITA), "new_code": post.code(new)}
    api.call("POST", "/v1/me/address/confirmation", token, json=both)
    wish, key = (
        {"description": "bot", "scopes": ["games:read"]},
        {"Idempotency-Key": "bot"},
    )
    for _ in range(2):
        made = api.call("POST", "/v1/me/tokens", token, json=wish, headers=key)
    api.call("DELETE", f"/v1/me/tokens/{made.json['id']}", token)
    assert api.get("/v1/me", made.json["token"]).status_code == 401
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
    path = f"/v1/games/{laid.json['game']}"
    api.get(path, token)
    api.get(f"{path}/invitations", token)
    api.call("PATCH", path, token, json={"rounds": 2})
    api.call("PUT", f"{path}/seats/1", token, json={"kind": "bot"})
    api.call("PUT", f"{path}/seats/1", token, json=guest)
    terry = programs.operator_token(api, "terry@example.org")
    open_seats: dict[str, Any] = {"seats": [{"kind": "open"}, {"kind": "open"}]}
    open_table = api.call("POST", "/v1/games", token, json=open_seats)
    beside = f"/v1/games/{open_table.json['game']}"
    api.call("PATCH", beside, token, json={"rounds": 2})
    paul = programs.operator_token(api, "paul@example.org")
    api.call("POST", f"{beside}/seats", paul, json={})
    assert api.call("DELETE", "/v1/me", paul).status_code == 204
    came = api.call("POST", f"{path}/seats", terry, json={"word": "luck"})
    assert came.status_code == 201, came.text
    assert api.call("DELETE", f"{path}/seats/2", terry).status_code == 204
    post.tell(UUID(laid.json["game"]))
    post.letters()
    assert api.call("DELETE", path, token).status_code == 204
    with api.app.app_context():
        table = seated.draft(3, tag="+walked")
        seated.confirm(table)
        seated.decline(table, 1, seating.InvitationAnswer.NEVER)
        run("UPDATE game SET expiry_at = kingup_now() WHERE id = :g", {"g": table})
        expiry.step(table)
        expirystore.is_warned(table)
        expiry.prolong(table)


def _plays(post: Postbox) -> None:
    """A whole game, told by mail and over the API, a turn of a bot, and a rematch."""
    table = Table(post.api, 3, rounds=1)
    with post.api.app.app_context():
        seated.started(3, bots=2, first=1)
        run("UPDATE due SET claim_at = kingup_now() WHERE kind = 'bot'")
        late = "UPDATE due SET claim_at = kingup_now() WHERE kind = 'deadline'"
        run(f"{late} AND game_id = :g", {"g": table.id})
        sweeper.sweep()
        _goes_on_for_as_long_again()
        _is_away()
        _takes_over(post.api)
        voting = seated.in_election(3)
        time_up.remind(voting.id, voting.decision)
        time_up.remind(table.id, table.decision)
        _runs_out(table)
        delivery.sweep()
    for path in ("view", "view.svg", "view?at=3", "events?after=0", "export"):
        post.api.get(f"{table.path}/{path}", table.tokens[0])
    for query in ("", "?view=true"):
        turns = post.api.get(f"/v1/me/turns{query}", table.tokens[0])
        assert turns.status_code == 200
    _talks(table)
    number, seat, _ = table.play_a_turn()
    given = f"{table.path}/decisions/{number}/answer"
    assert post.api.get(given, table.tokens[seat]).status_code == 200
    _stops_the_clock(table)
    undone = f"{table.path}/decisions/{number}/taken-back"
    back = post.api.call("PUT", undone, table.tokens[seat])
    assert back.status_code == 200
    _answers_ahead(table)
    _proposes(table)
    for way in ("PUT", "DELETE"):
        post.api.call(way, f"{table.path}/seats/0/departure", table.tokens[0])
    table.inside("finish")
    post.tell(table.id)
    post.letters()
    post.api.get(table.path, table.tokens[0])
    with post.api.app.app_context():
        rematch.again(table.id, seated.person_on(table.id, 0))


def _takes_over(api: Api) -> None:
    """Somebody else is named, objected to, asked, and sits down; one is erased."""
    table = replaced.kept(4)
    replaced.name(table, replaced.fresh())
    replaced.end(table, by=2)
    secret = replaced.mailed(table)
    assert Visitor(api.app).get(f"/i/{secret}").status == 200
    replaced.name(table, replaced.fresh())
    run("UPDATE replacement SET due_at = kingup_now() WHERE state = 'named'")
    retention.tidy()
    link = replaced.link_of(table)
    delivery.post(table.id)
    former = seated.person_on(table.id, replaced.KEPT)
    browser = Visitor(api.app)
    browser.remember(table, 2)
    assert browser.get(f"/g/{table.id}").status == 200
    replaced.answer(link)
    holder = seated.Seated(table.id).holder(replaced.KEPT)
    handlers.depart(table.id, holder, replaced.KEPT)
    deletion.erase(former)
    table.play_round()


def _goes_on_for_as_long_again() -> None:
    """Time is up in an election of a day, and everybody has spare time."""
    lot = PlacementOption.RANDOM
    table = seated.started(3, decision_time=pace.USUAL, spare=1, placement=lot)
    table.nominate()
    with transaction():
        run("UPDATE game SET deadline = kingup_now() WHERE id = :g", {"g": table.id})
    time_up.run_out(table.id, table.decision)


def _is_away() -> None:
    """Somebody is away for whom the table waits, and somebody for whom a bot plays."""
    table = seated.started(3)
    with transaction():
        today = clock.now().date()
    for seat, choice in enumerate(AbsenceChoice):
        person = seated.person_on(table.id, seat)
        wish = AbsenceWish(today, today, choice)
        found = absences.announce(person, wish)
        if choice is AbsenceChoice.BOT:
            away.sweep()
            run("UPDATE absence SET ends_at = kingup_now()")
            away.sweep()
            absencestore.stay(AwaySeat(table.id, seat, found.id))
        absences.call_off(person, found.id)
    waited = Availability(0, "UTC", days=1, until=today)
    with transaction():
        availability.use(table.id, (waited,))


def _stops_the_clock(table: Table) -> None:
    """Pauses the game, adds a day to a question, and lets the clock go on."""
    token = table.tokens[0]
    table.api.call("PUT", f"{table.path}/pause", token, json={"days": 1})
    longer = {"decision": table.decision}
    table.api.call("POST", f"{table.path}/extensions", token, json=longer)
    assert table.api.call("DELETE", f"{table.path}/pause", token).status_code == 200
    table.inside("end_pauses")


def _answers_ahead(table: Table) -> None:
    """Lays standing answers, has one given, looks at what became of it, drops them."""
    voting = Table(table.api, 3, rounds=1, placement=PlacementOption.RANDOM)
    path, token = f"{voting.path}/standing-answers", voting.tokens[1]
    wishes: tuple[dict[str, Any], ...] = (
        {"placements": [{"character": "A", "place": "1"}]},
        {"election": {"else": "no"}},
    )
    for body in wishes:
        laid = table.api.call("PUT", path, token, json=body)
        assert laid.status_code == 200, laid.text
    voting.inside("nominate")
    with table.api.app.app_context():
        run("UPDATE due SET claim_at = kingup_now() WHERE kind = 'standing'")
        sweeper.sweep()
        answers.wished(voting.id, voting.decision, 1)
    assert table.api.get(path, token).json["election"]["else"] == "no"
    assert table.api.call("DELETE", path, token).status_code == 204


def _proposes(table: Table) -> None:
    """Proposes to call the game off, which one agrees to and another doesn't."""
    path, (first, second, third) = f"{table.path}/proposals", table.tokens
    table.api.call("POST", path, first, json={"kind": "cancel"})
    for token, agrees in ((second, True), (third, False)):
        vote = {"agrees": agrees}
        found = table.api.call("PUT", f"{path}/1/vote", token, json=vote)
        assert found.status_code == 200
    with table.api.app.app_context():
        with transaction():
            mailed = links.add(seated.link(table.id, 1, "proposal"))
        holder = ProposalHolder(entropy.digest(mailed))
        table_acts.vote(table.id, holder, 1, agrees=False)


def _talks(table: Table) -> None:
    """Says something, with an act, a ballot and by itself; reads, mutes, reports."""
    voting = programs.in_election(table.api)
    for path, body in (("", {"phrase": "hello"}), ("?after=0&limit=1", None)):
        method = "GET" if body is None else "POST"
        options = {} if body is None else {"json": body}
        table.api.call(
            method, f"{table.path}/messages{path}", table.tokens[0], **options
        )
    for method in ("PUT", "DELETE"):
        table.api.call(method, f"{table.path}/seats/1/mute", table.tokens[0])
    table.api.call("POST", f"{table.path}/messages/1/report", table.tokens[1])
    for seat in range(3):
        voting.put(seat, {**voting.first_legal(seat), "line": "As you wish."})
    voting.inside("resolve")
    with table.api.app.app_context():
        assert messages.reported(5)
        browser = Visitor(table.api.app)
        browser.remember(table.table, 0)
        page = browser.get(f"/g/{table.id}")
        browser.press(page, page.the_form("Say it"), {"line": "On we go."})


def _runs_out(table: Table) -> None:
    """Lets the clock answer."""
    run(
        "UPDATE game SET deadline = kingup_now() WHERE id = :g",
        {"g": table.id},
    )
    time_up.run_out(table.id, table.decision)


def _reads_by_links(app: Flask) -> None:
    """A remembered browser, a link of a mail, and one that ends browsers."""
    table = seated.started(3)
    visitor = Visitor(app)
    page = visitor.get(link(table, table.game.asked()[0]))
    assert page.status == 200
    person = seated.person_on(table.id, 0)
    remembered_browsers.ask(table.id, person, 0)
    row = seated.link(table.id, 0, "remember")
    with transaction():
        token = links.add(row)
    assert remembered_browsers.plant(row, token, devices.UNKNOWN)
    visitor.remember(table, 0)
    visitor.get(f"/g/{table.id}")
    delivery.queue(table.id)
    delivery.sweep()
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
        devices.mark_notified(table.id, person)
        tokens.sits(person, table.id)
        tables.check_new(entropy.identifier())
        invitations.withdraw(table.id, 1)
        heartbeats.state(health.MAIL)
        answers.given(table.id, table.decision, 0)
    _puts_off(table.id, person)


def _puts_off(game_id: UUID, person_id: UUID) -> None:
    """Mails whose server is away, and a notice that goes into another one."""
    row = NoticeRow("put off", person_id, 0, NoticeKind.EXPIRED, None, None)
    with transaction():
        event_log.notify(game_id, (row,))
    (mail_id,) = delivery.queue(game_id)
    with transaction():
        mail = outbox.claim(mail_id, 10.0)
        assert mail is not None
        outbox.release(game_id, mail.notices)
        assert outbox.put_off(mail, "away", 30.0, False, 3600.0)
    code_id = accounts.ask_to_sign_in("paula@example.org", None)
    with transaction():
        code = code_mails.claim(code_id, 10.0)
        assert code is not None
        assert outbox.put_off(code, "away", 30.0, False, 3600.0)


def _is_called(database: str) -> None:
    """Whom a call is for, and what they all read then."""
    line = pubsub.connect(database.replace("+psycopg", "", 1))
    table = seated.started(3)
    pubsub.publish(line, [table.id])
    assert pubsub.people_of(line, [table.id])
    with transaction():
        token = tokens.issue(
            seated.person_on(table.id, 0), "test", ("games:read",)
        ).token
    proofs = [entropy.digest(token)]
    assert readings.read(table.id, proofs, "games:read")
    assert tokens.holders(proofs)
    line.close()


def _comes_back(app: Flask) -> None:
    """Was away for an hour, and gives it back."""
    pulse.beat(app)
    table = seated.started(3)
    run("UPDATE sign_of_life SET at = at - interval '1 hour' WHERE name = 'web'")
    pulse.beat(app)
    with transaction():
        (outage,) = outages.pending()
        assert outages.affected(outage, UUID(int=0), giving_back.BATCH)
    time_up.give_back(table.id)
    time_up.make_up_for_mail(table.id)
    with transaction():
        outages.count_from(table.id, table.decision, clock.now())
    with transaction():
        outages.settle(outage)
    late = "UPDATE game SET deadline = kingup_now() - interval '1 hour' WHERE id = :g"
    run(late, {"g": table.id})
    time_up.run_out(table.id, table.decision)
    with transaction():
        excuses.latest(table.id, 0, ballots=True)


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
    retention.tidy()
    heartbeat.leave()
