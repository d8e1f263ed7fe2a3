"""The sentences that translators get."""

import functools
from collections.abc import Iterator
from pathlib import Path

from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.frontend import parse_mapping_cfg

ROOT = Path(__file__).parents[3]


def extracted() -> Iterator[str]:
    for _, message in found():
        yield from (message,) if isinstance(message, str) else message


@functools.cache
def found() -> tuple[tuple[str, str | tuple[str, ...]], ...]:
    """Each message of the code, one with a plural as both, with the file it is in."""
    with (ROOT / "service/translations/babel.cfg").open() as mapping:
        methods, options = parse_mapping_cfg(mapping)
    keywords = {**DEFAULT_KEYWORDS, "_l": None, "_lp": ((1, "c"), 2)}
    everything = extract_from_dir(ROOT, methods, options, keywords=keywords)
    return tuple((file, message) for file, _, message, _, _ in everything)
