"""How a game that was played to its end was won: by how much, or by what."""

from service.present.languages import gettext as _
from service.present.languages import ngettext
from service.present.presentation import Presentation
from service.present.sentences import isolated, listed


def how_won(game: Presentation) -> tuple[str, ...]:
    """By how much it was won, and what broke a tie.

    Nothing for a game that wasn't played to its end.
    """
    return tuple(filter(None, (_margin(game), _tie_break(game))))


def _margin(game: Presentation) -> str:
    if not game.finished:
        return ""
    standing = game.standing
    best = [each.player for each in standing if each.player.wins]
    if len(best) > 1:
        return _("%(names)s share the victory, level on points.", names=game.winners)
    others = [each.player for each in standing if not each.player.wins]
    ahead = best[0].total - max(each.total for each in others)
    if not ahead:
        level = [isolated(e.name) for e in others if e.total == best[0].total]
        return _(
            "%(name)s wins: level on points with %(others)s, the tie-break decided.",
            name=game.winners,
            others=listed(level),
        )
    return ngettext(
        "%(name)s wins by a point.",
        "%(name)s wins by %(num)s points.",
        ahead,
        name=game.winners,
    )


def _tie_break(game: Presentation) -> str:
    """What each of those had who were level, of whom not all have won."""
    view = game.view
    if not game.finished:
        return ""
    best = max(view.totals)
    level = [seat for seat, total in enumerate(view.totals) if total == best]
    if set(level) == set(view.winners):
        return ""
    last = view.rounds[-1].favourites
    counts = [
        f"{isolated(game.players[seat].name)} {inside}"
        for seat in level
        for inside in [view.law.still_in_castle(view.board, last[seat])]
    ]
    return _(
        "Favourites of the last round still in the castle: %(counts)s.",
        counts=listed(counts),
    )
