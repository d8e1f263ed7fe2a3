"""A provider's daily cap: questions first, nothing lost, each table its share."""

from datetime import timedelta

import msgspec
import pytest
from flask import Flask

from engine.board import Card
from engine.commands import Ballot
from service import config
from service.game import fresh_questions
from service.game.fresh_questions import Reader
from service.people import accounts, lost_mails
from service.store import clock, outbox, quotas, unsubscribed
from service.store.quotas import Used
from service.store.transactions import transaction
from tests.rig.service import seated
from tests.rig.service.deadlines import deadline
from tests.rig.service.seated import Seated, run
from tests.rig.worker import rows
from tests.rig.worker.mail_server import Sink, deliver_due, send
from worker.clock import lost_mails as finding
from worker.outgoing import daily_cap, delivery
from worker.outgoing.daily_cap import Class

CAP = 100
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


@pytest.fixture(autouse=True)
def capped(inside: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """The provider takes a hundred mails a day."""
    settings = msgspec.structs.replace(config.of(inside), mails_a_day=CAP)
    monkeypatch.setitem(inside.config, "KINGUP", settings)


def have_left(amount: int, bucket: bytes = b"others") -> None:
    """So many mails have left in this hour."""
    with transaction():
        quotas.add_shared(daily_cap.BUDGET, bucket, amount)


def in_election() -> Seated:
    table = seated.in_election(3)
    run("UPDATE notice SET superseded_at = now() WHERE kind <> 'election'")
    return table


@pytest.mark.parametrize(
    ("kind", "all_used", "here", "leaves"),
    [
        (Class.ASKS, 74, 74, True),
        (Class.ASKS, 75, 9, True),
        (Class.ASKS, 75, 10, False),
        (Class.ASKS, 99, 0, True),
        (Class.ASKS, 100, 0, False),
        (Class.OTHERS, 37, 37, True),
        (Class.OTHERS, 49, 0, True),
        (Class.OTHERS, 49, 10, False),
        (Class.OTHERS, 50, 0, False),
        (Class.STRANGERS, 24, 24, True),
        (Class.STRANGERS, 25, 0, False),
    ],
)
def test_each_class_leaves_something_for_the_more_urgent_and_each_table_for_others(
    kind: Class, all_used: int, here: int, leaves: bool
) -> None:
    used = Used(all_used, here, 0)
    shared = kind is not Class.STRANGERS

    assert daily_cap.fits(kind, CAP, used, shared=shared) == leaves


def test_a_question_leaves_where_a_result_waits_for_the_next_day(sink: Sink) -> None:
    table = in_election()
    have_left(60)
    send(table.id)
    assert sink.kinds() == ["election"] * 3
    table.lay([Card.YES, Card.YES, Card.NO])
    table.resolve()
    send(table.id)

    assert sorted(sink.kinds()[3:]) == ["your_turn"]
    assert rows.states(table.id)["queued"] == 2
    clock.shift(DAY + HOUR)
    deliver_due()

    assert sorted(sink.kinds()[4:]) == ["result", "result"]


def test_a_question_that_waits_is_late_and_not_lost(sink: Sink) -> None:
    table = seated.started(3)
    run("UPDATE notice SET superseded_at = now() WHERE kind <> 'your_turn'")
    before = deadline(table)
    have_left(CAP)

    send(table.id)
    assert sink.kinds() == []
    clock.shift(20 * HOUR)
    deliver_due()
    assert sink.kinds() == []
    run("DELETE FROM quota")
    run("DELETE FROM budget_total")
    clock.shift(HOUR)
    deliver_due()

    assert sink.kinds() == ["your_turn"]
    assert deadline(table) - before > 20 * HOUR


def test_a_table_that_had_its_share_waits_while_others_are_asked(sink: Sink) -> None:
    greedy, other = in_election(), in_election()
    have_left(80, greedy.id.bytes)

    send(greedy.id)
    assert sink.kinds() == []
    send(other.id)

    assert sink.kinds() == ["election"] * 3


def test_what_strangers_can_cause_leaves_most_of_a_day_to_those_who_play(
    sink: Sink,
) -> None:
    table = in_election()
    have_left(25)
    strange = accounts.ask_to_sign_in("nobody@example.org", None)
    draft = seated.draft(3, tag="+strange")

    send(draft)
    deliver_due()
    assert sink.kinds() == []
    send(table.id)

    assert sink.kinds() == ["election"] * 3
    assert run("SELECT state FROM mailed_code WHERE id = :i", {"i": strange}) == [
        ("retry",)
    ]
    clock.shift(DAY + HOUR)
    deliver_due()
    assert sink.kinds() == ["election"] * 3 + ["confirm"]


def test_a_question_that_whoever_types_an_address_has_mailed_is_a_strangers(
    sink: Sink,
) -> None:
    table = in_election()
    send(table.id)
    have_left(25)
    address = run(
        "SELECT address FROM person JOIN seat ON person_id = person.id"
        " WHERE game_id = :g AND number = 1",
        {"g": table.id},
    )[0][0]
    lost_mails.ask(str(address))
    finding.sweep()

    send(table.id)
    assert sink.kinds() == ["election"] * 3
    clock.shift(DAY + HOUR)
    deliver_due()

    assert sink.kinds() == ["election"] * 4


def again(table: Seated, seat: int) -> None:
    """Have a seat's question mailed once more, as its reader can each hour."""
    reader = Reader(seated.person_on(table.id, seat), seat)
    fresh_questions.mail_open(table.id, reader)


@pytest.mark.parametrize("laid", [False, True])
def test_what_is_mailed_again_leaves_half_a_day_to_new_questions_laid_or_not(
    sink: Sink, laid: bool
) -> None:
    table, other = in_election(), in_election()
    send(table.id)
    have_left(50)
    again(table, 0)
    if laid:
        table.answer(0, Ballot(Card.YES))

    send(table.id)
    send(other.id)

    assert sink.kinds() == ["election"] * 6
    assert rows.states(table.id)["queued"] == 1


@pytest.mark.parametrize("used", [97, 98, 99])
def test_nobody_tells_by_their_mail_whether_another_has_laid(
    sink: Sink, used: int
) -> None:
    table = in_election()
    have_left(used)
    table.answer(0, Ballot(Card.YES))

    send(table.id)

    # As if the first in order had been mailed, too.
    assert len(sink.kinds()) == CAP - used - 1


@pytest.mark.parametrize("laid", [False, True])
def test_nor_by_what_leaves_once_the_provider_takes_mails_again(
    sink: Sink, laid: bool
) -> None:
    table = in_election()
    have_left(CAP)
    if laid:
        table.answer(0, Ballot(Card.YES))
    send(table.id)
    run("DELETE FROM quota")
    run("DELETE FROM budget_total")
    have_left(CAP - 2)

    clock.shift(HOUR)
    first = seated.person_on(table.id, 0)
    waiting = outbox.missed(0, 100).mails
    for key in sorted(waiting, key=lambda each: each.person_id != first):
        delivery.deliver(key)

    others = [each for each in sink.letters if not each.to.startswith("rachel")]
    assert len(others) == 1


@pytest.mark.parametrize("laid", [False, True])
def test_nor_by_what_else_their_mail_has_to_tell(sink: Sink, laid: bool) -> None:
    table = in_election()
    run(
        "INSERT INTO notice (key, game_id, person_id, seat, kind, cause)"
        " VALUES ('begun', :g, :p, 0, 'started', 1)",
        {"g": table.id, "p": seated.person_on(table.id, 0)},
    )
    have_left(CAP - 2)
    if laid:
        table.answer(0, Ballot(Card.YES))

    send(table.id)

    assert used() == CAP
    assert len([each for each in sink.letters if "rachel" not in each.to]) == 1


def used() -> int:
    """How many mails of the day are counted."""
    with transaction():
        return quotas.used(daily_cap.BUDGET, b"others").all


def test_a_mail_counts_once_however_often_it_is_tried(sink: Sink) -> None:
    table = in_election()
    sink.data = ["451 later"] * 5

    send(table.id)
    clock.shift(MINUTE)
    deliver_due()
    clock.shift(2 * MINUTE)
    deliver_due()

    assert sink.kinds() == ["election"] * 3
    assert used() == 3


def test_nor_does_the_mail_of_a_code_count_twice(sink: Sink) -> None:
    accounts.ask_to_sign_in("nobody@example.org", None)
    sink.data = ["451 later"]

    deliver_due()
    clock.shift(MINUTE)
    deliver_due()

    assert len(sink.raw) == 1
    assert used() == 1


def test_one_that_was_tried_before_leaves_though_the_day_is_full(sink: Sink) -> None:
    table = in_election()
    sink.data = ["451 later"] * 3
    send(table.id)
    have_left(CAP)

    clock.shift(MINUTE)
    deliver_due()

    assert sink.kinds() == ["election"] * 3


def test_who_wants_no_mails_of_a_game_uses_up_none_of_a_day(sink: Sink) -> None:
    table = in_election()
    with transaction():
        unsubscribed.add([table.id], seated.person_on(table.id, 0))
    have_left(CAP - 2)

    send(table.id)

    assert sink.kinds() == ["election"] * 2
