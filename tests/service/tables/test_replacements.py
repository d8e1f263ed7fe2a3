"""Somebody else is named for a kept seat: who may, who may object, and who is asked."""

from datetime import timedelta

import pytest

from engine.errors import GameNotRunning, SeatNotKept
from service.game import table_acts
from service.store import clock, opt_outs, people, replacements
from service.store.transactions import transaction
from service.tables import invitations
from service.tables.refusals import InvitationAnswer
from service.values import addresses
from service.values.conflicts import (
    AddressTwice,
    LastRound,
    NameTaken,
    ObjectionLate,
    PersonReturns,
    ReplacementOpen,
    TooManyReplacements,
)
from service.values.errors import (
    Forbidden,
    InvitationOver,
    NotFound,
    TooManyInvitations,
)
from service.values.principals import System
from tests.rig.service import replaced, seated
from tests.rig.service.replaced import KEPT
from tests.rig.service.seated import run

pytestmark = pytest.mark.usefixtures("inside")


def told(kind: str) -> list[tuple]:
    return run("SELECT person_id, seat FROM notice WHERE kind = :k", {"k": kind})


def test_whoever_is_named_hears_of_it_only_when_nobody_has_objected_for_a_day() -> None:
    table = replaced.kept()
    replaced.name(table, replaced.fresh())
    clock.shift(timedelta(hours=23))
    replaced.days_pass(table, 0)
    assert (replaced.state(table), told("offered")) == ("named", [])

    replaced.days_pass(table)

    person = replaced.latest(table).person_id
    assert (replaced.state(table), told("offered")) == ("asked", [(person, KEPT)])


def test_all_others_who_play_hear_of_it_and_whose_seat_it_was() -> None:
    table = replaced.kept(4)

    replaced.name(table, replaced.fresh(), by=0)

    assert {seat for _, seat in told("replacement")} == {KEPT, 2, 3}


def test_anybody_else_who_plays_may_object_for_a_day() -> None:
    table = replaced.kept()
    replaced.name(table, replaced.fresh())

    replaced.end(table, by=3)
    replaced.days_pass(table)

    assert (replaced.state(table), told("offered")) == ("objected", [])


def test_an_objection_after_a_day_is_too_late() -> None:
    table = replaced.kept()
    replaced.name(table, replaced.fresh())
    clock.shift(timedelta(hours=24, seconds=1))

    for _ in range(2):
        with pytest.raises(ObjectionLate):
            replaced.end(table, by=2)
        replaced.days_pass(table, 0)

    assert replaced.state(table) == "asked"


def test_who_has_named_somebody_may_withdraw_it_until_they_accept() -> None:
    table = replaced.kept()
    link = replaced.asked(table)

    replaced.end(table, by=0)

    assert replaced.state(table) == "withdrawn"
    with pytest.raises(InvitationOver):
        replaced.answer(link)


def test_only_somebody_who_plays_names_or_objects() -> None:
    table = replaced.kept()
    replaced.name(table, replaced.fresh())

    for act in (
        lambda: replaced.name(table, replaced.fresh(), by=KEPT),
        lambda: replaced.end(table, by=KEPT),
    ):
        with pytest.raises(Forbidden):
            act()

    assert replaced.state(table) == "named"


def test_only_kept_seats_of_games_that_run_are_given_away() -> None:
    table, over = replaced.kept(), replaced.kept()
    seated.cancel(over.id, System())

    with pytest.raises(SeatNotKept):
        replaced.name(table, replaced.fresh(), seat=2)
    with pytest.raises(NotFound):
        replaced.name(table, replaced.fresh(), seat=7)
    with pytest.raises(GameNotRunning):
        replaced.name(over, replaced.fresh())


def test_a_seat_left_in_the_last_round_is_played_to_the_end_by_its_bot() -> None:
    table = replaced.kept(rounds=1)

    with pytest.raises(LastRound):
        replaced.name(table, replaced.fresh())


def test_a_seat_that_is_kept_for_days_off_alone_is_given_to_nobody() -> None:
    table = replaced.kept()
    run("UPDATE seat SET away_returns = true WHERE number = :s", {"s": KEPT})

    with pytest.raises(PersonReturns):
        replaced.name(table, replaced.fresh())


def test_a_seat_whose_new_person_waits_for_the_deal_is_given_to_nobody() -> None:
    table = replaced.kept(4)
    replaced.answer(replaced.asked(table))

    with pytest.raises(PersonReturns):
        replaced.name(table, replaced.fresh(), by=2)


def test_who_was_named_by_somebody_who_has_left_may_be_objected_to_later() -> None:
    table = replaced.kept(4)
    replaced.asked(table)
    with pytest.raises(ObjectionLate):
        replaced.end(table, by=2)
    table_acts.depart(table.id, table.holder(0), 0)

    replaced.end(table, by=2)

    assert replaced.state(table) == "objected"
    replaced.name(table, replaced.fresh(), by=2)


def test_a_naming_is_heard_also_where_an_earlier_ones_namer_was_erased() -> None:
    table = replaced.kept(5)
    for by in (3, 2):
        replaced.name(table, replaced.fresh(), by=by)
        replaced.end(table, by=by)
    replaced.erase(table, 3)

    replaced.name(table, replaced.fresh(), by=4)

    latest = replaced.latest(table)
    assert (latest.by_seat, latest.state) == (4, "named")
    assert len({each.number for each in replacements.of_seat(table.id, KEPT)}) == 2
    told = run(
        "SELECT seat FROM notice WHERE key LIKE :k",
        {"k": f"%/{latest.invitation_id}/%"},
    )
    assert told == [(0,), (KEPT,), (2,)]


def test_who_leaves_while_they_are_away_may_be_replaced() -> None:
    table = replaced.kept(4)
    run("UPDATE seat SET away_returns = true WHERE number = :s", {"s": KEPT})

    table_acts.depart(table.id, table.holder(KEPT), KEPT)
    replaced.name(table, replaced.fresh())

    assert replaced.state(table) == "named"


def test_a_bots_own_seat_is_given_to_nobody() -> None:
    table = seated.started(3, bots=1)

    with pytest.raises(SeatNotKept):
        replaced.name(table, replaced.fresh(), seat=2)


def test_one_is_named_at_a_time_and_the_same_again_changes_nothing() -> None:
    table, address = replaced.kept(), replaced.fresh()
    replaced.name(table, address)
    first = replaced.latest(table)

    replaced.name(table, address)
    for by in (0, 2):
        with pytest.raises(ReplacementOpen):
            replaced.name(table, replaced.fresh(), by=by)

    assert replaced.latest(table) == first


def test_each_may_name_three_for_a_seat_and_uses_up_nobody_elses() -> None:
    table = replaced.kept()
    for _ in range(3):
        replaced.name(table, replaced.fresh())
        replaced.end(table, by=0)

    with pytest.raises(TooManyReplacements):
        replaced.name(table, replaced.fresh())

    replaced.name(table, replaced.fresh(), by=2)


def test_naming_counts_as_an_invitation_of_who_names() -> None:
    table, address = replaced.kept(), replaced.fresh()
    namer = seated.person_on(table.id, 0)
    asked = invitations.asked(namer, addresses.parse(address, "address").key)
    for _ in range(invitations.MAILS_A_DAY):
        run(
            "INSERT INTO invitation (id, game_id, seat, host_id, person_id, asked,"
            " state) VALUES (gen_random_uuid(), :g, 1, :p, :p, :a, 'withdrawn')",
            {"g": table.id, "p": namer, "a": asked},
        )

    with pytest.raises(TooManyInvitations):
        replaced.name(table, address)


def test_who_wants_no_invitations_is_not_asked_and_it_looks_the_same() -> None:
    table, address = replaced.kept(), replaced.fresh()
    with transaction():
        opt_outs.add(addresses.parse(address, "address").key)

    link = replaced.asked(table, address)

    named = people.by_id(link.person_id)
    assert named is not None
    assert named.address is None
    assert replaced.state(table) == "asked"


@pytest.mark.parametrize("seat", [2, 3, KEPT])
def test_who_has_a_seat_there_is_not_asked_to_another_and_it_looks_the_same(
    seat: int,
) -> None:
    table = replaced.kept()
    address = replaced.address_on(table, seat)

    # By another than the host, who has typed these addresses before.
    replaced.name(table, address, by=2 if seat != 2 else 3)

    assert replaced.latest(table).person_id != seated.person_on(table.id, seat)
    assert replaced.state(table) == "named"


def test_ones_own_address_is_refused_and_what_one_has_typed_for_another_seat() -> None:
    table = replaced.kept()

    for seat in (0, 3):
        with pytest.raises(AddressTwice):
            replaced.name(table, replaced.address_on(table, seat), by=0)


def test_a_name_that_reads_like_anothers_is_refused() -> None:
    table = replaced.kept()

    with pytest.raises(NameTaken):
        replaced.name(table, replaced.fresh(), called="Terry")


def test_what_somebody_was_called_is_erased_at_the_end() -> None:
    table = replaced.kept()
    replaced.name(table, replaced.fresh(), called="Nora")
    assert replaced.latest(table).name == "Nora"

    replaced.end(table, by=2)

    assert replaced.latest(table).name is None


def test_no_answer_within_seven_days_lets_it_lapse() -> None:
    table = replaced.kept()
    link = replaced.asked(table)
    clock.shift(timedelta(days=7, seconds=1))

    # Before the worker comes by it is too late as well.
    with pytest.raises(InvitationOver):
        replaced.answer(link)
    replaced.days_pass(table, 0)

    assert replaced.state(table) == "lapsed"


@pytest.mark.parametrize("choice", ["no", "never"])
def test_no_thanks_leaves_the_seat_and_never_keeps_the_address(choice: str) -> None:
    table, address = replaced.kept(), replaced.fresh()
    link = replaced.asked(table, address)

    replaced.answer(link, InvitationAnswer(choice))
    replaced.answer(link, InvitationAnswer(choice))

    key = addresses.parse(address, "address").key
    assert replaced.state(table) == "declined"
    assert opt_outs.has(key) is (choice == "never")
    with pytest.raises(InvitationOver):
        replaced.answer(link)


def test_the_return_of_the_former_person_ends_it() -> None:
    table = replaced.kept()
    link = replaced.asked(table)
    table.play_round()

    table_acts.come_back(table.id, table.holder(KEPT), KEPT)

    assert replaced.state(table) == "returned"
    with pytest.raises(InvitationOver):
        replaced.answer(link)


def test_the_end_of_the_game_ends_it() -> None:
    table = replaced.kept()
    link = replaced.asked(table)

    seated.cancel(table.id, System())

    assert replaced.state(table) == "over"
    with pytest.raises(InvitationOver):
        replaced.answer(link)


def test_who_is_erased_has_named_nobody() -> None:
    table = replaced.kept()
    link = replaced.asked(table)

    replaced.erase(table, 0)

    assert run("SELECT count(*) FROM replacement") == [(0,)]
    with pytest.raises(InvitationOver):
        replaced.answer(link)
