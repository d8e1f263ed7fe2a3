"""What no mail of its own tells stands in the next: pauses, more time, objections."""

import re

from engine.board import Card
from service.game import table_acts, time_up
from tests.rig.letters import Letter
from tests.rig.service import paused, replaced, seated
from tests.rig.worker.mail_server import Sink, send


def since(letter: Letter) -> list[str]:
    """What happened since, as both parts of a mail have it."""
    lines = letter.text.splitlines()
    start = lines.index("Since you last heard or acted:") + 1
    found = [line[2:] for line in lines[start : start + lines[start:].index("")]]
    page = letter.html.replace("<bdi>", "").replace("</bdi>", "").replace("&#39;", "'")
    assert all(each in page for each in found)
    return found


def mailed(sink: Sink, table: seated.Seated, name: str) -> Letter:
    send(table.id)
    return [each for each in sink.letters if each.to.startswith(name)][-1]


def refuse(table: seated.Seated) -> None:
    """Nobody acts in the open, and everybody hears of it."""
    table.lay([Card.NO, Card.YES, Card.YES])
    table.resolve()


def test_who_pauses_a_game_is_told_and_until_when(sink: Sink) -> None:
    table = seated.in_election(3)
    send(table.id)
    paused.pause(table, 1, days=2)
    refuse(table)

    told = since(mailed(sink, table, "terry"))

    (sentence,) = [each for each in told if each.startswith("Paused by")]
    assert re.fullmatch(
        r"Paused by Simon until \w+ \d+ \w+, \d\d:\d\d UTC: no time passes, and"
        r" everything can be answered\.",
        sentence,
    )


def test_a_pause_that_is_over_is_nobodys_any_more(sink: Sink) -> None:
    table = seated.in_election(3)
    send(table.id)
    paused.pause(table, 1)
    paused.resume(table, 1)
    paused.pause(table, 2)
    refuse(table)

    told = since(mailed(sink, table, "rachel"))

    assert [each.partition(" until")[0] for each in told if "aused" in each] == [
        "The game is paused: no time passes.",
        "Paused by Terry",
    ]


def test_a_day_more_is_told_with_its_end(sink: Sink) -> None:
    table = seated.in_election(3)
    send(table.id)
    table_acts.extend(table.id, table.principals[0], table.decision)
    time_up.remind(table.id, table.decision)

    told = since(mailed(sink, table, "terry"))

    assert len(told) == 1
    assert re.fullmatch(
        r"There is a day more for this question, until .*\d\d:\d\d UTC.*\.", told[0]
    )


def test_an_objection_is_told_once_and_without_a_name(sink: Sink) -> None:
    table = replaced.kept()
    send(table.id)
    replaced.name(table, replaced.fresh(), called="Uwe")
    send(table.id)
    replaced.end(table, by=2)
    table.nominate()

    first = since(mailed(sink, table, "paul"))
    time_up.remind(table.id, table.decision)
    again = mailed(sink, table, "paul")

    assert "Somebody objected to whoever was named for Simon's seat." in first
    assert again.notice == "reminder"
    assert "objected" not in again.text
