"""The worker's sign of life: it has travelled from beat through the queue to here.

Readiness reads the Valkey key of service/health.py: the time of the latest heartbeat
in whole seconds since 1970, gone a minute after the last one.
"""

import time
from typing import Final

import redis
from flask import current_app

from service import health, wake
from service.config import Config

LIFE_SECONDS: Final = 60


def leave() -> None:
    """Write the time of now. It measures our own processes, not games: real time."""
    settings: Config = current_app.config["KINGUP"]
    patience = float(wake.TRANSPORT["socket_timeout"])
    with redis.Redis.from_url(
        settings.redis_url, socket_timeout=patience, socket_connect_timeout=patience
    ) as client:
        client.set(health.HEARTBEAT, int(time.time()), ex=LIFE_SECONDS)
