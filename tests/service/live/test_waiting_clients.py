"""Who shares the room for waiting: persons, and the networks of all others."""

import pytest
from flask import Flask

from service.api.feeds import waiting
from service.api.http import access
from service.live.quota import Client
from service.values import entropy
from service.values.principals import Bearer
from tests.rig.service.programs import Api, operator_token


def client(app: Flask, address: str, token: str | None = None) -> Client:
    proof = None if token is None else Bearer(entropy.digest(token), access.READ)
    with app.test_request_context(environ_base={"REMOTE_ADDR": address}):
        return waiting.client(proof)


@pytest.fixture
def practising(app: Flask) -> list[str]:
    """Tokens of two who practise."""
    api = Api(app)
    made = [api.call("POST", "/v1/practice-games", json={}) for _ in range(2)]
    return [each.json["token"] for each in made]


def test_addresses_of_one_site_wait_as_one(app: Flask) -> None:
    found = [client(app, each) for each in ("2001:db8::1", "2001:db8::2")]
    other = client(app, "2001:db8:0:1::1")

    assert found[0] == found[1] != other


def test_whoever_practises_waits_as_their_network(
    app: Flask, practising: list[str]
) -> None:
    found = {client(app, "192.0.2.1", token) for token in practising}

    assert found == {client(app, "192.0.2.1")}


def test_a_person_waits_as_themself_from_anywhere(app: Flask) -> None:
    token = operator_token(Api(app))

    found = [client(app, each, token) for each in ("192.0.2.1", "192.0.2.2")]

    assert found[0] == found[1] != client(app, "192.0.2.1")
