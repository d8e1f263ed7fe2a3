"""Whose tokens are is found out behind the requests, and then known."""

from collections.abc import Collection, Mapping
from functools import partial
from uuid import UUID

import pytest

from service.processes.holders import Holders
from service.store import tokens
from service.store.transactions import transaction
from service.values import entropy
from tests.rig.parts import wait_until
from tests.rig.service.programs import Api, Table, stranger


def test_tokens_of_one_person_have_one_holder(api: Api) -> None:
    table = Table(api)
    with api.app.app_context(), transaction():
        another = table.token(0)
    mine, other = table.tokens[0], table.tokens[1]
    holders = Holders(api.app)

    before = [held_by(holders, each) for each in (mine, another, other)]
    for each in (mine, another, other):
        wait_until(partial(held_by, holders, each), "a holder")

    assert before == [None] * 3
    found = [held_by(holders, each) for each in (mine, another, other)]
    assert found[0] == found[1] != found[2]


def test_what_is_no_token_is_asked_for_once_and_held_by_nobody(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bytes] = []
    find = tokens.holders

    def counted(token_hashes: Collection[bytes]) -> Mapping[bytes, UUID]:
        asked.extend(token_hashes)
        return find(token_hashes)

    monkeypatch.setattr(tokens, "holders", counted)
    holders = Holders(api.app)
    with api.app.app_context():
        made_up = tokens.fresh_token()

    for _ in range(2):
        assert held_by(holders, made_up) is None
        good = stranger(api)
        wait_until(partial(held_by, holders, good), "another one's holder")

    assert asked.count(entropy.digest(made_up)) == 1
    assert len(set(asked)) == 3


def held_by(holders: Holders, token: str) -> str | None:
    return holders.of(token.removeprefix("kup_"))
