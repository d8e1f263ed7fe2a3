"""What people of a table do beside answering: the same in both worlds."""

from collections.abc import Callable
from datetime import timedelta
from typing import Final

from engine.board import Seat
from engine.errors import Refusal
from service.game import answering_ahead, table_acts, talk
from service.people import absences
from service.people.absences import AbsenceWish
from service.store import clock
from service.store.transactions import transaction
from service.tables.refusals import InvitationAnswer
from service.values.enums import AbsenceChoice, ReplacementState
from service.values.errors import Problem
from service.values.lines import Line
from service.values.wishes import NOTHING, WishedMove, Wishes
from tests.rig.service import replaced, seated
from tests.rig.service.seated import Seated
from tests.rig.twin_tables.looking import Looks
from tests.rig.twin_tables.world import World

STEP: Final = timedelta(minutes=30)
A_DAY: Final = timedelta(days=1, minutes=1)

OF_A_PERSON: Final = ("left", "said", "paused", "extended", "away", "waited for")
OF_A_KEPT_SEAT: Final = ("returned", "replaced")


class Acts:
    """What somebody does at a table, whoever the script says."""

    def __init__(self, world: World, looks: Looks) -> None:
        self._world, self._looks = world, looks
        self._by_name: dict[str, Callable[[Seat], None]] = {
            "left": self._leave,
            "said": self._say,
            "paused": self._pause,
            "extended": self._extend,
            "away": lambda seat: self._announce(seat, AbsenceChoice.BOT),
            "waited for": lambda seat: self._announce(seat, AbsenceChoice.WAIT),
            "returned": self._return,
            "replaced": self._replace,
        }

    def do_something(self) -> None:
        """Somebody does something, if the rules let them."""
        world, dice = self._world, self._world.script
        game = world.game
        kept = [s for s in map(Seat, range(world.case.seats)) if game.kept[s]]
        kept = [seat for seat in kept if not world.is_viewers(seat)]
        if not world.people():
            return
        # Before the last round nobody can come back to a kept seat.
        if kept and dice.random() < (0.7 if world.is_apart else 0.2):
            self._do(dice.choice(OF_A_KEPT_SEAT), dice.choice(kept))
        elif others := world.others():
            self._do(dice.choice(OF_A_PERSON), dice.choice(others))

    def begin(self) -> None:
        """What has to have happened before the last round, if there is one before."""
        world = self._world
        if world.case.rounds == 1:
            return
        if world.case.goes:
            seat = Seat(world.case.viewer)
            self._do("left", seat)
            self._do("replaced", seat)
        others = world.others()
        for seat in world.script.sample(others, min(2, len(others) - 1)):
            self._do("left", seat)

    def _do(self, name: str, seat: Seat) -> None:
        try:
            self._by_name[name](seat)
        except (Refusal, Problem):
            self._world.tally["refused"] += 1
        else:
            self._world.tally[name] += 1
        self._looks.look()

    def _leave(self, seat: Seat) -> None:
        table = self._world.table
        table_acts.depart(table.id, table.holder(seat), seat)

    def _return(self, seat: Seat) -> None:
        table = self._world.table
        table_acts.come_back(table.id, table.holder(seat), seat)

    def _say(self, seat: Seat) -> None:
        table = self._world.table
        talk.say(table.id, table.holder(seat), Line(f"This is {seat}.", None))

    def _pause(self, seat: Seat) -> None:
        """A pause of a day, or an end of it before."""
        table = self._world.table
        table_acts.pause(table.id, table.holder(seat), 1)
        self._world.wait(self._world.script.choice([STEP, 20 * STEP]))
        self._looks.look()
        table_acts.resume(table.id, table.holder(seat))

    def _extend(self, seat: Seat) -> None:
        table = self._world.table
        table_acts.extend(table.id, table.holder(seat), table.decision)

    def _announce(self, seat: Seat, choice: AbsenceChoice) -> None:
        """Somebody is away from today on, for some days."""
        person = seated.person_on(self._world.table.id, seat)
        with transaction():
            today = clock.now().date()
        last = today + timedelta(days=self._world.script.randrange(3))
        absences.announce(person, AbsenceWish(today, last, choice))
        self._world.wait(STEP)

    def _replace(self, seat: Seat) -> None:
        """Somebody names another for a kept seat, and they are in if they are asked."""
        world = self._world
        namer = world.script.choice(world.people())
        replaced.name(world.table, f"heir{world.step}@example.org", namer, seat=seat)
        world.named.add(seat)
        self._looks.look()
        world.wait(A_DAY)
        self._looks.look()
        if replaced.latest(world.table, seat).state is ReplacementState.ASKED:
            link = replaced.link_of(world.table, seat)
            replaced.answer(link, InvitationAnswer.IN, called=f"Heir {seat}")
            world.table = Seated(world.table.id)

    def wish_in_vain(self) -> None:
        """In one of the worlds somebody has a wish that can't come true."""
        world, table, hidden = self._world, self._world.table, self._world.hidden
        seat = Seat(hidden.randrange(world.case.seats))
        if seat not in world.others() or hidden.random() < 0.5:
            return
        wish = WishedMove(hidden.choice(sorted(world.game.law.characters)), "0")
        # In the jester edition there are moves down to the lowest floor.
        may_come_true = world.case.edition != "classic"
        laid = NOTHING if may_come_true or hidden.random() < 0.2 else Wishes(move=wish)
        answering_ahead.lay(table.id, table.holder(seat), laid)
