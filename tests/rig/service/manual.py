"""The pages of docs/ as tests read them."""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[3]

_CODE = re.compile(r"`([^`]+)`")


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def section(text: str, title: str) -> str:
    """What stands under a heading, up to the next one of its rank or a higher one."""
    head, rest = re.split(rf"^#+ {re.escape(title)}$", text, maxsplit=1, flags=re.M)
    rank = re.findall(r"^(#+) ", text[: len(text) - len(rest)], flags=re.M)[-1]
    return re.split(rf"^#{{1,{len(rank)}}} ", rest, maxsplit=1, flags=re.M)[0]


def rows(text: str) -> Iterator[tuple[str, ...]]:
    """The cells of every table row whose first cell is code."""
    for line in text.splitlines():
        cells = tuple(cell.strip() for cell in line.strip("|").split("|"))
        if line.startswith("| `"):
            yield cells


def names(cell: str) -> tuple[str, ...]:
    return tuple(_CODE.findall(cell))
