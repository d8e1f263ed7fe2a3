"""An address is written as its owner proves it, whatever hosts have typed before."""

from pathlib import Path

import pytest
from flask import Flask

from tests.rig.service import leaving
from tests.rig.service.leaving import guest
from tests.rig.service.postbox import RITA, Postbox
from tests.rig.service.programs import operator_token

SHOUTED, SMALL = "RITA@example.org", "rita@example.org"


@pytest.fixture
def post(app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Postbox:
    return Postbox(app, tmp_path, monkeypatch)


def invite(post: Postbox, address: str) -> None:
    host = operator_token(post.api, leaving.HOST)
    leaving.table(post, host, guest(address, "Rita"))


def address(post: Postbox, token: str) -> str:
    found: str = post.api.get("/v1/me", token).json["address"]
    return found


def codes(post: Postbox) -> list[str]:
    """Whom codes went to so far, who may be Rita."""
    return [each.to for each in post.letters() if each.to.lower() == SMALL]


def test_nobody_is_kept_from_signing_in_by_the_letters_that_a_host_typed(
    post: Postbox,
) -> None:
    invite(post, SHOUTED)

    token = post.sign_in(SMALL)

    assert codes(post) == [SMALL]
    assert address(post, token) == SMALL


def test_what_its_owner_has_proved_nobody_spells_otherwise(post: Postbox) -> None:
    token = post.sign_in(RITA)
    invite(post, SHOUTED)

    post.confirm(post.ask(SMALL), post.code(RITA))
    operator_token(post.api, SHOUTED)

    assert set(codes(post)) == {RITA}
    assert address(post, token) == RITA


def test_of_two_spellings_the_first_that_is_proved_holds(post: Postbox) -> None:
    invite(post, "rITA@example.org")
    other, small = post.ask(SHOUTED), post.ask(SMALL)
    shouted, mine = post.code(SHOUTED), post.code(SMALL)
    proved = post.confirm(small, mine)

    late = post.confirm(other, shouted)

    assert proved.status_code == 201
    assert (late.status_code, late.json["code"]) == (409, "code-refused")
    assert address(post, proved.json["token"]) == SMALL


def test_whom_the_operator_lets_in_is_spelt_as_the_operator_says(
    post: Postbox,
) -> None:
    invite(post, SHOUTED)

    token = operator_token(post.api, SMALL)

    assert address(post, token) == SMALL
