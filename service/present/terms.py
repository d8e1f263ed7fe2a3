"""What a table is about, in sentences: its edition, and what its host has chosen."""

from typing import assert_never

import msgspec

from engine.commands import Options, PlacementOption
from service.present import nouns, sentences
from service.present.languages import gettext as _
from service.present.languages import ngettext
from service.store.games import GameReadModel

_HOUR = 3600


def sentences_on(table: GameReadModel) -> tuple[str, ...]:
    """The edition, then the choices; names of people are isolated."""
    chosen = msgspec.convert(table.options, Options)
    name, line = (
        nouns.edition_name(table.edition),
        nouns.edition_line(table.edition),
    )
    edition = f"{name}. {line}"
    return (edition.rstrip(), " ".join(_choices(table, chosen)))


def _choices(table: GameReadModel, chosen: Options) -> list[str]:
    rounds = ngettext("One round;", "%(num)s rounds;", chosen.rounds)
    found = [rounds, _placement(chosen.placement)]
    if chosen.first is not None:
        name = sentences.isolated(table.seats[chosen.first].name)
        found.append(_("%(name)s begins.", name=name))
    if chosen.decision_time:
        found.append(_time(chosen.decision_time // _HOUR))
    words = nouns.history_name(chosen.ballot_history)
    found.append(_("The cards of a vote lie open %(span)s.", span=words))
    return found


def _time(hours: int) -> str:
    return ngettext(
        "There is %(num)s hour for each answer.",
        "There are %(num)s hours for each answer.",
        hours,
    )


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
