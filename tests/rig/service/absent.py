"""A service that is away, and comes back: what its web processes tell of themselves."""

from datetime import timedelta

from service.store import clock, outages
from service.store.transactions import transaction
from tests.rig.service.seated import run
from worker.clock import outages as outages_worker
from worker.clock import sweeper


def serve() -> timedelta | None:
    """Let a web process say that it serves; how long none did, if that is an outage."""
    with transaction():
        return outages.beat()


def pass_by(span: timedelta) -> None:
    """Let time go by in which the web processes serve and the worker sweeps nothing."""
    clock.shift(span)
    serve()


def go_away(span: timedelta) -> None:
    """Let time go by without any web process; whoever sweeps does so at its end."""
    clock.shift(span)
    run(
        "UPDATE sign_of_life SET at = at - CAST(:span AS interval) WHERE name = 'web'",
        {"span": span},
    )


def sweep() -> None:
    """What a worker does: give back first or last, it must not matter."""
    sweeper.sweep(bots=False)
    outages_worker.give_back()
    sweeper.sweep(bots=False)
