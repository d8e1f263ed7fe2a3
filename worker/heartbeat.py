"""The worker's sign of life: it has travelled from beat through the queue to here.

Readiness reads the Valkey key `kingup:heartbeat`: the time of the latest heartbeat in
whole seconds since 1970, gone a minute after the last one.
"""

import time
from typing import Final

import redis
from flask import current_app

from service import wake
from service.config import Config

KEY: Final = "kingup:heartbeat"
LIFE_SECONDS: Final = 60


def leave() -> None:
    """Write the time of now. It measures our own processes, not games: real time."""
    settings: Config = current_app.config["KINGUP"]
    patience = float(wake.TRANSPORT["socket_timeout"])
    with redis.Redis.from_url(
        settings.redis_url, socket_timeout=patience, socket_connect_timeout=patience
    ) as client:
        client.set(KEY, int(time.time()), ex=LIFE_SECONDS)
