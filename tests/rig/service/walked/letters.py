"""Mails that come in: a vote, a line to the table, and what is no mail of ours."""

from flask import Flask

from service.people import incoming_mail
from service.store import incoming_mails
from service.store.transactions import transaction
from tests.rig.service import seated
from tests.rig.service.visitor import Visitor
from tests.rig.worker.answered import bring, secret_of
from worker.incoming import handling


def comes_in(app: Flask) -> None:
    """One mail of each kind, handled as it comes or by the sweep; what came of it."""
    table = seated.in_election(3)
    secret = secret_of(table, 0, table.decision)
    bring(table, 0, secret, "say: Let me think")
    bring(table, 0, secret, "no")
    bring(table, 0, secret, "no")
    bring(table, 0, secret, "yes", "else@example.org")
    incoming_mail.take(b"rubbish", "")
    with transaction():
        number = incoming_mails.add(b"rubbish", "")
    handling.handle(number)
    with transaction():
        late = incoming_mails.claim(incoming_mails.add(b"rubbish", ""), 60.0)
    assert late is not None
    incoming_mails.put_off(late)
    handling.sweep()
    visitor = Visitor(app)
    visitor.remember(table, 0)
    assert "Your mail has come" in visitor.get(f"/g/{table.id}").text
