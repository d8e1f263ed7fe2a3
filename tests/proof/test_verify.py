"""A hundred finished games are true; a thousand single changes are all found."""

import sys
from collections import Counter
from collections.abc import Iterator

import pytest

from engine.export import Export
from engine.verify import State, verify
from tests.rig.engine import naive_verifier, random_games
from tests.rig.engine.changes import change
from tests.rig.engine.exported import exported
from tests.rig.engine.tables import chance
from tests.rig.engine.verified import stamp

GAMES = 100
CHANGES = 1000
FIRST = 20_000


def finished() -> Iterator[Export]:
    number = FIRST
    while True:
        table = random_games.game(number)
        number += 1
        if table.game.reason == "finished":
            yield exported(table)


@pytest.mark.proof
@pytest.mark.timeout(1200)
def test_finished_games_are_true_and_every_change_is_found() -> None:
    found, by_mail, kinds = Counter[str](), Counter[str](), Counter[str]()
    for at, whole in zip(range(GAMES), finished(), strict=False):
        report = verify(whole, {"kept": stamp(whole)})
        assert report.wrong is None
        assert {line.state for line in report.lines} == {State.OK}
        naive_verifier.check(whole.game, list(whole.record))
        rng = chance(at)
        for _ in range(CHANGES // GAMES):
            changed = change(whole, rng)
            kinds[changed.type] += 1
            alone = verify(changed.export).wrong
            naive = naive_verifier.accepts(whole.game, changed.export.record)
            assert (alone is None) is naive, changed.what
            if alone is not None:
                found[alone.code] += 1
                continue
            # As lawful as the true record: only who kept a mail can tell them apart.
            wrong = verify(changed.export, {"kept": stamp(whole)}).wrong
            assert wrong is not None, changed.what
            by_mail[f"{wrong.code} ({changed.what})"] += 1

    assert sum(found.values()) + sum(by_mail.values()) == CHANGES
    assert sum(found.values()) >= CHANGES * 0.99
    sys.stdout.write(
        f"\n{GAMES} finished games true; {CHANGES} changes, all found and named,"
        f" {sum(by_mail.values())} of them by a mail alone\n"
        f"changed: {_told(kinds)}\nfound: {_told(found)}\nby mail: {_told(by_mail)}\n"
    )


def _told(counted: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counted.most_common()) or "-"
