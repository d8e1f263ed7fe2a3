"""The tests stand in rooms like the house's, what they share stands in tests/rig."""

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent

OF_THEIR_OWN = {"docs"}
"""A room of tests that hold no package: the docs say what the code says."""

_OF_A_TEST = re.compile(r"^from (tests\.(?:\w+\.)*(?:test_\w+|conftest))", re.MULTILINE)


def rooms(package: Path) -> set[str]:
    """The folders in a package that hold files of ours."""
    return {path.parent.name for path in package.glob("*/*.py")}


@pytest.mark.parametrize("package", ["service", "worker"])
def test_a_room_of_tests_is_called_as_the_room_it_holds(package: str) -> None:
    assert rooms(HERE / package) - OF_THEIR_OWN <= rooms(ROOT / package)


def test_no_file_of_tests_is_imported_by_another() -> None:
    found = {
        str(path.relative_to(ROOT)): _OF_A_TEST.findall(path.read_text("utf-8"))
        for path in HERE.rglob("*.py")
    }

    assert len(found) > 250
    assert {path: names for path, names in found.items() if names} == {}
