"""The rules page says what the engine plays."""

import re

import pytest

from engine.board import Card, PlaceKind
from engine.commands import PlacementOption
from engine.editions import EDITIONS
from service.present import nouns
from tests.rig.engine import bounds
from tests.rig.service.manual import names, page, rows, section


def test_the_rules_page_names_the_characters_as_the_game_does() -> None:
    table = section(page("rules.md"), "5. Names")
    found = re.findall(r"^\| ([A-Z]) \| (\S+) \| ([^(]+) \(", table, flags=re.M)

    assert {letter: (name, title) for letter, name, title in found} == nouns.CHARACTERS


def by_players(title: str) -> dict[str, dict[int, int]]:
    """The rows of a section's tables that have a column for each number of players."""
    found: dict[str, dict[int, int]] = {}
    players: list[int] = []
    for line in section(page("rules.md"), title).splitlines():
        head, *cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|"):
            players = []
        elif head == "players":
            players = [int(cell) for cell in cells]
        elif players and not head.startswith("--"):
            pairs = zip(players, cells, strict=True)
            found[head] = {seats: int(cell) for seats, cell in pairs if cell}
    return found


EDITION_TITLES = {
    "classic": "1. The classic edition",
    "jester": "2. The jester edition",
}

both_editions = pytest.mark.parametrize("name", EDITION_TITLES)


def test_the_rules_page_tells_of_every_edition() -> None:
    assert set(EDITION_TITLES) == set(EDITIONS)


@both_editions
def test_the_rules_page_has_the_engines_hands_and_placements(name: str) -> None:
    law, written = EDITIONS[name], by_players(EDITION_TITLES[name])
    choose = PlacementOption.CHOOSE
    free = len(law.characters) - len(law.opening_board().at)
    quota = {n: [law.quota(n, turn, choose) for turn in range(n)] for n in law.seats}

    assert written["No cards each"] == {
        n: law.hand(n).count(Card.NO) for n in law.seats
    }
    assert written["characters each"] == {n: quota[n][0] for n in law.seats}
    assert written["left over for floor 0"] == {
        n: free - sum(quota[n]) for n in law.seats
    }
    assert all(len(set(each)) == 1 for each in quota.values())


def test_the_rules_page_has_the_engines_compensation() -> None:
    law, written = EDITIONS["jester"], by_players(EDITION_TITLES["jester"])
    compensated = PlacementOption.COMPENSATED

    for seats in (7, 8):
        late = seats - written["who place only one"][seats]
        quota = [law.quota(seats, turn, compensated) for turn in range(seats)]
        bonus = [law.bonus(seats, turn, compensated) for turn in range(seats)]
        assert quota == [2] * late + [1] * (seats - late)
        points = written["points for that"][seats]
        assert bonus == [0] * late + [points] * (seats - late)
        assert sum(quota) == len(law.characters) - len(law.opening_board().at)


@both_editions
def test_the_rules_page_bounds_elections_by_the_cards_in_play(name: str) -> None:
    law, written = EDITIONS[name], by_players("4. What can be relied on")

    # Each election that crowns nobody costs a card at least; the next one crowns.
    most = {n: n * sum(map(law.spent, law.hand(n))) + 1 for n in law.seats}

    assert written[f"elections, {name}"] == most
    assert written[f"moves, {name}"] == bounds.MOVES[name]


def test_the_rules_page_bounds_compensated_rounds_and_whole_games() -> None:
    text = section(page("rules.md"), "4. What can be relied on")
    written = by_players("4. What can be relied on")
    found = re.search(r"(\d+) at most in the classic\s+edition, and for ([\d,]+)", text)

    assert written["moves, jester, compensated"] == bounds.COMPENSATED_MOVES
    assert found
    assert int(found[1]) == bounds.ANSWERS["classic"]
    assert int(found[2].replace(",", "")) == bounds.ANSWERS["jester"]


@both_editions
def test_the_rules_page_names_every_option_with_its_default_first(name: str) -> None:
    text = section(page("rules.md"), f"What a host may choose in the {name} edition")
    written = {names(row[0])[0]: row for row in rows(text)}
    choices = EDITIONS[name].choices

    for option, values in (
        ("placement", choices.placement),
        ("ballot_history", choices.ballot_history),
    ):
        assert names(written[option][1]) == (values[0],)
        assert names(written[option][2]) == tuple(values[1:])
    assert written["rounds"][1] == str(choices.rounds[0])
    assert set(written) == {"rounds", "placement", "ballot_history", "first"}


@both_editions
def test_the_rules_page_values_every_place_as_the_engine_does(name: str) -> None:
    table = section(page("rules.md"), "5. Names").split("| floor |")[1]
    found = re.findall(r"^\| (\S+) \| [^|]+ \| (\d+) \|$", table, flags=re.M)
    written = {key: int(value) for key, value in found}

    for place in EDITIONS[name].places:
        if place.kind in (PlaceKind.FLOOR, PlaceKind.THRONE):
            assert written[place.key] == place.value
        elif place.kind is PlaceKind.DUNGEON:
            assert f"dungeon{-place.value}" == place.key
        else:
            assert place.value == 0
