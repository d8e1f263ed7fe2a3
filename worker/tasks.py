"""The tasks, by name: ids in, nothing out, safe to run any number of times."""

from contextlib import suppress
from functools import partial
from uuid import UUID

from service.game import handlers
from service.store.outbox import MailKey
from worker import heartbeat, schedule
from worker.app import app
from worker.clock import retention, sweeper
from worker.outgoing import delivery


@app.task(name="kingup.resolve_election")
def resolve_election(game_id: str, decision: int) -> None:
    """Resolve an election in which every card is in, and tell of it at once."""
    game = UUID(game_id)
    with suppress(handlers.NotAtTable):
        # Else the game was erased: there is nothing to do, nor anybody to tell.
        delivery.post(game, partial(handlers.resolve_inside, game, decision))


@app.task(name="kingup.post_notices")
def post_notices(game_ids: list[str]) -> None:
    """Turn the unmailed notices of some games into mails, and send them."""
    delivery.post_all([UUID(game_id) for game_id in game_ids])


@app.task(name="kingup.deliver_mail")
def deliver_mail(mail_id: str, person_id: str | None = None) -> None:
    """Send one mail of a person, or that of a code, if it still tells the truth."""
    delivery.deliver(MailKey(UUID(mail_id), UUID(person_id) if person_id else None))


@app.task(name="kingup.sweep")
def sweep() -> None:
    """Do whatever is due, whether or not a wake-up came for it."""
    sweeper.sweep(ahead=schedule.SWEEP_SECONDS)
    delivery.sweep()


@app.task(name="kingup.tidy")
def tidy() -> None:
    """Erase what has served its time."""
    retention.tidy()


@app.task(name="kingup.heartbeat")
def beat() -> None:
    """Leave a sign that schedule, queue and worker work together."""
    heartbeat.leave()
