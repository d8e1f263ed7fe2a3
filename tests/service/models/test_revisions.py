"""Migrations have one number each, and follow one another in one line."""

import re
from collections import Counter
from pathlib import Path

import service

VERSIONS = Path(service.__file__).with_name("migrations") / "versions"
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


def test_no_two_migrations_have_one_number() -> None:
    counted = Counter(revision for _, revision, _ in lines())

    assert [number for number, times in counted.items() if times > 1] == []


def test_each_is_called_by_its_number_and_follows_the_one_before_it() -> None:
    numbers = [f"{number + 1:04}" for number in range(len(lines()))]

    assert lines() == list(zip(numbers, numbers, ["", *numbers[:-1]], strict=True))
