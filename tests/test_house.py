"""The house's names: one thing each, whoever looks for it."""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("engine", "service", "worker")

SAME_NOUN = (
    {"service/models", "service/store", "service/api/http"},
    {"service/models", "service/api/schemas"},
    {"service/store", "service/api/resources", "service/tables"},
    {"service/store", "service/api/resources", "service/api/feeds"},
    {"service/models", "service/api/schemas", "service/api/feeds"},
    {"service/store", "service/api/resources", "service/auth"},
    {"service/store", "service/people"},
    {"service/store", "worker/clock"},
    {"service/store", "service/people", "service/api/resources", "worker/clock"},
    {"service/store", "worker/outgoing"},
    {"service/tables", "service/web/table"},
    {"service/live", "service/api/resources"},
    {"service/monitoring", "service/api/resources", "service/api/schemas"},
)
"""Rooms that mirror each other: a noun's table, its SQL, its rules, its resource."""

MODULES: Mapping[str, str] = {
    "app": "the Flask app, and Celery's",
    "base": "what all editions, all schemas and all tables are made of",
    "clock": "the time of the database, and the resource that lets it pass",
    "commands": "what is asked of a game, and how people type it in mails",
    "errors": "what the rules refuse, and what a request is refused for",
    "events": "what happened, and the resource that lists it",
    "export": "a game as a file, and the resource that gives it away",
    "heartbeat": "the worker's, and its table",
    "operations": "those of the contract, and the page that shows them",
    "terms": "what was agreed on for a game, in words and in requests",
}
"""What is called alike in different rooms, with the reason."""

CLASSES: Mapping[str, str] = {
    "Clock": "the table that trials shift it in, and its resource",
    "Export": "a game as a file, and its resource",
    "Game": "the state of a game, and its resource",
    "Resumed": "a game that goes on after its pause, and a stream after its break",
    "Tickets": "stream tickets, and their resource",
}
"""Resources are called as what they serve."""


def test_a_module_is_called_like_another_only_for_a_reason() -> None:
    rooms = defaultdict(set)
    for file in files():
        rooms[file.stem].add(str(file.parent.relative_to(ROOT)))

    twice = {name for name, at in rooms.items() if len(at) > 1 and not mirrored(at)}

    assert twice == set(MODULES)


def test_a_class_is_called_like_another_only_for_a_reason() -> None:
    found = defaultdict(list)
    for file in files():
        for name in classes(file):
            found[name].append(str(file.relative_to(ROOT)))

    assert {name for name, at in found.items() if len(at) > 1} == set(CLASSES)


def test_the_hall_holds_the_app_and_the_settings_alone() -> None:
    hall = {file.name for file in (ROOT / "service").glob("*.py")}

    assert hall == {"__init__.py", "app.py", "config.py"}


def mirrored(rooms: set[str]) -> bool:
    return any(rooms <= group for group in SAME_NOUN)


def files() -> Iterator[Path]:
    for package in PACKAGES:
        for file in sorted((ROOT / package).rglob("*.py")):
            if "versions" not in file.parts and file.name != "__init__.py":
                yield file


def classes(file: Path) -> Iterator[str]:
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef):
            yield node.name
