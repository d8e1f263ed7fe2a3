"""When somebody can't play: announced, looked up, and the link to it."""

from datetime import date, timedelta

from service.people import absences as people_absences
from service.people import accounts
from service.people.absences import AbsenceWish
from service.people.accounts import AccountChange
from service.store import clock
from service.store.transactions import transaction
from service.values.enums import AbsenceChoice
from service.values.free_time import QuietHours
from tests.rig.service import seated
from tests.rig.service.seated import Seated, run
from tests.rig.service.visitor import link
from worker.clock import absences as worker

TELL, KEEP, CALL_OFF = (
    "Tell my tables",
    "Keep these hours free",
    "I'm not away then",
)


def days(begin: int, length: int) -> dict[str, str]:
    """Days off that begin in so many days, as they are typed."""
    with transaction():
        first = clock.now().date() + timedelta(days=begin)
    return {"first": str(first), "last": str(first + timedelta(days=length - 1))}


def announced(table: Seated, choice: AbsenceChoice = AbsenceChoice.WAIT) -> list[tuple]:
    """Days off of seat 1's person, with quiet hours and weekends."""
    person, wanted = seated.person_on(table.id, 1), days(5, 2)
    first, last = (date.fromisoformat(wanted[name]) for name in ("first", "last"))
    people_absences.announce(person, AbsenceWish(first, last, choice))
    hours = AccountChange(quiet_hours=QuietHours("22:00", "08:00"), weekends=True)
    accounts.change(person, hours, None)
    return absences()


def leaves_a_bot(table: Seated, seat: int) -> None:
    """Whoever sits there is away for two days from now on, and a bot plays."""
    with transaction():
        today = clock.now().date()
    wish = AbsenceWish(today, today + timedelta(days=1), AbsenceChoice.BOT)
    people_absences.announce(seated.person_on(table.id, seat), wish)
    worker.sweep()


def absences() -> list[tuple]:
    """Everybody's days off."""
    return run("SELECT first::text, last::text, choice FROM absence")


def free_time(table: Seated) -> tuple:
    """The quiet hours and weekends of seat 1's person."""
    (row,) = run(
        "SELECT quiet_from, quiet_to, weekends FROM person WHERE id = :p",
        {"p": seated.person_on(table.id, 1)},
    )
    return row


def mailed_link(table: Seated, seat: int = 1) -> str:
    """The path of a link to what is a person's, as it would be mailed to a seat."""
    return link(table, seat, "devices").replace("/d/", "/b/")
