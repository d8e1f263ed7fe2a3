"""Files that a command is given, "-" for the standard input, and words from them."""

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


def printable(text: str) -> str:
    """Text from a file without the signs that could steer a terminal."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)
