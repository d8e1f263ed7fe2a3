"""Migrations have one number each, and follow one another in one line."""

import re

from service.store import revisions

VERSIONS = revisions.MIGRATIONS / "versions"
REVISION = re.compile(r'^revision = "(\w+)"$', re.MULTILINE)
BEFORE = re.compile(r'^down_revision = (?:None|"(\w+)")$', re.MULTILINE)


def lines() -> list[tuple[str, str, str]]:
    """Of each file its number, the one inside it, and the one that it follows."""
    found = []
    for file in sorted(VERSIONS.glob("[0-9]*.py")):
        text = file.read_text()
        ((revision,), (before,)) = REVISION.findall(text), BEFORE.findall(text)
        found.append((file.name.partition("_")[0], revision, before))
    return found


def test_each_is_called_by_its_number_and_follows_the_one_before_it() -> None:
    """Two of one number are no row."""
    numbers = [f"{number + 1:04}" for number in range(len(lines()))]

    assert lines() == list(zip(numbers, numbers, ["", *numbers[:-1]], strict=True))
