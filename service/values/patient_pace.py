"""How long a game without a clock waits: what its terms say, and what it keeps to."""

from typing import Final

SILENT_DAYS: Final = 14
"""After so many days without an answer anybody at the table may end the wait."""

LAST_DAYS: Final = 60
"""After so many the game is called off."""
