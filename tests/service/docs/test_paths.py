"""The files, rooms and names that the docs lead to are there."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.rig.service.manual import ROOT, names, page, section

PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
PLACES = ("engine", "service", "worker", "tests", "examples", "docs", ".ci")
TO_BE_MADE = {"mybot.py", "engine/editions/tower.py", "worker/templates/missed"}
"""What a reader makes while following a page."""

_FILE = r"(?:[\w*.-]+/)*[\w*-]+\.(?:py|md|toml|po|css|yml|lock)\b"
_FOLDER = r"(?:[\w-]+/)+(?=[`\s,;)])"
_PATH = re.compile(rf"(?<![\w:/.<{{-])(?:{_FILE}|{_FOLDER})")
_LEADS = re.compile(r"\]\([^)]*\)")


def there() -> str:
    """Every file and folder, a line each."""
    found = [*ROOT.glob("*")]
    for place in PLACES:
        found += (ROOT / place).rglob("*")
    return "".join(f"/{path.relative_to(ROOT)}\n" for path in found)


THERE = there()


def is_there(path: str) -> bool:
    """Whether a path, or the end of one, leads somewhere; * stands for any name."""
    pattern = re.escape(path.rstrip("/")).replace(r"\*", "[^/\n]+")
    return re.search(rf"/{pattern}$", THERE, flags=re.M) is not None


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_path_that_a_page_names_is_there(path: Path) -> None:
    text = _LEADS.sub("]", path.read_text(encoding="utf-8"))

    named = {each.rstrip("/") for each in _PATH.findall(text)} - TO_BE_MADE

    assert {each for each in named if not is_there(each)} == set()


def test_paths_are_found_at_all() -> None:
    named = _PATH.findall(page("architecture.md"))

    assert len(named) > 100
    assert {"game/handlers.py", "worker/outgoing/"} <= set(named)
    assert is_there("game/handlers.py")
    assert not is_there("game/handler.py")
    assert not is_there("andlers.py")


def rooms() -> Iterator[tuple[str, str]]:
    """Each room of the service with each file that the page names in it."""
    text = section(page("architecture.md"), "Three packages, one direction")
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| `") and len(cells) == 3:
            found = [name for name in names(cells[0]) if "." not in name]
            yield from ((room, name) for room in found[:1] for name in names(cells[2]))


def test_every_file_that_the_table_of_rooms_names_is_in_its_room() -> None:
    named = [(room, name) for room, name in rooms() if re.fullmatch(r"[a-z_/]+", name)]

    assert len(named) > 60
    assert [
        (room, name)
        for room, name in named
        if not is_there(f"service/{room}/{name.rstrip('/')}")
        and not is_there(f"service/{room}/{name}.py")
    ] == []


def layers() -> Mapping[str, list[str]]:
    """The layers that import-linter checks, by the package they are in."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return {
        contract["containers"][0]: contract["layers"]
        for contract in settings["tool"]["importlinter"]["contracts"]
        if contract["type"] == "layers" and "containers" in contract
    }


def test_the_page_draws_the_layers_that_are_checked() -> None:
    text = section(page("architecture.md"), "Three packages, one direction")
    [drawn] = [block for block in re.findall(r"(?: {4}.+\n)+", text) if "→" in block]
    layered = {
        package.replace("/", "."): [each.strip() for each in chain.split("→")]
        for package, chain in re.findall(
            r"^ {4}(\S+) +((?:.+)(?:\n {8,}.+)*)", drawn, flags=re.M
        )
    }

    assert layered == layers()


def test_every_name_of_the_code_that_the_page_tells_is_in_the_code() -> None:
    code = " ".join(
        path.read_text(encoding="utf-8")
        for place in ("engine", "service", "worker")
        for path in (ROOT / place).rglob("*.py")
    )
    known = set(re.findall(r"\w+", code)) | set(re.findall(r"[\w-]+", THERE))
    named = re.findall(r"`([A-Za-z_][\w.]*)`", page("architecture.md"))

    assert len(named) > 100
    assert {
        name for name in named if not set(name.split(".")) <= known | {"py"}
    } == set()
