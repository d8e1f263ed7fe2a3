"""Somebody takes over a kept seat: what they get, and what is dead at that moment."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from engine.board import Card, Seat
from engine.commands import Ballot
from engine.errors import Refusal
from service.game import handlers, talk
from service.people import deletion
from service.store import clock, event_log, games, links, messages, tokens
from service.store.answers import own as own_answer
from service.store.links import LinkRow
from service.store.personal_data import belongings
from service.store.transactions import transaction
from service.tables.seating import InvitationAnswer
from service.values import entropy
from service.values.conflicts import (
    AddressTwice,
    NameTaken,
)
from service.values.enums import LinkPurpose
from service.values.errors import (
    InvitationOver,
)
from service.values.lines import Line
from service.values.principals import Bearer, DeviceHolder, LinkHolder, System
from service.web.play import page_model
from tests.rig.service import replaced, seated
from tests.rig.service.replaced import KEPT
from tests.rig.service.seated import Seated, run

pytestmark = pytest.mark.usefixtures("inside")

SEATED = """SELECT type, convert_from(public, 'UTF8')::json->>'seat' FROM event
    WHERE game_id = :g AND type IN ('bot_seated', 'person_seated') ORDER BY position"""


def seatings_of(table: Seated) -> list[tuple]:
    return run(SEATED, {"g": table.id})


def device_of(table: Seated, seat: int = KEPT) -> DeviceHolder:
    """A browser of whoever has a seat now."""
    return Seated(table.id).holder(seat)


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
    holder = device_of(table)

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
        device_of(table),
        table.decision,
        seated.own(table.game, KEPT).legal[0].answer,
    )


def test_in_the_round_in_which_the_bot_came_they_begin_with_the_next_deal() -> None:
    table = replaced.kept()
    link = replaced.asked(table)

    replaced.answer(link, called="Nora")
    before = games.read(table.id, device_of(table))
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
        handlers.depart(table.id, device_of(table), KEPT)
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


def test_links_devices_and_tokens_of_the_former_person_are_dead() -> None:
    table = replaced.kept()
    former = seated.person_on(table.id, KEPT)
    row = LinkRow(LinkPurpose.DECISION, table.id, former, KEPT, 1)
    with transaction():
        link = links.add(row)
        only = tokens.issue(former, "", ("games:read", "games:play"), table.id).token
        wide = tokens.issue(former, "", ("games:read", "games:play")).token
    proofs = (
        LinkHolder(entropy.digest(link)),
        table.holder(KEPT),
        Bearer(entropy.digest(only), "games:play"),
        Bearer(entropy.digest(wide), "games:play"),
    )
    with transaction():
        before = [games.lock(table.id, proof, 1) is not None for proof in proofs]

    replaced.answer(replaced.asked(table))

    with transaction():
        after = [games.lock(table.id, proof, 1) is not None for proof in proofs]
    assert (before, after) == ([True] * 4, [False] * 4)
    assert links.find(link) is None
    assert tokens.bearer(entropy.digest(only)) is None
    assert tokens.bearer(entropy.digest(wide)) is not None
    assert run("SELECT count(*) FROM device WHERE person_id = :p", {"p": former}) == [
        (0,)
    ]


def test_a_link_that_a_late_mail_leaves_leads_nowhere() -> None:
    table = replaced.kept()
    former = seated.person_on(table.id, KEPT)
    replaced.answer(replaced.asked(table))

    with transaction():
        late = links.add(LinkRow(LinkPurpose.GAME, table.id, former, KEPT, None))

    assert links.find(late) is None


def test_what_lies_with_a_ballot_and_whom_they_muted_goes_with_the_former() -> None:
    table = replaced.in_election()
    former = seated.person_on(table.id, KEPT)
    said = Line("As you wish.", None)
    handlers.answer(
        table.id, table.holder(KEPT), table.decision, Ballot(Card.YES), said
    )
    with transaction():
        messages.mute(table.id, former, 2)
    handlers.depart(table.id, table.holder(KEPT), KEPT)

    replaced.answer(replaced.asked(table))

    assert run("SELECT count(*) FROM sealed_line") == [(0,)]
    assert run("SELECT count(*) FROM mute") == [(0,)]


def test_a_card_that_the_former_laid_stays_and_nobody_gets_its_receipt() -> None:
    table = replaced.in_election()
    former, decision = seated.person_on(table.id, KEPT), table.decision
    table.answer(KEPT, Ballot(Card.YES))
    handlers.depart(table.id, table.holder(KEPT), KEPT)

    link = replaced.asked(table)
    replaced.answer(link)

    assert table.game.ballots[KEPT] is Card.YES
    with pytest.raises(handlers.NotAtTable):
        table.answer(KEPT, Ballot(Card.YES))
    for card in (Card.YES, Card.NO):
        with pytest.raises(Refusal):
            handlers.answer(table.id, device_of(table), decision, Ballot(card))
    for person in (former, link.person_id):
        assert own_answer(table.id, decision, person) is None
        assert belongings(person, running=True).answers == ()


def test_what_the_former_said_ahead_is_told_to_nobody_either() -> None:
    table = replaced.in_election()
    decision = table.decision
    table.answer(KEPT, Ballot(Card.YES))
    run("UPDATE answer SET source = 'standing' WHERE seat = :s", {"s": KEPT})
    handlers.depart(table.id, table.holder(KEPT), KEPT)

    link = replaced.asked(table)
    replaced.answer(link)

    assert own_answer(table.id, decision, link.person_id) is None
    assert belongings(link.person_id, running=True).answers == ()


@pytest.mark.parametrize("goes", ["stays", "erased"])
def test_who_held_another_seat_of_the_game_takes_none(goes: str) -> None:
    table = replaced.kept(5)
    address = replaced.address_on(table, KEPT)
    replaced.answer(replaced.asked(table))
    former = run("SELECT person_id FROM former_holder", {})[0][0]
    if goes == "erased":
        deletion.erase(former)
    handlers.depart(table.id, table.holder(2), 2)

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

    replaced.name(table, address, by=2)
    replaced.days_pass(table)
    replaced.answer(replaced.link_of(table), called="Simon")

    assert seated.person_on(table.id, KEPT) == former
    with transaction():
        assert games.lock(table.id, old, None) is None


def test_who_has_sat_down_elsewhere_meanwhile_is_refused_at_the_end() -> None:
    table, address = replaced.kept(5), replaced.fresh()
    handlers.depart(table.id, table.holder(2), 2)
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


def test_digests_of_erased_people_go_with_the_end_of_the_game() -> None:
    table = replaced.kept()
    replaced.erase(table, 3)
    held = "SELECT count(*) FROM former_holder WHERE digest IS NOT NULL"
    assert run(held) == [(1,)]

    seated.cancel(table.id, System())

    assert run(held) == [(0,)]


def test_whoever_watches_sees_no_difference_by_what_the_seat_holds() -> None:
    laid, owing = replaced.in_election(), replaced.in_election()
    laid.answer(KEPT, Ballot(Card.YES))
    shown = []
    for table in (laid, owing):
        run("DELETE FROM notice WHERE game_id = :g", {"g": table.id})
        before = read(table)
        handlers.depart(table.id, table.holder(KEPT), KEPT)
        replaced.answer(replaced.asked(table))
        after = read(table)
        since = event_log.record_after(table.id, before.record, 1000)
        told = run("SELECT seat, kind FROM notice WHERE game_id = :g", {"g": table.id})
        seats = [(each.name, each.bot, each.kept) for each in after.seats]
        shown.append((seats, [each.public for each in since], after.laid, told))

    assert shown[0] == shown[1]


def read(table: Seated) -> games.GameReadModel:
    seen = games.read(table.id, System())
    assert seen is not None
    return seen


@pytest.mark.parametrize(
    "after", [lambda table: None, lambda table: table.play_round()]
)
def test_the_return_comes_too_late_after_the_acceptance(
    after: Callable[[Seated], None],
) -> None:
    table = replaced.kept()
    replaced.answer(replaced.asked(table))
    after(table)

    with pytest.raises(handlers.NotAtTable):
        handlers.come_back(table.id, table.holder(KEPT), KEPT)


def test_never_by_who_was_asked_before_is_still_heard() -> None:
    table, address = replaced.kept(), replaced.fresh()
    link = replaced.asked(table, address)
    clock.shift(timedelta(days=8))
    replaced.days_pass(table, 0)

    with pytest.raises(InvitationOver):
        replaced.answer(link, InvitationAnswer.NEVER)


def test_what_the_former_said_stays_and_is_not_put_into_the_newcomers_mouth() -> None:
    table = seated.started(4, rounds=2)
    talk.say(table.id, table.holder(KEPT), Line("I was here.", None))
    handlers.depart(table.id, table.holder(KEPT), KEPT)
    table.play_round()
    replaced.answer(replaced.asked(table), called="Nora")
    talk.say(table.id, device_of(table), Line("Now I am.", None))

    said = messages.latest(table.id, 2, 5)
    page = page_model.build(read(table), 2).talk

    assert [(each.line, each.former) for each in said] == [
        ("I was here.", True),
        ("Now I am.", False),
    ]
    assert page is not None
    assert [each.name for each in page.said] == ["on Nora’s seat before", "Nora"]
