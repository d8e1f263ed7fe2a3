"""Receipts of ballots, printed as `kingup verify` takes them, for who laid them."""

import re
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from flask import Flask

from engine import export
from engine.board import Card
from engine.commands import Ballot
from service.commands.cli import main
from service.game import game_files
from service.store import answers, games
from service.store.transactions import transaction
from service.values.principals import System
from tests.rig.browser import Page
from tests.rig.service import seated
from tests.rig.service.seated import Seated
from tests.rig.service.visitor import (
    Visitor,
    asked,
    choices,
    decision_form,
    link,
    moving,
    opened,
    path_of,
)

pytestmark = pytest.mark.usefixtures("inside")


def printed(page: Page) -> list[str]:
    """The receipts that stand on a page."""
    return re.findall(r"\b[0-9]+:[0-9]+:[0-9a-f]{64}\b", page.text)


def stored(table: Seated, seat: int) -> str:
    """The line that the receipt of a seat's last answer should be."""
    rows = seated.run(
        "SELECT receipt FROM answer WHERE game_id = :g AND seat = :s"
        " ORDER BY decision DESC LIMIT 1",
        {"g": table.id, "s": seat},
    )
    receipt = msgspec.json.decode(bytes(rows[0][0]))
    return f"{receipt['decision']}:{seat}:{receipt['commitment']}"


def verified(table: Seated, folder: Path, *receipts: str) -> tuple[int, list[str]]:
    """How `kingup verify` ends, and what it says of receipts pasted as printed."""
    with transaction():
        seen = games.read(table.id, System())
    assert seen is not None
    file = folder / "game.json"
    file.write_bytes(export.write(game_files.of(seen)))
    pasted = [word for line in receipts for word in ("--receipt", line)]
    result = CliRunner().invoke(main, ["verify", str(file), *pasted])
    return result.exit_code, re.findall(r"^own ballot +(\w+)", result.stdout, re.M)


def as_before_the_rename(table: Seated) -> None:
    """Keep the receipts as they were kept before 0.1.0."""
    seated.run(
        "UPDATE answer SET receipt = convert_to(replace(convert_from(receipt, 'UTF8'),"
        " '\"revision\":', '\"record\":'), 'UTF8') WHERE game_id = :g",
        {"g": table.id},
    )


def test_a_receipt_kept_under_an_older_name_is_read_wherever_it_is_shown() -> None:
    table = seated.in_election(3)
    decision = table.decision
    table.answer(1, Ballot(Card.YES))
    now = answers.given(table.id, decision, 1)

    as_before_the_rename(table)

    assert now is not None
    assert b'"revision":' in now.receipt
    assert answers.given(table.id, decision, 1) == now
    own = answers.own(table.id, decision, seated.person_on(table.id, 1))
    assert own is not None
    assert own.receipt == now.receipt


def test_a_ballot_gets_its_receipt_and_the_same_one_again(visitor: Visitor) -> None:
    table = seated.in_election(3)
    page, form = opened(visitor, link(table, 1))

    first = visitor.press(page, form, {"card": "yes"})
    again = visitor.press(page, form, {"card": "yes"})

    assert printed(first) == printed(again) == [stored(table, 1)]
    assert again.status == 200


def test_a_remembered_device_gets_its_receipt_too(visitor: Visitor) -> None:
    table = seated.in_election(3)
    visitor.remember(table, 1)
    page = visitor.get(path_of(table))

    done = visitor.press(page, decision_form(page), {"card": "no"})

    assert printed(done) == [stored(table, 1)]


def test_a_receipt_is_for_the_device_of_its_seat_alone(
    app: Flask, visitor: Visitor
) -> None:
    table = seated.in_election(3)
    visitor.remember(table, 1)
    page = visitor.get(path_of(table))
    done = visitor.press(page, decision_form(page), {"card": "no"})
    other = Visitor(app)
    other.remember(table, 2)

    assert printed(done)
    for stranger in (Visitor(app), other):
        assert printed(stranger.get(done.url)) == []


def test_a_printed_receipt_is_what_the_verifier_takes(
    app: Flask, visitor: Visitor, tmp_path: Path
) -> None:
    table, device = seated.in_election(3), Visitor(app)
    device.remember(table, 2)
    own = device.get(path_of(table))
    page, form = opened(visitor, link(table, 1))

    (mailed,) = printed(visitor.press(page, form, {"card": "no"}))
    (remembered,) = printed(device.press(own, decision_form(own), {"card": "yes"}))
    while_open = verified(table, tmp_path, mailed, remembered)
    table.answer(0, Ballot(Card.YES))
    table.resolve()

    swapped = mailed.replace(":1:", ":2:"), remembered.replace(":2:", ":1:")
    assert while_open == (0, ["sealed", "sealed"])
    assert verified(table, tmp_path, mailed, remembered) == (0, ["ok", "ok"])
    assert verified(table, tmp_path, *swapped) == (1, ["WRONG", "WRONG"])


def test_a_move_has_no_receipt_on_the_page(visitor: Visitor) -> None:
    table = moving()
    page, form = opened(visitor, link(table, asked(table)))

    done = visitor.press(page, form, choices(form))

    assert done.status == 200
    assert printed(done) == []
