"""What workers have been hinted at: the tasks that wait in the broker."""

import ast
from typing import Any

import msgspec
import redis
from flask import Flask


def waiting(app: Flask, task: str) -> list[tuple[Any, ...]]:
    """What a task is asked for with, in the order in which it was asked."""
    with redis.Redis.from_url(app.config["KINGUP"].redis_url) as client:
        queued = [msgspec.json.decode(raw) for raw in client.lrange("celery", 0, -1)]
    return [
        ast.literal_eval(message["headers"]["argsrepr"])
        for message in reversed(queued)
        if message["headers"]["task"] == task
    ]
