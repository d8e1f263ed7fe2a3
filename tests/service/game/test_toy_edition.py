"""An edition that is only a file is hosted, played and told by the whole service."""

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from tests.rig.engine import copies
from tests.rig.service.toy_game import Told


@pytest.fixture
def told(database: str, environ: dict[str, str], tmp_path: Path) -> Told:
    """A game of the edition shown in the docs, played in a process of its own."""
    folder = copies.copy(tmp_path)
    (folder / "engine/editions/tower.py").write_text(copies.shown_in_the_docs()[0])
    done = subprocess.run(
        [sys.executable, "-m", "tests.rig.service.toy_game", "tower", "tower"],
        env={
            **environ,
            **copies.environ(folder),
            "KINGUP_MAILBOX": str(tmp_path / "mailbox"),
        },
        cwd=folder,
        capture_output=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr.decode()
    told = msgspec.json.decode(done.stdout, type=Told)
    assert told.engine == str(folder / "engine/__init__.py")
    return told


def test_an_edition_that_is_only_a_file_is_played_through_the_whole_service(
    told: Told,
) -> None:
    first, *filling, last = told.pages
    rules, new, editions = told.shared
    # A place without a word of its own is called by its label.
    thrown = "was refused and thrown to the place “tower”"

    assert (told.reason, told.held) == ("finished", 2)
    assert "Alighiero" in told.offered
    assert thrown not in first
    assert [page.count(thrown) > 0 for page in [*filling, last]] == [True] * 3
    assert sum(thrown in mail for mail in told.mails) > 1
    assert any("−2 tower" in mail for mail in told.mails)
    assert '"edition":"tower"' in told.view.replace(" ", "")
    assert '"id":"tower"' in editions.replace(" ", "")
    assert 'name="edition" value="tower"' in new
    assert 'id="tower"' in rules
