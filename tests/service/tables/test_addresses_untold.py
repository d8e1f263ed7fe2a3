"""Whoever types an address learns of it what they did with it themself, and no more."""

import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from service.auth import bearer
from service.people import deletion
from service.store import clock, opt_outs, people
from service.store.transactions import transaction
from service.tables import creation, invitations
from service.tables.creation import BotSeat, Guest, TableWish
from service.values import addresses
from tests.rig.service import seated
from tests.rig.service.hosts import RACHEL
from tests.rig.service.new_game import new
from tests.rig.service.new_tables import (
    BOT,
    OPEN,
    answer,
    lay,
    mailed,
    person,
    states,
    take,
)
from tests.rig.service.postbox import Postbox
from tests.rig.service.programs import Api, Table, operator_token
from tests.rig.service.seated import run
from tests.rig.service.visitor import Visitor
from tests.rig.statements import heard

GUESSED = "paula@example.org"


@pytest.fixture
def post(app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Postbox:
    return Postbox(app, tmp_path, monkeypatch)


def _nothing(_api: Api) -> None:
    """A stranger, who does nothing."""


def _is_known(api: Api) -> None:
    operator_token(api, GUESSED)


def _wants_none(api: Api) -> None:
    with api.app.app_context(), transaction():
        opt_outs.add(GUESSED)


def _is_known_and_wants_none(api: Api) -> None:
    _is_known(api)
    _wants_none(api)


def _had_many(api: Api) -> None:
    guest = {"kind": "person", "address": GUESSED, "name": "P"}
    for number in range(invitations.MAILS_A_DAY):
        lay(api, person(api, f"Host{number}"), guest, BOT)


def _id() -> UUID:
    found = run("SELECT id FROM person WHERE address_key = :a", {"a": GUESSED})
    return UUID(str(found[0][0]))


def _leaves(api: Api) -> None:
    with api.app.app_context():
        deletion.erase(_id())


def _moves(api: Api) -> None:
    with api.app.app_context(), transaction():
        people.move(_id(), addresses.parse("p@example.com", "address"))


FATES: dict[str, tuple[Callable[[Api], None], Callable[[Api], None]]] = {
    "is known": (_is_known, _nothing),
    "wants none": (_wants_none, _nothing),
    "is known and wants none": (_is_known_and_wants_none, _nothing),
    "had many": (_had_many, _nothing),
    "wants none later": (_nothing, _wants_none),
    "leaves for good": (_is_known, _leaves),
    "changes their address": (_is_known, _moves),
    "sits there already": (_nothing, _nothing),
}
"""What is to be known of an address: before it is typed, and thereafter."""

_usual: list[object] = []
"""What comes of an address of which nothing is known."""


def shown(api: Api, path: str, host: str) -> list[object]:
    """All that a host sees of a table and its invitations, but for ids and times."""
    with api.app.app_context():
        mails = run(
            "SELECT n.kind FROM notice n JOIN game g ON g.host_id = n.person_id"
            " AND g.id = n.game_id WHERE g.id = :g ORDER BY n.created_at",
            {"g": path[-36:]},
        )
    listed = api.get(f"{path}/invitations", host).json["invitations"]
    own = api.get("/v1/me/export", host).json["invitations"]
    table = api.get(path, host).json
    return [
        mails,
        [(i["seat"], i["name"], i["state"]) for i in listed],
        sorted((i["seat"], i["state"], i["received"]) for i in own),
        [table["status"], *(sorted(seat.items(), key=str) for seat in table["seats"])],
    ]


class Host:
    """One who types one address again and again, and notes all that comes of it."""

    def __init__(self, api: Api, address: str, comer: str) -> None:
        self.api = api
        with api.app.app_context():
            self.token = bearer.issue_token(address, "Rachel")
        self.path = lay(api, self.token, OPEN, OPEN, BOT, visibility="link")
        coming = operator_token(api, comer)
        sat = take(api, self.path, coming, seat=2, name="Pia")
        assert sat.status_code == 201, sat.text
        self.found: list[object] = []

    def look(self) -> None:
        self.found += shown(self.api, self.path, self.token)

    def sends(self, address: str) -> TestResponse:
        wish = {"address": address, "seat": 1}
        return self.api.call("POST", f"{self.path}/invitations", self.token, json=wish)

    def asks(self, address: str) -> int:
        sent = self.sends(address)
        said = sent.get_json()
        shown = {k: v for k, v in said.items() if k not in ("id", "created_at")}
        self.found += [sent.status_code, shown]
        self.look()
        return sent.status_code

    def withdraws(self) -> None:
        self.api.call("PUT", f"{self.path}/seats/1", self.token, json=OPEN)
        self.look()

    def calls_off(self) -> None:
        self.api.call("DELETE", self.path, self.token)
        self.look()

    def runs_through(self, address: str, then: Callable[[Api], None]) -> None:
        for number in range(invitations.MAILS_A_DAY):
            assert self.asks(address) == 201
            if number == 0:
                then(self.api)
                self.look()
            self.withdraws()
        assert self.asks(address) == 429
        with self.api.app.app_context():
            clock.shift(timedelta(hours=25))
        assert self.asks(address) == 201
        self.calls_off()


@pytest.mark.parametrize("fate", FATES)
def test_a_host_sees_the_same_whatever_is_known_of_an_address(
    api: Api, fate: str
) -> None:
    if not _usual:
        stranger = Host(api, "rachel@example.org", "other@example.org")
        stranger.runs_through("stranger@example.org", _nothing)
        _usual.extend(stranger.found)
    before, then = FATES[fate]
    before(api)
    sits = fate == "sits there already"
    host = Host(api, "ruth@example.org", GUESSED if sits else "another@example.org")

    host.runs_through(GUESSED, then)

    assert host.found == _usual


def statements(deed: Callable[[], object]) -> int:
    """How many statements a deed takes."""
    with heard() as found:
        deed()
    return len(found)


@pytest.mark.parametrize(
    "fate", [fate for fate, (_, then) in FATES.items() if then is _nothing]
)
def test_asking_takes_as_many_statements_whatever_is_known(api: Api, fate: str) -> None:
    stranger = Host(api, "rachel@example.org", "other@example.org")
    FATES[fate][0](api)
    sits = fate == "sits there already"
    host = Host(api, "ruth@example.org", GUESSED if sits else "another@example.org")

    usual = statements(lambda: stranger.sends("stranger@example.org"))

    assert usual > 10
    assert statements(lambda: host.sends(GUESSED)) == usual


@pytest.mark.parametrize("fate", FATES)
def test_a_new_table_is_laid_whatever_is_known_of_its_guests(
    api: Api, fate: str
) -> None:
    before, _then = FATES[fate]
    before(api)
    guest = {"kind": "person", "address": GUESSED, "name": "P"}

    path = lay(api, operator_token(api), guest, BOT)

    assert states(api, path, operator_token(api)) == ["joined", "invited", "joined"]


@pytest.mark.parametrize("fate", ["is known", "wants none", "is known and wants none"])
def test_a_stranger_is_told_nothing_of_the_addresses_in_a_form(
    app: Flask, visitor: Visitor, fate: str
) -> None:
    with app.app_context():
        usual = new(visitor)
    before, _then = FATES[fate]
    before(Api(app))

    with app.app_context():
        as_host = new(visitor, address=GUESSED)
        as_guest = new(visitor, seat1_address=GUESSED)

    assert usual.text == as_guest.text
    # Where the mail went is told as it was typed, whatever is known of it.
    assert as_host.text.replace(GUESSED, "rachel@example.org") == usual.text
    assert usual.status == as_host.status == as_guest.status == 200


def test_a_draft_is_shown_the_same_once_its_guest_has_left_for_good(api: Api) -> None:
    _is_known(api)
    with api.app.app_context():
        game_id = creation.draft(RACHEL, TableWish((Guest(GUESSED, ""), BotSeat())))
        before = seated.seats(game_id)

        _leaves(api)

        assert seated.seats(game_id) == before
        seated.confirm(game_id)
        assert seated.seats(game_id)[1][2] == "invited"


def test_who_wants_no_invitations_is_never_mailed_of_one(post: Postbox) -> None:
    api = post.api
    with api.app.app_context():
        draft = creation.draft(RACHEL, TableWish((Guest(GUESSED, "P"), BotSeat())))
    _is_known_and_wants_none(api)
    host = Host(api, "rita@example.org", "other@example.org")
    host.asks(GUESSED)
    with api.app.app_context():
        seated.confirm(draft)
    for game in (UUID(host.path[-36:]), draft):
        post.tell(game)
    host.calls_off()
    post.tell(UUID(host.path[-36:]))

    assert post.letters("paula") == []


def test_who_asks_for_no_more_while_invited_hears_of_that_table_no_more(
    post: Postbox,
) -> None:
    host = Host(post.api, "rachel@example.org", "other@example.org")
    host.asks(GUESSED)
    _wants_none(post.api)

    host.calls_off()
    post.tell(UUID(host.path[-36:]))

    assert post.letters("paula") == []


def test_who_sits_there_already_is_told_so_once(post: Postbox) -> None:
    host = Host(post.api, "rachel@example.org", GUESSED)
    game = UUID(host.path[-36:])
    for _ in range(invitations.MAILS_A_DAY):
        host.asks(GUESSED)
        post.tell(game)
        host.withdraws()

    (letter,) = post.letters("paula")

    assert letter.subject.startswith("You sit at Rachel's table already")
    assert "where you have a seat already" in letter.text
    page = post.api.client.get(re.search(r"/d/\S+", letter.text)[0])
    assert page.status_code == 200


def test_a_fellow_player_of_a_rematch_is_not_found_by_an_address(api: Api) -> None:
    table = Table(api, rounds=1, placement="random")
    table.inside("finish")
    laid = api.call("POST", f"{table.path}/rematch", table.tokens[0])
    path = f"/v1/games/{laid.json['game']}"
    with api.app.app_context():
        guessed = run(
            "SELECT p.address FROM seat s JOIN person p ON p.id = s.person_id"
            " WHERE s.game_id = :g AND s.number = 1",
            {"g": path[-36:]},
        )[0][0]
    wish = {"kind": "person", "address": guessed, "name": "Guess"}

    answered = api.call("PUT", f"{path}/seats/2", table.tokens[0], json=wish)

    assert (answered.status_code, answered.json["state"]) == (200, "invited")


def test_an_address_is_compared_as_it_was_typed_and_not_by_who_has_it(
    api: Api,
) -> None:
    host = operator_token(api)
    path = lay(api, host, {"kind": "person", "address": GUESSED}, OPEN, BOT)
    _moves(api)

    def asks(address: str) -> int:
        wish = {"kind": "person", "address": address, "name": "Guess"}
        answered = api.call("PUT", f"{path}/seats/2", host, json=wish)
        return int(answered.status_code)

    assert asks(GUESSED) == 409
    assert asks("p@example.com") == 200


def test_a_seat_that_was_declined_stays_so_when_its_person_comes_by_themself(
    api: Api,
) -> None:
    host = operator_token(api)
    guest = {"kind": "person", "address": GUESSED, "name": "Paula"}
    path = lay(api, host, guest, OPEN, OPEN)
    answer(api, mailed(api, path, 1), "no")
    before = api.get(f"{path}/invitations", host).json
    seat = api.get(f"{path}/seats/1", host).json

    sat = take(api, path, operator_token(api, GUESSED), seat=2, name="Paula")

    assert sat.status_code == 201, sat.text
    assert api.get(f"{path}/seats/1", host).json == seat
    assert api.get(f"{path}/invitations", host).json == before
    again = take(api, path, operator_token(api, GUESSED), seat=3)
    assert again.json["reason"] == "own-table"


def test_many_invitations_of_others_put_one_off_and_drop_none(post: Postbox) -> None:
    _had_many(post.api)
    host = Host(post.api, "rachel@example.org", "other@example.org")
    game = UUID(host.path[-36:])
    host.asks(GUESSED)
    post.tell(game)
    before = len(post.letters("paula"))
    with post.api.app.app_context():
        clock.shift(timedelta(hours=25))

    post.tell(game)

    assert before == 0
    assert [letter.subject[:6] for letter in post.letters("paula")] == ["Rachel"]
