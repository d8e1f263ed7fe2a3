"""The record over the API: whole, resumable, and chained byte for byte."""

import json

import pytest

from engine import fairness
from tests.rig.service.programs import Api, Table


@pytest.fixture
def over(api: Api) -> Table:
    """A game that is over: its record has every type of event."""
    table = Table(api, rounds=1)
    table.inside("finish")
    return table


def test_the_record_re_serialised_chains_to_the_head(api: Api, over: Table) -> None:
    body = api.get(f"{over.path}/events?limit=500").json

    head = fairness.chain_start(str(over.id))
    for number, each in enumerate(body["events"], start=1):
        stored = json.dumps(each["event"], sort_keys=True, separators=(",", ":"))
        head = fairness.chain(head, number, stored.encode())
        assert (each["revision"], each["head"]) == (number, f"{number}:{head.hex()}")
    assert body["head"] == f"{len(body['events'])}:{head.hex()}"
    assert body["head"] == over.view().json["head"]
    types = {each["event"]["type"] for each in body["events"]}
    assert {"game_created", "election_resolved", "game_over"} <= types
    assert "ballot_cast" not in types


def test_the_record_is_the_same_bytes_for_everybody(api: Api, over: Table) -> None:
    answers = {
        api.get(f"{over.path}/events", token).data for token in (None, *over.tokens)
    }

    assert len(answers) == 1


def test_the_record_is_followed_by_its_links_without_gap(api: Api, over: Table) -> None:
    whole = api.get(f"{over.path}/events?limit=500").json["events"]

    found, path = [], f"{over.path}/events?limit=7"
    while path:
        answer = api.get(path)
        found += answer.json["events"]
        link = answer.headers.get("Link", "")
        path = link.partition(">")[0].removeprefix("<http://localhost")

    assert found == whole


def test_each_part_of_the_record_has_a_mark_of_its_own(api: Api, over: Table) -> None:
    parts = [f"after={after}&limit={limit}" for after in (0, 3) for limit in (2, 3)]
    paths = [f"{over.path}/events?{part}" for part in parts]

    marks = {path: api.get(path).headers["ETag"] for path in paths}

    assert len(set(marks.values())) == len(paths)
    for path in paths:
        asked = [api.get(path, If_None_Match=mark) for mark in marks.values()]
        assert sorted(each.status_code for each in asked) == [200, 200, 200, 304]


def test_nothing_is_new_after_the_last_event(api: Api, over: Table) -> None:
    record = over.view().json["revision"]

    answer = api.get(f"{over.path}/events?after={record}")

    assert answer.json["events"] == []
    assert "Link" not in answer.headers


@pytest.mark.parametrize("wait", ["", "&wait=30"])
def test_more_than_there_is_of_the_record_is_told_with_the_head(
    api: Api, over: Table, wait: str
) -> None:
    there = over.view().json

    answer = api.get(f"{over.path}/events?after={there['revision'] + 1}{wait}")

    assert (answer.status_code, answer.json["code"]) == (409, "beyond-the-record")
    assert answer.json["revision"] == there["revision"]
    assert answer.json["head"] == there["head"]


@pytest.mark.parametrize(
    "query", ["after=-1", "after=x", "limit=0", "limit=501", "after=99999999999", "a=1"]
)
def test_a_part_that_is_none_is_not_understood(
    api: Api, over: Table, query: str
) -> None:
    answer = api.get(f"{over.path}/events?{query}")

    assert (answer.status_code, answer.json["code"]) == (422, "invalid")
    assert answer.json["parameter"] == query.partition("=")[0]


def test_a_running_game_keeps_its_secrets_out_of_the_record(api: Api) -> None:
    table = Table(api)
    table.play_a_turn()

    text = api.get(f"{table.path}/events").text

    for secret in ("deck", "seed_opened", "favourites", "salt"):
        assert f'"{secret}' not in text
