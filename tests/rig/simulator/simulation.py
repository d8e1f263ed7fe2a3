"""Many games beside each other on one clock that is set forward from act to act."""

import random
from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import partial
from typing import Final, assert_never
from uuid import UUID

from flask import Flask

from service.people import absences, accounts
from service.people.accounts import AccountChange
from service.store.people import Profile
from service.tables import seating
from service.tables.refusals import InvitationAnswer
from service.values.enums import AbsenceChoice
from tests.rig.service import seated
from tests.rig.simulator import fates, habits, invariants
from tests.rig.simulator.browsing import ByPages
from tests.rig.simulator.calling import ByApi
from tests.rig.simulator.fates import Parting
from tests.rig.simulator.handling import ByHandlers
from tests.rig.simulator.invariants import Outcome, Witness
from tests.rig.simulator.mail_server import MailServer
from tests.rig.simulator.people import Person
from tests.rig.simulator.plans import Means, Plan
from tests.rig.simulator.virtual_time import Agenda, Span, VirtualClock
from tests.rig.simulator.worker import Worker

_BEGIN_WITHIN: Final = timedelta(days=3)
_EVERY_DAY: Final = timedelta(days=1)
_WITHIN: Final = timedelta(days=20)
_OUTAGES: Final = 2
_OUTAGE: Final = timedelta(days=1)
_WORKERS_AWAY: Final = 3
_REST: Final = timedelta(hours=12)
_SOON: Final = timedelta(minutes=1)
_LOOK_AGAIN: Final = timedelta(days=2)

_BY_API: Final = 0.3

_SETTLED: Final = timedelta(days=6)
"""So long after the end of a game every mail about it is sent or given up."""


class Table:
    """A game that is played, and its people by their addresses."""

    def __init__(self, plan: Plan, game_id: UUID, people: list[Person]) -> None:
        self.plan = plan
        self.id = game_id
        self.people = people


class Simulation:
    """Plays games to their ends, and holds each to what was promised."""

    def __init__(
        self,
        app: Flask,
        clock: VirtualClock,
        worker: Worker,
        server: MailServer,
        seed: str,
    ) -> None:
        self._app = app
        self.clock = clock
        self.worker = worker
        self.server = server
        self.outcomes: list[Outcome] = []
        self._agenda = Agenda()
        self._chance = random.Random(seed)
        self._people: dict[str, Person] = {}
        self._waiting: dict[UUID, Table] = {}
        self.witness = Witness()
        self._unbegun = 0
        self._resting_until = clock.now()

    def play(self, plans: Iterable[Plan]) -> list[Outcome]:
        """Play games until all are over and examined; what they came to."""
        now = self.clock.now()
        for plan in plans:
            begin = now + self._chance.random() * _BEGIN_WITHIN
            self._agenda.add(begin, partial(self._begin, plan))
            self._unbegun += 1
        self._agenda.add(now, self._tidy)
        for _ in range(_OUTAGES):
            self._agenda.add(now + self._chance.random() * _WITHIN, self._be_away)
        for _ in range(_WORKERS_AWAY):
            self._agenda.add(now + self._chance.random() * _WITHIN, self._rest)
        due = self.worker.work(now)
        while self._unbegun or self._waiting:
            due = self._step(due)
        return self.outcomes

    def _tidy(self) -> None:
        self.worker.tidy()
        self._agenda.add(self.clock.now() + _EVERY_DAY, self._tidy)

    def _be_away(self) -> None:
        """The whole service is down for a day: nobody can do anything."""
        begin = self.clock.now()
        self.clock.advance_to(begin + _OUTAGE)
        self.witness.outages.append(Span(begin, self.clock.now()))
        self.worker.come_back(_OUTAGE)

    def _rest(self) -> None:
        """The worker alone is down for some hours, while people go on."""
        self._resting_until = self.clock.now() + self._chance.random() * _REST

    def _step(self, due: datetime | None) -> datetime | None:
        """Whatever comes next, and what the worker makes of it; when it has more."""
        planned = self._agenda.next()
        is_ours = planned is not None and (due is None or planned < due)
        moment = planned if is_ours else due
        assert moment is not None, f"nothing happens any more in {list(self._waiting)}"
        self.clock.advance_to(moment)
        if is_ours:
            self._agenda.take()()
        if self.clock.now() < self._resting_until:
            self.worker.serve()
            self.witness.note(self.clock.now())
            return self._resting_until
        due = self.worker.work(self.clock.now())
        self._read_mails()
        for game_id in self.witness.look(self.clock.now()):
            table = self._waiting[game_id]
            self._agenda.add(self.clock.now() + _SETTLED, partial(self._end, table))
        return due

    def _begin(self, plan: Plan) -> None:
        """Lay a table. Past the web its people know of it, and are in at once."""
        self._unbegun -= 1
        zones = [self._chance.choice(habits.ZONES) for _ in range(plan.people)]
        tag = f"+{plan.means}-{plan.number}{'-ahead' * plan.ahead}"
        game_id = seated.draft(plan.seats, plan.bots, tag, **plan.wish(zones[0]))
        people = [
            self._person(game_id, seat, tag, zone) for seat, zone in enumerate(zones)
        ]
        self._waiting[game_id] = Table(plan, game_id, people)
        for person in people:
            person.answers_ahead = plan.ahead
        if plan.griefer:
            people[0].holds_up = 1.0
        match plan.means:
            case Means.HANDLERS:
                self._gather(game_id, people)
            case Means.HTTP:
                self._give_browsers(people)
            case _:
                assert_never(plan.means)

    def _person(self, game_id: UUID, seat: int, tag: str, zone: str) -> Person:
        address = seated.address(seated.NAMES[seat], tag)
        chance = random.Random(f"{address} {self._chance.random()}")
        person = Person(game_id, seat, address, zone, chance)
        self._people[address] = person
        return person

    def _gather(self, game_id: UUID, people: list[Person]) -> None:
        seated.confirm(game_id)
        for person in people[1:]:
            profile = Profile(seated.NAMES[person.seat], zone=person.zone)
            link = seated.link(game_id, person.seat)
            seating.respond(link, InvitationAnswer.IN, profile, "")
        for person in people:
            person.way = ByHandlers(game_id, person.seat, person.chance)

    def _give_browsers(self, people: list[Person]) -> None:
        """Let people act by their mails; some by the API once they are in."""
        for person in people:
            # A table whose invitation no server takes would never begin.
            self.server.never_refused.add(person.address)
            name, network = seated.NAMES[person.seat], f"2001:db8:{len(self._people):x}"
            pages = ByPages(
                self._app,
                name,
                f"{network}:{person.seat}::1",
                person.zone,
                person.chance,
            )
            person.way = pages
            if person.chance.random() < _BY_API:
                person.way = ByApi(
                    self._app, person.game_id, person.seat, pages, person.chance
                )

    def _meet(self, person: Person) -> None:
        """Their game has begun: what becomes of somebody is settled from then on."""
        self.server.never_refused.discard(person.address)
        person.free = fates.free_time(person.chance)
        number = seated.person_on(person.game_id, person.seat)
        wish = AccountChange(
            zone=person.zone,
            quiet_hours=person.free.quiet_hours,
            weekends=person.free.weekends,
        )
        accounts.change(number, wish, None)
        person.met_at = self.clock.now()
        fate = fates.fate(self.clock.now(), person.zone, person.chance)
        if fate is None:
            return
        self._agenda.add(fate.away_at, partial(self._go, person, fate.parting))
        if fate.back_at is not None:
            self._agenda.add(fate.back_at, partial(self._return, person))
        if fate.absence is not None:
            absences.announce(number, fate.absence)
            if fate.absence.choice is AbsenceChoice.WAIT:
                person.waits = fate.absence.first, fate.absence.last
            for moment in (fate.away_at, fate.back_at):
                self._agenda.add(moment + _SOON, self.worker.tidy)

    def _go(self, person: Person, parting: Parting) -> None:
        """Somebody is gone; some leave their seat to a bot first."""
        if person.game_id not in self._running():
            return
        person.away = True
        if parting is Parting.LEAVE and person.way is not None:
            person.way.leave()

    def _return(self, person: Person) -> None:
        """Somebody is back, and plays again as soon as they may."""
        person.away = False
        if person.game_id not in self._running() or person.way is None:
            return
        if person.way.come_back(person.latest):
            person.look()
        else:
            later = self.clock.now() + _LOOK_AGAIN
            self._agenda.add(later, partial(self._return, person))

    def _running(self) -> dict[UUID, Table]:
        over = self.witness.over
        return {key: table for key, table in self._waiting.items() if key not in over}

    def _read_mails(self) -> None:
        while self.server.deliveries:
            letter = self.server.deliveries.popleft()
            self.witness.keep(letter)
            person = self._people[letter.to]
            if person.met_at is None and not letter.is_before:
                self._meet(person)
            moment = person.looks_at(letter)
            if moment is not None:
                self._agenda.add(moment, person.look)

    def _end(self, table: Table) -> None:
        """Hold a game that is over to all that was promised."""
        del self._waiting[table.id]
        self.outcomes.append(invariants.examine(table.plan, table.people, self.witness))
