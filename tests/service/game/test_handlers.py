"""The write path: what one answer writes, and that it is written once."""

import random
from uuid import UUID, uuid4

import msgspec
import pytest
from flask import Flask

from engine import fairness
from engine.board import Card
from engine.commands import Ballot, Move, Placement, PlacementOption
from engine.errors import (
    AlreadyAnswered,
    CardNotHeld,
    DecisionClosed,
    GameNotRunning,
    NotAsked,
    WrongKind,
)
from service import config
from service.game import handlers, task_hints
from service.store import event_log, links
from service.store.links import LinkRow
from service.values import entropy
from service.values.conflicts import BeyondTheRecord
from service.values.principals import Bearer, Bot, DeviceHolder, LinkHolder
from tests.rig.parts import wait_until
from tests.rig.service import hints, seated
from tests.rig.service.seated import Seated, run

YES, NO = Card.YES, Card.NO


pytestmark = pytest.mark.usefixtures("inside")


def events(table: Seated) -> list[tuple]:
    return run(
        "SELECT position, record, type, decision, public, secret, link FROM event"
        " WHERE game_id = :g ORDER BY position",
        {"g": table.id},
    )


def test_positions_and_record_numbers_have_no_gap() -> None:
    table = seated.started(4, bots=2)

    table.finish()

    written = events(table)
    assert [row[0] for row in written] == list(range(1, len(written) + 1))
    record = [row[1] for row in written if row[1] is not None]
    assert record == list(range(1, len(record) + 1))
    assert run("SELECT position, record, status FROM game") == [
        (len(written), len(record), "over")
    ]


def test_a_ballot_alone_has_no_part_in_the_record() -> None:
    table = seated.in_election(3)
    table.lay([YES, NO, YES])
    table.resolve()

    silent = {row[2] for row in events(table) if row[1] is None}

    assert silent == {"ballot_cast"}
    for _, record, _, _, public, secret, link in events(table):
        assert (record is None) == (public is None) == (link is None)
        assert public is not None or secret is not None


def test_each_link_binds_the_bytes_before_it() -> None:
    table = seated.started(3)
    table.finish()
    head = fairness.chain_start(str(table.id))

    for _, record, _, _, public, _, link in events(table):
        if record is not None:
            head = fairness.chain(head, record, bytes(public))
            assert bytes(link) == head

    assert bytes(run("SELECT head FROM game")[0][0]) == head


def test_the_snapshot_is_the_state_that_the_log_gives() -> None:
    table = seated.started(5, bots=4)
    chance = random.Random(3)

    for _ in range(60):
        table.step(chance)
        assert event_log.replayed(table.id) == table.game


def test_an_answer_again_gets_the_same_receipt_for_ever() -> None:
    table = seated.in_election(3)
    decision = table.decision
    first = table.answer(1, Ballot(NO))

    same = table.answer(1, Ballot(NO))
    table.answer(0, Ballot(YES))
    table.answer(2, Ballot(YES))
    complete = table.answer(1, Ballot(NO), decision)
    table.finish()
    after_the_end = table.answer(1, Ballot(NO), decision)

    assert first == same == complete == after_the_end
    assert len(run("SELECT 1 FROM answer WHERE decision = :d", {"d": decision})) == 3


def test_a_receipt_of_a_ballot_is_what_the_record_will_bind() -> None:
    table = seated.in_election(3)
    cards = [YES, NO, YES]
    receipts = [
        msgspec.json.decode(table.answer(seat, Ballot(card)))
        for seat, card in enumerate(cards)
    ]

    table.resolve()

    resolved = next(row for row in events(table) if row[2] == "election_resolved")
    bound = msgspec.json.decode(resolved[4])["ballots"]
    assert [receipt["commitment"] for receipt in receipts] == bound
    assert all(receipt["revision"] is None for receipt in receipts)


def test_a_receipt_of_a_move_names_its_record_event() -> None:
    table = seated.started(3, placement=PlacementOption.RANDOM)
    seat = table.game.asked()[0]
    answer = seated.own(table.game, seat).legal[0].answer

    receipt = msgspec.json.decode(table.answer(seat, answer))

    moved = next(row for row in events(table) if row[2] == "moved")
    assert (receipt["revision"], receipt["commitment"]) == (moved[1], None)


def test_another_answer_of_the_same_seat_is_refused() -> None:
    table = seated.in_election(3)
    table.answer(1, Ballot(NO))

    with pytest.raises(AlreadyAnswered):
        table.answer(1, Ballot(YES))


def test_what_is_refused_changes_no_row(inside: Flask) -> None:
    table = seated.started(4, bots=1)
    asked = table.game.asked()[0]
    somebody_else = (asked + 1) % 4
    good = seated.own(table.game, asked).legal[0].answer
    before = seated.everything(inside)

    for seat, answer, decision, refusal in (
        (somebody_else, good, 1, NotAsked),
        (asked, good, 2, BeyondTheRecord),
        (asked, Ballot(YES), 1, WrongKind),
        (asked, Move("A"), 1, WrongKind),
    ):
        with pytest.raises(refusal):
            table.answer(seat, answer, decision)

    assert seated.everything(inside) == before


def test_a_card_that_is_not_held_is_refused(inside: Flask) -> None:
    table = seated.in_election(6)
    before = seated.everything(inside)

    with pytest.raises(CardNotHeld):
        table.answer(3, Ballot(Card.STOMACHACHE))

    assert seated.everything(inside) == before


def test_an_election_with_all_cards_in_is_resolved_by_whoever_comes_next() -> None:
    table = seated.in_election(3)
    decision = table.decision
    table.lay([YES, NO, YES])
    question = table.game.decision
    assert question is not None
    assert question.mover is not None
    asked = table.game.left_of(question.mover)

    with pytest.raises(BeyondTheRecord):
        table.answer(asked, Move("A"), decision + 2)

    kinds = [row[2] for row in events(table)]
    assert kinds.count("election_resolved") == 1
    assert table.decision == decision + 1


def test_the_last_ballot_and_no_other_has_the_worker_resolve_the_election(
    inside: Flask,
) -> None:
    table, other = seated.in_election(3), seated.in_election(3)
    wanted = (str(table.id), table.decision)

    other.lay([YES, NO])
    table.lay([YES, NO, YES])

    def asked() -> list[tuple]:
        found = hints.waiting(inside, task_hints.FOLLOW_UP)
        return [each for (games,) in found for each in games if len(each) > 1]

    wait_until(asked, "the hint")
    assert asked() == [wanted]


@pytest.mark.parametrize(("settle", "hinted"), [(0, 1), (120, 0)])
def test_the_worker_is_hinted_at_what_is_to_be_told_now_alone(
    inside: Flask, monkeypatch: pytest.MonkeyPatch, settle: int, hinted: int
) -> None:
    patient = msgspec.structs.replace(config.of(inside), mail_settle=settle)
    monkeypatch.setitem(inside.config, "KINGUP", patient)
    table = seated.started(3)

    def follow_ups(behind: str) -> int:
        task_hints.send(behind, "")
        wait_until(lambda: hints.waiting(inside, behind), "the hint")
        hinted = hints.waiting(inside, task_hints.FOLLOW_UP)
        return [each for (games,) in hinted for each in games].count((str(table.id),))

    before = follow_ups("the start")
    (seat,) = table.game.asked()
    table.answer(seat, seated.own(table.game, seat).legal[0].answer)

    assert follow_ups("the answer") - before == hinted


def test_resolving_twice_does_the_same_as_once(inside: Flask) -> None:
    table = seated.in_election(3)
    decision = table.decision
    table.lay([YES, NO, YES])

    handlers.resolve(table.id, decision)
    before = seated.everything(inside)
    handlers.resolve(table.id, decision)

    assert seated.everything(inside) == before


def test_an_election_is_not_resolved_before_the_last_card(inside: Flask) -> None:
    table = seated.in_election(3)
    table.answer(0, Ballot(NO))
    table.answer(2, Ballot(NO))
    before = seated.everything(inside)

    handlers.resolve(table.id, table.decision)

    assert seated.everything(inside) == before


def test_a_closed_decision_is_refused_to_whoever_gave_no_answer() -> None:
    table = seated.started(3, placement=PlacementOption.RANDOM)
    first = table.game.asked()[0]
    answer = seated.own(table.game, first).legal[0].answer
    table.answer(first, answer, 1)

    with pytest.raises(DecisionClosed):
        table.answer((first + 1) % 3, answer, 1)


def test_nothing_is_answered_after_the_end() -> None:
    table = seated.started(3, rounds=1, placement=PlacementOption.RANDOM)
    table.finish()
    last = table.game.last_decision

    with pytest.raises(GameNotRunning):
        table.answer(0, Move("A"), last + 1)


def test_whoever_does_not_sit_at_the_table_is_nobody() -> None:
    table, other = seated.started(3, bots=1), seated.started(4)
    asked = table.game.asked()[0]
    answer = seated.own(table.game, asked).legal[0].answer
    scanner = links.add(LinkRow("game", table.id, _person(table, 0), 0, None))

    for principal in (
        other.principals[asked],
        Bearer(entropy.digest("kup_unknown"), "games:play"),
        LinkHolder(entropy.digest(scanner)),
        DeviceHolder(entropy.digest("unknown")),
        Bot(0),
    ):
        with pytest.raises(handlers.NotAtTable):
            handlers.answer(table.id, principal, 1, answer)
    with pytest.raises(handlers.NotAtTable):
        handlers.answer(uuid4(), table.principals[0], 1, answer)


def test_a_link_is_good_for_its_own_decision_alone() -> None:
    table = seated.started(3, first=1, placement=PlacementOption.CHOOSE)
    token = links.add(LinkRow("decision", table.id, _person(table, 1), 1, 1))
    holder = LinkHolder(entropy.digest(token))

    with pytest.raises(handlers.NotAtTable):
        handlers.answer(table.id, holder, 2, Placement("A", "4"))
    receipt = handlers.answer(table.id, holder, 1, Placement("A", "4"))

    assert table.answer(1, Placement("A", "4"), 1) == receipt


def test_a_bots_answer_is_no_persons_to_repeat() -> None:
    table = seated.started(3, bots=1, first=2)
    table.answer(2, Placement("A", "4"), 1)
    person = seated.link(table.id, 0).person_id
    for seat, sitter, bot in ((0, None, "steady"), (2, person, None)):
        run(
            "UPDATE seat SET person_id = :p, bot = :b WHERE number = :s",
            {"p": sitter, "b": bot, "s": seat},
        )

    with pytest.raises(DecisionClosed):
        Seated(table.id).answer(2, Placement("A", "4"), 1)


def _person(table: Seated, seat: int) -> UUID:
    return seated.link(table.id, seat).person_id
