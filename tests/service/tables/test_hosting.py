"""New tables: who may host, who may be invited, and what the host's word does."""

import pytest
from flask import Flask
from msgspec.structs import replace

from engine import fairness
from engine.board import Seat
from engine.commands import PlacementOption
from engine.errors import BadTable
from service.config import Create
from service.tables import cancellation, creation, form_errors, practice
from service.tables.creation import BotSeat, Guest, TableWish
from service.values.conflicts import AddressTwice, NameTaken
from service.values.errors import HostNotListed, Invalid, NotFound
from tests.rig.service import seated
from tests.rig.service.hosts import RACHEL, SIMON, TERRY, notified, to_mail
from tests.rig.service.seated import run, status

pytestmark = pytest.mark.usefixtures("inside")


def test_a_draft_is_one_mail_to_the_host_and_none_to_others() -> None:
    creation.draft(RACHEL, TableWish((SIMON, TERRY)))

    assert notified() == [("confirm", "rachel@example.org")]
    assert run("SELECT verified_at FROM person WHERE verified_at IS NOT NULL") == []
    assert run("SELECT 1 FROM invitation") == []


def test_the_seed_is_bound_before_anybody_is_invited() -> None:
    game_id = creation.draft(RACHEL, TableWish((SIMON, TERRY)))

    [(seed,)] = run("SELECT seed FROM game_seed")
    [(public,)] = run("SELECT public FROM event")
    bound = fairness.seed_commitment(str(game_id), bytes(seed)).hex()
    word = fairness.word(str(game_id), Seat(0), "Würfel").hex()

    assert f'"seed":"{bound}"'.encode() in bytes(public)
    assert f'"word":"{word}"'.encode() in bytes(public)


def test_the_word_itself_is_kept_nowhere(inside: Flask) -> None:
    secret = "a word nobody else would think of"
    creation.draft(replace(RACHEL, word=secret), TableWish((SIMON, TERRY)))

    assert secret not in repr(seated.everything(inside))


def test_the_hosts_word_sends_the_invitations_once() -> None:
    game_id = creation.draft(RACHEL, TableWish((SIMON, TERRY)))

    seated.confirm(game_id)
    seated.confirm(game_id)

    assert notified() == [
        ("confirm", "rachel@example.org"),
        ("invitation", "simon@example.org"),
        ("invitation", "terry@example.org"),
    ]
    assert status(game_id) == "inviting"
    verified = run("SELECT address FROM person WHERE verified_at IS NOT NULL")
    assert verified == [("rachel@example.org",)]


def test_a_table_of_bots_starts_with_the_hosts_word() -> None:
    game_id = creation.draft(RACHEL, TableWish((BotSeat(), BotSeat())))
    assert status(game_id) == "draft"

    seated.confirm(game_id)

    assert status(game_id) == "running"


@pytest.mark.parametrize(
    ("seats", "error", "field"),
    [
        ((SIMON, Guest("SIMON@Example.org", "Sim")), AddressTwice, "seats.1.address"),
        ((SIMON, Guest("Rachel@EXAMPLE.org", "Ra")), AddressTwice, "seats.1.address"),
        ((SIMON, Guest("s@example.org", "simon")), NameTaken, "seats.1.name"),
        ((SIMON, Guest("s@example.org", "Sіmon")), NameTaken, "seats.1.name"),
        ((SIMON, Guest("s@example.org", "S1mon")), NameTaken, "seats.1.name"),
        ((SIMON, Guest("s@example.org", "Simone")), None, ""),
        ((SIMON, Guest("s@example.org", "RACHEL")), NameTaken, "seats.1.name"),
        ((SIMON, Guest("nobody", "No")), Invalid, "seats.1.address"),
        ((SIMON, Guest("t@example.org", "evil.com")), Invalid, "seats.1.name"),
    ],
)
def test_one_person_one_seat_and_one_name_a_table(
    seats: tuple[Guest, ...], error: type[Exception] | None, field: str
) -> None:
    if error is None:
        assert creation.draft(RACHEL, TableWish(seats))
        return

    with pytest.raises(error) as refused:
        creation.draft(RACHEL, TableWish(seats))

    assert getattr(refused.value, "facts", {}).get("field") == field
    assert run("SELECT 1 FROM game") == run("SELECT 1 FROM person") == []


def test_plus_tags_make_two_people_of_one_family() -> None:
    one, two = (
        Guest("family+a@example.org", "Ann"),
        Guest("family+b@example.org", "Ben"),
    )

    game_id = creation.draft(RACHEL, TableWish((one, two)))

    assert len(run("SELECT 1 FROM seat WHERE game_id = :g", {"g": game_id})) == 3


@pytest.mark.parametrize(
    "wish",
    [
        TableWish((SIMON,)),
        TableWish((BotSeat(),) * 6),
        TableWish((SIMON, TERRY), rounds=4),
        TableWish((SIMON, TERRY), placement=PlacementOption.COMPENSATED),
        TableWish((SIMON, TERRY), first=3),
        TableWish((SIMON, TERRY), visibility="secret"),
        TableWish((SIMON, BotSeat("clever"))),
        TableWish((SIMON, TERRY), edition="chess"),
    ],
)
def test_a_table_the_edition_cannot_be_played_at_is_refused(wish: TableWish) -> None:
    with pytest.raises(BadTable):
        creation.draft(RACHEL, wish)

    assert run("SELECT 1 FROM game") == []


def test_a_listed_instance_lets_nobody_else_host(
    inside: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = replace(
        inside.config["KINGUP"],
        create=Create.LISTED,
        hosts=frozenset({"rachel@example.org"}),
    )
    monkeypatch.setitem(inside.config, "KINGUP", listed)

    other = creation.draft(
        replace(RACHEL, address="simon@example.org"), TableWish((TERRY, BotSeat()))
    )
    creation.draft(RACHEL, TableWish((SIMON, TERRY)))

    assert to_mail() == [("confirm", "rachel@example.org")]
    (simon,) = run("SELECT host_id FROM game WHERE id = :g", {"g": other})[0]
    with pytest.raises(HostNotListed):
        creation.open_table(simon, "", TableWish((TERRY, BotSeat())))


def test_a_verified_host_needs_no_mail_of_their_own() -> None:
    seated.confirm(creation.draft(RACHEL, TableWish((SIMON, TERRY))))
    rachel = run("SELECT id FROM person WHERE address = 'rachel@example.org'")[0][0]

    game_id = creation.open_table(rachel, "", TableWish((SIMON, TERRY)))

    assert status(game_id) == "inviting"
    assert len(notified("confirm")) == 1
    assert len(notified("invitation")) == 4


def test_a_practice_game_starts_at_once_and_mails_nobody() -> None:
    game = practice.practise("Rachel")

    assert status(game.game_id) == "running"
    assert notified() == []
    assert run("SELECT address, name FROM person") == [(None, "Rachel")]
    assert run("SELECT deadline FROM game") == [(None,)]
    assert run("SELECT 1 FROM due WHERE kind = 'reminder'") == []


def test_a_table_given_up_is_confirmed_no_more() -> None:
    game_id = creation.draft(RACHEL, TableWish((SIMON, TERRY)))
    cancellation.give_up(game_id)

    with pytest.raises(NotFound):
        seated.confirm(game_id)

    assert notified("invitation") == []


def test_bots_are_numbered_among_themselves_and_named_like_nobody_else() -> None:
    guest = Guest("r@example.org", "Robot Uno")

    game_id = creation.draft(RACHEL, TableWish((SIMON, BotSeat(), guest, BotSeat())))

    named = run(
        "SELECT name FROM seat WHERE game_id = :g ORDER BY number", {"g": game_id}
    )
    assert [name for (name,) in named] == [
        "Rachel",
        "Simon",
        "Robot Due",
        "Robot Uno",
        "Robot Tre",
    ]


def test_every_fault_of_a_wish_is_found_at_once() -> None:
    host = replace(RACHEL, address="rachel", word="x" * 65)
    wish = TableWish((replace(SIMON, address="simon", name="Rachel"),))

    found = form_errors.of_wish(host, wish)

    facts = [(type(each), *each.facts.values()) for each in found]
    assert facts == [
        (Invalid, "address", "bad-address"),
        (Invalid, "word", "too-long", 64),
        (BadTable, "seats", 2),
        (NameTaken, "seats.0.name"),
        (Invalid, "seats.0.address", "bad-address"),
    ]
    assert run("SELECT 1 FROM person") == []
