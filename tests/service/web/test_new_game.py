"""A new game asked for on its page: a draft, and one mail to its host."""

import re
from uuid import UUID

import msgspec
import pytest
from flask import Flask

from service.config import Create
from service.rate_limits.limits import TABLES
from service.tables import invitations
from tests.rig.service import seated
from tests.rig.service.hosts import to_mail
from tests.rig.service.new_game import FILLED, new
from tests.rig.service.seated import run
from tests.rig.service.visitor import Visitor, states

pytestmark = pytest.mark.usefixtures("inside")


def the_game() -> UUID:
    rows = run("SELECT id FROM game")
    return UUID(str(rows[-1][0]))


def test_a_new_game_is_a_draft_and_one_mail_to_its_host(visitor: Visitor) -> None:
    page = new(visitor)

    game_id = the_game()
    assert "We mailed you" in page.text
    assert states(game_id) == [
        ("Rachel", None, "invited"),
        ("Simon", None, "invited"),
        ("Robot Uno", "steady", "joined"),
    ]
    assert run("SELECT kind, seat FROM notice") == [("confirm", 0)]
    chosen = run("SELECT options, visibility FROM game")[0]
    assert chosen[0]["rounds"] == 1
    assert chosen[0]["placement"] == "random"
    assert chosen[1] == "players"


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"address": "rachel"}, "“Your e-mail address” is no e-mail address."),
        ({"name": ""}, "“Your name” must not be empty."),
        ({"name": "www.example.org"}, "“Your name” must not look like a link."),
        (
            {"word": "x" * 65},
            "“A word for the shuffle” must have 64 characters at most.",
        ),
        ({"seat1_address": ""}, "“Address of seat 2” is no e-mail address."),
        (
            {"seat5_kind": "friend", "seat5_address": "RACHEL@example.org"},
            "This address has a seat at the table already.",
        ),
        (
            {"seat5_kind": "friend", "seat5_address": "x@x", "seat5_name": "Simon"},
            "“Address of seat 6” is no e-mail address.",
        ),
        (
            {
                "seat5_kind": "friend",
                "seat5_address": "x@example.org",
                "seat5_name": "Sìmon",
            },
            "Another name at this table reads the same.",
        ),
        ({"seat3_kind": "empty"}, "Add at least one more player or bot."),
    ],
)
def test_what_is_wrong_is_said_and_what_was_typed_is_kept(
    app: Flask, visitor: Visitor, changed: dict[str, str], sentence: str
) -> None:
    before = seated.everything(app)

    page = new(visitor, **changed)

    assert page.status in (409, 422)
    assert sentence in page.text
    returned = page.the_form("Mail me")
    sent = {**FILLED, **changed}
    for name, value in returned.sent({}, None).items():
        assert value == sent.get(name, value), name
    assert seated.everything(app) == before


def test_who_may_host_is_told_to_nobody_who_types_an_address(
    inside: Flask, visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = msgspec.structs.replace(
        inside.config["KINGUP"],
        create=Create.LISTED,
        hosts=frozenset({"rachel@example.org"}),
    )
    monkeypatch.setitem(inside.config, "KINGUP", listed)

    answers = [new(visitor, address=f"{who}@example.org") for who in ("paul", "rachel")]

    paul, rachel = (answer.text for answer in answers)
    assert paul.replace("paul@", "rachel@") == rachel
    assert "Only chosen people may host a game here" in answers[0].text
    assert to_mail() == [("confirm", "rachel@example.org")]


def test_typing_errors_use_up_no_tables(limited: Flask) -> None:
    visitor = Visitor(limited)

    wrong = {new(visitor, seat1_address="nobody").status for _ in range(TABLES.amount)}
    right = new(visitor)

    assert (wrong, right.status) == ({422}, 200)


def test_an_error_stands_beside_its_field(visitor: Visitor) -> None:
    body = new(visitor, seat1_address="nobody").body.decode()

    fields = re.findall(r"<input name=\"(\w+)\"[^>]*aria-invalid=\"true\"", body)
    described = re.findall(r"aria-describedby=\"([\w-]+)\"", body)
    assert fields == ["seat1_address"]
    assert described
    assert all(f'id="{name}"' in body for name in described)


def test_everything_that_is_wrong_is_said_at_once(visitor: Visitor) -> None:
    wrong = {"name": "", "address": "rachel", "seat1_address": "simon"}

    page = new(visitor, **wrong, seat3_kind="empty", word="x" * 65)

    for sentence in (
        "“Your name” must not be empty.",
        "“Your e-mail address” is no e-mail address.",
        "“Address of seat 2” is no e-mail address.",
        "“A word for the shuffle” must have 64 characters at most.",
        "Add at least one more player or bot.",
    ):
        assert sentence in page.text


def test_a_form_sent_again_makes_no_second_table(app: Flask, visitor: Visitor) -> None:
    page = visitor.get("/new")
    form = page.the_form("Mail me")
    visitor.press(page, form, FILLED)
    before = seated.everything(app)

    again = visitor.press(page, form, FILLED)
    changed = visitor.press(page, form, {**FILLED, "seat1_name": "Simone"})

    assert "You have this one waiting already" in again.text
    assert "You have this one waiting already" in changed.text
    assert seated.everything(app) == before


def test_a_form_sent_again_after_an_error_makes_its_table(visitor: Visitor) -> None:
    wrong = new(visitor, name="")

    right = visitor.press(wrong, wrong.the_form("Mail me"), FILLED)

    assert "We mailed you" in right.text
    assert len(run("SELECT 1 FROM game")) == 1


def test_a_form_without_its_mark_makes_no_table(app: Flask, visitor: Visitor) -> None:
    page = visitor.get("/new")
    form = page.the_form("Mail me")
    before = seated.everything(app)

    for hidden in ({"form_token": ""}, {"table": "1"}, {"form_token": "forged"}):
        answer = visitor.press(page, form, {**FILLED, **hidden})
        assert answer.status == 403
        assert "too old" in answer.text

    assert seated.everything(app) == before
    returned = visitor.press(answer, answer.the_form("Mail me"))
    assert "We mailed you" in returned.text


def test_a_table_of_bots_is_told_of_no_invitations(visitor: Visitor) -> None:
    page = new(visitor, seat1_kind="bot")

    assert "begins the game" in page.text
    assert "invitation" not in page.text


def test_a_host_who_was_mailed_often_is_mailed_no_more_and_nobody_is_told_so(
    visitor: Visitor,
) -> None:
    answers = [new(visitor).text for _ in range(invitations.MAILS_A_DAY + 1)]

    assert len(set(answers)) == 1
    assert len(to_mail("confirm")) == invitations.MAILS_A_DAY
