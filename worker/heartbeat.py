"""The worker's sign of life: it has travelled from beat through the queue to here.

It is a row of the database, so it also tells that the worker can write there, and it
takes as much room on the database's disk as a few answers would: where there is none
left, the row stays old, and readiness finds that.
"""

from service import health, replication
from service.models import db
from service.store import signs
from service.store.transactions import transaction


def leave() -> None:
    """Write the time of now, and say if standbys aren't as they should be."""
    with transaction():
        signs.try_room()
        signs.renew(health.WORKER, health.OK)
        replication.look(db.session.connection())
