"""What people say at a table: a line of their own, or a stock phrase by its code."""

from enum import StrEnum
from typing import Final

import msgspec

from service.values import names
from service.values.errors import Invalid

LINE_LIMIT: Final = 280
"""The most characters in a line."""


class StockPhrase(StrEnum):
    """What can be said in every language of ours, each reader reads their own."""

    HELLO = "hello"
    GOOD_LUCK = "good-luck"
    THANKS = "thanks"
    SORRY = "sorry"
    TRUST_ME = "trust-me"
    PROMISE = "promise"
    VOTE_YES = "vote-yes"
    VOTE_NO = "vote-no"
    NOT_ME = "not-me"
    WELL_PLAYED = "well-played"
    SURPRISE = "surprise"
    KNEW_IT = "knew-it"
    TREASON = "treason"
    LONG_LIVE_THE_KING = "long-live-the-king"
    INTERESTING = "interesting"
    GO_ON = "go-on"
    TAKE_YOUR_TIME = "take-your-time"
    BACK_LATER = "back-later"
    ONE_MORE = "one-more"
    GOOD_NIGHT = "good-night"


class Line(msgspec.Struct, frozen=True):
    """What somebody says: one of the two, the other is None."""

    text: str | None
    phrase: StockPhrase | None


def clean(raw: str, field: str) -> str:
    """A line fit to be shown: NFC, 1 to 280 characters, none of them hidden, no link.

    Raises Invalid with the field and a reason: hidden, empty, too-long (with the most)
    or link.
    """
    text = names.visible(raw, field)
    if not text:
        raise Invalid(field=field, reason="empty")
    if len(text) > LINE_LIMIT:
        raise Invalid(field=field, reason="too-long", max=LINE_LIMIT)
    if names.has_link(text):
        raise Invalid(field=field, reason="link")
    return text
