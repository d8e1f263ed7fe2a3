"""What a table is about, in sentences: its edition, and what its host has chosen."""

from collections.abc import Iterator
from typing import assert_never

import msgspec

from engine.commands import Options, PlacementOption
from service.present import duration, nouns, sentences
from service.present.languages import gettext as _
from service.present.languages import ngettext
from service.store.games import GameReadModel
from service.values import patient_pace

_HOUR = 3600
_DAY = 24 * _HOUR


def sentences_on(table: GameReadModel) -> tuple[str, ...]:
    """The edition, then a line for each choice; names of people are isolated."""
    chosen = msgspec.convert(table.options, Options)
    name, line = (
        nouns.edition_name(table.edition),
        nouns.edition_line(table.edition),
    )
    edition = f"{name}. {line}"
    return (edition.rstrip(), *filter(None, _choices(table, chosen)))


def _choices(table: GameReadModel, chosen: Options) -> Iterator[str]:
    """A line for each choice; an empty one for what the edition leaves no choice in."""
    yield " ".join(_course(table, chosen))
    yield " ".join(_pace(chosen))
    yield " ".join(_patience(chosen))
    if chosen.take_back:
        yield _(
            "A placement or move can be taken back until somebody acts, once a turn."
        )
    words = nouns.history_name(chosen.ballot_history)
    yield _("The cards of a vote lie open %(span)s.", span=words)
    expected = duration.expected_days(table)
    if expected is not None:
        yield duration.in_words(expected)


def _course(table: GameReadModel, chosen: Options) -> Iterator[str]:
    """How many rounds, and how they begin."""
    yield ngettext("One round;", "%(num)s rounds;", chosen.rounds)
    yield _placement(chosen.placement)
    if chosen.first is not None:
        name = sentences.isolated(table.seats[chosen.first].name)
        yield _("%(name)s begins.", name=name)


def _pace(chosen: Options) -> Iterator[str]:
    """How long there is for an answer, and what each may add to it."""
    if chosen.daily_at is not None:
        yield _(
            "Each answer is due at %(time)s (%(zone)s).",
            time=chosen.daily_at,
            zone=chosen.zone,
        )
    elif chosen.decision_time is None:
        yield _(
            "No clock: after %(silent)s days without an answer anybody at the table"
            " may have a bot keep the silent seat, or have Yes laid for whoever is"
            " missing, and after %(last)s the game is called off.",
            silent=patient_pace.SILENT_DAYS,
            last=patient_pace.LAST_DAYS,
        )
    elif chosen.decision_time % _DAY:
        yield ngettext(
            "There is %(num)s hour for each answer.",
            "There are %(num)s hours for each answer.",
            max(1, chosen.decision_time // _HOUR),
        )
    else:
        yield ngettext(
            "There is a day for each answer.",
            "There are %(num)s days for each answer.",
            chosen.decision_time // _DAY,
        )
    if chosen.spare:
        yield ngettext(
            "Once in the game everybody may take as long again.",
            "Everybody may take as long again, %(num)s times in the game.",
            chosen.spare,
        )


def _patience(chosen: Options) -> Iterator[str]:
    """After how many misses a bot comes, where a clock counts them."""
    if chosen.decision_time is None:
        return
    yield ngettext(
        "A bot keeps the seat of whoever leaves one placement or move to the clock,"
        " until they are back.",
        "A bot keeps the seat of whoever leaves %(num)s placements or moves in a row"
        " to the clock, until they are back.",
        chosen.misses,
    )


def piece(chosen: Options) -> str:
    """How long one piece of spare time is, in days or hours."""
    seconds = chosen.decision_time or 0
    if seconds % _DAY:
        hours = max(1, seconds // _HOUR)
        return ngettext("an hour", "%(num)s hours", hours)
    return ngettext("a day", "%(num)s days", seconds // _DAY)


def spare_time(chosen: Options, pieces: int) -> str:
    """So many pieces of spare time, in days or hours."""
    seconds = pieces * (chosen.decision_time or 0)
    if not seconds:
        return _("no spare time left")
    if seconds % _DAY:
        hours = max(1, seconds // _HOUR)
        return ngettext("%(num)s spare hour", "%(num)s spare hours", hours)
    return ngettext("%(num)s spare day", "%(num)s spare days", seconds // _DAY)


def _placement(placement: PlacementOption) -> str:
    match placement:
        case PlacementOption.CHOOSE:
            return _("everybody fills the castle in turn.")
        case PlacementOption.RANDOM:
            return _("the castle is filled by lot.")
        case PlacementOption.COMPENSATED:
            return _(
                "everybody fills the castle in turn, with a bonus for whoever places"
                " one less."
            )
        case _:
            assert_never(placement)
