"""The castle of a mail as a picture."""

from typing import Final

from service.present import castle, languages, mosaic
from service.present.mosaic import CastlePicture
from service.present.presentation import Presentation
from service.values.enums import NoticeKind
from worker.outgoing.news import RoundOver

SHOWING: Final = frozenset(
    (
        NoticeKind.STARTED,
        NoticeKind.YOUR_TURN,
        NoticeKind.ELECTION,
        NoticeKind.REMINDER,
        NoticeKind.RESULT,
        NoticeKind.ROUND_OVER,
        NoticeKind.GAME_OVER,
        NoticeKind.KEPT,
        NoticeKind.REPLACEMENT,
        NoticeKind.PROPOSAL,
    )
)
"""What leads mails that show the castle: those whose HTML is a `shared/game.html`."""


def of(
    kind: NoticeKind, over: RoundOver | None, game: Presentation | None
) -> CastlePicture | None:
    """What a mail led by a kind shows: at a round's end the castle that ended it.

    None for one without a castle, and where the edition's pieces aren't painted.
    """
    if game is None or kind not in SHOWING:
        return None
    view = game.view
    if kind is NoticeKind.ROUND_OVER and over is not None:
        view = castle.as_ended(view, over.places)
    return mosaic.paint(view, languages.language())
