"""A start migrates unless the database has all migrations already."""

import shutil
from pathlib import Path

import pytest
from flask import Flask

from service import config
from service.store import revisions


def test_a_database_with_all_migrations_is_the_newest(app: Flask) -> None:
    assert revisions.is_newest(config.of(app).database_url)


def test_a_database_that_lacks_one_or_is_not_there_is_not_the_newest(
    app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(shutil.copytree(revisions.MIGRATIONS, tmp_path / "migrations"))
    (folder / "versions" / "9000_one_more.py").touch()

    monkeypatch.setattr(revisions, "MIGRATIONS", folder)

    assert not revisions.is_newest(config.of(app).database_url)
    assert not revisions.is_newest(f"postgresql://u@/d?host={tmp_path}")
