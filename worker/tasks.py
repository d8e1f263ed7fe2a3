"""The tasks, by name: ids in, nothing out, safe to run any number of times."""

from contextlib import suppress
from functools import partial
from uuid import UUID

from service.game import handlers
from service.store.outbox import MailKey
from worker import heartbeat, schedule
from worker.app import app
from worker.clock import absences, lost_mails, named_people, retention, sweeper
from worker.incoming import handling
from worker.outgoing import delivery


@app.task(name="kingup.follow_up")
def follow_up(games: list[tuple[str, *tuple[int, ...]]]) -> None:
    """Resolve elections in which every card is in, and tell of all that is new.

    Each game comes with the decision that is to be resolved, if one is.
    """
    elections = {
        UUID(game_id): partial(_resolve, UUID(game_id), decision)
        for game_id, *decisions in games
        for decision in decisions
    }
    game_ids = dict.fromkeys(UUID(game_id) for game_id, *_ in games)
    delivery.post_all(tuple(game_ids), elections)


def _resolve(game_id: UUID, decision: int) -> None:
    # Of a game that was erased there is nothing to do, nor anybody to tell.
    with suppress(handlers.NotAtTable):
        handlers.resolve_inside(game_id, decision)


@app.task(name="kingup.deliver_mail")
def deliver_mail(mail_id: str, person_id: str | None = None) -> None:
    """Send one mail of a person, or that of a code, if it still tells the truth."""
    delivery.deliver(MailKey(UUID(mail_id), UUID(person_id) if person_id else None))


@app.task(name="kingup.handle_mail")
def handle_mail(number: str) -> None:
    """Do what a mail that came in asks for."""
    handling.handle(UUID(number))


@app.task(name="kingup.find_lost")
def find_lost() -> None:
    """Mail open questions again to whoever misses a mail."""
    lost_mails.sweep()


@app.task(name="kingup.sweep")
def sweep() -> None:
    """Do whatever is due, whether or not a task hint came for it."""
    sweeper.sweep(ahead=schedule.SWEEP_SECONDS)
    delivery.sweep()


@app.task(name="kingup.seats")
def seats() -> None:
    """Begin and end absences, go on with whoever is named, find lost mails."""
    lost_mails.sweep()
    absences.sweep()
    named_people.sweep()


@app.task(name="kingup.tidy")
def tidy() -> None:
    """Erase what has served its time, and end what nobody comes to."""
    retention.tidy()


@app.task(name="kingup.heartbeat")
def beat() -> None:
    """Leave a sign that schedule, queue and worker work together."""
    heartbeat.leave()
