"""What nobody asks for: calls, mails that wait, an outage, and what is erased."""

from uuid import UUID

from flask import Flask

from service.game import time_up
from service.people import accounts, lost_mails
from service.processes import pulse
from service.store import (
    bounces,
    clock,
    code_mails,
    event_log,
    excuses,
    last_mails,
    outages,
    outbox,
    pubsub,
    readings,
    tokens,
)
from service.store.event_log import NoticeRow
from service.store.transactions import transaction
from service.values import entropy
from service.values.enums import NoticeKind
from tests.rig.service import seated
from tests.rig.service.seated import run
from worker import heartbeat
from worker.clock import lost_mails as finding
from worker.clock import outages as giving_back
from worker.clock import retention
from worker.outgoing import delivery

OLD = {
    "kept_answer": "created_at = created_at - interval '8 days'",
    "known_network": "used_at = used_at - interval '181 days'",
    "quota": "hour = hour - interval '2 days'",
    "mailed_code": "created_at = created_at - interval '2 days'",
    "token": "revoked_at = created_at - interval '31 days'",
    "device": "last_used_at = last_used_at - interval '181 days'",
    "lost_mail": "first_at = first_at - interval '2 days'",
    "outage": "ended_at = ended_at - interval '731 days'",
    "incoming_mail": "created_at = created_at - interval '5 days'",
    "mail_journal": "at = at - interval '91 days'",
    "mailed_vote": "at = at - interval '62 days'",
    "link": "purpose = 'remember', created_at = created_at - interval '182 days'",
}
"""How one row of each kind grows so old that it is erased."""


def puts_off(game_id: UUID, person_id: UUID) -> None:
    """Mails whose server is away, and a notice that goes into another one."""
    row = NoticeRow("put off", person_id, 0, NoticeKind.EXPIRED, None, None)
    with transaction():
        event_log.notify(game_id, (row,))
    (mail_id,) = delivery.queue(game_id)
    with transaction():
        mail = outbox.claim(mail_id, 10.0)
        assert mail is not None
        outbox.hold(mail, mail.now, late=False)
        mail = outbox.claim(mail_id, 10.0)
        assert mail is not None
        outbox.release(game_id, mail.notices)
        assert outbox.put_off(mail, "away", 30.0, False, 3600.0)
    _comes_back(person_id)
    _is_missed(game_id)
    code_id = accounts.ask_to_sign_in("paula@example.org", None)
    with transaction():
        code = code_mails.claim(code_id, 10.0)
        assert code is not None
        assert outbox.put_off(code, "away", 30.0, False, 3600.0)


def _comes_back(person_id: UUID) -> None:
    """A mail that comes back, and when its reader is tried again."""
    with transaction():
        assert not bounces.take("a" * 26)
        assert bounces.retry_at(person_id) is None


def _is_missed(game_id: UUID) -> None:
    """A mail that is missed: asked for, looked for, and forgotten."""
    ((address,),) = run(
        "SELECT address FROM person JOIN seat ON person_id = person.id"
        " WHERE game_id = :g AND number = 0",
        {"g": game_id},
    )
    lost_mails.ask(address)
    finding.sweep()
    last_mails.of_seat(game_id, 0)


def is_called(database: str) -> None:
    """Whom a call is for, and what they all read then."""
    line = pubsub.connect(database.replace("+psycopg", "", 1))
    table = seated.started(3)
    pubsub.publish(line, [table.id])
    assert pubsub.people_of(line, [table.id])
    with transaction():
        token = tokens.issue(
            seated.person_on(table.id, 0), "test", ("games:read",)
        ).token
    proofs = [entropy.digest(token)]
    assert readings.read(table.id, proofs, "games:read")
    assert tokens.holders(proofs)
    line.close()


def comes_back(app: Flask) -> None:
    """Was away for an hour, and gives it back."""
    pulse.beat(app)
    table = seated.started(3)
    run("UPDATE sign_of_life SET at = at - interval '1 hour' WHERE name = 'web'")
    pulse.beat(app)
    with transaction():
        (outage,) = outages.pending()
        assert outages.affected(outage, UUID(int=0), giving_back.BATCH)
    time_up.give_back(table.id)
    time_up.make_up_for_mail(table.id)
    with transaction():
        outages.count_from(table.id, table.decision, clock.now())
    with transaction():
        outages.settle(outage)
    late = "UPDATE game SET deadline = kingup_now() - interval '1 hour' WHERE id = :g"
    run(late, {"g": table.id})
    time_up.run_out(table.id, table.decision)
    with transaction():
        excuses.latest(table.id, 0, 3, ballots=True)


def tidies() -> None:
    """Erases a row or two of each kind, where all others stay."""
    for table, older in OLD.items():
        row = f"SELECT ctid FROM {table} ORDER BY ctid DESC LIMIT 2"
        run(f"UPDATE {table} SET {older} WHERE ctid IN ({row})")
    practised = "UPDATE game SET created_at = created_at - interval '2 days'"
    run(f"{practised} WHERE practice")
    draft = seated.draft(3, tag="+old")
    run(
        "UPDATE game SET created_at = created_at - interval '8 days' WHERE id = :g",
        {"g": draft},
    )
    ended = "UPDATE game SET ended_at = ended_at - interval '91 days'"
    over = "SELECT max(id::text)::uuid FROM game WHERE ended_at IS NOT NULL"
    run(f"{ended} WHERE id = ({over})")
    retention.tidy()
    heartbeat.leave()
