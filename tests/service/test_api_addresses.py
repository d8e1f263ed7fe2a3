"""One address, one person: compared without case, sent to as its owner spells it."""

from pathlib import Path

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from service import auth
from tests.service.postbox import RITA, Postbox
from tests.service.programs import operator_token
from tests.service.seated import run


@pytest.fixture
def post(app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Postbox:
    return Postbox(app, tmp_path, monkeypatch)


def open_table(post: Postbox, *addresses: str) -> TestResponse:
    seats = [{"kind": "person", "address": address} for address in addresses]
    host = operator_token(post.api, "simon@example.org")
    return post.api.call("POST", "/v1/games", host, json={"seats": seats})


def addresses(post: Postbox) -> list[str]:
    with post.api.app.app_context():
        return [row[0] for row in run("SELECT address FROM person ORDER BY address")]


def person(post: Postbox, token: str) -> str:
    number: str = post.api.get("/v1/me", token).json["id"]
    return number


def test_who_signs_in_in_capitals_is_who_is_known(post: Postbox) -> None:
    known = person(post, operator_token(post.api, RITA))
    sign_in = post.ask("RITA@EXAMPLE.ORG")

    answer = post.confirm(sign_in, post.code(RITA))

    assert person(post, answer.json["token"]) == known
    assert post.api.get("/v1/me", answer.json["token"]).json["address"] == RITA


@pytest.mark.parametrize("alike", ["strasse@example.org", "STRASSE@example.org"])
def test_a_code_goes_to_the_mailbox_that_is_known_not_to_one_that_compares_equal(
    post: Postbox, alike: str
) -> None:
    operator_token(post.api, "straße@example.org")

    post.ask(alike)

    assert len(post.letters()) == 1
    with post.api.app.app_context():
        assert run("SELECT address FROM mailed_code") == [("straße@example.org",)]


def test_a_code_is_no_good_for_somebody_who_came_meanwhile(post: Postbox) -> None:
    sign_in = post.ask("strasse@example.org")
    code = post.code("strasse@example.org")
    operator_token(post.api, "straße@example.org")

    assert post.confirm(sign_in, code).json["code"] == "code-refused"


@pytest.mark.parametrize(
    "twice",
    [
        ("rita@example.org", "Rita@Example.ORG"),
        ("rita@bücher.example", "Rita@xn--bcher-kva.example"),
        ("rita@example.org", "SIMON@example.org"),
    ],
)
def test_one_address_has_one_seat_at_a_table(
    post: Postbox, twice: tuple[str, str]
) -> None:
    operator_token(post.api, "simon@example.org")
    before = addresses(post)

    answer = open_table(post, *twice)

    assert (answer.status_code, answer.json["code"]) == (409, "address-twice")
    assert answer.json["field"] == "seats.1.address"
    assert addresses(post) == before


def test_plus_tags_are_people_of_their_own(post: Postbox) -> None:
    answer = open_table(post, "rita@example.org", "rita+a@example.org")

    assert answer.status_code == 201
    with post.api.app.app_context():
        assert len(set(run("SELECT person_id FROM invitation"))) == 2
    plain, tagged = post.sign_in("rita@example.org"), post.sign_in("rita+a@example.org")
    assert person(post, plain) != person(post, tagged)


def test_who_was_invited_is_who_signs_in(post: Postbox) -> None:
    game = open_table(post, "rita@example.org", "terry@example.org").json["id"]
    sign_in = post.ask("RITA@example.ORG")

    answer = post.confirm(sign_in, post.code("rita@example.org"))

    assert answer.json["scopes"] == list(auth.SCOPES)
    games = post.api.get("/v1/games", answer.json["token"]).json["games"]
    assert [(each["id"], each["seat"]) for each in games] == [(game, 1)]


def test_a_domain_of_any_script_gets_its_mail(post: Postbox) -> None:
    token = post.sign_in("rita@bücher.example")

    assert post.letters()[0].to == "rita@xn--bcher-kva.example"
    assert post.api.get("/v1/me", token).json["address"] == "rita@bücher.example"
