"""What the form of a new game offers, and what a host has filled into it."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Any, Final

import msgspec
from babel.lists import format_list
from flask_babel import get_locale
from flask_babel import lazy_gettext as _l

from engine.bots import BOTS
from engine.commands import MISSES, USUAL_MISSES, History, PlacementOption
from engine.editions import EDITIONS
from engine.editions.base import Edition
from engine.errors import BadTable
from service.game import pace
from service.present import duration, nouns
from service.present.languages import gettext as _
from service.store.people import Profile
from service.tables import creation
from service.tables.creation import BotSeat, Guest, HostWish, SeatWish, TableWish
from service.values.conflicts import AddressTwice, NameTaken
from service.values.enums import Visibility
from service.values.errors import PublicError
from service.web.http import forms, readers
from service.web.table import pasted_friends

DEFAULT = creation.DEFAULT_EDITION
_OTHERS = max(law.seats[-1] for law in EDITIONS.values()) - 1
_NOBODY_THERE = -1
_HOUR: Final = 60 * 60
_DAY: Final = 24 * _HOUR


class FormSeat(msgspec.Struct, frozen=True):
    """One row of the form for a seat beside the host's: friend, bot or empty.

    People count the seats from one, and the host sits on the first. A `listed` friend
    stands in the list of addresses, and in no row of the page.
    """

    number: int
    kind: str
    name: str = ""
    address: str = ""
    bot: str = creation.DEFAULT_BOT
    listed: bool = False


class EditionChoice(msgspec.Struct, frozen=True):
    """An edition to choose: its name, what it is, and by how many it is played."""

    id: str
    name: str
    line: str
    seats: range


class Offered(msgspec.Struct, frozen=True):
    """All that the form offers: what any of the editions has, values with words."""

    editions: tuple[EditionChoice, ...]
    usual: int
    roomy: tuple[str, ...]
    rounds: tuple[int, ...]
    paces: tuple[tuple[str, str], ...]
    placements: tuple[tuple[str, str], ...]
    histories: tuple[tuple[str, str], ...]
    usually: str
    evening: str
    misses: range
    usual_misses: int
    lengths: str
    bots: tuple[tuple[str, str], ...]
    most_bots: int


class PaceChoice(msgspec.Struct, frozen=True):
    """A pace to choose: how long there is for an answer, and how often as much again.

    A `daily` one ends at a time of the day that the host names, on the host's clock;
    one without `seconds` has no clock.
    """

    words: object
    seconds: int | None = pace.USUAL
    spare: int = pace.USUAL_SPARE
    daily: bool = False


PACES: Mapping[str, PaceChoice] = {
    "day": PaceChoice(_l("a day, six times again")),
    "daily": PaceChoice(_l("every day, six times again"), daily=True),
    "three-days": PaceChoice(_l("three days, twice again"), 3 * _DAY, 2),
    "week": PaceChoice(_l("a week, once again"), 7 * _DAY, 1),
    "hours": PaceChoice(_l("eight hours, six times again"), 8 * _HOUR),
    "hour": PaceChoice(_l("an hour, six times again"), _HOUR),
    "patient": PaceChoice(_l("as long as it takes"), None, 0),
}
"""What the form offers, the usual one first."""

EVENING = "20:00"
"""When a daily pace ends unless the host says otherwise."""


def blank() -> tuple[FormSeat, ...]:
    """The rows of a form that nobody has filled in."""
    return rows({})


def offered() -> Offered:
    """What the form offers, in the reader's language.

    `usual` is how many seats the default edition has at most, `roomy` the names of
    those that have more; `usually` is how long cards lie open in each.
    """
    laws = (EDITIONS[DEFAULT], *(e for name, e in EDITIONS.items() if name != DEFAULT))
    choices, usual = [law.choices for law in laws], laws[0].seats[-1]
    placements = dict.fromkeys(p for each in choices for p in each.placement)
    histories = dict.fromkeys(h for each in choices for h in each.ballot_history)
    return Offered(
        editions=tuple(
            EditionChoice(
                law.id,
                nouns.edition_name(law.id),
                nouns.edition_line(law.id),
                law.seats,
            )
            for law in laws
        ),
        usual=usual,
        roomy=tuple(
            nouns.edition_name(law.id) for law in laws if law.seats[-1] > usual
        ),
        rounds=tuple(sorted({n for each in choices for n in each.rounds})),
        paces=tuple((name, str(each.words)) for name, each in PACES.items()),
        placements=tuple((p.value, _placement(p, laws)) for p in placements),
        histories=tuple((h.value, nouns.history_name(h)) for h in histories),
        evening=EVENING,
        misses=MISSES,
        usual_misses=USUAL_MISSES,
        lengths=_lengths(),
        usually="; ".join(_usually(law) for law in laws),
        bots=tuple((name, nouns.bot_name(name)) for name in BOTS),
        most_bots=_OTHERS,
    )


def _lengths() -> str:
    """About how long games of the usual kind take, the longest and the shortest."""
    whole = TableWish((BotSeat(),) * 3)
    short = msgspec.structs.replace(whole, rounds=1, placement=PlacementOption.RANDOM)
    long, quick = (
        duration.of_terms(DEFAULT, creation.options_of(wish), 4, 4)
        for wish in (whole, short)
    )
    return _(
        "With four players and a day for each answer a game usually takes %(least)s to"
        " %(most)s days; one round with the castle filled by lot %(few)s to %(more)s.",
        least=long.least,
        most=long.most,
        few=quick.least,
        more=quick.most,
    )


def _placement(placement: PlacementOption, laws: Sequence[Edition]) -> str:
    match placement:
        case PlacementOption.CHOOSE:
            return _("everybody in turn")
        case PlacementOption.RANDOM:
            return _("by lot: quicker")
        case PlacementOption.COMPENSATED:
            seats = {n for law in laws for n in _seats_for(law, placement)}
            return _("evened out (%(seats)s players)", seats=_either(seats))


def _usually(law: Edition) -> str:
    """How long cards lie open in an edition unless the host says otherwise."""
    words = nouns.history_name(law.choices.ballot_history[0])
    return _("%(edition)s: %(span)s", edition=nouns.edition_name(law.id), span=words)


def _seats_for(law: Edition, placement: PlacementOption) -> tuple[int, ...]:
    """The numbers of players that may place like this."""
    return tuple(n for n in law.seats if placement in law.placements_at(n))


def _either(numbers: Iterable[int]) -> str:
    words = [str(number) for number in sorted(numbers)]
    return format_list(words, style="or", locale=get_locale())


def rows(sent: Mapping[str, str]) -> tuple[FormSeat, ...]:
    """The seats beside the host's, as they were filled in."""
    return tuple(
        FormSeat(
            number,
            sent.get(f"seat{number}_kind", "empty"),
            sent.get(f"seat{number}_name", ""),
            sent.get(f"seat{number}_address", ""),
            sent.get(f"seat{number}_bot", creation.DEFAULT_BOT),
        )
        for number in range(1, _OTHERS + 1)
    )


def seated(sent: Mapping[str, str]) -> tuple[FormSeat, ...]:
    """All who have a seat beside the host, clockwise.

    Whoever has a row sits there. The friends of the list, and then the bots that were
    only counted, take the rows that nobody has, and seats behind them if need be.
    """
    taken = {row.number: row for row in rows(sent) if row.kind != "empty"}
    known = (sent.get("name", ""), *(row.name for row in taken.values()))
    friends = pasted_friends.read(sent.get("friends", ""), known)
    free = (number for number in count(1) if number not in taken)
    more = [
        FormSeat(next(free), "friend", each.name, each.address, listed=True)
        for each in friends
    ]
    bots = min(forms.number(sent.get("bots", "")), _OTHERS)
    more += [FormSeat(next(free), "bot") for _each in range(bots)]
    both = (*taken.values(), *more)
    return tuple(sorted(both, key=lambda row: row.number))


def host(sent: Mapping[str, str]) -> HostWish:
    """Who hosts, as it was filled in."""
    zone = readers.known_zone(sent.get("zone", ""))
    profile = Profile(sent.get("name", ""), readers.guessed_language(), zone)
    return HostWish(sent.get("address", ""), profile, sent.get("word", ""))


def table(sent: Mapping[str, str], filled: Sequence[FormSeat]) -> TableWish:
    """What the host wishes for those who are `seated`.

    A choice the form doesn't offer is the default.
    """
    law = EDITIONS.get(sent.get("edition", ""), EDITIONS[DEFAULT])
    rounds = {str(number): number for number in law.choices.rounds}
    visible = sent.get("visibility", "")
    placements = {option.value: option for option in PlacementOption}
    histories = {option.value: option for option in History}
    return TableWish(
        seats=tuple(map(_seat, filled)),
        edition=law.id,
        rounds=rounds.get(sent.get("rounds", "")),
        placement=placements.get(sent.get("placement", "")),
        ballot_history=histories.get(sent.get("ballot_history", "")),
        first=_first(sent.get("first", ""), filled),
        **_pace(sent),
        misses={str(n): n for n in MISSES}.get(sent.get("misses", ""), USUAL_MISSES),
        take_back=sent.get("take_back") != "no",
        visibility=Visibility(visible)
        if visible in creation.VISIBILITIES
        else Visibility.LINK,
    )


def _pace(sent: Mapping[str, str]) -> dict[str, Any]:
    """The pace that was chosen, as a table is wished for."""
    chosen = PACES.get(sent.get("pace", ""), PACES["day"])
    found: dict[str, Any] = {"decision_time": chosen.seconds, "spare": chosen.spare}
    if not chosen.daily:
        return found
    hour = sent.get("daily_at", "")
    return found | {
        "daily_at": hour if pace.is_time_of_day(hour) else EVENING,
        "zone": readers.known_zone(sent.get("zone", "")),
    }


def _first(chosen: str, filled: Sequence[FormSeat]) -> int | None:
    """The seat that begins: the form counts its empty rows, the table doesn't."""
    numbers = [0, *(row.number for row in filled)]
    if chosen not in map(str, range(_OTHERS + 1)):
        return None
    number = int(chosen)
    return numbers.index(number) if number in numbers else _NOBODY_THERE


def _seat(row: FormSeat) -> SeatWish:
    if row.kind != "bot":
        return Guest(row.address, row.name)
    return BotSeat(row.bot if row.bot in BOTS else creation.DEFAULT_BOT)


def fields(filled: Sequence[FormSeat]) -> Mapping[int, str]:
    """What hosting calls each seat that is taken, by its number in the form."""
    return {row.number: f"seats.{at}" for at, row in enumerate(filled)}


def labels(filled: Sequence[FormSeat]) -> Mapping[str, str]:
    """The fields as hosting names them, in words; who is listed goes by the address."""
    found = {
        "name": _("Your name"),
        "address": _("Your e-mail address"),
        "word": _("A word for the shuffle"),
        "seats": _("Seats"),
        "placement": _("Filling the castle"),
        "first": _("Who begins"),
    }
    for at, row in enumerate(filled):
        number, address = row.number + 1, row.address
        found[f"seats.{at}.name"] = (
            _("Name of %(address)s", address=address)
            if row.listed
            else _("Name of seat %(seat)s", seat=number)
        )
        found[f"seats.{at}.address"] = (
            address if row.listed else _("Address of seat %(seat)s", seat=number)
        )
    return found


def twice_listed(
    errors: Sequence[PublicError], filled: Sequence[FormSeat]
) -> Mapping[str, str]:
    """Which of the listed are there twice, by field: beside a list one can't see it."""
    found = {}
    for error in errors:
        field = error.facts.get("field")
        for at, row in enumerate(filled):
            if not row.listed or field not in (
                f"seats.{at}.name",
                f"seats.{at}.address",
            ):
                continue
            if isinstance(error, AddressTwice):
                found[field] = _(
                    "%(address)s has a seat at the table already.", address=row.address
                )
            elif isinstance(error, NameTaken):
                found[field] = _(
                    "%(name)s reads like another name at the table.", name=row.name
                )
    return found


def bad_table(errors: Sequence[PublicError], wish: TableWish) -> Mapping[str, str]:
    """What is wrong with the table as a whole, by the field to change."""
    wrong = [error for error in errors if isinstance(error, BadTable)]
    return {error.option: _bad_option(error, wish) for error in wrong}


def _bad_option(error: BadTable, wish: TableWish) -> str:
    law, seats = EDITIONS[wish.edition], len(wish.seats) + 1
    match error.option:
        case "seats" if seats < law.seats[0]:
            return _("Add at least one more player or bot.")
        case "seats":
            return _(
                "This edition is for %(most)s players at most, and these are"
                " %(seats)s: leave a seat to nobody, or choose another edition.",
                most=law.seats[-1],
                seats=seats,
            )
        case "placement" if wish.placement and _seats_for(law, wish.placement):
            return _(
                "That is for %(allowed)s players only, and these are %(seats)s.",
                allowed=_either(_seats_for(law, wish.placement)),
                seats=seats,
            )
        case "placement":
            return _("This edition doesn't fill the castle like that.")
        case "first":
            return _("Nobody has that seat, so nobody there can begin.")
        case _:
            return _("This edition doesn't have that.")
