"""Files that a command is given by their paths, "-" for the standard input."""

from pathlib import Path
from typing import Final

import click

from engine import export

FILE: Final = click.Path(
    exists=True, dir_okay=False, readable=True, allow_dash=True, path_type=Path
)


def read(file: Path) -> bytes:
    """The bytes of a file, not many more than the longest record has."""
    with click.open_file(str(file), "rb") as opened:
        data: bytes = opened.read(export.LIMIT + 1)
        return data
