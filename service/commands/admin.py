"""The commands of `kingup` that need the whole app, loaded only when asked for."""

import time

import click
import flask_migrate
import psycopg
from sqlalchemy.exc import DBAPIError, OperationalError

from service import config
from service.api.openapi import document
from service.app import create_app
from service.auth import bearer
from service.models.base import db
from service.people import incoming_mail
from service.present import error_texts, phrases
from service.processes import mail_listener, pooler_check
from service.store import connections, messages, revisions
from service.values import errors
from service.values.setting import ConfigError

PATIENCE_SECONDS = 30.0
"""How long a database may take to start."""

_PAUSE_SECONDS = 0.5

# Any number, the same in every release: two migrators must meet at it.
_MIGRATION_LOCK = 5_464_871

# The contract is the same for every instance.
ANY = {
    "DATABASE_URL": "postgresql://localhost/any",
    "REDIS_URL": "redis://localhost",
    "SECRET_KEY": "nothing is signed while a document is written",
    "PUBLIC_URL": "http://localhost",
}


@click.command()
def inbox() -> None:
    """Take mails for INBOUND_ADDRESS, at INBOUND_LISTEN; any number may run."""
    settings = config.load()
    place, address = settings.inbound_listen, settings.inbound_address
    if place is None or address is None:
        raise ConfigError("INBOUND_LISTEN is not set.")
    pooler_check.check(settings)
    app = create_app(settings)

    def keep(raw: bytes, envelope: str) -> None:
        with app.app_context():
            incoming_mail.take(raw, envelope)

    try:
        mail_listener.run(place.host, place.port, address, keep)
    except OSError as error:
        raise click.ClickException(
            f"Nobody can listen at INBOUND_LISTEN: {error.strerror}."
        ) from error


@click.command()
def migrate() -> None:
    """Bring the database to the newest form; two at once wait for each other."""
    settings = config.load()
    pooler_check.check(settings)
    with _connected(settings.database_url) as connection:
        connections.wait_without_end(connection)
        connection.execute("SELECT pg_advisory_lock(%s)", (_MIGRATION_LOCK,))
        app = create_app(settings)
        flask_migrate.Migrate(app, db)
        with app.app_context():
            # Alembic reads it as a line of a file, where a percent sign is doubled.
            folder = str(revisions.MIGRATIONS).replace("%", "%%")
            try:
                flask_migrate.upgrade(folder)
            except DBAPIError as error:
                reason = type(error.orig).__name__
                raise click.ClickException(
                    f"The tables can't be brought up to date: {reason}."
                ) from error
            finally:
                db.engine.dispose()


def _connected(url: str) -> psycopg.Connection:
    """A line to a database, which may be starting. Raises ClickException."""
    end = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return connections.connect(url, limits={}, autocommit=True)
        except psycopg.OperationalError as error:
            if time.monotonic() > end:
                raise click.ClickException(
                    "The database of DATABASE_URL takes no connection, for"
                    f" {PATIENCE_SECONDS:g} seconds now."
                ) from error
        time.sleep(_PAUSE_SECONDS)


@click.command()
@click.argument("address")
@click.option("--name", help="What others see you called.")
def token(address: str, name: str | None) -> None:
    """Print a new token for ADDRESS, good for everything; it is shown only now."""
    with create_app(config.load_running()).app_context():
        try:
            click.echo(bearer.issue_token(address, name))
        except errors.Invalid as error:
            raise click.ClickException(error_texts.detail(error)) from error
        except (errors.Busy, OperationalError) as error:
            raise click.ClickException("The database does not answer.") from error


@click.command()
@click.option("--limit", default=50, show_default=True, help="The most of them.")
def reports(limit: int) -> None:
    """List what people have reported of what was said at their tables."""
    with create_app(config.load_running()).app_context():
        try:
            found = messages.reported(limit)
        except (errors.Busy, OperationalError) as error:
            raise click.ClickException("The database does not answer.") from error
        for each in found:
            said = phrases.words(each.line, each.phrase)
            moment = f"{each.created_at:%Y-%m-%d %H:%M}"
            click.echo(f"{moment}  {each.game} {each.number}  {each.name}: {said}")


@click.command()
def openapi() -> None:
    """Print the published contract of the API."""
    click.echo(document.document(create_app(config.load(ANY))), nl=False)
