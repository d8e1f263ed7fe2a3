"""Apps that a test makes for itself, put away when it is done."""

from flask import Flask
from sqlalchemy.pool import QueuePool

from service import live
from service.models.base import db
from tests.rig.parts import wait_until


def put_away(app: Flask) -> None:
    """Let go whoever waits in an app, and close its connections.

    All of them: one that is used at that moment would go back to a pool that nobody
    has any more, and be found open by whichever test comes later.
    """
    live.end(app)
    with app.app_context():
        close_connections()


def close_connections() -> None:
    """Close those of the current app; it may go on with new ones."""
    pool = _pool()
    wait_until(lambda: pool.checkedout() == 0, "the return of every connection")
    db.engine.dispose()


def connections_in_use(app: Flask) -> int:
    """How many of an app's connections somebody has taken from their pool."""
    with app.app_context():
        return _pool().checkedout()


def _pool() -> QueuePool:
    pool = db.engine.pool
    assert isinstance(pool, QueuePool)
    return pool
