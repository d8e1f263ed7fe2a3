"""A kept seat that is accepted at the very moment of its former person's return."""

from functools import partial

from engine.errors import SeatKept
from service.game import handlers, table_acts
from service.game.handlers import NotAtTable
from service.store import event_log
from service.values.enums import ReplacementState
from service.values.errors import InvitationOver, NotFound
from tests.rig.service import replaced, seated
from tests.rig.service.races import Apps, together
from tests.rig.service.replaced import KEPT
from tests.rig.service.seated import Seated

ROUNDS = 10


def come_back(table: Seated) -> None:
    table_acts.come_back(table.id, table.holder(KEPT), KEPT)


def types(table: Seated) -> list[str]:
    return [each.type for each in event_log.record_after(table.id, 0, 1000)]


def test_an_acceptance_and_the_return_end_one_way(apps: Apps) -> None:
    for _ in range(ROUNDS):
        table = replaced.kept(3)
        table.play_round()
        link, former = replaced.asked(table), seated.person_on(table.id, KEPT)

        accepted, back = together(
            apps, [partial(replaced.answer, link), partial(come_back, table)]
        )

        assert (accepted is None) is not (back is None), (accepted, back)
        holder = seated.person_on(table.id, KEPT)
        if accepted is None:
            assert isinstance(back, NotAtTable)
            assert (holder, replaced.state(table)) == (link.person_id, "accepted")
        else:
            assert isinstance(accepted, InvitationOver)
            assert (holder, replaced.state(table)) == (former, "returned")
        assert types(table).count("person_seated") == 1
        assert table.game == event_log.replayed(table.id)


def test_nothing_of_the_former_is_taken_that_waited_while_the_seat_was_accepted(
    apps: Apps,
) -> None:
    for _ in range(ROUNDS):
        table = replaced.kept(3)
        table.play_round()
        link = replaced.asked(table)
        table.play_until(KEPT)
        decision, old = table.decision, table.holder(KEPT)
        answer = seated.own(table.game, KEPT).legal[0].answer

        accepted, given = together(
            apps,
            [
                partial(replaced.answer, link),
                partial(handlers.answer, table.id, old, decision, answer),
            ],
        )

        assert accepted is None
        assert isinstance(given, NotAtTable | SeatKept), given
        assert table.game.asked() == (KEPT,)
        assert table.decision == decision


def test_an_acceptance_and_a_withdrawal_end_one_way(apps: Apps) -> None:
    for _ in range(5):
        table = replaced.kept(3)
        link = replaced.asked(table)

        accepted, ended = together(
            apps,
            [partial(replaced.answer, link), partial(replaced.end, table, 0)],
        )

        assert (accepted is None) is not (ended is None)
        if accepted is None:
            assert isinstance(ended, NotFound)
            assert replaced.state(table) == ReplacementState.ACCEPTED
        else:
            assert replaced.state(table) == ReplacementState.WITHDRAWN


def test_two_who_name_somebody_at_once_are_one(apps: Apps) -> None:
    for _ in range(5):
        table = replaced.kept(4)
        first, second = replaced.fresh(), replaced.fresh()

        done = together(
            apps,
            [
                partial(replaced.name, table, first, 0),
                partial(replaced.name, table, second, 2),
            ],
        )

        assert sorted(each is None for each in done) == [False, True]
        assert replaced.state(table) == "named"


def test_accepting_twice_at_once_is_accepting_once(apps: Apps) -> None:
    for _ in range(5):
        table = replaced.kept(3)
        table.play_round()
        link = replaced.asked(table)

        assert together(apps, [partial(replaced.answer, link)] * 4) == [None] * 4
        assert types(table).count("person_seated") == 1


def test_the_last_card_of_a_round_and_an_acceptance_end_one_way(apps: Apps) -> None:
    """Either way they play from the next round on."""
    for _ in range(5):
        table = replaced.kept(3)
        link = replaced.asked(table)

        done = together(apps, [partial(replaced.answer, link), table.play_round])

        assert done == [None, None]
        assert not table.game.has_bot(KEPT)
        assert types(table).count("person_seated") == 1
        assert table.game == event_log.replayed(table.id)
