"""How gunicorn serves the yardstick: as it serves us, but for streams it hasn't got."""

import sys

from gunicorn.workers.base import Worker

from service.processes import gunicorn_config
from service.processes.gunicorn_config import *  # noqa: F403 - each name is a setting


def post_worker_init(worker: Worker) -> None:  # type: ignore[no-redef]  # on purpose
    """Keep what holds up answers as short as we do."""
    del worker
    sys.setswitchinterval(gunicorn_config.SWITCH_SECONDS)
