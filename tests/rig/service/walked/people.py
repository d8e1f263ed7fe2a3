"""Somebody signs in, looks at all that is kept of them, and comes by links of mails."""

from urllib.parse import urlsplit

from flask import Flask

from service.monitoring import health
from service.people import remembered_browsers
from service.store import (
    answers,
    devices,
    games,
    heartbeats,
    invitations,
    links,
    people,
    tables,
    tokens,
)
from service.store.transactions import transaction
from service.values import entropy
from service.values.principals import LinkHolder
from tests.rig.service import seated
from tests.rig.service.postbox import RITA, Postbox
from tests.rig.service.visitor import Visitor, link
from tests.rig.service.walked.worker import puts_off
from worker.outgoing import delivery


def signs_in(post: Postbox) -> str:
    """Signs in, changes the address and looks at all that is kept."""
    api, number = post.api, post.ask(RITA)
    for _ in range(2):
        token: str = post.confirm(number, post.code(RITA)).json["token"]
    new = "rita+new@example.org"
    wish = {"address": new, "name": "Rita", "weekends": True}
    asked = api.call("PATCH", "/v1/me", token, json=wish)
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
    for path in ("", "/tokens", "/devices", "/mails", "/turns", "/calendar", "/export"):
        assert api.get(f"/v1/me{path}", token).status_code == 200
    path = urlsplit(api.call("PUT", "/v1/me/calendar", token).json["url"]).path
    assert api.app.test_client().get(path).status_code == 200
    api.call("DELETE", "/v1/me/calendar", token)
    api.call("POST", "/v1/practice-games", json={})
    api.get("/readyz")
    return token


def reads_by_links(app: Flask) -> None:
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
    puts_off(table.id, person)
