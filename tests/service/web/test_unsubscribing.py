"""The page by which a game's mails end: by one click of a mail program, or a choice."""

from datetime import timedelta

import pytest
from flask import Flask

from service.store import clock
from service.store import links as linkstore
from service.store.transactions import transaction
from tests.rig.browser import Page
from tests.rig.service import seated
from tests.rig.service.seated import Seated, run
from tests.rig.service.visitor import Visitor, link

pytestmark = pytest.mark.usefixtures("inside")

ONE_CLICK = {"List-Unsubscribe": "One-Click"}


def path(table: Seated, seat: int = 1) -> str:
    return link(table, seat, "unsubscribe").replace("/d/", "/u/")


def without() -> list[tuple[object, ...]]:
    """Who wants no mails, by game and seat."""
    return run(
        "SELECT s.game_id, s.number FROM unsubscribed u JOIN seat s"
        " USING (game_id, person_id) ORDER BY 2"
    )


def choose(visitor: Visitor, page: Page, button: str, **chosen: str) -> Page:
    form = page.the_form(button)
    pressed = next(each for each in form.buttons if button in each.label)
    return visitor.press(page, form, chosen, pressed)


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_a_look_ends_no_mails(visitor: Visitor, method: str) -> None:
    table = seated.started(3)

    visitor.fetch(method, path(table))

    assert without() == []


def test_one_click_of_a_mail_program_ends_the_mails_of_one_game(app: Flask) -> None:
    table, other = seated.started(3), seated.started(3)
    program = app.test_client(use_cookies=False)

    answer = program.post(path(table), data=ONE_CLICK)

    assert (answer.status_code, answer.headers.get("Set-Cookie")) == (200, None)
    assert without() == [(table.id, 1)]
    assert other.id != table.id


def test_one_click_may_come_as_a_form_of_parts_and_twice(app: Flask) -> None:
    table = seated.started(3)
    where = path(table)

    for _ in range(2):
        answer = app.test_client().post(
            where, data=ONE_CLICK, content_type="multipart/form-data"
        )
        assert answer.status_code == 200

    assert without() == [(table.id, 1)]


def test_whoever_presses_every_button_and_chooses_nothing_ends_nothing(
    visitor: Visitor,
) -> None:
    table = seated.started(3)
    page = visitor.get(path(table))

    for form in page.forms:
        for button in form.buttons:
            assert visitor.press(page, form, {}, button).status == 422

    assert without() == []
    assert seated.seatings(table) == []


@pytest.mark.parametrize("chosen", ["game", "all"])
def test_this_game_or_all_is_chosen_and_undone(visitor: Visitor, chosen: str) -> None:
    table, other = seated.started(3), seated.started(4)
    run(
        "UPDATE seat SET person_id = :p WHERE game_id = :g AND number = 1",
        {"p": seated.person_on(table.id, 1), "g": other.id},
    )
    page = visitor.get(path(table))
    everywhere = {(table.id, 1), (other.id, 1)} if chosen == "all" else {(table.id, 1)}

    ended = choose(visitor, page, "End these mails", mails=chosen)

    assert set(without()) == everywhere
    assert "You get no mails of this game" in ended.text
    back = choose(visitor, ended, "Mail me again", mails=chosen)
    assert "Mails come again." in back.text
    assert without() == []


@pytest.mark.parametrize("body", [{"mails": "game", "do": "end"}, {"do": "leave"}, {}])
def test_another_site_ends_nothing(app: Flask, body: dict[str, str]) -> None:
    table = seated.started(3)

    answer = app.test_client().post(path(table), data={**body, "sure": "yes"})

    assert answer.status_code == 403
    assert without() == []


def test_by_the_same_link_one_leaves_if_it_is_meant(visitor: Visitor) -> None:
    table = seated.started(3)
    page = visitor.get(path(table))

    left = choose(visitor, page, "Leave this game", sure="yes")

    assert "You have left this game." in left.text
    assert seated.seatings(table) == [1]


@pytest.mark.parametrize(
    ("rounds", "said"),
    [
        (3, "You may come back when the round is over."),
        (1, "This is the last round: there is no way back."),
    ],
)
def test_before_leaving_one_is_told_whether_there_is_a_way_back(
    visitor: Visitor, rounds: int, said: str
) -> None:
    table = seated.started(3, placement="random", rounds=rounds)

    assert said in visitor.get(path(table)).text


def test_the_table_sees_who_plays_without_mails(app: Flask, visitor: Visitor) -> None:
    table = seated.started(3)
    seen = f"/v1/games/{table.id}"
    etag = app.test_client().get(seen).headers["ETag"]
    assert "without mail" not in visitor.get(f"/g/{table.id}").text

    app.test_client().post(path(table), data=ONE_CLICK)

    assert "without mail" in visitor.get(f"/g/{table.id}").text
    answer = app.test_client().get(seen, headers={"If-None-Match": etag})
    seats = answer.json["seats"]
    assert [seat["without_mail"] for seat in seats] == [False, True, False]
    view = app.test_client().get(f"{seen}/view").json
    assert [seat["without_mail"] for seat in view["seats"]] == [False, True, False]


def test_what_the_link_of_mails_is_good_for_opens_no_cards(visitor: Visitor) -> None:
    table = seated.started(3)
    where = path(table)

    assert visitor.get(where.replace("/u/", "/d/")).status == 404
    assert visitor.get(link(table, 1).replace("/d/", "/u/")).status == 404


@pytest.mark.parametrize(("days", "good"), [(89, True), (91, False)])
def test_the_link_is_good_for_90_days_after_the_game(
    app: Flask, visitor: Visitor, days: int, good: bool
) -> None:
    table = seated.started(3, placement="random", rounds=1)
    where = path(table)
    run("UPDATE game SET status = 'over', ended_at = kingup_now()")
    clock.shift(timedelta(days=days))

    page = visitor.get(where)
    answer = app.test_client().post(where, data=ONE_CLICK)

    assert (page.form("End these mails") is not None) is good
    assert answer.status_code == 200
    assert without() == ([(table.id, 1)] if good else [])


def test_a_made_up_link_ends_nothing(app: Flask) -> None:
    answer = app.test_client().post("/u/" + "a" * 26, data=ONE_CLICK)

    assert answer.status_code == 404
    with transaction():
        assert linkstore.find("a" * 26) is None
