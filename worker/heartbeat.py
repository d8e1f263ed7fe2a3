"""The worker's sign of life: it has travelled from beat through the queue to here.

It is a row of the database, so it also tells that the worker can write there, and it
takes as much room on the database's disk as a few answers would: where there is none
left, the row stays old, and readiness finds that.
"""

from service.monitoring import health, replication
from service.store import heartbeats
from service.store.transactions import transaction


def leave() -> None:
    """Write the time of now, and say if standbys aren't as they should be."""
    with transaction():
        heartbeats.try_room()
        heartbeats.renew(health.WORKER, health.OK)
        replication.look()
