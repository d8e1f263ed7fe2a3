"""What a mail has told no later one tells, and what none has told the next one does."""

import re

import pytest
from flask import Flask

from engine.board import Card
from engine.commands import PlacementOption
from service.game import table_acts, talk, time_up
from service.store import event_log
from service.values.lines import Line
from tests.rig import statements
from tests.rig.letters import Letter
from tests.rig.service import paused, replaced, seated
from tests.rig.service.seated import Seated, run
from tests.rig.worker.answered import Mailboxes, mail
from tests.rig.worker.answered import deliver as bring_in
from tests.rig.worker.mail_server import Sink, deliver_due, send

A_DAY_MORE = "There is a day more for this question"
OBJECTED = "Somebody objected to whoever was named for Simon's seat."


def mailed(sink: Sink, table: Seated, name: str) -> Letter:
    """The latest mail to somebody, after all that is due."""
    send(table.id)
    return [each for each in sink.letters if each.to.startswith(name)][-1]


def reminded(sink: Sink, table: Seated, name: str) -> Letter:
    """The mail that reminds somebody of the open question."""
    time_up.remind(table.id, table.decision)
    letter = mailed(sink, table, name)
    assert letter.notice == "reminder"
    return letter


def test_an_answer_to_a_mail_leaves_what_happened_to_the_next(
    inside: Flask, sink: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    boxes = Mailboxes(inside, sink, monkeypatch)
    table = seated.in_election(3)
    to = boxes.asked(table, 1)
    table_acts.extend(table.id, table.principals[0], table.decision)

    bring_in(mail(table, to, "Who shall it be?"))
    (answer,) = boxes.answers(table, 1)

    assert A_DAY_MORE not in answer.as_string()
    assert A_DAY_MORE in reminded(sink, table, "simon").text


def test_what_came_behind_the_news_of_a_mail_and_is_told_with_it_is_told_once(
    sink: Sink,
) -> None:
    table = seated.in_election(3)
    table_acts.extend(table.id, table.principals[0], table.decision)

    first = mailed(sink, table, "terry")
    second = reminded(sink, table, "terry")

    assert first.notice == "election"
    assert A_DAY_MORE in first.text
    assert A_DAY_MORE not in second.text


def test_what_a_mail_told_that_was_long_on_its_way_is_told_once(sink: Sink) -> None:
    table = replaced.kept(first=2)
    send(table.id)
    table.nominate()
    later = "UPDATE notice SET due_at = {} WHERE kind = 'election'"
    run(later.format("kingup_now() + interval '1 hour'"))
    paused.pause(table, 0)
    paused.resume(table, 0)
    replaced.name(table, replaced.fresh(), by=0)
    overtaking = mailed(sink, table, "paul")
    table_acts.extend(table.id, table.principals[0], table.decision)
    run(later.format("kingup_now()"))

    first = mailed(sink, table, "paul")
    second = reminded(sink, table, "paul")

    assert (overtaking.notice, first.notice) == ("replacement", "election")
    assert A_DAY_MORE in first.text
    assert A_DAY_MORE not in second.text


def test_the_mail_of_a_rounds_end_names_its_vote_whatever_told_of_that_before(
    sink: Sink,
) -> None:
    table = seated.started(3, placement=PlacementOption.RANDOM, rounds=2)
    table.nominate()
    send(table.id)
    table.lay([Card.YES] * 3)
    table.resolve()
    run("UPDATE mail SET record = (SELECT record FROM game)")

    last = mailed(sink, table, "rachel")

    assert "The story of round 1" in last.text
    assert last.subject.startswith("The ballots are open: ")


def test_talk_that_a_mail_about_a_naming_tells_is_told_once(sink: Sink) -> None:
    table = replaced.kept(first=2)
    send(table.id)
    talk.say(table.id, table.holder(2), Line("Who is coming?", None))
    replaced.name(table, replaced.fresh(), by=0)

    first = mailed(sink, table, "paul")
    table.nominate()
    second = mailed(sink, table, "paul")

    assert first.notice == "replacement"
    assert "Who is coming?" in first.text
    assert second.notice == "election"
    assert "Who is coming?" not in second.text


def test_an_objection_is_told_that_came_while_the_mail_before_was_on_its_way(
    sink: Sink,
) -> None:
    table = replaced.kept(first=2)
    send(table.id)
    replaced.name(table, replaced.fresh())
    send(table.id)
    table.nominate()
    sink.data = ["451 later"] * 4
    send(table.id)
    replaced.end(table, by=2)
    sink.data = []
    run("UPDATE mail SET claim_at = kingup_now() WHERE settled_at IS NULL")
    deliver_due()

    before = mailed(sink, table, "paul")
    after = reminded(sink, table, "paul")

    assert before.notice == "election"
    assert OBJECTED not in before.text
    assert OBJECTED in after.text


def test_who_is_named_is_read_once_for_a_mail_however_much_of_it_tells_of_that(
    sink: Sink,
) -> None:
    table = replaced.kept()
    send(table.id)
    replaced.name(table, replaced.fresh())
    sink.raw.clear()

    with statements.heard() as found:
        send(table.id)

    assert set(sink.kinds()) == {"replacement"}
    reads = [
        each for each in found if re.search(r"SELECT.*FROM replacement", each, re.S)
    ]
    assert len(reads) == len(sink.raw)


def test_the_story_of_a_round_is_read_once_whatever_happens_after_it(
    sink: Sink,
) -> None:
    table = seated.started(3, placement=PlacementOption.RANDOM, rounds=2)
    table.nominate()
    run("UPDATE notice SET superseded_at = now()")
    table.lay([Card.YES] * 3)
    table.resolve()
    sink.recipients[replaced.address_on(table, 2)] = "451 later"

    with statements.heard() as found:
        send(table.id)
        table_acts.extend(table.id, table.principals[0], table.decision)
        run("UPDATE mail SET body = NULL, claim_at = kingup_now()")
        sink.recipients.clear()
        deliver_due()

    assert (
        len([each for each in sink.letters if "The story of round 1" in each.text]) == 3
    )
    assert found.count(event_log._RECORD) == 1
