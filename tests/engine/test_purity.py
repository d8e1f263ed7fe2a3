"""The engine needs the standard library and msgspec, and nothing else."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import engine

FOLDER = Path(engine.__path__[0])
MODULES = sorted(FOLDER.rglob("*.py"))
ALLOWED = sys.stdlib_module_names | {"msgspec", "engine"}


def imported(source: str) -> Iterator[str]:
    """The topmost package of everything that a module imports, wherever it does."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0
            yield str(node.module).partition(".")[0]
        elif isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(FOLDER)))
def test_the_engine_imports_the_standard_library_and_msgspec_alone(path: Path) -> None:
    assert set(imported(path.read_text())) <= ALLOWED


def test_an_import_is_seen_wherever_it_stands() -> None:
    source = "import os, flask.views\ndef later():\n    from celery.app import task"

    assert set(imported(source)) - ALLOWED == {"flask", "celery"}
