"""How alembic meets our models; the migrations stand in versions/."""

from alembic import context
from flask import current_app
from sqlalchemy import text

from service.models.tables import Base, db
from service.store import connections

target_metadata = Base.metadata


def run_migrations_online() -> None:
    """Run the migrations on the app's database."""
    with db.engine.connect() as connection:
        context.configure(
            connection=connection, target_metadata=target_metadata, compare_type=True
        )
        with context.begin_transaction():
            # A large table takes its time; a request's patience is not meant for this.
            connection.execute(text("SET LOCAL statement_timeout = 0"))
            connections.wait_without_end(connection.connection.driver_connection)
            context.run_migrations()


if context.is_offline_mode():
    context.configure(
        url=current_app.config["SQLALCHEMY_DATABASE_URI"],
        target_metadata=target_metadata,
        literal_binds=True,
    )
    with context.begin_transaction():
        context.run_migrations()
else:
    run_migrations_online()
