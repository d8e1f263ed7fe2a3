"""What is mailed about a seat that a bot keeps: to whose it is, the table, a friend."""

from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from flask import Flask

from engine.board import Seat
from engine.commands import PlacementOption
from service.game import table_acts, time_up
from service.store import clock
from tests.rig.letters import Letter
from tests.rig.service import away, replaced, seated
from tests.rig.service.replaced import KEPT
from tests.rig.service.seated import Seated, run
from tests.rig.service.visitor import Visitor
from tests.rig.worker.mail_server import Sink, deliver_due
from worker.clock import absences
from worker.outgoing import delivery


def post(sink: Sink, table: Seated) -> list[Letter]:
    """What is mailed of a game from now on."""
    before = len(sink.raw)
    delivery.post(table.id)
    deliver_due()
    return sink.letters[before:]


def quiet(table: Seated) -> None:
    run(
        "UPDATE notice SET superseded_at = kingup_now() WHERE game_id = :g",
        {"g": table.id},
    )


def lost() -> tuple[Seated, int]:
    """A game whose first seat in turn has just let too much pass."""
    lot = PlacementOption.RANDOM
    table = seated.started(4, placement=lot, rounds=2, misses=1)
    seat = int(table.game.asked()[0])
    quiet(table)
    clock.shift(timedelta(seconds=seated.PACE + 1))
    assert time_up.run_out(table.id, table.decision)
    assert table.game.has_bot(Seat(seat))
    return table, seat


def test_who_has_lost_a_seat_is_mailed_once_how_to_come_back(
    sink: Sink, app: Flask
) -> None:
    table, seat = lost()

    [letter] = [
        each
        for each in post(sink, table)
        if each.to == replaced.address_on(table, seat)
    ]
    table.play_round()
    path = urlsplit(letter.url).path
    browser = Visitor(app)
    page = browser.get(path)
    browser.press(page, page.the_form("Come back"))

    assert letter.notice == "kept"
    assert "Once this round is over you can come back" in letter.text
    assert not table.game.has_bot(Seat(seat))
    post(sink, table)
    assert sink.kinds(letter.to).count("kept") == 1


def test_who_leaves_by_themself_gets_no_mail_about_it(sink: Sink) -> None:
    table = replaced.kept()

    post(sink, table)

    assert "kept" not in sink.kinds()


def test_a_mail_about_a_lost_seat_is_dropped_once_they_are_back(sink: Sink) -> None:
    table, seat = lost()
    table.play_round()
    table_acts.come_back(table.id, table.holder(seat), seat)

    post(sink, table)

    assert "kept" not in sink.kinds()


def test_who_has_lost_a_seat_is_mailed_how_the_game_ended(sink: Sink) -> None:
    table, seat = lost()
    post(sink, table)
    quiet(table)

    table.finish()

    whose = replaced.address_on(table, seat)
    (letter,) = [each for each in post(sink, table) if each.to == whose]
    assert letter.notice == "game_over"


def test_somebody_away_votes_by_the_link_they_are_mailed(
    sink: Sink, app: Flask
) -> None:
    table = seated.started(4)
    away.leaves_a_bot(table, KEPT)
    post(sink, table)
    quiet(table)
    whose = replaced.address_on(table, KEPT)
    table_acts.propose(table.id, table.principals[0])
    for seat in (2, 3):
        table_acts.vote(table.id, table.principals[seat], 1, agrees=True)

    (letter,) = [each for each in post(sink, table) if each.to == whose]
    browser = Visitor(app)
    page = browser.get(urlsplit(letter.url).path)
    (form,) = (f for f in page.forms if any("I agree" in b.label for b in f.buttons))
    agree = next(b for b in form.buttons if "I agree" in b.label)
    done = browser.press(page, form, button=agree)

    assert letter.notice == "proposal"
    assert done.status == 200
    assert table.game.reason == "cancelled"
    (end,) = [each for each in post(sink, table) if each.to == whose]
    assert end.notice == "game_over"


def test_a_proposal_is_not_mailed_to_who_has_left_since(sink: Sink) -> None:
    table = seated.started(4)
    away.leaves_a_bot(table, KEPT)
    post(sink, table)
    quiet(table)
    table_acts.propose(table.id, table.principals[0])
    table_acts.depart(table.id, table.holder(KEPT), KEPT)

    whose = replaced.address_on(table, KEPT)
    assert [each for each in post(sink, table) if each.to == whose] == []


@pytest.mark.parametrize(("called", "whom"), [("Nora", "Nora"), ("", "another person")])
def test_the_table_is_mailed_who_has_named_whom_for_whose_seat(
    sink: Sink, app: Flask, called: str, whom: str
) -> None:
    table, address = replaced.kept(), replaced.fresh()
    quiet(table)
    replaced.name(table, address, by=2, called=called)

    letters = [each for each in post(sink, table) if each.to != former(table)]

    assert {each.to for each in letters} == {
        replaced.address_on(table, seat) for seat in (0, 3)
    }
    for each in letters:
        assert address not in each.raw.decode()
        said = f"Terry has named {whom} for Simon's seat, which a bot keeps."
        assert each.text.startswith(said)
    browser = Visitor(app)
    page = browser.get(urlsplit(letters[0].url).path)
    browser.press(page, page.the_form("Object"))
    assert replaced.state(table) == "objected"


def test_an_objection_that_came_first_leaves_nothing_to_mail(sink: Sink) -> None:
    table = replaced.kept()
    quiet(table)
    replaced.name(table, replaced.fresh())
    replaced.end(table, by=3)

    assert post(sink, table) == []


def test_whoever_is_named_is_asked_by_the_namer_and_called_nothing(
    sink: Sink, app: Flask
) -> None:
    table, address = replaced.kept(), replaced.fresh()
    replaced.name(table, address, by=2, called="Nora")
    replaced.days_pass(table)
    quiet_but_offers(table)

    [letter] = post(sink, table)

    assert letter.to == address
    assert letter.subject.startswith("Terry asks you to a seat at King Up!")
    assert "Simon" in letter.text
    assert "Nora" not in letter.text
    page = Visitor(app).get(urlsplit(letter.url).path)
    assert page.form("Send my answer") is not None


def quiet_but_offers(table: Seated) -> None:
    run(
        "UPDATE notice SET superseded_at = kingup_now()"
        " WHERE game_id = :g AND kind <> 'offered'",
        {"g": table.id},
    )


def test_the_former_person_hears_nothing_more_of_the_game(sink: Sink) -> None:
    table = replaced.kept()
    theirs = former(table)
    replaced.answer(replaced.asked(table))
    table.play_round()
    before = len([each for each in sink.letters if each.to == theirs])

    post(sink, table)
    Seated(table.id).finish()
    post(sink, table)

    assert len([each for each in sink.letters if each.to == theirs]) == before


def former(table: Seated) -> str:
    """The address of whose seat a bot keeps."""
    return replaced.address_on(table, KEPT)


def test_whose_seat_it_is_hears_that_somebody_is_named_and_comes_back_by_the_mail(
    sink: Sink, app: Flask
) -> None:
    table = replaced.kept()
    table.play_round()
    quiet(table)
    replaced.name(table, replaced.fresh(), called="Nora")

    [letter] = [each for each in post(sink, table) if each.to == former(table)]

    assert letter.subject.startswith("Somebody else for your seat at Rachel's table?")
    assert "Somebody is named for your seat" in letter.text
    assert "To keep it, come back by " in letter.text
    assert "Nora" not in letter.text
    browser = Visitor(app)
    page = browser.get(urlsplit(letter.url).path)
    browser.press(page, page.the_form("Come back"))
    assert not table.game.has_bot(Seat(KEPT))
    assert replaced.state(table) not in ("named", "asked")


def test_whose_cards_are_not_open_yet_hears_that_the_seat_may_go_before(
    sink: Sink,
) -> None:
    table = replaced.kept()
    quiet(table)
    replaced.name(table, replaced.fresh())

    [letter] = [each for each in post(sink, table) if each.to == former(table)]

    assert "You can come back once this round is over" in letter.text


def test_whose_seat_it_is_hears_it_once_a_naming_and_once_an_hour(sink: Sink) -> None:
    table = replaced.kept()
    quiet(table)
    for _ in range(2):
        replaced.name(table, replaced.fresh())
        post(sink, table)
        post(sink, table)
        replaced.end(table, by=3)
    replaced.name(table, replaced.fresh())
    clock.shift(timedelta(hours=1, minutes=1))
    post(sink, table)
    post(sink, table)

    assert len([each for each in sink.letters if each.to == former(table)]) == 2


def test_nobody_is_mailed_of_a_seat_whose_person_is_erased_or_plays_again(
    sink: Sink,
) -> None:
    erased, back = replaced.kept(), replaced.kept()
    theirs = former(erased), former(back)
    back.play_round()
    for table in (erased, back):
        quiet(table)
        replaced.name(table, replaced.fresh())
    replaced.erase(erased, KEPT)
    table_acts.come_back(back.id, back.holder(KEPT), KEPT)

    letters = [*post(sink, erased), *post(sink, back)]

    assert not [each for each in letters if "for your seat" in each.subject]
    assert not [each for each in letters if each.to == theirs[0]]


def test_whose_days_off_are_used_is_told_that_they_may_come_back_now(
    sink: Sink,
) -> None:
    table = seated.started(3, placement=PlacementOption.RANDOM, rounds=2)
    away.leaves_a_bot(table, KEPT)
    used = "UPDATE seat SET away_days = 21, away_until = NULL WHERE number = :s"
    run(used, {"s": KEPT})
    table.play_round()
    quiet(table)

    absences.sweep()

    whose = replaced.address_on(table, KEPT)
    (letter,) = [each for each in post(sink, table) if each.to == whose]
    assert "more had passed without you than the table waits for" in letter.text
    assert "You can come back with one tap" in letter.text
    assert "last round" not in letter.text
