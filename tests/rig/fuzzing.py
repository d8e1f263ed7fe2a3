"""Hooks for Schemathesis: what the contract can't say of its own.

Schemathesis loads this file by its name. `known.json`, where it runs, names a running
game and one that is over, so that not every address leads nowhere.
"""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import UUID

import schemathesis
from schemathesis import Case, DeserializationContext, HookContext, Response
from schemathesis.core.media_types import YAML_MEDIA_TYPES

from engine.board import Card
from tests.rig import sse

Json = dict[str, Any]

_known: dict[str, str] = json.loads(Path("known.json").read_text())

_PATIENCE = 1
"""Seconds; nothing happens while one waits, so that the answer is the same."""

_MOST_WAIT = 60
_KINDS = ("placement", "move", "election")
_DECISIONS = 12


@schemathesis.deserializer(*YAML_MEDIA_TYPES)
def file(ctx: DeserializationContext, response: Response) -> str:
    """A file is told as its text, not as what it says."""
    del ctx
    return response.content.decode()


@schemathesis.deserializer("text/event-stream")
def stream(ctx: DeserializationContext, response: Response) -> list[str] | Json:
    """A stream is told as its messages, and each as its fields with their JSON."""
    del ctx
    text = response.content.decode()
    if text.endswith("\n\n"):
        return [each for each in text.split("\n\n") if "data:" in each]
    message = next(sse.parsed([*text.encode().splitlines(), b""]))
    number = {} if message.id is None else {"id": int(message.id)}
    return {"event": message.event, "data": message.json, **number}


@schemathesis.hook
def filter_body(ctx: HookContext, body: object) -> bool:
    """Leave out answers of kinds and with cards that come later: none is offered."""
    if ctx.operation is None or not ctx.operation.path.endswith("/answer"):
        return True
    if not isinstance(body, dict) or not isinstance(body.get("kind"), str):
        return True
    card = body.get("card")
    comes_later = isinstance(card, str) and card not in tuple(Card)
    return body["kind"] in _KINDS and not comes_later


@schemathesis.hook
def before_call(ctx: HookContext, case: Case, kwargs: dict[str, Any]) -> None:
    """Lead to games that are there, and wait for no news."""
    del ctx, kwargs
    path, query = case.path_parameters, case.query
    if path and _is_made_up(case, path.get("game")):
        path["game"] = _known["over" if case.path.endswith("/stream") else "running"]
        with suppress(ValueError, KeyError, TypeError):
            path["decision"] = 1 + int(path["decision"]) % _DECISIONS
    if query and "wait" in query:
        with suppress(ValueError, TypeError):
            if _PATIENCE < int(query["wait"]) <= _MOST_WAIT:
                query["wait"] = _PATIENCE


def _is_made_up(case: Case, value: object) -> bool:
    """Whether an id is a good one that nothing has been told of; half are kept."""
    if case.path.endswith("/stream"):
        return _is_id(value)
    in_state = case.meta is not None and case.meta.phase.name.value == "stateful"
    return not in_state and _is_id(value) and UUID(str(value)).int % 2 == 0


def _is_id(value: object) -> bool:
    with suppress(ValueError):
        return bool(UUID(str(value)))
    return False
