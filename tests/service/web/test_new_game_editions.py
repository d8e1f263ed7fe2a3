"""The form of a new game for every edition: its seats, its options, its bots."""

from uuid import UUID

import pytest

from engine.bots import BOTS
from engine.editions import EDITIONS
from service.web.table import new_game_form
from tests.rig.browser import Page
from tests.rig.service.seated import run
from tests.rig.service.visitor import Visitor, states

pytestmark = pytest.mark.usefixtures("inside")

HOST = {"name": "Rachel", "address": "rachel@example.org"}


def bots(seats: int) -> dict[str, str]:
    """A table of `seats`, all but the host's for bots."""
    kinds = ["bot"] * (seats - 1) + ["empty"] * (8 - seats)
    return {f"seat{n}_kind": kind for n, kind in enumerate(kinds, 1)}


def new(visitor: Visitor, seats: int, **filled: str) -> Page:
    page = visitor.get("/new")
    sent = {**HOST, **bots(seats), "edition": "jester", **filled}
    return visitor.press(page, page.the_form("Mail me"), sent)


def the_game() -> tuple[UUID, str, dict[str, object]]:
    ((game_id, edition, options),) = run("SELECT id, edition, options FROM game")
    return game_id, edition, options


@pytest.mark.parametrize(
    ("edition", "seats"), [(e.id, n) for e in EDITIONS.values() for n in e.seats]
)
def test_every_edition_takes_all_its_numbers_of_players(
    visitor: Visitor, edition: str, seats: int
) -> None:
    page = new(visitor, seats, edition=edition)

    assert "We mailed you" in page.text
    game_id, stored, _ = the_game()
    assert stored == edition
    assert len(states(game_id)) == seats


def test_the_form_says_what_each_edition_is(visitor: Visitor) -> None:
    page = visitor.get("/new")

    for sentence in (
        "a single No throws one out of the round. For 3 to 6 players.",
        "all scores turn round if he is crowned. For 2 to 8 players.",
        "For more than 6 players choose this edition: With the Jester.",
        "Classic: until the next vote; With the Jester: as long as the game lasts.",
    ):
        assert sentence in page.text


def test_every_option_reaches_the_table(visitor: Visitor) -> None:
    page = new(
        visitor,
        8,
        rounds="2",
        placement="compensated",
        ballot_history="table",
        first="3",
    )

    assert page.status == 200
    _, _, options = the_game()
    assert options == {
        "rounds": 2,
        "placement": "compensated",
        "ballot_history": "table",
        "first": 3,
        "decision_time": 86400,
        "spare": 6,
        "take_back": True,
    }


@pytest.mark.parametrize(
    ("sent", "wanted"),
    [
        ({}, {"decision_time": 86400, "spare": 6}),
        ({"pace": "week", "daily_at": "07:30"}, {"decision_time": 604800, "spare": 1}),
        ({"pace": "hour"}, {"decision_time": 3600, "spare": 6}),
        (
            {"misses": "1"},
            {"decision_time": 86400, "spare": 6, "misses": 1},
        ),
        ({"misses": "9"}, {"decision_time": 86400, "spare": 6}),
        (
            {"pace": "daily", "daily_at": "07:30", "zone": "Europe/Zurich"},
            {
                "decision_time": 86400,
                "spare": 6,
                "daily_at": "07:30",
                "zone": "Europe/Zurich",
            },
        ),
        (
            {"pace": "daily", "daily_at": "half past", "zone": "Nowhere/Land"},
            {"decision_time": 86400, "spare": 6, "daily_at": "20:00", "zone": "UTC"},
        ),
    ],
)
def test_the_pace_that_is_chosen_reaches_the_table(
    visitor: Visitor, sent: dict[str, str], wanted: dict[str, object]
) -> None:
    new(visitor, 3, **sent)

    _, _, options = the_game()
    named = ("decision_time", "spare", "daily_at", "zone", "misses")
    assert {name: options[name] for name in named if name in options} == wanted


def test_every_pace_says_how_often_there_is_as_long_again() -> None:
    times = {0: "", 1: "once", 2: "twice", 6: "six times"}
    for each in new_game_form.PACES.values():
        again = f", {times[each.spare]} again" if each.spare else ""
        assert str(each.words).endswith(again)
        assert ("again" in str(each.words)) == bool(each.spare)


@pytest.mark.parametrize(
    ("edition", "history"), [("classic", "table"), ("jester", "open")]
)
def test_what_is_not_chosen_is_as_the_edition_has_it(
    visitor: Visitor, edition: str, history: str
) -> None:
    new(visitor, 4, edition=edition)

    _, _, options = the_game()
    assert (options["ballot_history"], options["first"]) == (history, None)
    assert (options["rounds"], options["placement"]) == (3, "choose")


def test_who_begins_is_counted_without_the_empty_rows(visitor: Visitor) -> None:
    new(visitor, 5, seat2_kind="empty", first="4")

    game_id, _, options = the_game()
    assert len(states(game_id)) == 4
    assert options["first"] == 3


def test_each_bot_is_the_one_that_was_chosen(visitor: Visitor) -> None:
    names = sorted(BOTS)
    chosen = {f"seat{n}_bot": name for n, name in enumerate(names, 1)}

    new(visitor, len(names) + 1, **chosen)

    game_id, _, _ = the_game()
    assert [bot for _, bot, _ in states(game_id)] == [None, *names]


@pytest.mark.parametrize(
    ("seats", "filled", "sentence"),
    [
        (1, {}, "Add at least one more player or bot."),
        (
            7,
            {"edition": "classic"},
            "This edition is for 6 players at most, and these are 7:",
        ),
        (
            5,
            {"placement": "compensated"},
            "That is for 7 or 8 players only, and these are 5.",
        ),
        (
            5,
            {"placement": "compensated", "edition": "classic"},
            "This edition doesn't fill the castle like that.",
        ),
        (4, {"first": "6"}, "Nobody has that seat, so nobody there can begin."),
    ],
)
def test_what_an_edition_does_not_allow_is_said_and_the_form_kept(
    visitor: Visitor, seats: int, filled: dict[str, str], sentence: str
) -> None:
    page = new(visitor, seats, **filled)

    assert page.status == 409
    # Told at the field, and once more in the list on top, which leads there.
    assert page.text.count(sentence) == 2
    inside = [each[1:] for each in page.links if each.startswith("#wrong-")]
    assert inside
    assert all(f'id="{anchor}"' in page.body.decode() for anchor in inside)
    sent = page.the_form("Mail me").sent({}, None)
    wanted = {**HOST, **bots(seats), "edition": "jester", **filled}
    assert {name: sent[name] for name in wanted} == wanted
    assert run("SELECT 1 FROM game") == []
