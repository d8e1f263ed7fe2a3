"""Who may see a game: one rule for the API, the pages and the lists."""

import itertools
from collections.abc import Iterator
from uuid import UUID

import msgspec
import pytest
from flask import Flask

from service.game.visibility import is_shown
from service.store import devices, games, lists, tokens
from service.store.tokens import BearerRow
from service.store.transactions import transaction
from service.values import entropy
from service.values.principals import Bearer, System
from tests.rig.service import seated
from tests.rig.service.programs import Api
from tests.rig.service.seated import run

STATUSES = ("draft", "inviting", "running", "over")
VISIBILITIES = ("link", "listed", "players")
SEATS = ("host", "invited", "joined", "kept", "declined", None)
STARTED = (True, False)


class Case(msgspec.Struct, frozen=True):
    """A game, and how its reader sits there."""

    status: str
    visibility: str
    seat: str | None
    started: bool

    @property
    def sits(self) -> bool:
        return self.seat not in ("declined", None)

    @property
    def expected(self) -> bool:
        if self.status == "draft":
            return self.seat == "host"
        if self.status == "over" and not self.started:
            return self.sits
        return self.sits or self.visibility != "players"


CASES = [
    Case(*each) for each in itertools.product(STATUSES, VISIBILITIES, SEATS, STARTED)
]


@pytest.fixture
def laid(app: Flask) -> Iterator[UUID]:
    with app.app_context():
        yield seated.draft(3)


def arrange(game_id: UUID, case: Case) -> BearerRow:
    """Let a game and its reader be as a case says."""
    number = 0 if case.seat == "host" else 1
    person = seated.person_on(game_id, number)
    state = "joined" if case.seat in ("host", "kept") else case.seat
    run(
        "UPDATE game SET status = :s, visibility = :v, started_at ="
        " CASE WHEN :b THEN kingup_now() END WHERE id = :g",
        {"g": game_id, "s": case.status, "v": case.visibility, "b": case.started},
    )
    run(
        "UPDATE seat SET state = :s, person_id = :p, bot = :b"
        " WHERE game_id = :g AND number = :n",
        {
            "g": game_id,
            "n": number,
            "s": state or "open",
            "p": None if case.seat is None else person,
            "b": "steady" if case.seat == "kept" else None,
        },
    )
    return BearerRow(person, ("games:read",), None)


def token(owner: BearerRow) -> str:
    with transaction():
        return tokens.issue(owner.person_id, "test", owner.scopes).token


@pytest.mark.parametrize("case", CASES, ids=str)
def test_rule_reader_and_lists_agree_on_who_sees_what(laid: UUID, case: Case) -> None:
    owner = arrange(laid, case)

    proof = Bearer(entropy.digest(token(owner)), "games:read")
    row = games.find(laid, proof)
    listed = lists.page(owner, lists.GameFilter(), None, 10)
    own = lists.page(owner, lists.GameFilter(mine=True), None, 10)

    assert row is not None
    assert (row.seat is not None) == (case.sits and case.seat != "kept")
    assert (row.beside is not None) == (case.seat == "kept")
    assert is_shown(row) == is_shown(row.read_model()) == case.expected
    findable = case.sits or case.visibility == "listed"
    assert bool(listed) == (case.expected and findable)
    assert bool(own) == (case.expected and case.sits)
    at = [(each.seat, each.beside) for each in listed]
    assert at == [(row.seat, row.beside)] * len(listed)


@pytest.mark.parametrize("case", [c for c in CASES if c.seat is None], ids=str)
def test_a_spectator_without_a_token_sees_what_a_stranger_sees(
    laid: UUID, case: Case
) -> None:
    arrange(laid, case)

    row = games.find(laid, System())
    listed = lists.page(None, lists.GameFilter(), None, 10)

    assert row is not None
    assert is_shown(row) == case.expected
    assert bool(listed) == (case.expected and case.visibility == "listed")


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("visibility", VISIBILITIES)
def test_page_and_program_show_a_table_alike(
    app: Flask, laid: UUID, visibility: str, seat: str | None
) -> None:
    case = Case("inviting", visibility, seat, started=False)
    owner = arrange(laid, case)
    number = 0 if seat == "host" else 1
    with transaction():
        device = devices.remember(laid, owner.person_id, number)
    browser = app.test_client()
    browser.set_cookie(f"seat_{laid.hex}", device)

    page = browser.get(f"/g/{laid}")
    program = Api(app).get(f"/v1/games/{laid}", token(owner))

    assert page.status_code == program.status_code == (200 if case.expected else 404)
