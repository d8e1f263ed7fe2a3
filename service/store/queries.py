"""One statement that reads, and nothing around it: neither session nor transaction."""

from collections.abc import Mapping
from typing import Any, Final

import psycopg
from psycopg import Connection, Cursor
from sqlalchemy import PoolProxiedConnection
from sqlalchemy.exc import DBAPIError

from service.models import db
from service.store.transactions import execute

_READER: Final = "kingup_reader"


def one(statement: str, values: Mapping[str, object]) -> Any | None:
    """The first row of a statement as a tuple; None where there is none.

    Inside an open transaction it is a part of that. Else it costs one way to the
    database and back, where a transaction costs three. Values stand as `%(name)s`;
    errors are raised as SQLAlchemy's, and a broken connection leaves the pool.
    """
    if db.session.registry.has() and db.session().in_transaction():
        return execute(statement, values).fetchone()
    try:
        return _alone(statement, values)
    except psycopg.Error as error:
        raise DBAPIError.instance(
            statement, None, error, psycopg.Error, hide_parameters=True
        ) from error


def _alone(statement: str, values: Mapping[str, object]) -> Any | None:
    pooled = db.engine.raw_connection()
    try:
        driver, cursor = pooled.info.get(_READER) or _reader(pooled)
        driver.autocommit = True
        row = cursor.execute(statement, values, binary=True).fetchone()
        driver.autocommit = False
    except BaseException as error:
        # Whatever state it is in, nobody else shall have it.
        pooled.invalidate(error)
        raise
    finally:
        pooled.close()
    return row


def _reader(pooled: PoolProxiedConnection) -> tuple[Connection, Cursor]:
    """A connection with a cursor that it keeps for life.

    A new one would have to find out anew how each of the columns is read.
    """
    driver = pooled.driver_connection
    if not isinstance(driver, Connection):
        raise TypeError(type(driver))
    found = pooled.info[_READER] = (driver, driver.cursor())
    return found
