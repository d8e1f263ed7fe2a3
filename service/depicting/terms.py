"""What a table is about, in sentences: its edition, and what its host has chosen."""

from typing import assert_never

import msgspec

from engine.commands import Options, PlacementOption
from service import i18n
from service.depicting import telling
from service.i18n import gettext as _
from service.i18n import ngettext
from service.store.games import Seen

_HOUR = 3600


def told(table: Seen) -> tuple[str, ...]:
    """The edition, then the choices; names of people are isolated."""
    chosen = msgspec.convert(table.options, Options)
    edition = f"{i18n.edition_name(table.edition)}. {i18n.edition_line(table.edition)}"
    return (edition.rstrip(), " ".join(_choices(table, chosen)))


def _choices(table: Seen, chosen: Options) -> list[str]:
    rounds = ngettext("One round;", "%(num)s rounds;", chosen.rounds)
    found = [rounds, _placement(chosen.placement)]
    if chosen.first is not None:
        name = telling.isolated(table.seats[chosen.first].name)
        found.append(_("%(name)s begins.", name=name))
    if chosen.decision_time:
        found.append(_time(chosen.decision_time // _HOUR))
    words = i18n.history_name(chosen.ballot_history)
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
