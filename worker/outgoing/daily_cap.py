"""How many mails leave in a day where the provider caps them, and whose wait then.

Questions go first: what asks nothing leaves as long as half of the cap is unused, what
strangers can cause as long as three quarters are. Of the last quarter of what there is
for a mail its table has a share, so that no table uses up another's.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final
from uuid import UUID

from flask import current_app

from service import config
from service.store import quotas
from service.store.code_mails import CodeMail
from service.store.outbox import Claim, ClaimedMail, Notice
from service.values.enums import CALLS_TO_ACT, NoticeKind
from worker.outgoing import relevance
from worker.outgoing.relevance import Relevance

BUDGET: Final = "mails"
"""What is counted under this name, by the hour and the table."""

_SHARES: Final = 20
_LEAST_SHARE: Final = 10
_UNDER_WAY: Final = 20
"""So many mails others may be about to count at any moment."""

_HOUR: Final = timedelta(hours=1)


class Class(StrEnum):
    """What a mail is, for how much of the cap it may use."""

    ASKS = "asks"
    OTHERS = "others"
    STRANGERS = "strangers"


_PARTS: Final = {Class.ASKS: 1.0, Class.OTHERS: 0.5, Class.STRANGERS: 0.25}
"""How much of the cap is used at most when such a mail leaves."""


def take(mail: ClaimedMail, live: Sequence[Notice], now: Relevance | None) -> bool:
    """Count a mail of a game of which these are true; False if it has to wait.

    One that has to wait isn't counted, nor one that nothing leaves of. But elections
    count as if its reader hadn't laid: else others could tell that by what leaves for
    them as the cap is near.
    """
    asked = [notice for notice in mail.notices if _is_election(notice, now)]
    leaves = bool(asked) or any(notice.due for notice in live)
    return not leaves or _was_counted(mail) or _take_of(mail, (*live, *asked))


def _is_election(notice: Notice, now: Relevance | None) -> bool:
    """Whether it asks its reader for a ballot, laid by now or not."""
    if now is None or notice.kind is not NoticeKind.ELECTION:
        return False
    # Whoever has no mail of an election, laid or not, uses up nothing.
    return relevance.is_for_reader(notice, now)


def take_for_code(mail: CodeMail) -> bool:
    """Count a mail that brings a code; False, uncounted, if it has to wait."""
    kind = Class.ASKS if mail.is_owners else Class.STRANGERS
    return _was_counted(mail) or _take(kind, None)


def again_at(now: datetime) -> datetime:
    """When a mail that had to wait is looked at again: as the next hour begins."""
    return now.replace(minute=0, second=0, microsecond=0) + _HOUR


def _was_counted(mail: Claim) -> bool:
    """Whether it has bytes already: it counts once, however often it is tried."""
    return mail.body is not None


def _take_of(mail: ClaimedMail, notices: Sequence[Notice]) -> bool:
    if all(notice.is_strangers_wish for notice in notices):
        return _take(Class.STRANGERS, None)
    # What its reader has mailed again, each hour if they like, asks nothing new.
    new = {notice.kind for notice in notices if not notice.is_repeated}
    kind = Class.ASKS if new & set(CALLS_TO_ACT) else Class.OTHERS
    return _take(kind, mail.game_id)


def _take(kind: Class, game_id: UUID | None) -> bool:
    cap = config.of(current_app).mails_a_day
    if not cap:
        return True
    bucket = kind.value.encode() if game_id is None else game_id.bytes
    used = quotas.used(BUDGET, bucket)
    if 4 * (used.all + _UNDER_WAY) >= 3 * cap * _PARTS[kind]:
        # Where little is left, whoever counts does so alone.
        quotas.hold_total(BUDGET)
        used = quotas.used(BUDGET, bucket)
    if not fits(kind, cap, used, shared=game_id is not None):
        return False
    quotas.add_shared(BUDGET, bucket, 1)
    return True


def fits(kind: Class, cap: int, used: quotas.Used, *, shared: bool) -> bool:
    """Whether one more mail leaves of a cap of which so much is used.

    Of the last quarter each has a share where it is `shared` between tables.
    """
    most = cap * _PARTS[kind]
    if 4 * used.all < 3 * most:
        return True
    share = max(cap // _SHARES, _LEAST_SHARE)
    return used.all < most and (not shared or used.here < share)
