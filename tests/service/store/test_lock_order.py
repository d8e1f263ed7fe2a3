"""One order of locks: buckets, games, mails, people, totals; no circle of waiting."""

import itertools
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import pytest
from flask import Flask

from service.people import accounts
from service.people import deletion as accountdeletion
from service.people.accounts import AccountChange, Arrival
from service.store import codes, games, outbox, people, quotas, tables
from service.store import deletion as deletionstore
from service.store.people import Profile
from service.store.transactions import transaction
from service.tables import creation, joining, rematch, seat_changes, seating
from service.tables.creation import Guest, OpenSeat, TableWish
from service.tables.refusals import InvitationAnswer
from service.values import addresses
from service.values.errors import Problem
from tests.rig.service import seated
from tests.rig.service.hosts import RACHEL, SIMON, TERRY
from tests.rig.service.postbox import RITA, Postbox
from tests.rig.service.programs import Api, Table, operator_token
from tests.rig.service.seated import run
from worker.outgoing import delivery

CAPS, GAME, MAILS, PERSON, TOTAL = range(5)

Deed = Callable[[], object]


class Order:
    """What a deed holds, each thing at its first time.

    What the deed has added itself is no news to it.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.monkeypatch = monkeypatch
        self.ranks: list[int] = []
        self.held: set[object] = set()
        self._note(quotas, "hold", CAPS, lambda _, *buckets: buckets)
        self._note(quotas, "hold_total", TOTAL, lambda _, budget: [budget])
        self._note(quotas, "add_shared", TOTAL, lambda _, budget, *__: [(budget,)])
        self._note(tables, "add_game", None, lambda added, *_: [added])
        self._note(games, "lock", GAME, lambda _, game, *__: [game])
        self._note(deletionstore, "hold", GAME, lambda found, _: [g.id for g in found])
        self._note(
            deletionstore, "hold_person", MAILS, lambda _, person: [f"by {person}"]
        )
        self._note(deletionstore, "erase", PERSON, lambda _, person, *__: [person])
        self._note(people, "hold_all", PERSON, lambda _, ids: ids)
        self._note(people, "known_or_new", PERSON, lambda found, *_: [found.id])
        for name in ("verify", "change", "move"):
            self._note(people, name, PERSON, lambda _, person, *__: [person])

    def _note(
        self,
        module: Any,
        name: str,
        rank: int | None,
        what: Callable[..., Iterable[object]],
    ) -> None:
        real = getattr(module, name)

        def noting(*args: Any, **named: Any) -> object:
            found = real(*args, **named)
            for each in what(found, *args):
                if each not in self.held and rank is not None:
                    self.ranks.append(rank)
                self.held.add(each)
            return found

        self.monkeypatch.setattr(module, name, noting)


@pytest.fixture
def table(inside: Flask) -> UUID:
    """A table of three that waits for two guests."""
    game_id = creation.draft(RACHEL, TableWish((SIMON, TERRY)))
    seated.confirm(game_id)
    return game_id


@pytest.fixture
def over(app: Flask) -> Table:
    table = Table(Api(app), rounds=1, placement="random")
    table.inside("finish")
    return table


def host_of(game_id: UUID) -> UUID:
    return tables.choices(game_id).host_id


def ordered(monkeypatch: pytest.MonkeyPatch, deed: Deed) -> list[int]:
    """The ranks of what a deed holds, in the order in which it does."""
    with monkeypatch.context() as patched:
        order = Order(patched)
        deed()
    return order.ranks


def kinds(held: list[int]) -> list[int]:
    """The ranks without those that follow the same one."""
    return [rank for rank, _ in itertools.groupby(held)]


def deeds_before_the_start(table: UUID) -> dict[str, Deed]:
    host, link = host_of(table), seated.link(table, 1)
    draft = creation.draft(RACHEL, TableWish((SIMON, TERRY)))
    open_table = creation.open_table(host, "", TableWish((OpenSeat(), OpenSeat())))
    with transaction():
        zoe = people.known_or_new(
            addresses.parse("zoe@example.org", ""), Profile("Zoe")
        )
    return {
        "draft": lambda: creation.draft(RACHEL, TableWish((SIMON, TERRY))),
        "confirm": lambda: seating.confirm(seated.link(draft, 0, "table")),
        "open": lambda: creation.open_table(host, "", TableWish((SIMON, OpenSeat()))),
        "guest": lambda: seat_changes.guest(open_table, 1, "uwe@example.org", "Uwe"),
        "take": lambda: joining.take(open_table, zoe, None, "Zoe", ""),
        "leave": lambda: joining.leave(open_table, zoe.id, 2),
        "accept": lambda: seating.respond(
            link, InvitationAnswer.IN, Profile("Simon"), ""
        ),
        "decline": lambda: seated.decline(table, 2, InvitationAnswer.NEVER),
        "erase": lambda: accountdeletion.erase(host),
    }


@pytest.mark.parametrize("most", [1000, 60], ids=["much left", "little left"])
def test_before_the_start_all_is_held_in_one_order(
    table: UUID, inside: Flask, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    left = msgspec.structs.replace(inside.config["KINGUP"], invitations_a_day=most)
    monkeypatch.setitem(inside.config, "KINGUP", left)

    held = {
        name: ordered(monkeypatch, deed)
        for name, deed in deeds_before_the_start(table).items()
    }

    assert {name: sorted(ranks) for name, ranks in held.items()} == held
    assert kinds(held["confirm"])[:2] == kinds(held["guest"])[:2] == [CAPS, GAME]
    assert held["accept"][:2] == held["take"][:2] == [GAME, PERSON]
    for name in ("confirm", "guest", "open", "draft"):
        assert held[name][-1] == TOTAL, name
    assert set(held["erase"]) == {GAME, MAILS, PERSON}
    assert held["open"][0] == held["draft"][0] == CAPS


def test_after_the_end_all_is_held_in_one_order(
    over: Table, inside: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    asker = host_of(over.id)

    held = ordered(monkeypatch, lambda: rematch.again(over.id, asker))

    assert kinds(held) == [CAPS, GAME, PERSON, TOTAL]


def test_an_account_is_held_after_the_caps(
    app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    post = Postbox(app, tmp_path, monkeypatch)
    operator_token(post.api)
    wish = AccountChange("Rae", None, None, None, "rae@example.org")
    with app.app_context():
        person = run("SELECT id FROM person")[0][0]

        held = ordered(monkeypatch, lambda: accounts.change(person, wish, "::1"))

    assert held == [CAPS, CAPS, PERSON, TOTAL]


def slowly(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> None:
    """Let whoever holds something keep it long enough for another to come."""
    real = getattr(module, name)
    seen: set[int] = set()

    def slow(*args: Any, **named: Any) -> object:
        held = real(*args, **named)
        if threading.get_ident() not in seen:
            seen.add(threading.get_ident())
            time.sleep(0.4)
        return held

    monkeypatch.setattr(module, name, slow)


def at_once(app: Flask, *deeds: Deed) -> list[str]:
    """What becomes of deeds that are done at the same time: done, or the refusal."""
    barrier = threading.Barrier(len(deeds))

    def act(deed: Deed) -> str:
        with app.app_context():
            run("SELECT 1")
            barrier.wait(10)
            try:
                deed()
            except Problem as problem:
                return type(problem).__name__
            return "done"

    with ThreadPoolExecutor(len(deeds)) as threads:
        return list(threads.map(act, deeds))


def test_a_guest_and_a_rematch_do_not_wait_for_each_other(
    over: Table, inside: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = host_of(over.id)
    open_table = creation.open_table(host, "", TableWish((OpenSeat(), OpenSeat())))
    slowly(monkeypatch, quotas, "hold")
    slowly(monkeypatch, seating, "hold")

    became = at_once(
        inside,
        lambda: seat_changes.guest(open_table, 1, "uwe@example.org", "Uwe"),
        lambda: rematch.again(open_table, host),
    )

    assert became == ["done", "NoRematch"]


def test_a_confirmation_and_a_new_table_do_not_wait_for_each_other(
    inside: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = creation.draft(RACHEL, TableWish((SIMON, TERRY)))
    host = host_of(draft)
    slowly(monkeypatch, quotas, "hold")
    slowly(monkeypatch, people, "verify")

    became = at_once(
        inside,
        lambda: seated.confirm(draft),
        lambda: creation.open_table(
            host, "", TableWish((Guest("uwe@example.org", "Uwe"), OpenSeat()))
        ),
    )

    assert became == ["done", "done"]


def test_a_new_address_and_a_new_table_do_not_wait_for_each_other(
    app: Flask, inside: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    operator_token(Api(app))
    person = run("SELECT id FROM person")[0][0]
    wish = AccountChange("Rae", None, None, None, "rae@example.org")
    slowly(monkeypatch, quotas, "hold")
    slowly(monkeypatch, people, "change")

    became = at_once(
        inside,
        lambda: accounts.change(person, wish, "::1"),
        lambda: creation.open_table(person, "", TableWish((OpenSeat(), OpenSeat()))),
    )

    assert became == ["done", "done"]


def test_signing_in_and_leaving_do_not_wait_for_each_other(
    app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    post = Postbox(app, tmp_path, monkeypatch)
    operator_token(post.api, RITA)
    asked, code = UUID(post.ask()), post.code()
    arrival = Arrival("sign-in", None, None)
    with app.app_context():
        person = run("SELECT id FROM person")[0][0]
    slowly(monkeypatch, codes, "tried")
    slowly(monkeypatch, deletionstore, "hold_person")

    became = at_once(
        app,
        lambda: accounts.sign_in(asked, code, arrival),
        lambda: accountdeletion.erase(person),
    )

    assert became in (["done", "done"], ["CodeRefused", "done"])


def test_a_mail_on_its_way_and_leaving_do_not_wait_for_each_other(
    inside: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Postbox(inside, tmp_path, monkeypatch)
    game_id = creation.draft(RACHEL, TableWish((SIMON, TERRY)))
    person = host_of(game_id)
    [mail] = delivery.queue(game_id)
    slowly(monkeypatch, outbox, "claim")
    slowly(monkeypatch, deletionstore, "hold_person")

    became = at_once(
        inside, lambda: delivery.deliver(mail), lambda: accountdeletion.erase(person)
    )

    assert became == ["done", "done"]
