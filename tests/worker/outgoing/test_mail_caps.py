"""However often others do something, it mails nobody more often than promised."""

import random
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta

import pytest

from engine.errors import AlreadyStarted
from service.game import card_mails, table_acts, time_up
from service.people import accounts, game_mails, remembered_browsers
from service.store import clock, composition, links
from service.store.codes import CodeKind
from service.store.devices import UNKNOWN
from service.store.transactions import transaction
from service.tables import cancellation, creation, expiry, joining, seat_changes
from service.tables.creation import BotSeat, TableWish
from service.values.conflicts import NoProposalLeft, ProposalClosed, TooManyReplacements
from service.values.enums import NoticeKind
from service.values.errors import NotFound, TooManyInvitations
from tests.rig.service import replaced, seated
from tests.rig.service.hosts import RACHEL, SIMON
from tests.rig.service.seated import run
from tests.rig.worker.answered import bring, secret_of
from tests.rig.worker.mail_caps import come_and_go, open_table, post, promised, sent
from tests.rig.worker.mail_server import Sink, deliver_due
from tests.rig.worker.people import somebody

TIMES = 25
"""More than any kind of mail may come in an hour: an excess of one would show."""

pytestmark = pytest.mark.usefixtures("sink")


def _declined() -> None:
    game_id, guest = open_table(), somebody("Simon")
    for _ in range(TIMES):
        come_and_go(game_id, guest)
        post(game_id)


def _seated() -> None:
    game_id, guest = open_table(), somebody("Simon")
    joining.take(game_id, guest, None, "Simon", "")
    for _ in range(TIMES):
        with suppress(TooManyInvitations):
            seat_changes.guest(game_id, 2, "simon@example.org", "Guess")
        post(game_id)


def _invited() -> None:
    """One host asks again and again, and many others do."""
    hosts = [somebody(f"Host{number}") for number in range(TIMES // 5)]
    for host in hosts:
        game_id = open_table(host)
        for _ in range(5):
            with suppress(TooManyInvitations):
                seat_changes.guest(game_id, 1, "simon@example.org", "Simon")
            post(game_id)


def _drafted() -> None:
    for _ in range(TIMES):
        with suppress(TooManyInvitations):
            post(creation.draft(RACHEL, TableWish((SIMON, BotSeat()))))


def _given_up() -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    seated.accept(game_id, 1)
    for _ in range(TIMES):
        with suppress(AlreadyStarted):
            cancellation.give_up(game_id)
        post(game_id)


def _idle() -> None:
    """The clock comes to a table again and again, and at last ends it."""
    game_id = open_table()
    joining.take(game_id, somebody("Simon"), None, "Simon", "")
    for _ in range(2):
        run("UPDATE game SET expiry_at = kingup_now()")
        for _ in range(TIMES):
            with suppress(NotFound):
                expiry.step(game_id)
            post(game_id)


def _played() -> None:
    """A whole game of three rounds within the hour, and reminders without end."""
    table, chance = seated.started(3, rounds=3), random.Random(5)
    post(table.id)
    for _ in range(TIMES):
        time_up.remind(table.id, table.decision)
        post(table.id)
    while table.game.running:
        table.step(chance)
        post(table.id)


def _replaced() -> None:
    """Everybody names people for a kept seat, and others object, without end."""
    table = replaced.kept()
    for number in range(TIMES):
        with suppress(TooManyReplacements):
            replaced.name(table, replaced.fresh(), by=(0, 2, 3)[number % 3])
            post(table.id)
            replaced.end(table, by=(2, 3, 0)[number % 3])
        post(table.id)


def _offered() -> None:
    """Somebody is named for two seats, and the worker comes by again and again."""
    table, address = replaced.kept(5), replaced.fresh()
    table_acts.depart(table.id, table.holder(2), 2)
    for seat in (replaced.KEPT, 2):
        replaced.name(table, address, seat=seat)
        replaced.days_pass(table, seat=seat)
    for _ in range(TIMES):
        replaced.days_pass(table, 0)
        post(table.id)


def _lost() -> None:
    """Somebody lets everything pass, and a bot comes."""
    table = seated.started(3, misses=1, rounds=2, placement="random")
    for _ in range(TIMES):
        if table.game.decision is not None:
            clock.shift(timedelta(seconds=seated.PACE + 1))
            time_up.run_out(table.id, table.decision)
        post(table.id)


def _proposed() -> None:
    """Each proposes what they can, and somebody says No at once."""
    table, number = seated.started(3), 0
    post(table.id)
    for seat in range(3):
        for _ in range(TIMES):
            with suppress(NoProposalLeft):
                number = table_acts.propose(table.id, table.principals[seat]).number
            post(table.id)
            with suppress(ProposalClosed):
                voter = table.principals[(seat + 1) % 3]
                table_acts.vote(table.id, voter, number, agrees=False)


def _remembered() -> None:
    """Whoever has a link asks, and whoever has the mail uses it, again and again."""
    table = seated.started(3)
    holder = seated.link(table.id, 1, "remember")
    for _ in range(TIMES):
        remembered_browsers.ask(table.id, holder.person_id, 1)
        post(table.id)
        with transaction():
            token = links.add(holder)
        assert remembered_browsers.plant(holder, token, UNKNOWN)
        post(table.id)
        remembered_browsers.ask_for_own(table.id, holder.person_id, 1)
        post(table.id)


def _unsubscribed() -> None:
    """Whoever holds a mail changes their mind again and again."""
    table = seated.started(3)
    holder = seated.link(table.id, 1, "unsubscribe")
    for _ in range(TIMES):
        game_mails.end(holder)
        post(table.id)
        game_mails.resume(holder)


def _answered() -> None:
    """Somebody, and others in their name, answer a question's mails without end."""
    table = seated.started(3, placement="random", rounds=1)
    post(table.id)
    (seat,) = table.game.asked()
    secret = secret_of(table, seat, table.decision)
    for number in range(TIMES):
        bring(table, seat, secret, f"Who shall it be? {number}")
        bring(table, seat, secret, f"move Odessa {number}", "else@example.org")
        post(table.id)


def _answered_late() -> None:
    table = seated.in_election(3)
    post(table.id)
    over, asked = (secret_of(table, 0, each) for each in (1, table.decision))
    for number in range(TIMES):
        bring(table, 0, over, f"yes {number}")
        bring(table, 0, asked, f"no {number}")
        post(table.id)


def _unproved() -> None:
    """Nobody signs what they send."""
    table = seated.in_election(3)
    secret = secret_of(table, 0, table.decision)
    for number in range(TIMES):
        bring(table, 0, secret, f"no {number}", proved=False)
        post(table.id)


def _ordered() -> None:
    """Somebody orders their cards, and changes their mind, again and again."""
    table = seated.started(3)
    for _ in range(TIMES):
        card_mails.order(table.id, table.holder(1))
        post(table.id)
        card_mails.stop(table.id, table.holder(1))
        post(table.id)


def _signing_in() -> None:
    for number in range(TIMES):
        accounts.ask_to_sign_in("rachel@example.org", f"192.0.{number}.1")
        deliver_due()


def _moving() -> None:
    person = somebody("Rachel")
    for number in range(TIMES):
        wish = accounts.AccountChange(None, None, None, None, "new@example.org")
        accounts.change(person.id, wish, f"192.0.{number}.1")
        deliver_due()


CAUSES: dict[Callable[[], None], tuple[NoticeKind | CodeKind, ...]] = {
    _played: (
        NoticeKind.YOUR_TURN,
        NoticeKind.ELECTION,
        NoticeKind.REMINDER,
        NoticeKind.STARTED,
        NoticeKind.RESULT,
        NoticeKind.ROUND_OVER,
        NoticeKind.GAME_OVER,
    ),
    _proposed: (NoticeKind.PROPOSAL,),
    _drafted: (NoticeKind.CONFIRM,),
    _replaced: (NoticeKind.REPLACEMENT,),
    _offered: (NoticeKind.OFFERED,),
    _lost: (NoticeKind.KEPT,),
    _invited: (NoticeKind.INVITATION,),
    _idle: (NoticeKind.EXPIRING, NoticeKind.EXPIRED),
    _seated: (NoticeKind.SEATED,),
    _declined: (NoticeKind.DECLINED,),
    _given_up: (NoticeKind.CALLED_OFF,),
    _remembered: (NoticeKind.REMEMBER, NoticeKind.DEVICES),
    _unsubscribed: (NoticeKind.UNSUBSCRIBED,),
    _answered: (
        NoticeKind.NOT_COUNTED,
        NoticeKind.OTHER_SENDER,
        NoticeKind.UNREAD,
    ),
    _answered_late: (NoticeKind.TOO_LATE, NoticeKind.MAIL_READ),
    _unproved: (NoticeKind.UNPROVED,),
    _ordered: (NoticeKind.MY_CARDS,),
    _signing_in: (CodeKind.SIGN_IN,),
    _moving: (CodeKind.OLD_ADDRESS, CodeKind.NEW_ADDRESS),
}
"""What causes each kind of mail, so many times in an hour or as often as it can be."""

KINDS = {*NoticeKind, *CodeKind} - {NoticeKind.UNKNOWN}


def test_the_page_has_a_line_for_every_kind_and_the_test_what_causes_it() -> None:
    caused = {kind for kinds in CAUSES.values() for kind in kinds}

    assert promised().keys() == {kind.value for kind in KINDS}
    assert caused == KINDS
    hourly = {kind for kind, most in promised().items() if most == "one an hour"}
    assert hourly == {kind.value for kind in composition.HOURLY}


@pytest.mark.parametrize("cause", CAUSES, ids=lambda each: each.__name__)
def test_no_kind_of_mail_comes_more_often_than_promised(
    sink: Sink, cause: Callable[[], None]
) -> None:
    cause()

    for kind in CAUSES[cause]:
        found, most = sent(kind), promised()[kind]
        assert found, kind
        if kind in (NoticeKind.CONFIRM, NoticeKind.INVITATION):
            assert sum(found) == 3, kind
        elif most.startswith("one"):
            assert set(found) == {1}, (kind, found)
        else:
            assert max(found) <= int(most.split()[0]), (kind, found)
    all_sent = [
        run(f"SELECT count(*) FROM {table} WHERE state = 'sent'")[0][0]
        for table in ("mail", "mailed_code")
    ]
    assert len(sink.raw) == sum(all_sent)
