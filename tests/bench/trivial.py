"""The yardstick for the worker: a Celery task that does next to nothing."""

import os

import redis
from celery import Celery

from service.game.task_hints import TRANSPORT

TASK = "bench.trivial"
DONE = "bench:done"

app = Celery("bench", broker=os.environ.get("BENCH_BROKER_URL"))
app.conf.broker_transport_options = dict(TRANSPORT)
app.conf.task_default_queue = "bench"
app.conf.task_ignore_result = True

_valkey = redis.Redis.from_url(os.environ.get("BENCH_REDIS_URL", "redis://localhost"))


@app.task(name=TASK)
def trivial(number: int) -> None:
    """Tell that the task ran."""
    _valkey.rpush(DONE, number)
