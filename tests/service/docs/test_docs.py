"""The docs say what the code says."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar, get_args

import msgspec
import pytest
import yaml

from engine import fairness
from engine.board import FLOORS, Card, Seat
from engine.commands import Chair, Options
from engine.editions import EDITIONS
from engine.errors import Refusal
from engine.events import ElectionOpened, Record
from service import config
from service.api.replies.view_reply import ViewReply
from service.api.resources.editions import EditionReply
from service.values.errors import Problem
from tests.rig.engine.tables import started
from tests.rig.service.environs import COMPLETE
from tests.rig.service.manual import ROOT, names, page, rows, section

PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])

_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")


def anchors(path: Path) -> set[str]:
    """The anchors of a page's headings, made as GitHub makes them."""
    titles = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), flags=re.M)
    plain = (re.sub(r"[^\w\- ]", "", title.lower()) for title in titles)
    return {title.replace(" ", "-") for title in plain}


Kind = TypeVar("Kind")


def descendants(family: type[Kind]) -> Iterator[type[Kind]]:
    for child in family.__subclasses__():
        yield child
        yield from descendants(child)


class Reading(dict[str, str]):
    """An environment that remembers what it was asked for."""

    def __init__(self, given: Mapping[str, str]) -> None:
        super().__init__(given)
        self.asked: set[str] = set()

    def get(self, name: str, default: object = None) -> object:  # type: ignore[override]  # dict has overloads
        self.asked.add(name)
        return super().get(name, default)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_relative_link_leads_somewhere(path: Path) -> None:
    found = [a or b for a, b in _LINK.findall(path.read_text(encoding="utf-8"))]
    links = [link for link in found if not re.match(r"[a-z]+:", link)]

    for link in links:
        name, _, anchor = link.partition("#")
        target = (path.parent / name).resolve() if name else path
        assert target.exists(), link
        assert target.is_relative_to(ROOT), link
        assert not anchor or anchor in anchors(target), link


def test_the_readme_leads_to_every_page() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    linked = {(ROOT / (a or b)).resolve() for a, b in _LINK.findall(readme)}

    assert set(PAGES) - {ROOT / "README.md"} <= linked


def test_the_proofs_page_names_every_event_with_exactly_its_fields() -> None:
    described = {
        names(row[0])[0]: set(names(row[1]))
        for row in rows(section(page("fairness.md"), "The events"))
    }
    named = {str(event.__struct_config__.tag): event for event in get_args(Record)}
    inner: dict[str, type[msgspec.Struct]] = {
        "options": Options,
        "seats": Chair,
        "elections": ElectionOpened,
    }

    assert described == {
        name: {field.encode_name for field in msgspec.structs.fields(struct)}
        for name, struct in (named | inner).items()
    }


def vectors() -> dict[str, str]:
    lines = section(page("fairness.md"), "Vectors").splitlines()
    pairs = (
        line.split("=", 1) for line in lines if line.startswith("    ") and "=" in line
    )
    return {name.strip(): value.strip() for name, value in pairs}


def test_the_proofs_vectors_are_what_the_engine_computes() -> None:
    given = vectors()
    game, seed = given["game"], bytes.fromhex(given["S"])
    words = [
        fairness.word(game, Seat(seat), text)
        for seat, text in enumerate(["Würfel", "luck", ""])
    ]
    head = fairness.chain_start(game)
    quoted = {name: f'"{given[name]}"' for name in ("C", "w[0]", "w[1]")}
    for number in (1, 2):
        stored = given[f"json[{number}]"]
        for name, value in quoted.items():
            stored = stored.replace(name, value)
        head = fairness.chain(head, number, stored.encode())
    key = fairness.draw_key(seed, head, words)
    deck = fairness.DrawStream(key, "deck").shuffled(range(26))

    assert given["C"] == fairness.seed_commitment(game, seed).hex()
    assert [given["w[0]"], given["w[1]"]] == [word.hex() for word in words[:2]]
    assert (given["T"], given["K"]) == (head.hex(), key.hex())
    assert given["D"] == " ".join(map(str, deck))
    assert given["first"] == str(fairness.DrawStream(key, "first").below(3))
    assert given["leaf[0]"] == fairness.leaf(game, key, 0, deck[0]).hex()
    ballot = fairness.ballot(game, key, 7, Seat(1), Card.NO)
    assert given["b[7, 1], no"] == ballot.hex()


def asked_settings() -> tuple[set[str], set[str]]:
    """The variables that are read, and those that may be given as a file instead."""
    environ = Reading(COMPLETE)
    config.load(environ)
    config.load_local(environ)
    files = {
        name.removesuffix("_FILE") for name in environ.asked if name.endswith("_FILE")
    }
    return {name for name in environ.asked if not name.endswith("_FILE")}, files


def test_the_hosting_page_names_every_variable_that_is_read_and_no_other() -> None:
    table = {
        names(row[0])[0]: row
        for row in rows(section(page("self-hosting.md"), "Variables"))
    }
    read, files = asked_settings()

    assert set(table) == read
    assert {name for name, row in table.items() if row[1] == "yes"} == files


def codes(title: str) -> dict[str, str]:
    return {names(row[0])[0]: row[1] for row in rows(section(page("api.md"), title))}


def test_the_api_page_names_every_refusal_and_no_other() -> None:
    assert set(codes("Refusals")) == {kind.code for kind in descendants(Refusal)}


def test_the_api_page_names_every_problem_with_its_status_and_no_other() -> None:
    assert codes("Problems") == {
        kind.code: str(kind.status) for kind in descendants(Problem)
    }


def test_the_api_page_names_parts_that_a_view_has() -> None:
    named = {
        name for row in rows(section(page("api.md"), "See")) for name in names(row[0])
    }

    assert len(named) > 10
    assert named <= set(ViewReply.__struct_fields__)


def by_edition() -> dict[str, dict[str, tuple[str, ...]]]:
    """The columns of the table that has one for each edition, by its row's head."""
    lines = section(page("api.md"), "Editions").splitlines()
    cells = [[c.strip() for c in line.strip("|").split("|")] for line in lines]
    start = next(n for n, row in enumerate(cells) if names(row[-1]) == ("jester",))
    head, _, *body = [row for row in cells[start:] if len(row) == len(cells[start])]
    return {
        names(edition)[0]: {row[0]: names(row[column]) for row in body}
        for column, edition in enumerate(head)
        if column
    }


def test_the_api_page_tells_the_editions_apart_defaults_first() -> None:
    named = by_edition()

    assert set(named) == set(EDITIONS)
    for name, law in EDITIONS.items():
        column = named[name]
        keys = [place.key for place in law.places if place.key not in FLOORS]
        assert column["cards"] == tuple(card.value for card in law.cards)
        assert column["places beside `throne` and `5` to `0`"] == tuple(keys)
        assert column["`rounds`"] == tuple(map(str, law.choices.rounds))
        assert column["`placement`"] == tuple(law.choices.placement)
        assert column["`ballot_history`"] == tuple(law.choices.ballot_history)


def test_the_api_page_names_parts_that_an_edition_has() -> None:
    lines = section(page("api.md"), "Editions").split("Side by side")[0]
    named = {name for row in rows(lines) for name in names(row[0])}

    assert named == set(EditionReply.__struct_fields__) - {"name", "summary"}


def test_the_docs_name_addresses_that_the_contract_has() -> None:
    contract = yaml.load(
        (ROOT / "openapi.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader
    )
    known = {
        (method.upper(), re.sub(r"\{\w+\}", "{}", path))
        for path, methods in contract["paths"].items()
        for method in methods
    }
    named = {
        (method, re.sub(r"\{\w+\}", "{}", path))
        for each in PAGES
        for method, path in re.findall(
            r"`(GET|PUT|POST|DELETE) (/v1[^`?]*)`", each.read_text(encoding="utf-8")
        )
    }

    assert len(named) > 3
    assert named <= known


def test_the_api_page_tells_the_scope_that_a_seat_takes() -> None:
    contract = yaml.load(
        (ROOT / "openapi.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader
    )
    scopes = {
        f"{method.upper()} {re.sub(r'{[a-z_]+_id}', '{game}', path)}": way["x-access"]
        for path, ways in contract["paths"].items()
        for method, way in ways.items()
        if method != "parameters"
    }
    table = rows(section(page("api.md"), "Tables that fill up"))

    named = [
        (name.replace("…", "/v1/games/{game}"), names(row[1]))
        for row in table
        for name in names(row[0])
    ]

    assert len(named) > 6
    for name, scope in named:
        asked = scopes[name]
        assert scope == (asked.get("others", asked["scope"]),), name


def test_the_api_pages_program_computes_the_engines_heads() -> None:
    programs = re.findall(r"```python\n(.*?)```", page("api.md"), re.S)
    space: dict[str, Callable[[str, list[object]], str]] = {}
    exec(programs[-1], space)
    table = started(4)

    for number, head in enumerate(table.heads):
        events = [json.loads(stored) for stored in table.record[:number]]
        assert space["head_of"](table.game.id, events) == f"{number}:{head.hex()}"
