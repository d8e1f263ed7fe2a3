"""Whether acknowledged answers outlive the machine that the database is on.

With standbys of which none is synchronous, a failover loses the latest answers, and
nobody is told of it. So it is said before.
"""

from enum import StrEnum
from typing import Final

import structlog

from service.store import standbys
from service.store.standbys import Standbys


class Replication(StrEnum):
    """What is said of standbys, in a word."""

    OK = "ok"
    ASYNCHRONOUS = "asynchronous"
    MISSING = "no synchronous standby"


_SAID: Final = {
    Replication.OK: "standbys_fine",
    Replication.ASYNCHRONOUS: "a_failover_would_lose_answers",
    Replication.MISSING: "commits_wait_for_a_standby",
}

_log = structlog.get_logger()


class _Told:
    """What this process has logged last."""

    word = Replication.OK


def look() -> Replication:
    """How it is now; what has changed since the last look is logged."""
    word = judged(standbys.read())
    if word is not _Told.word:
        _Told.word = word
        _log.warning(_SAID[word], replication=word)
    return word


def judged(found: Standbys) -> Replication:
    """What is to be said of standbys. Without any there is nothing to be lost."""
    if not found.wanted:
        return Replication.ASYNCHRONOUS if found.there else Replication.OK
    if found.synchronous or found.untold:
        return Replication.OK
    return Replication.MISSING
