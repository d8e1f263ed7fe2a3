"""Names over API and pages: as typed when harmless, else refused; never more than text.

Whatever is refused changes nothing.
"""

import html

import pytest

from tests.rig.service import seated
from tests.rig.service.new_tables import BOT, OPEN, answer, lay, mailed, person, take
from tests.rig.service.programs import Api
from tests.rig.service.visitor import Visitor, table_link

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
COMPOSED, DECOMPOSED = "Zo\u00eb", "Zoe\u0308"

HARMLESS = [
    COMPOSED,
    "李雷",
    "عمر",
    "Voß",
    "Lefèvre",
    FAMILY,
    "<b>x</b>",
    "=HYPERLINK(1)",
    "x" * 32,
]
HIDDEN = ["Ri\u200bta", "\u200b" * 15, "\u202eatiR", "x\r\nBcc: y@example.org", "\x07"]
LOOK_ALIKES = ["Rіta", "RITA", "Rıta", "R1ta", "Ｒｉｔａ", "Ríta", "Ri ta"]


@pytest.fixture
def path(api: Api) -> str:
    """Rita's table, with two free seats."""
    return lay(api, person(api, "Rita"), OPEN, OPEN, BOT)


@pytest.mark.parametrize("name", HARMLESS)
def test_a_harmless_name_is_read_as_it_was_typed(
    api: Api, path: str, name: str
) -> None:
    taken = take(api, path, person(api, "Terry"), name=name)

    assert (taken.status_code, taken.json["name"]) == (201, name)
    assert api.get(f"{path}/seats/1").json["name"] == name


@pytest.mark.parametrize("name", HARMLESS)
def test_a_page_shows_a_name_as_nothing_but_text_and_apart(
    api: Api, path: str, name: str
) -> None:
    take(api, path, person(api, "Terry"), name=name)

    with api.app.app_context():
        page = Visitor(api.app).get(table_link(path[-36:], 0, "table"))

    shown = page.body.decode()
    assert f"<bdi>{html.escape(name)}</bdi>" in shown
    assert "<b>x</b>" not in shown


def test_two_spellings_of_one_name_are_one(api: Api, path: str) -> None:
    first = take(api, path, person(api, "Terry"), name=DECOMPOSED)
    second = take(api, path, person(api, "Paul"), name=COMPOSED)

    assert first.json["name"] == COMPOSED
    assert (second.status_code, second.json["code"]) == (409, "name-taken")


@pytest.mark.parametrize("name", [*HIDDEN, "x" * 33, "x" * 300, "\u0301"])
def test_a_name_that_deceives_is_refused_wherever_one_is_given(
    api: Api, path: str, name: str
) -> None:
    terry, rita = person(api, "Terry"), person(api, "Rita")
    wish = {"address": "simon@example.org", "name": "Simon"}
    api.call("POST", f"{path}/invitations", rita, json=wish)
    invitation = mailed(api, path, 1)
    before = seated.everything(api.app)
    guest = {"kind": "person", "address": "paul@example.org", "name": name}

    answers = [
        take(api, path, terry, name=name),
        api.call("PUT", f"{path}/seats/2", rita, json=guest),
        api.call("POST", "/v1/games", rita, json={"seats": [guest, BOT]}),
        api.call("POST", f"{path}/invitations", rita, json=wish | {"name": name}),
        api.call("POST", "/v1/practice-games", json={"name": name}),
        answer(api, invitation, "in", name=name),
    ]

    assert [each.status_code for each in answers] == [422] * len(answers)
    assert {each.json["field"].split(".")[-1] for each in answers} == {"name"}
    assert seated.everything(api.app) == before


@pytest.mark.parametrize("name", LOOK_ALIKES)
def test_no_two_at_a_table_have_names_that_read_the_same(
    api: Api, path: str, name: str
) -> None:
    rita = person(api, "Rita")
    guest = {"kind": "person", "address": "paul@example.org", "name": name}
    before = seated.everything(api.app)

    answers = [
        api.call("PUT", f"{path}/seats/1", rita, json=guest),
        api.call("POST", f"{path}/invitations", rita, json=_unkind(guest)),
        api.call("POST", "/v1/games", rita, json={"seats": [guest, BOT]}),
    ]
    assert [a.json["code"] for a in answers] == ["name-taken"] * 3
    assert seated.everything(api.app) == before
    assert take(api, path, person(api, "Terry"), name=name).status_code == 409


def _unkind(guest: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in guest.items() if name != "kind"}


def test_what_is_no_character_is_not_understood(api: Api, path: str) -> None:
    terry = person(api, "Terry")

    found = api.call(
        "POST",
        f"{path}/seats",
        terry,
        data=b'{"name": "\\ud800"}',
        content_type="application/json",
    )

    assert (found.status_code, found.json["field"]) == (422, "name")


@pytest.mark.parametrize("name", ["x\r\nBcc: y@example.org", "\u202eatiR", "Rіta"])
def test_a_page_refuses_what_the_api_refuses(api: Api, name: str) -> None:
    path = lay(
        api,
        person(api, "Rita"),
        {"kind": "person", "address": "simon@example.org", "name": "Simon"},
        BOT,
    )
    invitation = mailed(api, path, 1).replace("/v1/invitations", "/i")
    visitor = Visitor(api.app)
    page = visitor.get(invitation)
    [form] = [form for form in page.forms if "name" in form.fields]
    before = seated.everything(api.app)

    sent = visitor.press(page, form, {"choice": "in", "name": name})

    assert sent.status in (409, 422)
    assert seated.everything(api.app) == before


def test_an_open_seat_is_shown_as_free_and_can_be_given_away(
    api: Api, path: str
) -> None:
    visitor = Visitor(api.app)
    with api.app.app_context():
        page = visitor.get(table_link(path[-36:], 0, "table"))
    [form] = [form for form in page.forms if form.fields.get("seat") == "1"]

    assert "free" in page.text
    sent = visitor.press(page, form, {"choice": "bot"})

    assert sent.status == 200
    kinds = [seat["kind"] for seat in api.get(f"{path}/seats").json["seats"]]
    assert kinds == ["person", "bot", "open", "bot"]
