"""One's account: shown, changed, taken along; another address takes both mailboxes."""

from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from service.auth import bearer
from tests.rig.service.postbox import RITA, Postbox
from tests.rig.service.programs import Table, in_election, let_pass, operator_token
from tests.rig.service.seated import run

ME = "/v1/me"
NEW = "rita+a@example.org"


@pytest.fixture
def post(app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Postbox:
    return Postbox(app, tmp_path, monkeypatch)


@pytest.fixture
def token(post: Postbox) -> str:
    return operator_token(post.api, RITA)


def change(post: Postbox, token: str, **wish: Any) -> TestResponse:
    return post.api.call("PATCH", ME, token, json=wish)


def confirm(post: Postbox, token: str, old: str, new: str) -> TestResponse:
    body = {"old_code": old, "new_code": new}
    return post.api.call("POST", f"{ME}/address/confirmation", token, json=body)


def codes(post: Postbox, token: str, new: str = NEW) -> tuple[str, str]:
    """The codes for a change of address, from both mailboxes."""
    assert change(post, token, address=new).status_code == 200
    return post.code(RITA), post.code(new)


def test_name_language_zone_and_mark_change_at_once(post: Postbox, token: str) -> None:
    wish = {
        "name": "Rita",
        "language": "de",
        "zone": "Europe/Rome",
        "program": True,
        "mails": "asks",
    }
    assert post.api.get(ME, token).json["mails"] == "instant"

    answer = change(post, token, **wish)

    assert answer.json == post.api.get(ME, token).json
    assert {name: answer.json[name] for name in wish} == wish
    assert (answer.json["address"], answer.json["new_address"]) == (RITA, None)


def test_what_is_not_named_stays(post: Postbox, token: str) -> None:
    change(post, token, name="Rita", program=True, mails="asks")

    answer = change(post, token, language="fr")

    assert (answer.json["name"], answer.json["program"]) == ("Rita", True)
    assert answer.json["mails"] == "asks"


@pytest.mark.parametrize(
    "wish",
    [
        {"name": ""},
        {"name": "www.example.org"},
        {"language": "xx"},
        {"zone": "Europe/Nowhere"},
        {"zone": "../../etc/passwd"},
        {"program": 1},
        {"program": None},
        {"address": "nobody"},
        {"id": "7"},
    ],
)
def test_what_is_not_understood_changes_nothing(
    post: Postbox, token: str, wish: dict[str, Any]
) -> None:
    before = post.api.get(ME, token).json

    answer = change(post, token, **{"name": "Rita", **wish})

    assert (answer.status_code, answer.json["field"]) == (422, *wish)
    assert post.api.get(ME, token).json == before


def test_a_program_s_account_is_marked_at_the_table(post: Postbox) -> None:
    table = Table(post.api)
    change(post, table.tokens[1], program=True)

    seats = post.api.get(table.path).json["seats"]

    assert [seat["program"] for seat in seats] == [False, True, False]
    assert [seat["kind"] for seat in seats] == ["person"] * 3
    assert table.view().json["seats"] == seats


def test_an_address_changes_with_the_codes_from_both_mailboxes(
    post: Postbox, token: str
) -> None:
    old, new = codes(post, token)
    before = post.api.get(ME, token).json

    answer = confirm(post, token, old, new)

    assert (before["address"], before["new_address"]) == (RITA, NEW)
    assert (answer.json["address"], answer.json["new_address"]) == (NEW, None)
    assert post.api.get(ME, post.sign_in(NEW)).json["id"] == before["id"]


@pytest.mark.parametrize("wrong", [0, 1])
def test_one_code_alone_changes_nothing(post: Postbox, token: str, wrong: int) -> None:
    both = list(codes(post, token))
    both[wrong] = both[1 - wrong]

    answer = confirm(post, token, *both)

    assert (answer.status_code, answer.json["code"]) == (409, "code-refused")
    assert post.api.get(ME, token).json["address"] == RITA


def test_a_change_of_address_can_be_tried_five_times(post: Postbox, token: str) -> None:
    old, new = codes(post, token)
    for _ in range(5):
        confirm(post, token, old, "BBBB-BBBB")

    assert confirm(post, token, old, new).status_code == 409


def test_a_later_change_of_address_ends_the_one_before(
    post: Postbox, token: str
) -> None:
    old, new = codes(post, token)
    codes(post, token, "rita+b@example.org")

    assert confirm(post, token, old, new).status_code == 409


def test_codes_for_a_change_of_address_end(post: Postbox, token: str) -> None:
    old, new = codes(post, token)
    let_pass(post.api, 0.26)

    assert confirm(post, token, old, new).status_code == 409
    assert post.api.get(ME, token).json["new_address"] is None


def test_whose_the_new_address_is_shows_only_to_who_reads_it(
    post: Postbox, token: str
) -> None:
    operator_token(post.api, "simon@example.org")
    free = change(post, token, address="free@example.org").json
    taken = change(post, token, address="Simon@Example.org")
    old, new = post.code(RITA), post.code("Simon@example.org")

    wrong = confirm(post, token, old, "BBBB-BBBB")
    right = confirm(post, token, old, new)

    assert taken.json == {**free, "new_address": "Simon@example.org"}
    assert (wrong.status_code, wrong.json["code"]) == (409, "code-refused")
    assert (right.status_code, right.json["code"]) == (409, "address-in-use")


def test_a_code_for_signing_in_changes_no_address(post: Postbox, token: str) -> None:
    change(post, token, address=NEW)
    new = post.code(NEW)
    post.ask()

    assert confirm(post, token, post.code(RITA), new).status_code == 409


def test_the_account_needs_its_own_scope(post: Postbox) -> None:
    table = Table(post.api)
    with post.api.app.app_context():
        lesser = table.token(0, scopes=bearer.SCOPES[:5])

    for path in (ME, f"{ME}/export", f"{ME}/mails", f"{ME}/tokens"):
        answer = post.api.get(path, lesser)
        assert (answer.status_code, answer.json["scope"]) == (403, "profile")


def test_mails_are_listed_page_by_page_without_what_they_said(post: Postbox) -> None:
    table = in_election(post.api)
    post.tell(table.id)
    address = post.api.get(ME, table.tokens[0]).json["address"]
    for _ in range(3):
        post.ask(address)
    with post.api.app.app_context():
        # Of one moment, so that nothing but the tie-breaker tells them apart.
        for rows in ("mail", "mailed_code"):
            run(f"UPDATE {rows} SET created_at = '2026-03-14Z' RETURNING id", {})
    whole = post.api.get(f"{ME}/mails", table.tokens[0])

    pages, path = [], f"{ME}/mails?limit=1"
    while path:
        answer = post.api.get(path, table.tokens[0])
        pages += answer.json["mails"]
        link = answer.headers.get("Link", "")
        path = link[1 : link.find(">")].removeprefix("http://localhost")

    assert pages == whole.json["mails"]
    assert len({mail["id"] for mail in pages}) == 4
    listed = {(*mail["kinds"], mail["game"]) for mail in pages}
    assert ("sign_in", None) in listed
    assert str(table.id) in {mail["game"] for mail in pages}
    assert address not in whole.text


def test_all_that_is_kept_can_be_taken_along(post: Postbox) -> None:
    table = in_election(post.api)
    answer = table.first_legal(0)
    table.put(0, answer)
    post.tell(table.id)

    kept = post.api.get(f"{ME}/export", table.tokens[0]).json

    assert kept["me"] == post.api.get(ME, table.tokens[0]).json
    (seat,) = kept["seats"]
    assert (seat["game"], seat["seat"], seat["is_host"]) == (str(table.id), 0, True)
    assert seat["cards_by_mail"] is False
    given = [each for each in kept["answers"] if each["answer"] == answer]
    assert given[0]["source"] == "person"
    assert {each["seat"] for each in kept["answers"]} == {0}
    assert kept["tokens"]
    assert kept["mails"]


def taken(post: Postbox, table: Table, *scopes: str) -> list[dict[str, Any]]:
    """The answers of seat 0 as a token with some scopes takes them along."""
    with post.api.app.app_context():
        token = table.token(0, scopes=scopes)
    answers: list[dict[str, Any]] = post.api.get(f"{ME}/export", token).json["answers"]
    return answers


def test_answers_of_games_that_run_need_the_scope_that_reads_them(
    post: Postbox,
) -> None:
    table = in_election(post.api)
    table.put(0, {"kind": "election", "card": "no"})

    account_alone = taken(post, table, "profile")
    both = taken(post, table, "profile", "games:read")

    assert account_alone == []
    assert {"kind": "election", "card": "no"} in [each["answer"] for each in both]


def test_answers_of_games_that_are_over_go_with_the_account(post: Postbox) -> None:
    table = Table(post.api, rounds=1, placement="random")
    table.inside("finish")

    answers = taken(post, table, "profile")

    assert answers
    assert answers == taken(post, table, "profile", "games:read")


def test_what_is_taken_along_names_nobody_else_and_no_secret(post: Postbox) -> None:
    table = in_election(post.api)
    for seat in (1, 2):
        table.put(seat, table.first_legal(seat))

    text = post.api.get(f"{ME}/export", table.tokens[0]).text

    assert "simon" not in text.lower()
    assert "terry" not in text.lower()
    assert not any(token in text for token in table.tokens)
    assert "election" not in text
