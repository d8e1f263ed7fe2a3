"""The commands of `kingup` that write games into files and read them back."""

from pathlib import Path
from uuid import UUID

import click
from sqlalchemy.exc import OperationalError

from engine import export, notation
from engine.export import UnreadableExport
from service import config
from service.app import create_app
from service.commands import reading
from service.game import game_files
from service.store import games
from service.store.tables import GameThere
from service.values.errors import Busy
from service.values.principals import System

_NO_DATABASE = "The database does not answer."


@click.command("export")
@click.argument("game", type=click.UUID)
def export_game(game: UUID) -> None:
    """Print the record of GAME so far as a file."""
    with create_app(config.load_running()).app_context():
        try:
            seen = games.read(game, System())
        except OperationalError as error:
            raise click.ClickException(_NO_DATABASE) from error
        if seen is None:
            raise click.ClickException(f"There is no game {game}.")
        click.echo(export.write(game_files.of(seen)), nl=False)


@click.command("import")
@click.argument("file", type=reading.FILE)
def import_game(file: Path) -> None:
    """Keep the finished game in FILE, from another instance or a backup."""
    data = reading.read(file)
    with create_app(config.load_running()).app_context():
        try:
            game_id = game_files.take_in(data)
        except UnreadableExport as error:
            message = reading.printable(f"{file} is not taken: {error}")
            raise click.ClickException(message) from error
        except GameThere as error:
            raise click.ClickException(f"The game {error} is here already.") from error
        except (Busy, OperationalError) as error:
            raise click.ClickException(_NO_DATABASE) from error
        click.echo(game_id)


@click.command("notation")
@click.argument("file", type=reading.FILE)
def print_notation(file: Path) -> None:
    """Print the game in FILE as text: one line a turn."""
    try:
        text = notation.write(export.read(reading.read(file)))
    except UnreadableExport as error:
        message = reading.printable(f"{file} is not read: {error}")
        raise click.ClickException(message) from error
    click.echo(text, nl=False)
