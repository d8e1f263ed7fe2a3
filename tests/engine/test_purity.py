"""The engine needs msgspec and what of the standard library does nothing by itself."""

import ast
from collections.abc import Iterator
from pathlib import Path

import engine

FOLDER = Path(engine.__path__[0])
MODULES = sorted(FOLDER.rglob("*.py"))
ALLOWED = frozenset(
    {
        *("engine", "msgspec"),
        *("abc", "collections", "dataclasses", "enum", "functools"),
        *("itertools", "typing"),
        *("email", "html", "json", "quopri", "re", "unicodedata", "uuid"),
        *("hashlib", "hmac", "math", "random"),
        # By these the editions find each other.
        *("importlib", "inspect", "pkgutil"),
    }
)
"""None knows of clock, files, network or other processes; `random` is handed in."""


def imported(source: str) -> Iterator[str]:
    """The topmost package of everything that a module imports, wherever it does."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0
            yield str(node.module).partition(".")[0]
        elif isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)


def test_the_engine_imports_nothing_that_reaches_beyond_it() -> None:
    found = {path: set(imported(path.read_text())) - ALLOWED for path in MODULES}

    assert len(found) > 30
    assert {path.name: names for path, names in found.items() if names} == {}


def test_an_import_is_seen_wherever_it_stands() -> None:
    source = "import os, flask.views\ndef later():\n    from celery.app import task"

    assert set(imported(source)) - ALLOWED == {"os", "flask", "celery"}
