"""Logs are lines of JSON that hold no secret and no address."""

import json
import logging
import subprocess
import sys

import pytest

from service.monitoring import logs
from service.values import entropy


@pytest.fixture
def line() -> logging.Handler:
    return logs.handler()


def _told(handler: logging.Handler, message: str, *args: object) -> str:
    record = logging.LogRecord("lib", logging.ERROR, "f.py", 1, message, args, None)
    return handler.format(record)


def test_a_line_of_a_library_is_json_with_time_level_and_source(
    line: logging.Handler,
) -> None:
    logged = json.loads(_told(line, "Lost %s", "it"))

    assert logged["event"] == "Lost it"
    assert (logged["level"], logged["logger"]) == ("error", "lib")
    assert logged["timestamp"].endswith("Z")


@pytest.mark.parametrize("shape", ["{}", "GET /d/{} 500", "kup_{}", "{}?x=1"])
@pytest.mark.parametrize("case", [str.lower, str.upper])
def test_tokens_are_struck_out_of_every_line(
    line: logging.Handler, shape: str, case: type[str]
) -> None:
    token = case(entropy.token())

    logged = _told(line, shape.format(token))

    assert token not in logged
    assert "[token]" in logged


@pytest.mark.parametrize(
    "text",
    ["to rachel@example.org", "<Rachel@Example.org>", "postgresql://me:pw@db/kingup"],
)
def test_addresses_are_struck_out_of_every_line(
    line: logging.Handler, text: str
) -> None:
    logged = _told(line, text)

    assert "example.org" not in logged.lower()
    assert "pw" not in logged


def test_an_exception_is_told_with_its_trace_but_without_its_words(
    line: logging.Handler,
) -> None:
    try:
        raise LookupError("the ballot is no")
    except LookupError as error:
        record = logging.LogRecord(
            "lib",
            logging.ERROR,
            "f.py",
            1,
            "Broke",
            (),
            (type(error), error, error.__traceback__),
        )

    logged = json.loads(line.format(record))

    assert logged["exception"]["type"] == "LookupError"
    assert __file__ in logged["exception"]["path"][0]
    assert "ballot" not in json.dumps(logged)


def test_our_own_events_are_lines_from_the_level_on() -> None:
    script = (
        "import structlog; from service.monitoring import logs;"
        "logs.configure('WARNING'); log = structlog.get_logger('ours');"
        "log.info('quiet'); log.warning('task_hint_lost', task='t')"
    )

    logged = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )

    assert [json.loads(line)["task"] for line in logged.stderr.splitlines()] == ["t"]
