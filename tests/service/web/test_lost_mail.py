"""*Lost the mail?*: open questions again, and the same answer for any address."""

from datetime import timedelta
from pathlib import Path

import pytest
from flask import Flask

from service.people import deletion, game_mails
from service.store import clock, lost_mails
from service.store.transactions import transaction
from tests.rig.browser import Page
from tests.rig.service import seated
from tests.rig.service.postbox import Postbox
from tests.rig.service.seated import Seated, run
from tests.rig.service.visitor import Visitor
from worker.clock import lost_mails as finding
from worker.clock import retention

pytestmark = pytest.mark.usefixtures("inside")


@pytest.fixture
def post(app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Postbox:
    return Postbox(app, tmp_path, monkeypatch)


def lose(visitor: Visitor, address: str) -> Page:
    page = visitor.get("/lost")
    return visitor.press(page, page.the_form("Mail it again"), {"address": address})


def found(post: Postbox, table: Seated) -> int:
    """What the worker makes of the asks: how many mails there are to everybody now."""
    finding.sweep()
    post.tell(table.id)
    return len(post.letters())


def address_on(table: Seated, seat: int) -> str:
    person = seated.person_on(table.id, seat)
    ((address,),) = run("SELECT address FROM person WHERE id = :p", {"p": person})
    return str(address)


def test_an_open_question_is_mailed_again_as_registered(
    visitor: Visitor, post: Postbox
) -> None:
    table = seated.in_election(3)
    before = found(post, table)

    # Typed otherwise, it goes where it was registered.
    answer = lose(visitor, address_on(table, 1).upper())

    assert "If somebody plays here by this address" in answer.text
    assert found(post, table) == before + 1
    letter = post.letters()[-1]
    assert letter.to == address_on(table, 1)
    assert visitor.get("/d/" + letter.url.rpartition("/")[2]).status == 200


@pytest.mark.parametrize("who", ["plays", "has nothing to do", "unknown", "no mails"])
def test_the_answer_and_what_is_written_are_the_same_for_any_address(
    app: Flask, who: str
) -> None:
    table = seated.started(3)
    asked = int(table.game.asked()[0])
    address = address_on(table, asked if who == "plays" else (asked + 1) % 3)
    if who == "no mails":
        game_mails.end(seated.link(table.id, (asked + 1) % 3, "unsubscribe"))
    if who == "unknown":
        address = "nobody+9@example.org"
    tables = "SELECT (SELECT count(*) FROM notice), (SELECT count(*) FROM mail)"
    before = run(tables)

    page = lose(Visitor(app), address)

    assert page.status == 200
    assert address not in page.text
    assert page.text == lose(Visitor(app), "somebody@example.org").text
    assert run(tables) == before
    assert run("SELECT count(*), max(times) FROM lost_mail") == [(2, 1)]


def test_once_an_hour_and_five_times_a_day(visitor: Visitor, post: Postbox) -> None:
    table = seated.in_election(3)
    before = found(post, table)
    address = address_on(table, 1)

    for number in range(1, 8):
        for _ in range(3):
            lose(visitor, address)
        assert found(post, table) == before + min(number, lost_mails.A_DAY)
        clock.shift(timedelta(hours=1, seconds=1))


def test_who_has_answered_is_mailed_nothing(visitor: Visitor, post: Postbox) -> None:
    table = seated.started(3)
    seat = int(table.game.asked()[0])
    address = address_on(table, (seat + 1) % 3)
    before = found(post, table)

    lose(visitor, address)

    assert found(post, table) == before


def test_who_wants_no_mails_of_a_game_has_none_by_a_strangers_wish(
    visitor: Visitor, post: Postbox
) -> None:
    table = seated.in_election(3)
    game_mails.end(seated.link(table.id, 1, "unsubscribe"))
    before = found(post, table)

    lose(visitor, address_on(table, 1))

    assert found(post, table) == before


def test_what_is_no_address_is_told_so(visitor: Visitor) -> None:
    answer = lose(visitor, "nobody at all")

    assert answer.status == 422
    assert run("SELECT count(*) FROM lost_mail") == [(0,)]


def test_an_address_is_kept_for_a_day(visitor: Visitor) -> None:
    lose(visitor, "nobody@example.org")
    finding.sweep()
    clock.shift(timedelta(days=1, seconds=1))

    retention.tidy()

    assert run("SELECT count(*) FROM lost_mail") == [(0,)]


def test_an_address_goes_with_its_person(visitor: Visitor) -> None:
    table = seated.started(3)
    lose(visitor, address_on(table, 1))

    deletion.erase(seated.person_on(table.id, 1))

    assert run("SELECT count(*) FROM lost_mail") == [(0,)]


def test_an_ask_that_fails_stops_itself_only(visitor: Visitor, post: Postbox) -> None:
    table = seated.in_election(3)
    before = found(post, table)
    for seat in (1, 2):
        lose(visitor, address_on(table, seat))
    with transaction():
        first, _second = lost_mails.claim(2, 30)
    # As if a worker had died with it: the other one is free again.
    run(
        "UPDATE lost_mail SET claim_at = kingup_now() WHERE address_key <> :k",
        {"k": first.address_key},
    )

    assert found(post, table) == before + 1
    clock.shift(timedelta(minutes=2))
    assert found(post, table) == before + 2


def test_a_game_that_only_a_newer_process_can_read_holds_up_no_other(
    visitor: Visitor, post: Postbox
) -> None:
    newer, table = seated.in_election(3), seated.in_election(3)
    run(
        "UPDATE seat SET person_id = :p WHERE game_id = :g AND number = 1",
        {"p": seated.person_on(table.id, 1), "g": newer.id},
    )
    before = found(post, table)
    run("UPDATE game SET snapshot_format = 9999 WHERE id = :g", {"g": newer.id})

    lose(visitor, address_on(table, 1))

    assert found(post, table) == before + 1
    assert run("SELECT settled_at IS NOT NULL FROM lost_mail") == [(True,)]
