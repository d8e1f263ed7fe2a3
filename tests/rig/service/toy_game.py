"""What a service does that runs on a copy of the engine: one game, from host to end.

Prints as JSON what people and programs got to see of it.
"""

import os
import sys
from pathlib import Path

import msgspec

import engine
from engine.board import Card
from engine.commands import Ballot, PlacementOption
from service import app as application
from service import config
from tests.rig import letters
from tests.rig.service import seated
from tests.rig.service.seated import Seated
from tests.rig.service.visitor import Visitor, link, path_of
from worker.outgoing import delivery

BOT = 3


class Told(msgspec.Struct, frozen=True):
    """A game of the edition as the service has told it.

    `pages` are the game's page at its beginning, whenever one more character stood in
    the place the edition adds, and at its end; `held` is the most that stood there.
    """

    engine: str
    offered: str
    pages: list[str]
    shared: list[str]
    mails: list[str]
    view: str
    reason: str | None
    held: int


def play(name: str, place: str) -> Told:
    """Three people and a bot play one round; whoever can refuse does."""
    settings = config.load(os.environ)
    app = application.create_app(settings)
    with app.app_context():
        visitor, api = Visitor(app), app.test_client()
        table = seated.started(
            4, bots=1, edition=name, rounds=1, placement=PlacementOption.RANDOM
        )
        path, asked = path_of(table), table.game.asked()[0]
        offered = visitor.get(link(table, asked if asked < BOT else 0))
        pages, held = [visitor.get(path)], 0
        while table.game.running:
            _turn(table)
            _post(table)
            here = table.game.board.count(place)
            if here > held:
                pages.append(visitor.get(path))
            held = max(held, here)
        pages.append(visitor.get(path))
        shared = [
            visitor.get("/rules"),
            visitor.get("/new"),
            visitor.get("/v1/editions"),
        ]
        return Told(
            engine=engine.__file__,
            offered=offered.body.decode(),
            pages=[page.body.decode() for page in pages],
            shared=[page.body.decode() for page in shared],
            mails=_mails(settings.mailbox),
            view=api.get(f"/v1/games/{table.id}/view").text,
            reason=table.game.reason,
            held=held,
        )


def _turn(table: Seated) -> None:
    game = table.game
    if game.election_complete:
        table.resolve()
    elif game.ballots:
        seat = game.asked()[0]
        no = Ballot(Card.NO)
        held = [entry.answer for entry in seated.own(game, seat).legal]
        table.answer(seat, no if no in held else Ballot(Card.YES))
    else:
        table.nominate()


def _post(table: Seated) -> None:
    for mail_id in delivery.queue(table.id):
        delivery.deliver(mail_id)


def _mails(mailbox: Path) -> list[str]:
    """The text of every mail that was sent, in some order."""
    files = [path for path in mailbox.rglob("*") if path.is_file()]
    return [letters.read(0, path.read_bytes()).text for path in files]


if __name__ == "__main__":
    sys.stdout.buffer.write(msgspec.json.encode(play(*sys.argv[1:])))
