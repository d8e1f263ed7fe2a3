"""What is wrong with the statements of the house, judged in a full database."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest
from flask import Flask

from tests.rig import crowded, statements
from tests.rig.service.postbox import Postbox
from tests.rig.service.walked import day
from tests.rig.statements import Explained, of_tables

MOST_ROWS = 200
"""More rows than any step has to look at in the walk."""

MANY_ROWS = 250
"""A table that has more is never to be read as a whole."""

UNWALKED = frozenset({"deletion._CODES", "deletion._RENDERED"})
"""Parts of statements."""


class Verdict(NamedTuple):
    """What is wrong: statements that read too much, unknown ones, those never said."""

    greedy: tuple[str, ...]
    unknown: tuple[str, ...]
    unsaid: tuple[str, ...]


def of_walk(
    app: Flask,
    database: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    scanning: bool,
) -> Verdict:
    """What the walk's statements read; the hungriest of them are printed."""
    wide = msgspec.structs.replace(app.config["KINGUP"], invitations_a_day=10**6)
    monkeypatch.setitem(app.config, "KINGUP", wide)
    post = Postbox(app, folder, monkeypatch)
    large = crowded.large(database.replace("+psycopg", "", 1), MANY_ROWS)
    with statements.explained(monkeypatch, scanning=scanning) as found:
        day.walk(post, database)
    known = statements.of_the_store()
    said = {each.statement for each in found if of_tables(each.statement)}
    greedy = {
        f"{known.get(each.statement, each.statement)}: {each.most}, {each.pages} pages"
        for each in found
        if _is_greedy(each, large)
    }
    _show(found, known)
    return Verdict(
        tuple(sorted(greedy)),
        tuple(sorted(said - known.keys())),
        tuple(sorted({known[each] for each in known.keys() - said} - UNWALKED)),
    )


def _is_greedy(each: Explained, large: frozenset[str]) -> bool:
    """Whether it reads a large table as a whole, or too much of anything."""
    whole = [scan for scan in each.scans if scan.kind == "Seq Scan"]
    if any(scan.table in large for scan in whole):
        return True
    return any(scan.rows > MOST_ROWS for scan in set(each.scans) - set(whole))


def _show(found: Sequence[Explained], known: Mapping[str, str]) -> None:
    hungriest = sorted(found, key=lambda each: each.most.rows, reverse=True)
    for each in hungriest[:12]:
        kind, table, rows = each.most
        name = known.get(each.statement, each.statement[:40])
        sys.stdout.write(
            f"{name}: {rows} rows by {kind} of {table}, {each.pages} pages,"
            f" {each.seconds * 1000:.1f} ms\n"
        )
