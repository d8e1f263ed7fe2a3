"""The addresses a host typed: shown to them alone, mended, and forgotten in time."""

from uuid import UUID

import msgspec
import pytest
from flask import Flask

from service.people import deletion
from service.store import opt_outs, tables
from service.store.people import Profile
from service.store.transactions import transaction
from service.tables import mending, seat_changes, typed_addresses
from tests.rig.browser import Page
from tests.rig.service import seated
from tests.rig.service.hosts import to_mail
from tests.rig.service.seated import run
from tests.rig.service.visitor import Visitor, form_with, states, table_link

pytestmark = pytest.mark.usefixtures("inside")

SIMON, TERRY = "simon@example.org", "terry@example.org"
MEND = "Keep these names and addresses"


def typed(game_id: UUID) -> list[str | None]:
    known = mending.typed(tables.chairs(game_id))
    return [known[n].address if n in known else None for n in (1, 2)]


def kept() -> list[tuple[bytes]]:
    return [(row[0],) for row in run("SELECT typed FROM seat WHERE typed IS NOT NULL")]


def host_page(visitor: Visitor, game_id: UUID) -> Page:
    return visitor.get(table_link(game_id, 0, "table"))


def mended(visitor: Visitor, game_id: UUID, **fields: str) -> Page:
    page = host_page(visitor, game_id)
    return visitor.press(page, page.the_form(MEND), fields)


def erase(address: str) -> None:
    found = run("SELECT id FROM person WHERE address_key = :a", {"a": address})
    deletion.erase(found[0][0])


def test_a_host_reads_the_addresses_and_nobody_else_does(visitor: Visitor) -> None:
    game_id = seated.draft(3)
    assert SIMON in host_page(visitor, game_id).text
    seated.confirm(game_id)
    host = host_page(visitor, game_id)
    guest = visitor.get(table_link(game_id, 1, "invitation"))
    seat = visitor.get(table_link(game_id, 1, "table"))
    public = visitor.get(f"/g/{game_id}")

    assert (SIMON in host.text, TERRY in host.text) == (True, True)
    for page in (guest, seat, public):
        assert "Rachel" in page.text
        assert "@example.org" not in page.body.decode()


def test_whoever_sends_invitations_reads_where_they_go(visitor: Visitor) -> None:
    page = host_page(visitor, seated.draft(3))

    sent = visitor.press(page, form_with(page, "send"), {"choice": "send"})

    assert (SIMON in sent.text, TERRY in sent.text) == (True, True)
    watching = visitor.get(next(each for each in sent.links if "/t/" in each))
    assert "Your table fills up" in watching.text


def test_who_joins_reads_no_address_of_the_others(visitor: Visitor) -> None:
    game_id = seated.draft(4)
    seated.confirm(game_id)
    page = visitor.get(table_link(game_id, 1, "invitation"))

    joined = visitor.press(page, form_with(page, "in"), {"choice": "in"})

    assert "You are in" in joined.text
    assert "@example.org" not in joined.text


def test_a_draft_is_mended_and_nobody_hears_of_it(visitor: Visitor) -> None:
    game_id = seated.draft(3)
    before = to_mail()

    page = mended(
        visitor, game_id, seat1_name="Si", seat1_address=" Simone@Example.ORG "
    )

    assert page.status == 200
    assert states(game_id)[1:] == [("Si", None, "invited"), ("Terry", None, "invited")]
    assert typed(game_id) == ["Simone@example.org", TERRY]
    assert to_mail() == before
    assert run("SELECT FROM person WHERE address_key = :a", {"a": SIMON}) == []
    seated.confirm(game_id)
    assert [a for _, a in to_mail("invitation")] == ["Simone@example.org", TERRY]


def test_two_friends_change_places(visitor: Visitor) -> None:
    game_id = seated.draft(3)
    before = seated.person_on(game_id, 1), seated.person_on(game_id, 2)

    mended(
        visitor,
        game_id,
        seat1_name="Terry",
        seat1_address=TERRY,
        seat2_name="Simon",
        seat2_address=SIMON,
    )

    assert [name for name, *_ in states(game_id)] == ["Rachel", "Terry", "Simon"]
    after = seated.person_on(game_id, 2), seated.person_on(game_id, 1)
    assert after == before


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"seat1_address": "simon"}, "“Address of seat 2” is no e-mail address."),
        ({"seat1_address": TERRY}, "This address has a seat at the table already."),
        (
            {"seat2_address": "RACHEL@example.org"},
            "This address has a seat at the table already.",
        ),
        (
            {"seat2_name": "x" * 33},
            "“Name of seat 3” must have 32 characters at most.",
        ),
        ({"seat2_name": "Rachel"}, "Another name at this table reads the same."),
        ({"seat2_name": "Robot Uno"}, "Another name at this table reads the same."),
    ],
)
def test_what_is_wrong_in_a_draft_is_said_beside_its_field_and_kept(
    app: Flask, visitor: Visitor, fields: dict[str, str], sentence: str
) -> None:
    game_id = seated.draft(4, bots=1)
    page = host_page(visitor, game_id)
    before = seated.everything(app)

    wrong = visitor.press(page, page.the_form(MEND), fields)

    assert wrong.status in (409, 422)
    assert sentence in wrong.text
    sent = wrong.the_form(MEND).sent({}, None)
    assert {name: sent[name] for name in fields} == fields
    body = wrong.body.decode()
    assert 'id="mend" open' in body
    assert body.count('aria-invalid="true"') == 1
    assert seated.everything(app) == before


def test_what_was_sent_is_mended_no_more(app: Flask, visitor: Visitor) -> None:
    game_id = seated.draft(3)
    page = host_page(visitor, game_id)
    seated.confirm(game_id)
    before = seated.everything(app)

    late = visitor.press(page, page.the_form(MEND), {"seat1_name": "Si"})

    assert late.status == 409
    assert "The invitations are out" in late.text
    assert seated.everything(app) == before


def test_a_draft_that_has_begun_is_mended_no_more(app: Flask, visitor: Visitor) -> None:
    game_id = seated.draft(3)
    page = host_page(visitor, game_id)
    seated.confirm(game_id)
    for seat in (1, 2):
        seated.accept(game_id, seat)
    before = seated.everything(app)

    late = visitor.press(page, page.the_form(MEND), {"seat1_name": "Si"})

    assert late.status == 409
    assert "The seats are taken; nothing was changed." in late.text
    assert seated.everything(app) == before


def test_a_draft_looks_the_same_whether_somebody_wants_none(visitor: Visitor) -> None:
    game_id = seated.draft(3)
    usual = mended(visitor, game_id, seat1_address="paula@example.org").text
    with transaction():
        opt_outs.add("paula@example.org")

    mended(visitor, game_id, seat1_address=SIMON)

    again = mended(visitor, game_id, seat1_address="paula@example.org")
    assert again.text == usual
    assert "paula@example.org" in again.text


def test_an_address_is_corrected_from_the_one_that_was_typed(visitor: Visitor) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    page = host_page(visitor, game_id)
    form = form_with(page, "correct")
    assert form.fields["corrected"] == SIMON

    wrong = visitor.press(page, form, {"choice": "correct", "corrected": "simon"})
    done = visitor.press(
        page, form, {"choice": "correct", "corrected": "si@example.org"}
    )

    assert "“E-mail address” is no e-mail address." in wrong.text
    assert form_with(wrong, "correct").fields["corrected"] == "simon"
    assert done.status == 200
    assert typed(game_id) == ["si@example.org", TERRY]


def test_who_came_otherwise_is_shown_without_an_address(visitor: Visitor) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    seat_changes.leave_open(game_id, 1)

    assert typed(game_id) == [None, TERRY]
    assert SIMON not in host_page(visitor, game_id).text


def test_an_address_is_kept_no_longer_than_it_may_be_mended(visitor: Visitor) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    seated.accept(game_id, 1)
    assert typed(game_id) == [None, TERRY]
    assert SIMON not in host_page(visitor, game_id).text
    seated.accept(game_id, 2)
    assert kept() == []

    for is_sent in (False, True):
        other = seated.draft(3, tag="+other")
        if is_sent:
            seated.confirm(other)
        page = host_page(visitor, other)
        choice = {"choice": "yes" if is_sent else "discard"}
        form = page.the_form("Call it off") if is_sent else form_with(page, "discard")
        visitor.press(page, form, choice)
        assert kept() == []


@pytest.mark.parametrize("wants_none", [False, True])
def test_a_host_reads_what_they_wrote_when_its_owner_is_erased(
    visitor: Visitor, *, wants_none: bool
) -> None:
    known = seated.draft(3)
    seated.confirm(known)
    seated.accept(known, 1)
    if wants_none:
        with transaction():
            opt_outs.add(SIMON)
    game_id = seated.draft(3)

    erase(SIMON)

    assert typed(game_id) == [SIMON, TERRY]
    assert SIMON in host_page(visitor, game_id).text


def test_nobody_reads_an_address_without_the_secret(
    inside: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = seated.draft(3)
    sealed = [row[0] for row in kept()]
    assert all(b"example" not in each for each in sealed)
    assert len({each[:16] for each in sealed}) == 2
    changed = sealed[0][:-1] + bytes([sealed[0][-1] ^ 1])
    assert typed_addresses.read(changed) is None

    other = msgspec.structs.replace(inside.config["KINGUP"], secret_key="x" * 40)
    monkeypatch.setitem(inside.config, "KINGUP", other)

    assert typed(game_id) == [None, None]


def test_the_longest_address_is_sealed_whole() -> None:
    longest = f"{'ü' * 60}@{'a' * 60}.{'b' * 60}.{'c' * 60}.example"

    assert typed_addresses.read(typed_addresses.seal(longest)) == longest
    assert typed_addresses.read(typed_addresses.seal("")) == ""


def test_friends_are_spoken_to_as_their_host_until_they_say_otherwise() -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    seated.accept(game_id, 2)
    run_as = "UPDATE person SET language = 'fr', zone = 'Europe/Zurich' WHERE id = :p"
    run(f"{run_as} RETURNING id", {"p": seated.person_on(game_id, 0)})
    said = "SELECT language, zone FROM person WHERE id = :p"
    assert run(said, {"p": seated.person_on(game_id, 1)}) == [("en", "UTC")]

    other = seated.draft(3)
    seated.confirm(other)

    assert run(said, {"p": seated.person_on(other, 1)}) == [("fr", "Europe/Zurich")]
    assert run(said, {"p": seated.person_on(other, 2)}) == [("en", "UTC")]
    assert seated.person_on(other, 2) == seated.person_on(game_id, 2)


def test_what_a_draft_says_of_its_host_reaches_its_friends() -> None:
    game_id = seated.draft(3)
    host = seated.person_on(game_id, 0)
    assert Profile("Rachel").zone == "UTC"
    run("UPDATE person SET zone = 'Asia/Tokyo' WHERE id = :p RETURNING id", {"p": host})
    said = "SELECT zone FROM person WHERE id = :p"
    assert run(said, {"p": seated.person_on(game_id, 1)}) == [("UTC",)]

    seated.confirm(game_id)

    assert run(said, {"p": seated.person_on(game_id, 1)}) == [("Asia/Tokyo",)]
