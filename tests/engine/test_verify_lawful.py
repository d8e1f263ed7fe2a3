"""What a record alone can't show, and a mail that somebody kept does."""

import json
from typing import Any

import pytest

from engine.board import Seat
from engine.commands import CancelGame, CreateGame
from engine.deck import favourites
from engine.export import Export
from engine.verify import verify
from tests.rig.engine.changes import edited, numbers
from tests.rig.engine.exported import cancelled, exported
from tests.rig.engine.tables import Table, options, settled
from tests.rig.engine.verified import BOT, cut, sample, stamp, wrong


def lawful_changes() -> dict[str, tuple[Export, Export]]:
    """Changes that no rule, hash or draw forbids: the true record, the changed one."""
    whole = sample()
    drawn = next(
        n for n in numbers(whole, "moved") if _event(whole, n)["by"] == "clock"
    )
    own = "bot" if _event(whole, drawn)["seat"] == BOT else "seat"
    off = exported(cancelled("table"))
    unwatched = _unwatched()
    draft = Table()
    draft.do(CreateGame(draft.seed, b""))
    draft.do(CancelGame(draft.seed))
    word = "00" * 32
    return {
        "who answered": (whole, edited(whole, drawn, lambda e: e.update(by=own))),
        "a place nobody cares about": (
            unwatched,
            edited(unwatched, 16, lambda e: e.update(place="1")),
        ),
        "an end that was a cancellation": (off, cut(off, len(off.record) - 1)),
        "all that happened later": (whole, cut(whole, 20)),
        "a setting while the key is sealed": (
            cut(whole, 20),
            edited(cut(whole, 20), 2, lambda e: e["options"].update(decision_time=60)),
        ),
        "the word of a draft": (
            exported(draft),
            edited(exported(draft), 1, lambda e: e.update(word=word)),
        ),
    }


def _event(whole: Export, number: int) -> Any:
    return json.loads(whole.record[number - 1])


def _unwatched() -> Export:
    """A game of one move: O, placed last, stands on 2 and is on nobody's card."""
    for seed in range(100):
        table = settled(chosen=options(rounds=1), seed=bytes([seed]) * 32)
        dealt = [table.game.card_of(Seat(seat), 1) for seat in range(4)]
        if all("O" not in favourites(card) for card in dealt):
            table.crown("A")
            return exported(table)
    raise LookupError("O")


CHANGES = lawful_changes()


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_that_is_lawful_too_is_found_by_a_mail_alone(name: str) -> None:
    whole, changed = CHANGES[name]

    report = verify(changed, {"kept.eml": stamp(whole)})

    assert wrong(whole) is None
    assert wrong(changed) is None
    assert report.wrong is not None
    assert report.wrong.code in ("mail-differs", "mail-ahead")


def test_a_seed_binds_the_deck_and_no_moves_and_a_late_mail_binds_them() -> None:
    games = [sample(luck=luck) for luck in range(7, 13)]

    first, *others = games
    assert {each.record[:3] for each in games} == {first.record[:3]}
    assert len({each.record[-1] for each in games}) > 1
    assert [wrong(each) for each in games] == [None] * 6
    assert wrong_with(first, first) is None
    assert {wrong_with(other, first) for other in others} <= {
        "mail-differs",
        "mail-ahead",
    }


def wrong_with(export: Export, mailed: Export) -> str | None:
    """What is wrong beside a mail from the end of a game."""
    found = verify(export, {"kept": stamp(mailed)}).wrong
    return None if found is None else found.code
