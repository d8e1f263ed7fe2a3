"""A look at the start whether the database gives each of us a session of our own."""

import psycopg
from psycopg.errors import ReadOnlySqlTransaction

from service.config import Config
from service.store import pubsub
from service.values.setting import ConfigError


def check(settings: Config) -> None:
    """Raise ConfigError for a pooler that pools by transaction.

    A database that isn't there may come later, and a standby be promoted: they are not
    asked again.
    """
    try:
        kept = pubsub.keeps_sessions(settings.database_url)
    except (psycopg.OperationalError, ReadOnlySqlTransaction):
        return
    if not kept:
        raise ConfigError(
            "DATABASE_URL leads to a pooler that pools by transaction:"
            " it must pool by session."
        )
