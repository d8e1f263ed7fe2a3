"""People whom the worker mails."""

from service.store import people
from service.store.people import PersonRow
from service.values import addresses
from tests.rig.service import seated


def somebody(name: str) -> PersonRow:
    """Somebody with a proved mailbox."""
    mailbox = addresses.parse(f"{name.lower()}@example.org", "address")
    found = people.known_or_new(mailbox, people.Profile(name))
    people.verify(found.id, found.profile)
    seated.run("SELECT 1")
    return found
