"""What is left of whoever had a seat: words and cards stay, every way in is dead."""

from collections.abc import Callable

import pytest

from engine.board import Card
from engine.commands import Ballot, PlacementOption
from engine.errors import Refusal
from service.game import agreements, handlers, table_acts, talk, timing
from service.store import (
    availability,
    clock,
    event_log,
    games,
    links,
    messages,
    spare_time,
    tokens,
)
from service.store.answers import own as own_answer
from service.store.availability import Availability
from service.store.links import LinkRow
from service.store.personal_data import belongings
from service.store.transactions import transaction
from service.values import entropy
from service.values.enums import LinkPurpose
from service.values.lines import Line
from service.values.principals import Bearer, LinkHolder, System
from service.web.play import page_model
from tests.rig.service import mailed_in, replaced, seated
from tests.rig.service.replaced import KEPT
from tests.rig.service.seated import Seated, run

pytestmark = pytest.mark.usefixtures("inside")


def read(table: Seated) -> games.GameReadModel:
    seen = games.read(table.id, System())
    assert seen is not None
    return seen


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
    table_acts.depart(table.id, table.holder(KEPT), KEPT)

    replaced.answer(replaced.asked(table))

    assert run("SELECT count(*) FROM sealed_line") == [(0,)]
    assert run("SELECT count(*) FROM mute") == [(0,)]


def test_what_is_kept_of_mails_that_came_in_is_the_former_persons_alone() -> None:
    table = replaced.kept()
    for seat in (KEPT, 2):
        mailed_in.keep(table.id, seat)

    replaced.answer(replaced.asked(table))

    assert mailed_in.kept() == [2, 2]


def test_a_card_that_the_former_laid_stays_and_nobody_gets_its_receipt() -> None:
    table = replaced.in_election()
    former, decision = seated.person_on(table.id, KEPT), table.decision
    table.answer(KEPT, Ballot(Card.YES))
    table_acts.depart(table.id, table.holder(KEPT), KEPT)

    link = replaced.asked(table)
    replaced.answer(link)

    assert table.game.ballots[KEPT] is Card.YES
    with pytest.raises(handlers.NotAtTable):
        table.answer(KEPT, Ballot(Card.YES))
    for card in (Card.YES, Card.NO):
        with pytest.raises(Refusal):
            handlers.answer(table.id, replaced.device_of(table), decision, Ballot(card))
    for person in (former, link.person_id):
        assert own_answer(table.id, decision, person) is None
        assert belongings(person, running=True).answers == ()


def test_what_the_former_said_ahead_is_told_to_nobody_either() -> None:
    table = replaced.in_election()
    decision = table.decision
    table.answer(KEPT, Ballot(Card.YES))
    run("UPDATE answer SET source = 'standing' WHERE seat = :s", {"s": KEPT})
    table_acts.depart(table.id, table.holder(KEPT), KEPT)

    link = replaced.asked(table)
    replaced.answer(link)

    assert own_answer(table.id, decision, link.person_id) is None
    assert belongings(link.person_id, running=True).answers == ()


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
        table_acts.depart(table.id, table.holder(KEPT), KEPT)
        replaced.answer(replaced.asked(table))
        after = read(table)
        since = event_log.record_after(table.id, before.record, 1000)
        told = run("SELECT seat, kind FROM notice WHERE game_id = :g", {"g": table.id})
        seats = [(each.name, each.bot, each.kept) for each in after.seats]
        shown.append((seats, [each.public for each in since], after.laid, told))

    assert shown[0] == shown[1]


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
        table_acts.come_back(table.id, table.holder(KEPT), KEPT)


def test_what_the_former_said_stays_and_is_not_put_into_the_newcomers_mouth() -> None:
    table = seated.started(4, rounds=2)
    talk.say(table.id, table.holder(KEPT), Line("I was here.", None))
    table_acts.depart(table.id, table.holder(KEPT), KEPT)
    table.play_round()
    replaced.answer(replaced.asked(table), called="Nora")
    talk.say(table.id, replaced.device_of(table), Line("Now I am.", None))

    said = messages.latest(table.id, 2, 5)
    page = page_model.build(read(table), 2).talk

    assert [(each.line, each.former) for each in said] == [
        ("I was here.", True),
        ("Now I am.", False),
    ]
    assert page is not None
    assert [each.name for each in page.said] == ["on Nora’s seat before", "Nora"]


def test_what_the_former_used_up_of_the_games_time_is_the_new_persons_anew() -> None:
    table = seated.started(4, placement=PlacementOption.RANDOM, rounds=3)
    for _ in range(timing.MOST):
        table_acts.pause(table.id, table.holder(KEPT), 1)
        table_acts.resume(table.id, table.holder(KEPT))
    for number in range(1, agreements.MOST + 1):
        table_acts.propose(table.id, table.holder(KEPT))
        table_acts.vote(table.id, table.holder(KEPT), number, agrees=False)
    today = clock.now().date()
    with transaction():
        availability.use(table.id, (Availability(KEPT, "UTC", days=9, until=today),))
        assert spare_time.pay(table.id, (KEPT,), 6)
    table_acts.depart(table.id, table.holder(KEPT), KEPT)
    table.play_round()

    replaced.answer(replaced.asked(table))

    seat = read(table).seats[KEPT]
    assert (seat.spare_used, seat.pauses) == (0, 0)
    [found] = availability.of_seats(table.id, (KEPT,))
    assert (found.days, found.until) == (0, None)
    new = replaced.device_of(table)
    table_acts.pause(table.id, new, 1)
    assert table_acts.propose(table.id, new).number == agreements.MOST + 1


def test_who_was_muted_stays_so_and_whoever_has_their_seat_now_is_read() -> None:
    table = seated.started(4, placement=PlacementOption.RANDOM, rounds=3)
    talk.say(table.id, table.holder(KEPT), Line("Before.", None))
    talk.mute(table.id, table.holder(2), KEPT, muted=True)
    table_acts.depart(table.id, table.holder(KEPT), KEPT)
    table.play_round()
    replaced.answer(replaced.asked(table))

    talk.say(table.id, replaced.device_of(table), Line("After.", None))

    def lines() -> list[str | None]:
        latest = [each.line for each in messages.latest(table.id, 2, 10)]
        assert latest == [each.line for each in messages.behind(table.id, 2, 0, 10)]
        return latest

    assert lines() == ["After."]
    assert messages.muted(table.id, 2) == ()
    talk.mute(table.id, table.holder(2), KEPT, muted=True)
    assert lines() == []
    assert messages.muted(table.id, 2) == (KEPT,)
    talk.mute(table.id, table.holder(2), KEPT, muted=False)
    assert lines() == ["Before.", "After."]
