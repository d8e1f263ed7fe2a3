"""What went wrong in one sentence, in the reader's language, and its HTTP status."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Final

from flask_babel import format_timedelta
from flask_babel import lazy_gettext as _l
from flask_babel.speaklater import LazyString

from engine.board import Card
from engine.editions import EDITIONS
from engine.errors import Fact, Refusal
from service.present import nouns, sentences
from service.present.languages import gettext as _
from service.values.errors import Problem, PublicError, TooManyRequests

_SENTENCES: Final[Mapping[str, LazyString]] = {
    "already-answered": _l(
        "You have answered question %(decision)s already, and an answer is final."
    ),
    "already-extended": _l("Question %(decision)s waits for longer already."),
    "already-placed": _l("%(character)s stands in the castle already."),
    "already-started": _l(
        "The game has started: what was settled before the start stays settled."
    ),
    "bad-table": _l("The game can't be played like this: see “%(option)s”."),
    "bad-table/bot": _l("There is no bot called “%(value)s”."),
    "bad-table/edition": _l("There is no edition called “%(value)s”."),
    "bad-table/first": _l("There is no seat %(value)s to begin with."),
    "bad-table/placement": _l(
        "The placement “%(value)s” is not for this edition with so many players."
    ),
    "bad-table/seats": _l("This edition can't be played by %(value)s."),
    "cannot-move": _l("%(character)s can't move up now."),
    "cannot-move/no-room": _l("%(character)s can't move up: there is no room ahead."),
    "cannot-move/stays": _l("%(character)s moves no more in this round."),
    "cannot-take-back": _l("This can't be taken back."),
    "cannot-take-back/acted-since": _l(
        "Somebody has acted since: this can't be taken back."
    ),
    "cannot-take-back/ballot": _l("A card that is laid stays laid."),
    "cannot-take-back/nominated": _l(
        "Whoever is put up for king stays so: this can't be taken back."
    ),
    "cannot-take-back/not-answered": _l(
        "Question %(decision)s isn't answered yet: there is nothing to take back."
    ),
    "cannot-take-back/not-yours": _l(
        "It wasn't you who did this: it can't be taken back."
    ),
    "cannot-take-back/off": _l("In this game nothing is taken back."),
    "cannot-take-back/once": _l(
        "You have taken this turn back once: now your answer stays."
    ),
    "card-not-held": _l("You hold no %(card)s."),
    "cards-not-open": _l(
        "You can come back when round %(round)s is over: then your cards are open."
    ),
    "decision-closed": _l("Question %(decision)s is over: it can't be answered now."),
    "election-not-complete": _l(
        "An election is never decided before everybody has laid a card."
    ),
    "game-not-paused": _l("The game isn't paused."),
    "game-paused": _l("The game is paused: no time passes."),
    "game-not-running": _l("The game isn't running."),
    "game-not-running/over": _l("The game is over."),
    "game-not-running/table": _l("The game has not started yet."),
    "no-extension-left": _l(
        "As many questions of this game as may be have waited for longer."
    ),
    "no-room": _l("Nobody can be placed there: %(place)s."),
    "no-such-decision": _l("No question %(decision)s has been asked yet."),
    "not-asked": _l("Question %(decision)s is put to somebody else."),
    "seat-kept": _l("A bot keeps your seat."),
    "seat-not-kept": _l("No bot keeps this seat for anybody."),
    "unknown-character": _l("There is no character “%(character)s”."),
    "wrong-kind": _l("The answer doesn't fit the question."),
    "wrong-kind/election": _l("The question is an election: lay a card."),
    "wrong-kind/move": _l("The question is which character moves up."),
    "wrong-kind/placement": _l("The question is whom to place, and where."),
    "absences-overlap": _l("You are away on some of these days already."),
    "address-in-use": _l("This address belongs to somebody here already."),
    "address-twice": _l("This address has a seat at the table already."),
    "beyond-the-record": _l(
        "The record does not reach that far: answers were lost. Load the game anew."
    ),
    "busy": _l("Too much is going on right now. Try again in a moment."),
    "code-refused": _l(
        "This code is not good, or not any more. Check it, or ask for a new one."
    ),
    "conflict": _l("This is at odds with how things stand now."),
    "forbidden": _l("You may not do this."),
    "forbidden/no-form-token": _l(
        "This page is too old. Open it again and choose anew."
    ),
    "forbidden/other-site": _l("This was sent by a page of another site."),
    "forbidden/no-seat": _l("You have no seat in this game."),
    "forbidden/one-game": _l("This token is good for one game alone."),
    "forbidden/other-game": _l("This token is good for another game."),
    "forbidden/not-host": _l("Only the host may do this."),
    "forbidden/not-your-seat": _l("This seat is somebody else's."),
    "forbidden/scope": _l("This token is not good for “%(scope)s”."),
    "game-unreadable": _l(
        "This game was written by a newer version. Try again in a few minutes."
    ),
    "host-stays": _l("The host can't leave the table: call it off instead."),
    "host-not-listed": _l("Only chosen people may host a game here."),
    "idempotency-key-reused": _l(
        "This Idempotency-Key was sent before, with another request."
    ),
    "internal": _l("Something broke on our side. It is noted; try again later."),
    "invalid": _l("“%(field)s” can't be understood."),
    "unauthorized/not-bearer": _l(
        "The header must read “Authorization: Bearer kup_…”."
    ),
    "address-twice/own-table": _l("You sit at this table already."),
    "invalid/key-too-short": _l(
        "“%(field)s” must have at least 16 characters without a token."
    ),
    "invalid/one-of": _l("“%(field)s” must be one of: %(choices)s."),
    "invalid/unknown-kind": _l(
        "There is no such kind; “%(field)s” can be: %(choices)s."
    ),
    "invalid/range": _l("“%(field)s” must be from %(min)s to %(max)s."),
    "invalid/length": _l("“%(field)s” must have a length of %(min)s to %(max)s."),
    "invalid/longer": _l("“%(field)s” must have a length of %(max)s at most."),
    "invalid/shorter": _l("“%(field)s” must have a length of at least %(min)s."),
    "invalid/null": _l("“%(field)s” must not be null."),
    "invalid/two-proofs": _l(
        "“%(field)s” can't be together with the header Authorization."
    ),
    "invalid/two-lines": _l("“%(field)s” can't be together with “line”."),
    "invalid/two-ends": _l("“%(field)s” can't be together with “expires_in”."),
    "invalid/unknown-parameter": _l("There is no parameter “%(field)s”."),
    "invalid/no-object": _l("“%(field)s” must be an object."),
    "invalid/no-array": _l("“%(field)s” must be an array."),
    "invalid/no-string": _l("“%(field)s” must be a string."),
    "invalid/no-integer": _l("“%(field)s” must be a whole number."),
    "invalid/no-boolean": _l("“%(field)s” must be true or false."),
    "invalid/no-uuid": _l("“%(field)s” must be a UUID."),
    "invalid/no-moment": _l("“%(field)s” must be a time in RFC 3339."),
    "invalid/no-zone": _l("“%(field)s” must be a time zone's IANA name."),
    "invalid/no-time-of-day": _l("“%(field)s” must be a time of the day, HH:MM."),
    "invalid/bad-address": _l("“%(field)s” is no e-mail address."),
    "invalid/cursor": _l("“%(field)s” must be from the “Link” of another page."),
    "invalid/duplicate": _l("“%(field)s” is there twice."),
    "invalid/empty": _l("“%(field)s” must not be empty."),
    "invalid/entity-tags": _l("“%(field)s” must be “*” or entity tags in quotes."),
    "invalid/hidden": _l("“%(field)s” has characters that can't be seen."),
    "invalid/idempotency-key": _l(
        "“%(field)s” must be 1 to 128 visible ASCII characters."
    ),
    "invalid/link": _l("“%(field)s” must not look like a link."),
    "invalid/missing": _l("“%(field)s” is missing."),
    "invalid/not-json": _l(
        "The request is not JSON: see line %(line)s, column %(column)s."
    ),
    "invalid/not-text": _l("“%(field)s” has characters that are no text."),
    "invalid/number": _l("“%(field)s” is no number that we know."),
    "invalid/no-date": _l("“%(field)s” must be a date, YYYY-MM-DD."),
    "invalid/quiet-hours": _l(
        "Quiet hours must be at least a minute, at most 12 hours."
    ),
    "invalid/gone": _l("“%(field)s” must not lie in the past."),
    "invalid/too-far": _l("“%(field)s” must lie within ten years."),
    "invalid/before-first": _l("“%(field)s” must not lie before the first day."),
    "invalid/too-many-days": _l("An absence has %(max)s days at most."),
    "invalid/past": _l("“%(field)s” must lie in the future."),
    "invalid/too-deep": _l("The request has more levels than we read."),
    "invalid/too-long": _l("“%(field)s” must have %(max)s characters at most."),
    "invalid/unknown": _l("There is no field “%(field)s”."),
    "invitation-over": _l("This invitation is no longer open."),
    "media-type": _l("The request must be application/json, in UTF-8."),
    "method-not-allowed": _l("This can't be done here."),
    "more-than-mailed": _l("The mail with this code said less: ask for a new one."),
    "name-taken": _l("Another name at this table reads the same."),
    "no-deadline": _l("This game has no deadlines: it waits as long as you like."),
    "no-mailbox": _l("A practice game mails nothing."),
    "not-practice": _l("Only the time of a practice game can be let pass."),
    "no-pause-left": _l("You have paused this game as often as you may."),
    "has-clock": _l("In this game the clock answers for whoever is silent."),
    "not-silent": _l("This question hasn't waited for 14 days yet."),
    "no-proposal-left": _l("You have proposed this as often as you may."),
    "no-rematch": _l("Only a game that was begun and is over has a rematch."),
    "not-invited": _l("Nobody is invited to this seat: no address is to be corrected."),
    "not-acceptable": _l("The answer is in none of the formats that were asked for."),
    "not-found": _l("There is no such thing."),
    "not-found/game": _l("There is no such game."),
    "not-found/link": _l("This link leads nowhere."),
    "not-found/invitation": _l("This invitation is no longer open."),
    "not-found/answer": _l("You have given no such answer."),
    "not-found/record": _l("The record does not reach that far."),
    "not-found/edition": _l("There is no such edition."),
    "not-found/token": _l("There is no such token."),
    "not-found/absence": _l("There is no such absence."),
    "not-found/device": _l("There is no such device."),
    "not-found/seat": _l("There is no such seat."),
    "not-found/proposal": _l("There is no such proposal."),
    "not-found/message": _l("There is no such message."),
    "not-found/table": _l("This table was given up."),
    "precondition-failed": _l(
        "This has changed since you read it. Read it again, then decide anew."
    ),
    "proposal-closed": _l("This proposal is over."),
    "proposal-open": _l("The table is asked that already."),
    "problem": _l("This can't be done."),
    "refused": _l("This is not allowed now."),
    "last-round": _l(
        "This is the last round: the bot plays it to the end of the game."
    ),
    "objection-late": _l("The day in which anybody could object is over."),
    "person-returns": _l("The person of this seat comes to it by themselves."),
    "replacement-open": _l("Somebody is named for this seat already."),
    "too-many-replacements": _l(
        "You have named %(most)s people for this seat: there is no more."
    ),
    "seat-taken": _l("This seat is taken."),
    "talk-closed": _l(
        "There is talk from the start of a game until a week after its end."
    ),
    "table-not-open": _l("The host hasn't confirmed this table yet."),
    "taken-back": _l(
        "You took that answer back, and are asked anew: see question %(reopened)s."
    ),
    "terms-agreed": _l(
        "Others are invited on these terms, or in: free their seats first."
    ),
    "request-timeout": _l("The request broke off in the middle. Send it again."),
    "too-large": _l("The request is too large."),
    "too-many-corrections": _l(
        "This seat had another address often enough. Leave it open, or to a bot."
    ),
    "too-many-changes": _l(
        "Quiet hours, weekends, and the time zone they are kept by, can be changed"
        " three times in seven days. Taking them away is always possible."
    ),
    "too-many-invitations": _l("That is too many invitations."),
    "too-many-invitations/address": _l(
        "You have invited an address at this table often enough today."
    ),
    "too-many-invitations/host": _l(
        "Too many of your invitations wait for an answer already."
    ),
    "too-many-requests": _l("That is too many requests."),
    "too-many-requests/browser": _l("This browser has asked too often."),
    "too-many-requests/instance": _l("Too many have asked for this here already."),
    "too-many-requests/link": _l("This link was used too often."),
    "too-many-requests/network": _l("Your network has asked too often."),
    "too-many-requests/person": _l("You have asked too often."),
    "too-many-requests/seat": _l("You have said a lot within an hour."),
    "too-many-requests/token": _l("This token has asked too often."),
    "too-many-absences": _l(
        "You have announced too many absences. Call one off first."
    ),
    "too-many-tokens": _l("You have too many tokens. Revoke one first."),
    "too-many-streams": _l("Too many wait here for news already. Try again soon."),
    "too-many-waiting": _l("You wait with too many requests already. End one first."),
    "unauthorized": _l("A token is needed: “Authorization: Bearer kup_…”."),
    "unauthorized/bad-ticket": _l("This ticket was used, or is too old: get another."),
    "unauthorized/bad-token": _l("This token is unknown."),
    "unauthorized/expired-token": _l("This token has expired."),
    "unauthorized/revoked-token": _l("This token was revoked."),
}
"""A sentence for every code; where one fact changes it, its value follows the slash."""

_PLACES: Final = re.compile(r"%\((\w+)\)s")

_DISCERNED: Final[Mapping[str, str]] = {
    "address-twice": "reason",
    "bad-table": "option",
    "cannot-move": "reason",
    "cannot-take-back": "reason",
    "forbidden": "reason",
    "game-not-running": "phase",
    "invalid": "reason",
    "not-found": "what",
    "too-many-invitations": "whose",
    "too-many-requests": "whose",
    "unauthorized": "reason",
    "wrong-kind": "asked",
}
"""The fact that chooses among the sentences of a code."""


_PLACE_OF: Final[Mapping[str, str]] = {"header": "field", "parameter": "field"}
"""The place in a sentence that a fact takes, where it isn't that of its own name."""


def detail(error: PublicError) -> str:
    """One clear sentence about an error, in the reader's language, with its facts."""
    discerned = error.facts.get(_DISCERNED.get(error.code, ""))
    general = _SENTENCES[error.code]
    sentence = str(_SENTENCES.get(f"{error.code}/{discerned}", general))
    facts = {
        _PLACE_OF.get(name, name): _word(name, fact)
        for name, fact in error.facts.items()
    }
    whole = sentences.opening(sentence % facts)
    return f"{whole} {_limit(error)}" if isinstance(error, TooManyRequests) else whole


def _limit(error: TooManyRequests) -> str:
    """Which limit it was, how much it is, and when another try is worth it."""
    wait = timedelta(seconds=int(str(error.facts["retry_after"])))
    return _(
        "The limit “%(limit)s” is %(most)s. Try again %(wait)s.",
        limit=error.facts["limit"],
        most=error.facts["most"],
        wait=format_timedelta(wait, add_direction=True),
    )


def needed(kind: type[Problem] | type[Refusal]) -> Sequence[str]:
    """The facts that the general sentence of an error has a place for."""
    return _PLACES.findall(str(_SENTENCES[kind.code]))


def status(error: PublicError) -> int:
    """The HTTP status: a problem's own; what is understood but not allowed is 409."""
    return status_of(type(error))


def status_of(kind: type[Problem] | type[Refusal]) -> int:
    """The HTTP status of every error of a kind."""
    return kind.status if issubclass(kind, Problem) else 409


def _word(name: str, fact: Fact) -> str:
    """A fact as a person reads it: `O` is Odessa, `no` is the card No."""
    if isinstance(fact, tuple):
        return ", ".join(map(str, fact))
    word = _WORDS.get(name, str)
    return word(str(fact))


def _card(card: str) -> str:
    return nouns.card_name(Card(card)) if card in set(Card) else card


def _place(key: str) -> str:
    laws = EDITIONS.values()
    named = (
        nouns.place_name(place, law.places)
        for law in laws
        for place in law.places
        if place.key == key
    )
    return next(named, key)


_WORDS: Final[Mapping[str, Callable[[str], str]]] = {
    "character": nouns.subject,
    "card": _card,
    "place": _place,
}
