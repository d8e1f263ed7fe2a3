"""Time for whoever was asked late, since no mail server took their mail before."""

from contextlib import suppress

from service.game import handlers, time_up
from service.store import late_mails
from service.store.outbox import ClaimedMail
from service.values.enums import NoticeKind
from worker import error_isolation


def make_up(mail: ClaimedMail) -> None:
    """Give whoever was asked late as much more time."""
    # In a transaction of its own: whoever writes a game holds that first, and mails
    # after it. If it is lost, the deadline asks again.
    asked = (each for each in mail.notices if each.kind is NoticeKind.YOUR_TURN)
    if any(each.age > late_mails.LATE.total_seconds() for each in asked):
        game = str(mail.game_id)
        with (
            error_isolation.contained("making_up_failed", game=game),
            suppress(handlers.NotAtTable),
        ):
            time_up.make_up_for_mail(mail.game_id)
