"""One statement that reads, and nothing around it: neither session nor transaction."""

from collections.abc import Mapping
from typing import Any

import psycopg
from psycopg import Connection
from psycopg.rows import namedtuple_row
from sqlalchemy.exc import DBAPIError

from service.models import db
from service.store.transactions import execute


def one(statement: str, values: Mapping[str, object]) -> Any | None:
    """The first row of a statement as a named tuple; None where there is none.

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
    driver = pooled.driver_connection
    if not isinstance(driver, Connection):
        raise TypeError(type(driver))
    try:
        driver.autocommit = True
        cursor = driver.cursor(row_factory=namedtuple_row)
        row = cursor.execute(statement, values, binary=True).fetchone()
        driver.autocommit = False
    except BaseException as error:
        # Whatever state it is in, nobody else shall have it.
        pooled.invalidate(error)
        raise
    finally:
        pooled.close()
    return row
