"""What beat sends, and how often; nothing here is due at a time of its own."""

from collections.abc import Mapping
from typing import Final

SWEEP_SECONDS: Final = 1.0
HEARTBEAT_SECONDS: Final = 5.0
SEATS_SECONDS: Final = 60.0
TIDY_SECONDS: Final = 600.0

# A broker hands a task with a far-off time out again and again, and a deadline in two
# places is one too many: it stands in a row, where a sweep finds it.
BEAT: Final[Mapping[str, Mapping[str, object]]] = {
    "sweep": {
        "task": "kingup.sweep",
        "schedule": SWEEP_SECONDS,
        # One that waited this long is worth nothing: the next one is behind it.
        "options": {"expires": 2 * SWEEP_SECONDS},
    },
    "seats": {
        "task": "kingup.seats",
        "schedule": SEATS_SECONDS,
        "options": {"expires": SEATS_SECONDS},
    },
    "tidy": {
        "task": "kingup.tidy",
        "schedule": TIDY_SECONDS,
        "options": {"expires": TIDY_SECONDS},
    },
    "heartbeat": {
        "task": "kingup.heartbeat",
        "schedule": HEARTBEAT_SECONDS,
        "options": {"expires": 2 * HEARTBEAT_SECONDS},
    },
}
