"""The command `kingup`: run the service, or one part of it."""

import os
import sys
from collections.abc import Mapping
from importlib import import_module

import click

from service import config
from service.processes import command_lines, embedded, pooler_check, supervisor
from service.values.setting import ConfigError

_EXPECTED = (ConfigError, embedded.ServerError, supervisor.StartError)


# Importing the app takes longer than starting the servers.
_LAZY: Mapping[str, str] = {
    "inbox": "service.commands.admin.inbox",
    "export": "service.commands.files.export_game",
    "import": "service.commands.files.import_game",
    "mail-check": "worker.outgoing.mail_check.mail_check",
    "migrate": "service.commands.admin.migrate",
    "notation": "service.commands.files.print_notation",
    "openapi": "service.commands.admin.openapi",
    "reports": "service.commands.admin.reports",
    "spar": "service.commands.sparring.spar",
    "token": "service.commands.admin.token",
    "verify": "service.commands.verifying.verify_game",
}


class _Commands(click.Group):
    """Loads the heavy commands late, and shows expected errors without traceback."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), *_LAZY])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _LAZY:
            return super().get_command(ctx, cmd_name)
        module, _, name = _LAZY[cmd_name].rpartition(".")
        command: click.Command = getattr(import_module(module), name)
        return command

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except _EXPECTED as error:
            raise click.ClickException(str(error)) from error


@click.group(cls=_Commands)
@click.version_option(package_name="kingup")
def main() -> None:
    """Play King Up! with your friends by e-mail."""


@main.command()
def serve() -> None:
    """Run everything on this machine, with private servers; Ctrl-C ends it."""
    supervisor.serve()


@main.command()
@click.option("--bind", help="HOST:PORT  [default: 127.0.0.1:KINGUP_PORT]")
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    default=2,
    show_default=True,
    help="Processes, beside the one for strangers.",
)
def web(bind: str | None, workers: int) -> None:
    """Serve the pages and the API."""
    settings = config.load()
    bind = bind or f"127.0.0.1:{settings.port}"
    supervisor.check_bind(bind)
    pooler_check.check(settings)
    # Longer than a wait for a lock; whoever waits for a database that has been stopped
    # is cut off, and asks again.
    _become(command_lines.web(bind, workers=workers, grace=10))


@main.command()
@click.option("--concurrency", default=2, show_default=True, help="Processes.")
def worker(concurrency: int) -> None:
    """Do the background work; any number of these may run."""
    settings = config.load()
    pooler_check.check(settings)
    command = command_lines.worker(settings.log_level, concurrency=concurrency)
    _become(command, quiet=True)


@main.command()
def beat() -> None:
    """Run the schedule; exactly one of these beside the workers."""
    _become(command_lines.beat(config.load().log_level), quiet=True)


def _become(command: tuple[str, ...], *, quiet: bool = False) -> None:
    """Turn this process into `command`: signals then reach it directly.

    A `quiet` one says nothing on its standard output: Celery's farewell stands there.
    """
    if quiet:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    os.execve(command[0], command, config.child_environ({}))  # noqa: S606 - our own command


if __name__ == "__main__":
    main()
