"""A table on the pages: asked for, confirmed by its host, joined, changed, given up."""

import re
from collections.abc import Iterator
from uuid import UUID

import pytest
from flask import Flask

from service import seating
from service.store import links
from service.store.people import Profile
from service.store.transactions import transaction
from tests.rig.browser import Form, Page
from tests.service import seated
from tests.service.seated import run
from tests.service.visitor import Visitor, choices

FILLED = {
    "name": "Rachel",
    "address": "rachel@example.org",
    "seat1_kind": "friend",
    "seat1_name": "Simon",
    "seat1_address": "simon@example.org",
    "seat2_kind": "empty",
    "seat3_kind": "bot",
    "word": "Würfel",
    "rounds": "1",
    "placement": "random",
    "visibility": "players",
}


@pytest.fixture(autouse=True)
def inside(app: Flask) -> Iterator[None]:
    with app.app_context():
        yield


@pytest.fixture
def visitor(app: Flask) -> Visitor:
    return Visitor(app)


def new(visitor: Visitor, **changed: str) -> Page:
    page = visitor.get("/new")
    return visitor.press(page, page.the_form("Mail me"), {**FILLED, **changed})


def the_game() -> UUID:
    rows = run("SELECT id FROM game")
    return UUID(str(rows[-1][0]))


def path(game_id: UUID, seat: int, purpose: str) -> str:
    with transaction():
        token = links.add(seated.link(game_id, seat, purpose))
    return f"/{purpose[0]}/{token}"


def status(game_id: UUID) -> str:
    return str(run("SELECT status FROM game WHERE id = :g", {"g": game_id})[0][0])


def states(game_id: UUID) -> list[tuple[object, ...]]:
    return run(
        "SELECT name, bot, state FROM seat WHERE game_id = :g ORDER BY number",
        {"g": game_id},
    )


def form_with(page: Page, value: str) -> Form:
    """The form that offers a value."""
    return next(f for f in page.forms if any(r.value == value for r in f.radios))


def test_a_new_game_is_a_draft_and_one_mail_to_its_host(visitor: Visitor) -> None:
    page = new(visitor)

    game_id = the_game()
    assert "We mailed you" in page.text
    assert states(game_id) == [
        ("Rachel", None, "invited"),
        ("Simon", None, "invited"),
        ("Robot Due", "steady", "joined"),
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
        ({"word": "x" * 65}, "“A word for the shuffle” is too long."),
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
        ({"seat3_kind": "empty"}, "This edition can't be played by 2."),
    ],
)
def test_what_is_wrong_is_said_and_what_was_typed_is_kept(
    app: Flask, visitor: Visitor, changed: dict[str, str], sentence: str
) -> None:
    before = seated.everything(app)

    page = new(visitor, **changed)

    assert page.status in (409, 422)
    assert sentence in page.text
    kept = page.the_form("Mail me")
    sent = {**FILLED, **changed}
    for name, value in kept.sent({}, None).items():
        assert value == sent.get(name, value), name
    assert seated.everything(app) == before


def test_an_error_stands_beside_its_field(visitor: Visitor) -> None:
    body = new(visitor, seat1_address="nobody").body.decode()

    fields = re.findall(r"<input name=\"(\w+)\"[^>]*aria-invalid=\"true\"", body)
    described = re.findall(r"aria-describedby=\"([\w-]+)\"", body)
    assert fields == ["seat1_address"]
    assert described
    assert all(f'id="{name}"' in body for name in described)


def test_too_many_mails_to_a_host_are_refused(visitor: Visitor) -> None:
    for _ in range(seating.MAILS_A_DAY):
        assert new(visitor).status == 200

    assert new(visitor).status == 429


def test_nothing_chosen_sends_nothing(app: Flask, visitor: Visitor) -> None:
    link = path(seated.draft(3), 0, "table")
    page = visitor.get(link)
    before = seated.everything(app)

    answer = visitor.press(page, page.forms[0])

    assert answer.status == 422
    assert "Nothing was chosen" in answer.text
    assert seated.everything(app) == before


def test_the_host_sends_the_invitations(visitor: Visitor) -> None:
    game_id = seated.draft(3)
    page = visitor.get(path(game_id, 0, "table"))

    done = visitor.press(page, form_with(page, "send"), {"choice": "send"})

    assert done.status == 200
    assert "You are in" in done.text
    assert status(game_id) == "inviting"
    kinds = run("SELECT kind, seat FROM notice ORDER BY seat, kind")
    assert kinds == [("confirm", 0), ("invitation", 1), ("invitation", 2)]


def test_the_host_throws_a_draft_away(visitor: Visitor) -> None:
    game_id = seated.draft(3)
    link = path(game_id, 0, "table")
    page = visitor.get(link)

    done = visitor.press(page, form_with(page, "discard"), {"choice": "discard"})

    assert "called off" in done.text
    assert status(game_id) == "over"
    assert run("SELECT 1 FROM notice WHERE kind = 'invitation'") == []
    assert "called off" in visitor.get(link).text


def test_a_host_among_bots_begins_at_once(visitor: Visitor) -> None:
    game_id = seated.draft(4, bots=3, first=0)
    page = visitor.get(path(game_id, 0, "table"))

    begun = visitor.press(
        page, form_with(page, "send"), {"choice": "send", "remember": "yes"}
    )

    assert "the game has begun" in begun.text
    assert list(visitor.cookies()) == [f"seat_{game_id.hex}"]
    form = next(form for form in begun.forms if form.radios)
    assert visitor.press(begun, form, choices(form)).status == 200


def test_a_promised_seat_is_given_to_a_bot(visitor: Visitor) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    page = visitor.get(path(game_id, 0, "table"))
    seat = next(f for f in page.forms if f.fields.get("seat") == "2")

    done = visitor.press(page, seat, {"choice": "bot"})

    assert done.status == 200
    assert states(game_id)[2] == ("Robot Due", "steady", "joined")
    assert [f.fields.get("seat") for f in done.forms] == ["1", None]


def test_somebody_else_is_invited_to_a_seat_that_was_declined(
    visitor: Visitor,
) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    seating.respond(seated.link(game_id, 1), seating.Choice.NO, Profile("Simon"), "")
    page = visitor.get(path(game_id, 0, "table"))
    assert "no thanks" in page.text
    seat = next(f for f in page.forms if f.fields.get("seat") == "1")
    guest = {"choice": "guest", "name": "Paul", "address": "paul@example.org"}

    wrong = visitor.press(page, seat, {**guest, "address": "paul"})
    done = visitor.press(page, seat, guest)

    assert wrong.status == 422
    assert "“E-mail address” is no e-mail address." in wrong.text
    assert (
        next(f for f in wrong.forms if f.fields.get("seat") == "1").fields["address"]
        == "paul"
    )
    assert done.status == 200
    assert states(game_id)[1] == ("Paul", None, "invited")


def test_a_seat_that_is_taken_is_not_given_away(app: Flask, visitor: Visitor) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    page = visitor.get(path(game_id, 0, "table"))
    seat = next(f for f in page.forms if f.fields.get("seat") == "1")
    seated.accept(game_id, 1)
    before = seated.everything(app)

    for number in ("1", "0", "7", "x"):
        seat.fields["seat"] = number
        assert visitor.press(page, seat, {"choice": "bot"}).status == 404

    assert seated.everything(app) == before


def test_the_host_gives_up_before_the_start_alone(app: Flask, visitor: Visitor) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    link = path(game_id, 0, "table")
    page = visitor.get(link)
    form = page.the_form("Call it off")
    before = seated.everything(app)
    assert visitor.press(page, form).status == 422
    assert seated.everything(app) == before

    done = visitor.press(page, form, {"choice": "yes"})

    assert "called off" in done.text
    assert status(game_id) == "over"


def test_after_the_start_the_hosts_page_is_the_game(visitor: Visitor) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    link = path(game_id, 0, "table")
    form = visitor.get(link).the_form("Call it off")
    for seat in (1, 2):
        seated.accept(game_id, seat)

    page = visitor.get(link)
    answer = visitor.press(page, form, {"choice": "yes"})

    assert "King's throne" in page.text
    assert answer.status == 409
    assert status(game_id) == "running"


def test_joining_takes_one_answer_none_of_which_is_chosen(
    app: Flask, visitor: Visitor
) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    page = visitor.get(path(game_id, 1, "invitation"))
    form = page.the_form("Send my answer")
    before = seated.everything(app)

    answer = visitor.press(page, form)

    assert form.choices()["choice"] == ["in", "no", "never"]
    assert not any(radio.checked for radio in form.radios)
    assert form.fields["name"] == "Simon"
    assert form.fields["zone"] == "UTC"
    assert "remember" not in form.fields
    assert answer.status == 422
    assert "Choose one of the three." in answer.text
    assert seated.everything(app) == before


def test_the_last_one_in_starts_the_game(visitor: Visitor) -> None:
    game_id = seated.draft(3, first=2)
    seated.confirm(game_id)
    seated.accept(game_id, 1)
    page = visitor.get(path(game_id, 2, "invitation"))

    joined = {"choice": "in", "name": "Therese", "zone": "Europe/Paris"}
    begun = visitor.press(page, page.the_form("Send my answer"), joined)

    assert status(game_id) == "running"
    assert "the game has begun" in begun.text
    form = next(form for form in begun.forms if form.radios)
    assert visitor.press(begun, form, choices(form)).status == 200
    row = run(
        "SELECT name, zone, verified_at IS NOT NULL FROM person WHERE name = 'Therese'"
    )
    assert row == [("Therese", "Europe/Paris", True)]
    assert visitor.cookies() == {}


def test_whoever_joins_early_waits_for_the_others(visitor: Visitor) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    page = visitor.get(path(game_id, 1, "invitation"))

    done = visitor.press(
        page,
        page.the_form("Send my answer"),
        {"choice": "in", "word": "luck", "remember": "yes"},
    )

    assert "You are in" in done.text
    assert "not answered yet" in done.text
    assert list(visitor.cookies()) == [f"seat_{game_id.hex}"]
    assert bytes(run("SELECT word FROM seat WHERE number = 1")[0][0]) != b""


@pytest.mark.parametrize(
    ("changed", "code", "sentence"),
    [
        ({"name": " "}, 422, "“Your name” must not be empty."),
        ({"name": "Rachel"}, 409, "Another name at this table reads the same."),
        ({"word": "x" * 65}, 422, "“A word for the shuffle” is too long."),
    ],
)
def test_a_bad_answer_to_an_invitation_is_told_and_kept(
    visitor: Visitor, changed: dict[str, str], code: int, sentence: str
) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    page = visitor.get(path(game_id, 1, "invitation"))
    sent = {"choice": "in", "name": "Simone", "zone": "Asia/Tokyo", **changed}

    answer = visitor.press(page, page.the_form("Send my answer"), sent)

    assert answer.status == code
    assert sentence in answer.text
    kept = answer.the_form("Send my answer").sent({}, None)
    assert {name: kept[name] for name in sent} == sent
    assert states(game_id)[1] == ("Simon", None, "invited")


@pytest.mark.parametrize("choice", ["no", "never"])
def test_no_thanks_and_never_again(visitor: Visitor, choice: str) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    link = path(game_id, 1, "invitation")
    page = visitor.get(link)

    done = visitor.press(page, page.the_form("Send my answer"), {"choice": choice})

    assert done.status == 200
    assert states(game_id)[1][2] == "declined"
    assert len(run("SELECT 1 FROM opt_out")) == (choice == "never")
    assert run("SELECT count(*) FROM notice WHERE kind = 'declined'") == [(1,)]
    assert "You said no thanks" in visitor.get(link).text


def test_an_invitation_that_is_over_explains_itself(
    app: Flask, visitor: Visitor
) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    link = path(game_id, 1, "invitation")
    page = visitor.get(link)
    form = page.the_form("Send my answer")
    seating.reseat_bot(seated.link(game_id, 0, "table"), 1, "steady")
    before = seated.everything(app)

    answer = visitor.press(page, form, {"choice": "in"})

    assert answer.status == 409
    assert "given the seat to somebody else" in answer.text
    assert visitor.get(link).status == 200
    assert seated.everything(app) == before


def test_no_page_of_a_table_shows_an_address(visitor: Visitor) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)

    for link in (path(game_id, 0, "table"), path(game_id, 1, "invitation")):
        assert "example.org" not in visitor.get(link).body.decode()


def test_links_of_a_table_open_no_cards_once_it_has_begun(
    app: Flask, visitor: Visitor
) -> None:
    game_id = seated.draft(3)
    host = path(game_id, 0, "table")
    draft = visitor.get(host)
    seated.confirm(game_id)
    guest = path(game_id, 1, "invitation")
    invited = visitor.get(guest)
    for seat in (1, 2):
        seated.accept(game_id, seat)
    before = seated.everything(app)

    pages = (
        visitor.press(
            draft, form_with(draft, "send"), {"choice": "send", "remember": "yes"}
        ),
        visitor.press(
            invited, form_with(invited, "in"), {"choice": "in", "remember": "yes"}
        ),
    )

    assert all("eyes only" not in page.text for page in pages)
    assert visitor.cookies() == {}
    assert seated.everything(app) == before
