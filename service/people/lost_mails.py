"""Open questions mailed once more to whoever misses a mail, at their own address.

Whoever asks learns nothing of the address, neither by the answer nor by its time: the
worker looks later who has it.
"""

from service.game import fresh_questions, task_hints
from service.game.fresh_questions import Reader
from service.store import lost_mails
from service.store.lost_mails import Ask
from service.store.outbox import MISSED
from service.store.transactions import transaction
from service.values import addresses


def ask(address: str) -> None:
    """Have the open questions of an address's owner mailed to it. Raises Invalid."""
    mailbox = addresses.parse(address, "address")
    with transaction():
        lost_mails.ask(mailbox.key)
    task_hints.send(task_hints.FIND_LOST)


def answer(found: Ask) -> None:
    """Mail what an address asks for, in all games where its owner plays.

    Once an hour each, and not of a game whose mails they have ended.
    """
    for at in lost_mails.seats(found):
        fresh_questions.mail_open(at.game_id, Reader(at.person_id, at.seat), MISSED)
    with transaction():
        lost_mails.settle(found)
