"""Pictures of a game that show everybody the same: as SVG, as PNG, as lines of text.

They are drawn from public facts alone: whoever draws one passes a spectator's view.
"""

import functools
from collections.abc import Iterator, Sequence
from typing import Final

import fontpkg
import msgspec
import resvg_py
from flask import render_template

from engine.views import View
from service.present import castle, labels, layout, nouns, presentation
from service.present.languages import gettext as _
from service.present.layout import Drawing
from service.present.presentation import SeatedPlayer
from service.present.sentences import isolated, plain

PNG_WIDTH: Final = 800
"""How wide a PNG is, in pixels: twice a phone."""

_MARGIN: Final = 14
_HEAD: Final = 62
_LINE: Final = 27
_FONT_SIZE: Final = 14.5
_FAMILY: Final = "Noto Sans"

# A game at rest is looked at again and again, and painting takes a tenth of a second.
_CACHED: Final = 32
"""How many PNGs are remembered: a game at rest is looked at again and again."""


class PictureLine(msgspec.Struct, frozen=True):
    """A line on a picture: `size` is what lets it fit, `top` where it begins."""

    player: SeatedPlayer
    top: float
    size: float


class Picture(msgspec.Struct, frozen=True):
    """All that there is to show of a game, in the reader's language."""

    view: View
    title: str
    state: str
    players: tuple[SeatedPlayer, ...]


def describe(view: View, names: Sequence[str | None]) -> Picture:
    """The picture of a spectator's view; a seat without a name is called by its number.

    `names` are those of the seats that the view may be shown with, in seat order.
    """
    named = [
        _("Player %(number)s", number=seat + 1) if name is None else name
        for seat, name in enumerate(names)
    ]
    players = presentation.players(view, named)
    return Picture(view, _title(view), _state(view, named), players)


def _title(view: View) -> str:
    edition = nouns.edition_name(view.edition)
    if not view.totals:
        return edition
    rounds = view.options.rounds
    numbered = _("Round %(round)s of %(rounds)s", round=view.round, rounds=rounds)
    return f"{edition} · {numbered}"


def _state(view: View, names: Sequence[str]) -> str:
    """What the game waits for, or how it ended."""
    if view.decision is not None:
        decision = view.decision
        question = labels.question(decision.kind, decision.nominee)
        if view.decision.seat is None:
            return question
        name = isolated(names[view.decision.seat])
        return _("%(name)s is asked: %(question)s", name=name, question=question)
    if view.reason is not None:
        winners = [isolated(names[seat]) for seat in view.winners]
        return labels.ending(view.reason, winners)
    return "" if view.totals else _("The game has not started yet.")


def text(picture: Picture) -> str:
    """The picture as lines of text, for letters that are all equally wide."""
    return "\n".join(plain(line) for line in _lines(picture)) + "\n"


def _lines(picture: Picture) -> Iterator[str]:
    yield picture.title
    if picture.state:
        yield picture.state
    yield ""
    yield from castle.lines(castle.rows(picture.view))
    yield ""
    totals = [nouns.signed(player.total) for player in picture.players]
    width = max(map(len, totals), default=0)
    for player, total in zip(picture.players, totals, strict=True):
        yield f"{total:>{width}}   {isolated(player.name)}{_marks(player)}"


def _marks(player: SeatedPlayer) -> str:
    """What else there is to see of a player, in words."""
    marks = (
        (player.asked, _("is asked")),
        (player.crown, _("has the crown")),
        (player.wins, _("winner")),
    )
    words = ", ".join(word for holds, word in marks if holds)
    return f" ({words})" if words else ""


def svg(picture: Picture) -> str:
    """The picture as an SVG document of its own, which refers to nothing outside."""
    drawn = layout.Layout(()).draw(layout.scene(picture.view))
    return render_template(
        "picture.svg",
        picture=picture,
        drawing=drawn,
        margin=_MARGIN,
        head=_HEAD,
        width=drawn.width + 2 * _MARGIN,
        height=_HEAD + drawn.height + _LINE * len(picture.players) + 2 * _MARGIN,
        state=plain(picture.state),
        state_size=layout.fitting(picture.state, drawn.width, _FONT_SIZE),
        lines=_seats(picture.players, drawn),
        description=text(picture),
    )


def _seats(players: Sequence[SeatedPlayer], drawn: Drawing) -> tuple[PictureLine, ...]:
    top = _HEAD + drawn.height + _MARGIN
    return tuple(
        PictureLine(
            player,
            top + _LINE * at,
            layout.fitting(player.name, drawn.width - 110, _FONT_SIZE),
        )
        for at, player in enumerate(players)
    )


@functools.cache
def _font() -> str:
    return str(fontpkg.path(_FAMILY))


@functools.lru_cache(maxsize=_CACHED)
def png(document: str) -> bytes:
    """What `svg` drew as a PNG, PNG_WIDTH wide, in the same letters on every machine.

    It takes a tenth of a second, and nothing else runs in this process meanwhile.
    """
    return painted(document, PNG_WIDTH)


def painted(document: str, width: int) -> bytes:
    """An SVG document as a PNG of some width."""
    # Without the fonts of this machine: what it shows must not depend on them.
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=document,
            width=width,
            skip_system_fonts=True,
            # Where it finds no font it draws no letters, and says nothing of it.
            font_files=[_font()],
            font_family=_FAMILY,
            sans_serif_family=_FAMILY,
        )
    )
