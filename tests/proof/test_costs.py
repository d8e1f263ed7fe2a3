"""With 100,000 games that run, everything goes on as fast as with a page of them."""

import itertools
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from uuid import UUID

import msgspec
import pytest
from flask import Flask

from service.game import time_up
from service.people import accounts, deletion
from service.store import clock, outbox, people
from service.store.people import Profile
from service.store.transactions import transaction
from service.tables import creation
from service.tables.creation import BotSeat, Guest, TableWish
from tests.rig.service import many_games, seated
from tests.rig.service.programs import Api, Table
from tests.rig.service.seated import Seated, run
from worker.clock import retention, sweeper

pytestmark = [pytest.mark.proof, pytest.mark.timeout(1800)]

FEW, RUNNING, OTHERS = 60, 100_000, 5_000
SLICES, SECONDS = 25, 0.06
LEAST = 0.5
"""What a busy machine may do to a ratio; a scan of all games makes it a hundredth."""

_numbers = itertools.count(1)


def test_no_rate_falls_among_100_000_games(
    app: Flask, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wide = msgspec.structs.replace(app.config["KINGUP"], invitations_a_day=10**6)
    monkeypatch.setitem(app.config, "KINGUP", wide)
    with many_games.filled(app, database, FEW, FEW):
        before = rates(app)
    begun = time.monotonic()
    with many_games.filled(app, database, RUNNING, OTHERS):
        sys.stdout.write(f"\n{RUNNING} games in {time.monotonic() - begun:.0f} s\n")
        full = rates(app)
    with many_games.filled(app, database, FEW, FEW):
        after = rates(app)

    few = {name: (before[name] + after[name]) / 2 for name in full}
    ratios = {name: full[name] / few[name] for name in full}
    for name, ratio in ratios.items():
        compared = f"{few[name]:.1f} among {FEW}, {full[name]:.1f} among all"
        sys.stdout.write(f"{name}: {compared}: {ratio:.2f}\n")
    assert min(ratios.values()) > LEAST


def rates(app: Flask) -> Mapping[str, float]:
    """How often each thing is done while the clock is read a thousand times."""
    with app.app_context():
        return {name: _rate(doing) for name, doing in _doings(app).items()}


def _rate(doing: Callable[[], object]) -> float:
    """The median of many slices, each beside one of asking the database the time.

    So the rest of what the machine does beside touches both.
    """
    doing()
    slices = [(_done(doing), _done(_asking)) for _ in range(SLICES)]
    return 1000 * statistics.median(done / asked for done, asked in slices)


def _asking() -> None:
    clock.now()


def _done(doing: Callable[[], object]) -> float:
    """How often a second something is done, for a moment."""
    begun, done = time.monotonic(), 0
    while time.monotonic() < begun + SECONDS:
        doing()
        done += 1
    return done / (time.monotonic() - begun)


def _doings(app: Flask) -> dict[str, Callable[[], object]]:
    api, answering = Api(app), _answers()
    table = Table(api)
    viewers = itertools.cycle(range(3))
    return {
        # First: what the others leave behind falls due meanwhile, and is found.
        "mails looked for": _missed,
        "tidied": retention.tidy,
        "sweeps": sweeper.sweep,
        "a due row done": lambda: _due(table.table),
        "views": lambda: app.test_client().get(
            f"{table.path}/view",
            headers={"Authorization": f"Bearer {table.tokens[next(viewers)]}"},
        ),
        "lists": lambda: app.test_client().get("/v1/games?status=running"),
        "lists of tables": lambda: app.test_client().get("/v1/games?open=true"),
        "games begun and answered": lambda: next(answering),
        "tables laid, within the caps": lambda: _lay(_somebody()),
        "codes": lambda: accounts.ask_to_sign_in(_address(), None),
        "people erased": lambda: deletion.erase(_somebody()),
    }


def _missed() -> None:
    with transaction():
        outbox.missed(3.0, 50)


def _address() -> str:
    return f"somebody{next(_numbers)}@example.org"


def _somebody() -> UUID:
    address = _address()
    with transaction():
        mailbox = creation.guest_address(Guest(address, "Uwe"), 0, set())
        return people.known_or_new(mailbox, Profile("Uwe")).id


def _answers() -> Iterator[bytes]:
    """Answers of people to games of three, one after the other, for ever."""
    while True:
        table = seated.started(3)
        while table.game.running and not table.game.election_complete:
            seat = table.game.asked()[0]
            answer = seated.own(table.game, seat).legal[0].answer
            yield table.answer(seat, answer)


def _lay(host: UUID) -> None:
    """A table with a guest, for whom every cap is looked at."""
    guest = Guest(_address(), "Simon")
    creation.open_table(host, "", TableWish((guest, BotSeat())))


def _due(table: Seated) -> None:
    """A deadline that falls due now, found by a sweep, and too early after all."""
    run(
        "UPDATE due SET claim_at = kingup_now() WHERE game_id = :g",
        {"g": table.id},
    )
    sweeper.sweep()
    time_up.run_out(table.id, table.decision)
