"""The process that takes mails in: from the last dot of one to a row, and its end."""

import smtplib
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from service import config
from service.processes import command_lines
from tests.rig.parts import Part, wait_until


@pytest.fixture
def inbox(
    tmp_path: Path, environ: dict[str, str], database: str, free_port: int
) -> Iterator[Part]:
    del database
    settings = {
        "INBOUND_ADDRESS": "game@play.example.org",
        "INBOUND_LISTEN": f"127.0.0.1:{free_port}",
    }
    told = config.child_environ(settings, environ)
    part = Part("inbox", command_lines.inbox(), told, tmp_path / "inbox.log")
    part.start()
    yield part
    part.stop()


def sent(port: int) -> bool:
    try:
        with smtplib.SMTP("127.0.0.1", port, timeout=5) as line:
            to = "game+abc@play.example.org"
            line.sendmail("rita@example.org", to, b"Subject: Re\r\n\r\nyes\r\n")
    except OSError:
        return False
    return True


def test_a_mail_that_was_taken_is_in_the_database_and_sigterm_ends_it(
    inbox: Part, database: str, free_port: int
) -> None:
    wait_until(lambda: sent(free_port), "the inbox")

    with psycopg.connect(database.replace("+psycopg", "", 1)) as line:
        kept = line.execute("SELECT envelope FROM incoming_mail").fetchall()
    began = time.monotonic()
    inbox.ask_to_stop()
    wait_until(lambda: not inbox.alive, "its end")

    assert kept == [("game+abc@play.example.org",)]
    assert "example.org" not in inbox.log.read_text()
    assert time.monotonic() - began < 10
