"""A game of the service, its mails and receipts are true to the verifier."""

from typing import Any
from uuid import UUID

import msgspec

from engine.board import Card
from engine.commands import Ballot
from engine.export import Export
from engine.verify import BallotReceipt, State, verify
from service.game import game_files
from service.store import games
from service.tables import cancellation
from service.values.principals import System
from tests.rig.service import seated
from tests.rig.worker.mail_server import Sink, send

WORDS = {1: "Würfel", 2: "luck"}


def exported(game_id: UUID) -> Export:
    seen = games.read(game_id, System())
    assert seen is not None
    return game_files.of(seen)


def test_a_game_by_mail_with_all_its_mails_and_receipts_is_true(sink: Sink) -> None:
    game_id = seated.draft(4, bots=1, rounds=2)
    send(game_id)
    seated.confirm(game_id)
    send(game_id)
    for seat, word in WORDS.items():
        seated.accept(game_id, seat, word=word)
    send(game_id)
    table = seated.Seated(game_id)
    receipts: list[BallotReceipt] = []
    while table.game.running:
        table.nominate()
        send(game_id)
        receipts += laid(table, Card.YES if table.game.elections else Card.NO)
        table.resolve()
        send(game_id)
        running = verify(exported(game_id), mails(sink), WORDS, receipts)
        assert running.wrong is None

    report = verify(exported(game_id), mails(sink), WORDS, receipts)

    assert report.wrong is None
    assert {line.state for line in report.lines} == {State.OK}
    assert len(sink.raw) > 15
    assert len(receipts) >= 12


def mails(sink: Sink) -> dict[str, bytes]:
    return {str(number): raw for number, raw in enumerate(sink.raw)}


def laid(table: seated.Seated, card: Card) -> list[BallotReceipt]:
    """The receipts of an election in which seat 0 lays this card; bots get none."""
    number, found = table.decision, []
    for seat in range(4):
        answered = Ballot(card if seat == 0 else Card.YES)
        receipt: dict[str, Any] = msgspec.json.decode(table.answer(seat, answered))
        if table.game.seats[seat].kind == "person":
            found.append(BallotReceipt(number, seat, receipt["commitment"]))
    return found


def test_a_draft_that_its_host_calls_off_is_true(sink: Sink) -> None:
    game_id = seated.draft(3)
    send(game_id)
    cancellation.give_up(game_id)
    send(game_id)

    report = verify(exported(game_id), mails(sink))

    assert sink.raw
    assert report.wrong is None
    assert not report.sealed


def test_a_game_called_off_in_an_election_is_true(sink: Sink) -> None:
    table = seated.in_election(3)
    send(table.id)
    answered = msgspec.json.decode(table.answer(1, Ballot(Card.NO)))
    receipt = BallotReceipt(answered["decision"], 1, answered["commitment"])
    open_so_far = verify(exported(table.id), receipts=[receipt])
    seated.cancel(table.id, table.principals[0])
    send(table.id)

    report = verify(exported(table.id), mails(sink), receipts=[receipt])

    assert open_so_far.wrong is None
    assert open_so_far.lines[-1].state is State.SEALED
    assert report.wrong is None
    assert {line.state for line in report.lines} == {State.OK}
