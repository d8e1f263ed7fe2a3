"""One's own word and ballots: found in the record, or excused where they can't be."""

import pytest
from msgspec.structs import replace

from engine.commands import CancelGame, CreateGame
from engine.export import Export
from engine.verify import BallotReceipt, Check, CheckLine, Report, State, verify
from tests.rig.engine import naive_proof
from tests.rig.engine.changes import edited, numbers
from tests.rig.engine.exported import cancelled, exported, finished
from tests.rig.engine.tables import Table, closed, options, settled, started
from tests.rig.engine.verified import BOT, WORDS, cut, sample

ZEROS = "00" * 32


def code(report: Report) -> str | None:
    return None if report.wrong is None else report.wrong.code


def word(export: Export, seat: int, text: str) -> tuple[CheckLine, str | None]:
    """What is said of a word, and the code of what is wrong."""
    report = verify(export, words={seat: text})
    return report.lines[-1], code(report)


def ballot(
    export: Export, decision: int, seat: int, bound: str = ZEROS
) -> tuple[State, str | None]:
    """What is said of a receipt, and the code of what is wrong."""
    report = verify(export, receipts=[BallotReceipt(decision, seat, bound)])
    return report.lines[-1].state, code(report)


def bound(table: Table, seat: int, card: str) -> str:
    """The receipt of a card laid in the last decision of a game."""
    number = table.game.last_decision
    return naive_proof.ballot(table.game.id, table.sealed.key, number, seat, card)


def called_off_draft() -> Export:
    table = Table()
    table.do(CreateGame(table.seed, b""))
    table.do(CancelGame(table.seed))
    return exported(table)


def test_ones_own_word_is_found_in_the_record() -> None:
    whole = sample()

    true = verify(whole, words={**WORDS, 2: ""})
    forged = verify(whole, words={1: "Luck"})

    assert true.wrong is None
    assert [line.detail for line in true.lines[-3:]] == [
        "the one in the record",
        "the one in the record",
        "none, as in the record",
    ]
    assert forged.wrong is not None
    assert (forged.wrong.code, forged.wrong.seat) == ("own-word-differs", 1)


@pytest.mark.parametrize("text", ["x" * 65, "luck"])
def test_a_word_too_long_or_of_no_seat_is_not_the_records(text: str) -> None:
    assert word(sample(), 4, text)[1] == "own-word-differs"
    assert word(sample(), 1, "x" * 65)[1] == "own-word-differs"


@pytest.mark.parametrize("text", ["", "luck"])
def test_no_word_is_ones_own_on_the_seat_of_a_bot(text: str) -> None:
    assert word(sample(), BOT, text)[1] == "own-word-differs"


def test_before_the_table_closes_only_the_hosts_word_is_known() -> None:
    running = cut(sample(), 1)

    assert word(running, 0, " Wu\u0308rfel ")[0].state is State.OK
    assert word(running, 0, "luck")[1] == "own-word-differs"
    assert word(running, 7, "luck")[0].state is State.SEALED
    assert word(running, 8, "luck")[1] == "own-word-differs"


def test_a_guests_word_is_not_reached_where_the_table_never_closed() -> None:
    line, wrong = word(called_off_draft(), 1, "luck")

    assert (line.state, wrong) == (State.SKIPPED, None)


def test_ones_own_ballot_is_found_in_the_record() -> None:
    table = finished()
    first = table.game.elections[0].decision
    laid = [e.ballots for e in table.log if hasattr(e, "ballots")][0]

    assert ballot(exported(table), first, 1, laid[1]) == (State.OK, None)
    assert ballot(exported(table), first, 1, laid[2])[1] == "own-ballot-differs"


@pytest.mark.parametrize("step", [-1, 1, 100])
def test_a_finished_game_has_every_ballot(step: int) -> None:
    table = finished()
    last = table.game.elections[-1].decision

    assert ballot(exported(table), last + step, 1)[1] == "own-ballot-missing"


@pytest.mark.parametrize("seat", [BOT, 4, 10**9])
@pytest.mark.parametrize("size", [25, 100])
def test_no_seat_but_a_persons_has_receipts(seat: int, size: int) -> None:
    game = cut(sample(), size)
    resolved = numbers(game, "election_resolved")[0]
    true = game.record[resolved - 1].decode().split('"')
    bot = next(text for text in true if len(text) == 64)

    assert ballot(game, 18, seat, bot)[1] == "own-ballot-missing"


def test_a_ballot_of_the_election_that_is_open_is_sealed() -> None:
    table = settled(chosen=options(rounds=1))
    table.nominate("A")

    assert ballot(exported(table), table.number, 1) == (State.SEALED, None)


def test_a_running_game_has_every_ballot_of_a_decision_that_is_over() -> None:
    table = settled(chosen=options(rounds=1))
    table.nominate("A")
    running = exported(table)

    assert ballot(running, table.number - 1, 1)[1] == "own-ballot-missing"
    assert ballot(running, table.number + 1, 1)[1] == "own-ballot-ahead"


def test_a_ballot_of_an_open_question_that_is_no_election_is_missing() -> None:
    table = settled(chosen=options(rounds=1))

    assert ballot(exported(table), table.number, 1)[1] == "own-ballot-missing"


@pytest.mark.parametrize("table", [closed(), started()])
def test_a_record_that_ends_before_a_ballot_is_old_or_cut(table: Table) -> None:
    assert ballot(exported(table), 18, 1)[1] == "own-ballot-ahead"


def test_a_draft_has_no_ballots() -> None:
    assert ballot(cut(sample(), 1), 18, 1)[1] == "own-ballot-ahead"
    assert ballot(called_off_draft(), 18, 1)[1] == "own-ballot-missing"


def test_a_ballot_that_a_cancellation_left_open_is_known_by_the_key() -> None:
    table = cancelled("table")
    number, no = table.game.last_decision, bound(table, 0, "no")

    assert ballot(exported(table), number, 0, no) == (State.OK, None)
    assert ballot(exported(table), number, 1, no)[1] == "own-ballot-differs"
    assert ballot(exported(table), number - 1, 0, no)[1] == "own-ballot-missing"
    assert ballot(exported(table), number + 1, 0, no)[1] == "own-ballot-missing"


def test_a_cancelled_election_has_no_card_that_wasnt_held() -> None:
    table = cancelled("table")
    number, stomachache = table.game.last_decision, bound(table, 0, "stomachache")

    report = verify(exported(table), receipts=[BallotReceipt(number, 0, stomachache)])

    assert report.wrong is not None
    assert report.wrong.code == "own-ballot-not-held"
    assert (report.wrong.expected, report.wrong.found) == ("no or yes", "stomachache")


def test_a_game_called_off_between_elections_has_every_ballot() -> None:
    table = settled(chosen=options(rounds=1))
    table.nominate("A")
    table.vote("no", "yes", "yes", "yes")
    table.do(CancelGame(table.seed))
    number = table.game.last_decision

    assert ballot(exported(table), number, 1, bound(table, 1, "yes"))[1] == (
        "own-ballot-missing"
    )


def test_in_a_record_that_is_wrong_what_cant_be_found_is_not_reached() -> None:
    broken = replace(sample(), record=(b"{}",), versions=(1,))
    forged = edited(sample(), 17, lambda e: e.update(to="throne"))
    kept = [BallotReceipt(18, 1, ZEROS), BallotReceipt(19, 1, ZEROS)]

    unread = verify(broken, words={0: "Würfel"}, receipts=kept)
    read = verify(forged, words={0: "Würfel"}, receipts=kept)

    assert unread.wrong is not None
    assert unread.wrong.code == "unknown-event"
    assert [line.state for line in unread.lines[-3:]] == [State.SKIPPED] * 3
    assert [line.check for line in unread.lines[-3:]] == [
        Check.WORD,
        Check.BALLOT,
        Check.BALLOT,
    ]
    assert [line.state for line in read.lines[-3:]] == [
        State.OK,
        State.WRONG,
        State.SKIPPED,
    ]
