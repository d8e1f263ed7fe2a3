"""How a game that was played to its end was won: by how much, or by what."""

from service.present.languages import gettext as _
from service.present.languages import ngettext
from service.present.presentation import Presentation
from service.present.sentences import isolated, listed


def margin(game: Presentation) -> str:
    """By how much it was won; empty for a game that wasn't played to its end."""
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
