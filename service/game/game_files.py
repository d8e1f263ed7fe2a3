"""Games as files: given away as they are known so far, taken in when over."""

from uuid import UUID

import msgspec
from flask import Response

from engine import export
from engine.evolve import replay
from engine.export import Export, UnreadableExport
from engine.state import Game
from engine.verify import verify
from service.store import records, seats, tables
from service.store.games import GameReadModel
from service.store.tables import NewGame, SeatRecord
from service.store.transactions import transaction
from service.values import names
from service.values.enums import GameStatus, SeatState, Visibility
from service.values.errors import Invalid


def of(seen: GameReadModel) -> Export:
    """The record of a game so far: the same for whoever may see the game."""
    stored = records.whole(seen.id)
    return Export(
        game=str(seen.id),
        names=tuple(seat.name for seat in seen.seats),
        versions=tuple(event.version for event in stored),
        record=tuple(event.public for event in stored),
    )


def download(seen: GameReadModel) -> Response:
    """The file of a game's record so far, to be saved."""
    answer = Response(export.write(of(seen)), mimetype="application/json")
    name = f"kingup-{seen.id}.json"
    answer.headers.set("Content-Disposition", "attachment", filename=name)
    return answer


def take_in(data: bytes) -> UUID:
    """Keep a finished game of another instance; its id, which stays the same.

    Its seats have names and nobody who sits there; whoever has its address may see it.
    Raises UnreadableExport for what is no finished game, none that fits its seed and
    the rules, or one by rules that nobody here knows; GameThere.
    """
    whole = export.read(data)
    opened = export.opened(whole)
    # A chain that fits shows only that nobody changed the file since: whoever writes
    # one can chain anything. So the game has to be one that could be played.
    _check_truth(whole)
    over = replay(whole.game, opened.events)
    _check_names(whole, over)
    new = NewGame(
        host_id=None,
        status=GameStatus.OVER,
        edition=over.edition,
        options=msgspec.json.encode(over.table),
        visibility=Visibility.LINK,
        practice=False,
    )
    with transaction():
        game_id = tables.add_game(new, UUID(whole.game), opened.sealed.seed)
        for number, chair in enumerate(over.seats):
            name, word = whole.names[number], bytes.fromhex(over.words[number])
            tables.put_seat(
                game_id,
                SeatRecord(number, None, chair.bot, name, SeatState.JOINED, word),
            )
        seats.close(game_id)
        records.keep(game_id, opened.log, over)
    return game_id


def _check_truth(whole: Export) -> None:
    wrong = verify(whole).wrong
    if wrong is None:
        return
    if wrong.code == "unknown-rules":
        raise UnreadableExport(wrong.code, f"{wrong.found} is not known here")
    raise UnreadableExport("untrue", str(wrong))


def _check_names(whole: Export, over: Game) -> None:
    """One name a seat, each as somebody could have given it here."""
    if len(whole.names) != len(over.seats):
        raise UnreadableExport("wrong-length", "names and seats differ")
    for seat, name in enumerate(whole.names):
        try:
            clean = names.clean(name, "name") if name else name
        except Invalid:
            clean = ""
        if clean != name:
            raise UnreadableExport("unfit-name", f"seat {seat}")
