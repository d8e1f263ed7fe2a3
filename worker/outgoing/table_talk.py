"""What was said at a table since its reader was last mailed, as their seat reads it."""

from collections.abc import Sequence
from typing import Final

import msgspec

from service.present import phrases, sentences
from service.present.languages import gettext as _
from service.store import messages
from service.store.messages import Message
from service.store.outbox import Notice
from service.values.enums import NoticeKind
from worker.outgoing import forged_heads, openings
from worker.outgoing.relevance import Relevance

_MOST: Final = 12
"""How many lines a mail has; the page has the others."""


class TableTalk(msgspec.Struct, frozen=True):
    """What was said, a line each; `more` tells that there was more before."""

    lines: tuple[str, ...] = ()
    more: bool = False


def through(notices: Sequence[Notice], now: Relevance) -> int | None:
    """The message up to which a mail for these notices tells what was said."""
    return now.mail.said if _hears(openings.lead(notices), now) else now.mail.told


def _hears(lead: Notice, now: Relevance) -> bool:
    """Whether a mail is for somebody who plays at a table that has begun."""
    if lead.kind is NoticeKind.MY_CARDS:
        return False
    return now.seen.game.options is not None and now.sits(lead.seat)


def since(lead: Notice, now: Relevance) -> TableTalk:
    """What others who have their seats still have said since the latest mail."""
    told, newest = now.mail.told, now.mail.said
    if told is None or newest <= told or not _hears(lead, now):
        return TableTalk()
    found = messages.latest(now.seen.id, lead.seat, _MOST)
    fresh = [each for each in found if told < each.number <= newest]
    heard = [
        each
        for each in fresh
        # Words go with the person: a mail must not hold those of people who are none
        # of the table's any more.
        if each.seat != lead.seat and not each.former
    ]
    return TableTalk(
        lines=_lines(heard, now),
        more=len(fresh) == _MOST and fresh[0].number > told + 1,
    )


def _lines(heard: Sequence[Message], now: Relevance) -> tuple[str, ...]:
    """What was said, but for what would pass for the head of a record.

    `kingup verify` would take that for ours, and call the record a forgery.
    """
    hidden = [_hidden(each, now) for each in heard]
    shown = [
        other if forged_heads.is_in(line) else line
        for line, other in zip(
            (_line(each, now) for each in heard), hidden, strict=True
        )
    ]
    # Several who each say a part of one are no better.
    return tuple(hidden if forged_heads.is_in("\n".join(shown)) else shown)


def _line(said: Message, now: Relevance) -> str:
    words = phrases.words(said.line, said.phrase)
    isolated = sentences.isolated(words)
    return _("%(name)s: %(words)s", name=_name(said, now), words=isolated)


def _hidden(said: Message, now: Relevance) -> str:
    name = _name(said, now)
    return _("%(name)s has said something that the page alone shows.", name=name)


def _name(said: Message, now: Relevance) -> str:
    return sentences.isolated(now.seen.seats[said.seat].name)
