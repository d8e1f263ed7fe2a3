"""Whoever leaves for good while they are seated, invited or host leaves nothing."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any
from uuid import UUID

import pytest
from flask import Flask

from service.people import accounts, deletion
from service.store import people, tables
from service.store.links import LinkRow
from service.store.people import Profile
from service.tables import creation, joining, rematch, seat_changes, seating
from service.tables.creation import Guest, OpenSeat, TableWish
from service.tables.refusals import InvitationAnswer
from service.values.errors import InvitationOver, Problem, Unauthorized
from tests.rig.service import seated
from tests.rig.service.hosts import RACHEL, TERRY
from tests.rig.service.programs import Api, Table, operator_token
from tests.rig.service.seated import run

ADDRESS = "zerlina@example.org"
NAME = "Zerlina"
ZERLINA = Guest(ADDRESS, NAME)
OPEN = TableWish((OpenSeat(), OpenSeat()))

MOMENT = 0.4
"""Seconds in which whoever doesn't have to wait is done."""


def person(app: Flask, address: str = ADDRESS) -> UUID:
    """Somebody who has an account."""
    operator_token(Api(app), address)
    found: UUID = run("SELECT id FROM person WHERE address = :a", {"a": address})[0][0]
    return found


def traces() -> list[str]:
    """Where Zerlina's name or address still stands."""
    names = run("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    return [
        name
        for (name,) in names
        for (row,) in run(f'SELECT t::text FROM "{name}" t')
        if NAME.lower() in row.lower()
    ]


def leaving_during(
    app: Flask,
    monkeypatch: pytest.MonkeyPatch,
    leaver: UUID,
    moment: tuple[Any, str],
    deed: Callable[[], object],
) -> str:
    """Erase somebody at the moment when a deed calls a function; what becomes of it.

    The deed goes on once they are erased, or have to wait for it.
    """
    module, name = moment
    real = getattr(module, name)
    main = threading.get_ident()
    gone: list[Future[None]] = []

    def erase() -> None:
        with app.app_context():
            deletion.erase(leaver)

    with ThreadPoolExecutor(1) as thread, monkeypatch.context() as patched:

        def meanwhile(*args: Any) -> object:
            if not gone and threading.get_ident() == main:
                gone.append(thread.submit(erase))
                threading.Event().wait(MOMENT)
            return real(*args)

        patched.setattr(module, name, meanwhile)
        try:
            deed()
            became = "done"
        except Problem as problem:
            became = type(problem).__name__
        assert gone, "the moment never came"
        gone[0].result(20)
    return became


def no_seat_is_theirs(leaver: UUID) -> bool:
    """Neither a seat taken before the start, nor a table, an address or a link.

    A seat that they were only asked to stays so, with nobody behind it: who hosts
    learns nothing of an address.
    """
    waiting = run(
        """SELECT 1 FROM seat s JOIN game g ON g.id = s.game_id
            AND g.status IN ('draft', 'inviting')
            WHERE s.person_id = :p AND s.state <> 'invited'
        UNION ALL SELECT 1 FROM invitation WHERE host_id = :p
        UNION ALL SELECT 1 FROM game WHERE host_id = :p AND status <> 'over'
        UNION ALL SELECT 1 FROM person WHERE id = :p AND address IS NOT NULL
        UNION ALL SELECT 1 FROM link l JOIN game g ON g.id = l.game_id
            AND g.status IN ('draft', 'inviting') WHERE l.person_id = :p""",
        {"p": leaver},
    )
    return waiting == []


def test_a_guest_who_leaves_while_a_table_is_laid_is_not_invited(
    inside: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    leaver, host = person(inside), person(inside, "rachel@example.org")

    became = leaving_during(
        inside,
        monkeypatch,
        leaver,
        (tables, "add_game"),
        lambda: creation.open_table(host, "", TableWish((ZERLINA, TERRY))),
    )

    assert became == "done"
    assert no_seat_is_theirs(leaver)
    assert traces() == []


def test_a_host_who_leaves_while_their_table_is_laid_has_none(
    inside: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    leaver = person(inside)

    became = leaving_during(
        inside,
        monkeypatch,
        leaver,
        (tables, "add_game"),
        lambda: creation.open_table(leaver, "", TableWish((TERRY, OpenSeat()))),
    )

    assert became == "done"
    assert no_seat_is_theirs(leaver)
    assert run("SELECT status FROM game") == [("over",)]
    assert traces() == []


def test_whoever_leaves_while_they_sit_down_leaves_the_seat(
    inside: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    leaver, host = person(inside), person(inside, "rachel@example.org")
    game_id = creation.open_table(host, "", OPEN)
    zerlina = accounts.known(leaver)

    became = leaving_during(
        inside,
        monkeypatch,
        leaver,
        (seating, "check_name"),
        lambda: joining.take(game_id, zerlina, None, NAME, ""),
    )

    assert became == "done"
    assert no_seat_is_theirs(leaver)
    assert traces() == []


def test_whoever_leaves_while_they_accept_leaves_the_seat(
    inside: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = creation.draft(RACHEL, TableWish((ZERLINA, TERRY)))
    seated.confirm(game_id)
    link = seated.link(game_id, 1)

    became = leaving_during(
        inside,
        monkeypatch,
        link.person_id,
        (seating, "check_name"),
        lambda: seated.accept(game_id, 1, NAME),
    )

    assert became == "done"
    assert no_seat_is_theirs(link.person_id)
    assert traces() == []


def test_nobody_accepts_who_is_not_held(
    inside: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = creation.draft(RACHEL, TableWish((ZERLINA, TERRY)))
    seated.confirm(game_id)
    link = seated.link(game_id, 1)
    run_once("UPDATE person SET address = NULL, address_key = NULL WHERE id = :p", link)

    with pytest.raises(InvitationOver):
        seating.respond(link, InvitationAnswer.IN, Profile(NAME), "")

    assert seated.seats(game_id)[1][2] == "invited"


def run_once(statement: str, link: LinkRow) -> None:
    """Erase somebody behind the back of whatever would free their seat."""
    run(f"{statement} RETURNING id", {"p": link.person_id})


def leaving_while_asked(
    inside: Flask, patch: pytest.MonkeyPatch, leaver: UUID, at: tuple[Any, str]
) -> str:
    """What becomes of a guest who leaves while a host asks them to a seat."""
    game_id = creation.open_table(person(inside, "rachel@example.org"), "", OPEN)
    return leaving_during(
        inside, patch, leaver, at, lambda: seat_changes.guest(game_id, 1, ADDRESS, NAME)
    )


def test_a_guest_asked_later_who_leaves_meanwhile_is_not_invited(
    inside: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    leaver = person(inside)

    became = leaving_while_asked(inside, monkeypatch, leaver, (tables, "put_seat"))

    assert became == "done"
    assert no_seat_is_theirs(leaver)
    assert traces() == []


@pytest.fixture
def over(app: Flask) -> Table:
    table = Table(Api(app), rounds=1, placement="random")
    table.inside("finish")
    return table


@pytest.mark.parametrize("seat", [0, 1])
def test_whoever_leaves_during_a_rematch_has_no_part_in_it(
    over: Table, inside: Flask, monkeypatch: pytest.MonkeyPatch, seat: int
) -> None:
    asker, leaver = (seated.link(over.id, each).person_id for each in (0, seat))

    became = leaving_during(
        inside,
        monkeypatch,
        leaver,
        (tables, "add_game"),
        lambda: rematch.again(over.id, asker),
    )

    assert became == "done"
    assert no_seat_is_theirs(leaver)
    [(name,)] = run(
        "SELECT name FROM seat WHERE game_id = :g AND number = :s",
        {"g": over.id, "s": seat},
    )
    assert name == f"Player {seat + 1}"


def test_whoever_has_left_asks_for_no_rematch(over: Table, inside: Flask) -> None:
    asker = seated.link(over.id, 0).person_id
    deletion.erase(asker)

    with pytest.raises(Unauthorized):
        rematch.again(over.id, asker)

    assert run("SELECT 1 FROM game WHERE rematch_id IS NOT NULL") == []


def test_whoever_has_left_opens_no_table(inside: Flask) -> None:
    leaver = person(inside)
    deletion.erase(leaver)

    with pytest.raises(Unauthorized):
        creation.open_table(leaver, "", OPEN)

    assert run("SELECT 1 FROM game") == []


def test_whoever_comes_back_while_they_leave_is_somebody_new(
    inside: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    leaver = person(inside)

    became = leaving_while_asked(inside, monkeypatch, leaver, (people, "known_or_new"))

    assert became == "done"
    [(guest,)] = run("SELECT person_id FROM seat WHERE name = :n", {"n": NAME})
    assert guest != leaver
