"""A host and two guests before the start, and what they were told."""

from uuid import UUID

from service.store.people import Profile
from service.tables.creation import Guest, HostWish
from tests.rig.service import seated
from tests.rig.service.seated import run

RACHEL = HostWish("rachel@example.org", Profile("Rachel"), "Würfel")
SIMON = Guest("simon@example.org", "Simon")
TERRY = Guest("terry@example.org", "Terry")


def notified(kind: str = "%") -> list[tuple[str, str]]:
    """Kind and address of every notice, oldest first."""
    rows = run(
        "SELECT n.kind, p.address FROM notice n JOIN person p ON p.id = n.person_id"
        " WHERE n.kind LIKE :k ORDER BY n.created_at, n.seat",
        {"k": kind},
    )
    return [(row[0], row[1]) for row in rows]


def to_mail(kind: str = "%") -> list[tuple[str, str]]:
    """The same of those that make a mail, sooner or later."""
    rows = run(
        "SELECT n.kind, p.address FROM notice n JOIN person p ON p.id = n.person_id"
        " WHERE n.kind LIKE :k AND n.superseded_at IS NULL AND p.address IS NOT NULL"
        " ORDER BY n.created_at, n.seat",
        {"k": kind},
    )
    return [(row[0], row[1]) for row in rows]


def seats_of(game_id: UUID) -> list[str]:
    """The states of a table's seats, in order."""
    return [state for _, _, state in seated.seats(game_id)]
