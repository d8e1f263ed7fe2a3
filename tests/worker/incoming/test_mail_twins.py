"""Whether a card is held shows in no mail, row or log line that others could see."""

import pytest

from engine.board import Card
from engine.commands import Ballot
from service.game import handlers, table_acts
from service.store import links
from service.store.links import LinkRow
from service.store.transactions import transaction
from service.values.enums import LinkPurpose
from service.values.principals import Bot
from tests.rig.service import kept_tables, seated
from tests.rig.service.seated import Seated, run
from tests.rig.wiping import Wiper
from tests.rig.worker import mail_twins
from tests.rig.worker.answered import Mailboxes, bring
from tests.rig.worker.mail_server import send

SEEDS = (*range(17), 20, 36, 49)
"""In 0 and the last three whoever differs lays a card, before or after others write as
them."""

LINES = ("yes", "Hm", "say: Let me think", "no\r\nsay: I had to", "")


@pytest.mark.parametrize("seed", SEEDS)
def test_worlds_in_which_a_no_is_held_or_not_are_the_same_to_others(
    boxes: Mailboxes, wiper: Wiper, capfd: pytest.CaptureFixture[str], seed: int
) -> None:
    mail_twins.compare(boxes, wiper.wipe, seed, capfd)


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("purpose", [LinkPurpose.REPLY, LinkPurpose.REPLY_ASK])
def test_whose_seat_a_bot_keeps_hears_of_no_card_that_it_has_laid_or_not(
    boxes: Mailboxes, wiper: Wiper, line: str, purpose: LinkPurpose
) -> None:
    table = seated.in_election(3)
    decision = table.decision if purpose is LinkPurpose.REPLY else None
    person = seated.person_on(table.id, 1)
    with transaction():
        secret = links.add(LinkRow(purpose, table.id, person, 1, decision))
    table_acts.depart(table.id, table.holder(1), 1)
    send(table.id)
    begin = kept_tables.take()

    handlers.answer(table.id, Bot(1), table.decision, Ballot(Card.YES))
    laid = heard(boxes, table, secret, line)
    wiper.wipe()
    kept_tables.put_back(begin)
    not_laid = heard(boxes, table, secret, line)

    assert len(not_laid) == 2
    assert not mail_twins.difference(laid, not_laid)


def heard(boxes: Mailboxes, table: Seated, secret: str, line: str) -> list[str]:
    """What whoever left a seat hears of a mail of theirs, and what is kept of it."""
    before = len(boxes.sink.raw)
    bring(table, 1, secret, line)
    send(table.id)
    kept = run("SELECT kind FROM mail_journal"), run("SELECT outcome FROM mailed_vote")
    return [*map(mail_twins.scrubbed, boxes.sink.raw[before:]), str(kept)]
