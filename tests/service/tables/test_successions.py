"""Somebody takes over a kept seat: when, with what they get, and who never does."""

from datetime import timedelta

import pytest

from engine.board import Seat
from service.game import handlers, table_acts
from service.people import deletion
from service.store import clock, event_log, games, opt_outs
from service.store.transactions import transaction
from service.tables.refusals import InvitationAnswer
from service.values import addresses
from service.values.conflicts import AddressTwice, NameTaken
from service.values.errors import InvitationOver
from tests.rig.service import replaced, seated
from tests.rig.service.replaced import KEPT
from tests.rig.service.seated import Seated, run

pytestmark = pytest.mark.usefixtures("inside")

SEATED = """SELECT type, convert_from(public, 'UTF8')::json->>'seat' FROM event
    WHERE game_id = :g AND type IN ('bot_seated', 'person_seated') ORDER BY position"""


def seatings_of(table: Seated) -> list[tuple]:
    return run(SEATED, {"g": table.id})


def opened() -> Seated:
    """A game in whose second round a bot still plays the seat left in the first."""
    table = replaced.kept()
    table.play_round()
    return table


def test_who_accepts_while_the_cards_are_open_plays_from_that_moment_on() -> None:
    table = opened()
    link = replaced.asked(table)

    replaced.answer(link, called="Nora")
    replaced.answer(link, called="Nora")

    assert seatings_of(table) == [
        ("bot_seated", str(KEPT)),
        ("person_seated", str(KEPT)),
    ]
    assert seated.person_on(table.id, KEPT) == link.person_id
    assert seated.seats(table.id)[KEPT] == (KEPT, "Nora", "joined")
    assert not table.game.has_bot(Seat(KEPT))
    assert table.game == event_log.replayed(table.id)
    assert replaced.state(table) == "accepted"


def test_they_see_and_play_all_that_the_seat_holds() -> None:
    table = opened()
    before = table.game
    replaced.answer(replaced.asked(table))
    holder = replaced.device_of(table)

    seen = games.read(table.id, holder)

    assert seen is not None
    assert (seen.seat, seen.beside) == (KEPT, None)
    own = seated.own(table.game, KEPT)
    assert own.hand == before.hands[KEPT]
    assert set(own.favourites) == set(seated.own(before, KEPT).favourites)


def test_an_open_question_is_theirs_and_they_are_mailed_it() -> None:
    table = opened()
    link = replaced.asked(table)
    table.play_until(KEPT)

    replaced.answer(link)

    asked = run(
        "SELECT kind, decision FROM notice WHERE game_id = :g AND person_id = :p"
        " AND decision IS NOT NULL",
        {"g": table.id, "p": link.person_id},
    )
    assert asked == [("your_turn", table.decision)]
    assert run("SELECT count(*) FROM due WHERE kind = 'bot' AND seat = 1") == [(0,)]
    handlers.answer(
        table.id,
        replaced.device_of(table),
        table.decision,
        seated.own(table.game, KEPT).legal[0].answer,
    )


def test_in_the_round_in_which_the_bot_came_they_begin_with_the_next_deal() -> None:
    table = replaced.kept()
    link = replaced.asked(table)

    replaced.answer(link, called="Nora")
    before = games.read(table.id, replaced.device_of(table))
    table.play_round()

    assert before is not None
    assert (before.seat, before.beside) == (None, KEPT)
    assert seatings_of(table)[-1] == ("person_seated", str(KEPT))
    assert not table.game.has_bot(Seat(KEPT))
    assert table.game.round == 2
    assert table.game == event_log.replayed(table.id)
    kinds = run(
        "SELECT kind FROM notice WHERE game_id = :g AND person_id = :p",
        {"g": table.id, "p": link.person_id},
    )
    assert ("round_over",) in kinds


@pytest.mark.parametrize("leaves", ["depart", "erase"])
def test_who_leaves_before_the_deal_does_not_come_in(leaves: str) -> None:
    table = replaced.kept()
    replaced.answer(replaced.asked(table))

    if leaves == "depart":
        table_acts.depart(table.id, replaced.device_of(table), KEPT)
    else:
        replaced.erase(table, KEPT)
    table.play_round()

    assert table.game.has_bot(Seat(KEPT))


def test_a_seat_whose_person_was_erased_is_given_away_like_any_other() -> None:
    table = seated.started(4, placement="random", rounds=3)
    replaced.erase(table, KEPT)
    table.play_round()

    link = replaced.asked(table)
    replaced.answer(link)

    assert not table.game.has_bot(Seat(KEPT))
    assert seated.person_on(table.id, KEPT) == link.person_id


@pytest.mark.parametrize("goes", ["stays", "erased"])
def test_who_held_another_seat_of_the_game_takes_none(goes: str) -> None:
    table = replaced.kept(5)
    address = replaced.address_on(table, KEPT)
    replaced.answer(replaced.asked(table))
    former = run("SELECT person_id FROM former_holder", {})[0][0]
    if goes == "erased":
        deletion.erase(former)
    table_acts.depart(table.id, table.holder(2), 2)

    # By another than the host, who has typed that address before.
    replaced.name(table, address, by=3, seat=2)

    assert replaced.latest(table, 2).person_id not in (former, replaced.person(address))


def test_an_erased_persons_own_seat_is_remembered_as_theirs() -> None:
    table = replaced.kept(4)
    address = replaced.address_on(table, 3)
    replaced.erase(table, 3)

    replaced.name(table, address, by=2)

    assert replaced.latest(table).person_id != replaced.person(address)


def test_who_held_the_same_seat_before_may_have_it_again() -> None:
    table = replaced.kept(4)
    former, address = seated.person_on(table.id, KEPT), replaced.address_on(table, KEPT)
    replaced.answer(replaced.asked(table))
    old = table.holder(KEPT)
    table_acts.depart(table.id, Seated(table.id).holder(KEPT), KEPT)

    replaced.name(table, address, by=2)
    replaced.days_pass(table)
    replaced.answer(replaced.link_of(table), called="Simon")

    assert seated.person_on(table.id, KEPT) == former
    with transaction():
        assert games.lock(table.id, old, None) is None


def test_who_has_sat_down_elsewhere_meanwhile_is_refused_at_the_end() -> None:
    table, address = replaced.kept(5), replaced.fresh()
    table_acts.depart(table.id, table.holder(2), 2)
    first = replaced.asked(table, address)
    second = replaced.asked(table, address, seat=2)
    replaced.answer(first, called="Nora")

    with pytest.raises(AddressTwice):
        replaced.answer(second, called="Nora too")

    assert seated.person_on(table.id, 2) != second.person_id
    assert replaced.state(table, 2) == "asked"


def test_a_name_that_is_taken_changes_nothing() -> None:
    table = replaced.kept()
    link = replaced.asked(table)

    with pytest.raises(NameTaken):
        replaced.answer(link, called="Terry")

    assert seated.person_on(table.id, KEPT) != link.person_id
    assert replaced.state(table) == "asked"


def test_a_link_of_an_earlier_naming_answers_no_later_one() -> None:
    table = replaced.kept()
    replaced.name(table, replaced.fresh())
    token, link = replaced.mailed(table), replaced.link_of(table)
    replaced.end(table, by=2)
    replaced.asked(table)

    with pytest.raises(InvitationOver):
        replaced.answer(link, token=token)


def test_never_by_who_was_asked_before_is_still_heard() -> None:
    table, address = replaced.kept(), replaced.fresh()
    link = replaced.asked(table, address)
    clock.shift(timedelta(days=8))
    replaced.days_pass(table, 0)

    replaced.answer(link, InvitationAnswer.NEVER)

    assert opt_outs.has(addresses.parse(address, "address").key)
    assert replaced.state(table) == "lapsed"


@pytest.mark.parametrize("lapsed", [False, True])
def test_never_is_heard_though_whoever_has_named_them_was_erased(lapsed: bool) -> None:
    table, address = replaced.kept(), replaced.fresh()
    link = replaced.asked(table, address)
    if lapsed:
        replaced.days_pass(table, 8)
    replaced.erase(table, 0)

    replaced.answer(link, InvitationAnswer.NEVER)

    assert opt_outs.has(addresses.parse(address, "address").key)


def test_never_by_whoever_has_taken_the_seat_is_late_and_changes_nothing() -> None:
    table, address = replaced.kept(), replaced.fresh()
    link = replaced.asked(table, address)
    replaced.answer(link)

    with pytest.raises(InvitationOver):
        replaced.answer(link, InvitationAnswer.NEVER)

    assert not opt_outs.has(addresses.parse(address, "address").key)


def test_never_by_who_is_named_again_ends_nothing_that_nobody_asked_them() -> None:
    table, address = replaced.kept(), replaced.fresh()
    link = replaced.asked(table, address)
    clock.shift(timedelta(days=8))
    replaced.days_pass(table, 0)
    replaced.name(table, address, by=2)

    replaced.answer(link, InvitationAnswer.NEVER)

    assert opt_outs.has(addresses.parse(address, "address").key)
    assert replaced.state(table) == "named"
