"""Whatever goes along in a mail about something else is told there, with its link."""

from datetime import timedelta
from urllib.parse import urlsplit
from uuid import UUID

import pytest
from flask import Flask

from engine.board import Card, Seat
from engine.commands import PlacementOption
from service import config
from service.game import answering_ahead, table_acts
from service.store import clock, composition, event_log
from service.store.event_log import NoticeRow
from service.store.transactions import transaction
from service.tables import creation, expiry, joining
from service.tables.creation import OpenSeat, TableWish
from service.values.enums import NoticeKind
from service.values.wishes import WishedElection, Wishes
from tests.rig.letters import Letter
from tests.rig.service import replaced, seated
from tests.rig.service.replaced import KEPT
from tests.rig.service.seated import Seated, run
from tests.rig.service.visitor import Visitor
from tests.rig.worker.mail_server import Sink, send
from tests.rig.worker.people import somebody
from worker.clock import sweeper

DELAY = timedelta(seconds=config.USUAL_BOT_DELAY)
NO_TO_ALL = Wishes(election=WishedElection((), Card.NO))
CALLING_OFF = "Rachel proposes to call the game off."


def to(sink: Sink, table: Seated, seat: int) -> list[Letter]:
    """What was mailed to a seat so far."""
    address = replaced.address_on(table, seat)
    return [letter for letter in sink.letters if letter.to == address]


def pages(letter: Letter) -> list[str]:
    return [urlsplit(url).path[:3] for url in letter.urls]


def asked_anew() -> tuple[Seated, int]:
    """Somebody but the host has just been asked, and was mailed nothing of it."""
    table = seated.started(4, placement=PlacementOption.RANDOM, rounds=2, first=1)
    run("UPDATE notice SET superseded_at = kingup_now() WHERE kind <> 'your_turn'")
    return table, int(table.game.asked()[0])


def about_to_answer(first: int = 1) -> Seated:
    """An election that has just opened, in which seat 1 has a standing answer."""
    table = seated.started(3, placement=PlacementOption.RANDOM, first=first)
    answering_ahead.lay(table.id, table.holder(1), NO_TO_ALL)
    send(table.id)
    table.nominate()
    send(table.id)
    return table


def openings(sink: Sink, table: Seated) -> list[str]:
    """How the mails to seat 1 begin that are about the election, or a proposal."""
    kinds = [letter.notice for letter in to(sink, table, 1)]
    return [kind for kind in kinds if kind in ("election", "proposal")]


def test_a_proposal_is_told_with_its_link_in_the_mail_that_asks(
    sink: Sink, app: Flask
) -> None:
    table, seat = asked_anew()
    table_acts.propose(table.id, table.holder(0))

    send(table.id)

    [letter] = to(sink, table, seat)
    assert letter.notice == "your_turn"
    for part in (letter.text, letter.html.replace("<bdi>", "").replace("</bdi>", "")):
        assert CALLING_OFF in part
        assert "It ends only if all of you agree" in part
    assert pages(letter) == ["/d/", "/p/"]
    browser = Visitor(app)
    page = browser.get(urlsplit(letter.urls[1]).path)
    browser.press(page, page.the_form("I agree: call it off"))
    assert run("SELECT agreed FROM proposal")[0][0] == [0, seat]


@pytest.mark.parametrize("first", [0, 1])
def test_who_is_about_to_answer_hears_of_a_proposal_and_not_of_the_question(
    sink: Sink, first: int
) -> None:
    table = about_to_answer(first)

    table_acts.propose(table.id, table.holder(0))
    send(table.id)

    assert openings(sink, table) == ["proposal"]
    assert pages(to(sink, table, 1)[-1]) == ["/p/"]


def test_a_question_waits_for_its_moment_in_no_mail_that_was_not_sent_yet() -> None:
    """It would leave with that as soon as the mail server is back."""
    table = seated.started(3, placement=PlacementOption.RANDOM, first=0)
    answering_ahead.lay(table.id, table.holder(1), NO_TO_ALL)
    with transaction():
        composition.compose(table.id, "king.example")
    table.nominate()

    with transaction():
        composition.compose(table.id, "king.example")

    asked = "SELECT mail_id FROM notice WHERE kind = 'election' AND seat = 1"
    assert run(asked) == [(None,)]


def test_a_question_that_is_not_answered_ahead_after_all_is_mailed_then(
    sink: Sink,
) -> None:
    table = about_to_answer()
    table_acts.propose(table.id, table.holder(0))
    send(table.id)
    answering_ahead.drop(table.id, table.holder(1))

    clock.shift(DELAY + timedelta(minutes=2))
    sweeper.sweep()
    send(table.id)

    assert openings(sink, table) == ["proposal", "election"]


def test_all_that_others_ask_at_once_is_told_in_one_mail(sink: Sink) -> None:
    table, seat = asked_anew()
    table_acts.depart(table.id, table.holder(3), 3)
    replaced.name(table, replaced.fresh(), seat=3, called="Nora")
    table_acts.propose(table.id, table.holder(0))

    send(table.id)

    [letter] = to(sink, table, seat)
    assert pages(letter) == ["/d/", "/p/", "/o/"]
    assert CALLING_OFF in letter.text
    owner = seated.NAMES[3]
    assert f"Rachel has named Nora for {owner}'s seat" in letter.text


def test_a_host_hears_of_a_free_seat_in_the_mail_that_warns_of_the_end(
    sink: Sink,
) -> None:
    host, guest = somebody("Rachel"), somebody("Simon")
    game_id = creation.open_table(host.id, "", TableWish((OpenSeat(), OpenSeat())))
    joining.leave(game_id, guest.id, joining.take(game_id, guest, None, "Simon", ""))
    run("UPDATE game SET expiry_at = kingup_now()")
    expiry.step(game_id)

    send(game_id)

    [letter] = sink.letters
    assert letter.subject.startswith("Your table ends in a week")
    assert "Somebody has left: a seat is free for whoever comes." in letter.text
    assert pages(letter) == ["/t/", "/t/"]


def notify(game_id: UUID, seat: int, kind: NoticeKind) -> None:
    person = seated.person_on(game_id, seat)
    row = NoticeRow(f"{kind}/{seat}", person, seat, kind, None, None)
    with transaction():
        event_log.notify(game_id, (row,))


def test_an_invitation_tells_that_the_address_was_typed_again(sink: Sink) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    notify(game_id, 1, NoticeKind.SEATED)

    send(game_id)

    [letter] = [each for each in sink.letters if "seat already" in each.text]
    assert "invites you" in letter.subject
    assert "to a table where you have a seat already" in letter.text
    assert pages(letter) == ["/i/", "/d/"]


def test_who_has_lost_a_seat_hears_in_one_mail_that_somebody_is_named_for_it(
    sink: Sink,
) -> None:
    table = seated.started(4, placement=PlacementOption.RANDOM, rounds=2, misses=1)
    seat = int(table.game.asked()[0])
    by = next(each for each in range(4) if each != seat)
    send(table.id)
    sink.raw.clear()
    clock.shift(timedelta(seconds=seated.PACE + 1))
    sweeper.sweep()
    assert table.game.has_bot(Seat(seat))
    replaced.name(table, replaced.fresh(), by=by, seat=seat)

    send(table.id)

    [letter] = to(sink, table, seat)
    assert letter.notice == "kept"
    assert "Somebody is named for your seat" in letter.text
    assert pages(letter) == ["/d/", "/d/"]


def test_who_is_asked_to_two_seats_has_a_mail_and_a_link_for_each(
    sink: Sink,
) -> None:
    table, address = replaced.kept(5), replaced.fresh()
    table_acts.depart(table.id, table.holder(2), 2)
    for seat, by in ((KEPT, 0), (2, 3)):
        replaced.name(table, address, by=by, seat=seat)
    clock.shift(timedelta(days=1, minutes=1))
    for seat in (KEPT, 2):
        replaced.days_pass(table, 0, seat=seat)

    send(table.id)

    letters = [each for each in sink.letters if each.to == address]
    assert len(letters) == 2
    person = replaced.latest(table).person_id
    theirs = "SELECT seat FROM link WHERE person_id = :p AND purpose = 'invitation'"
    assert run(f"{theirs} ORDER BY seat", {"p": person}) == [(KEPT,), (2,)]
