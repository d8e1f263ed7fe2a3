"""The editions by name: every module of this package that holds one is found."""

import pkgutil
from collections.abc import Iterator, Mapping
from importlib import import_module
from inspect import isabstract

from engine.editions.base import Edition
from engine.errors import BadTable


def _found() -> Iterator[Edition]:
    for module in pkgutil.iter_modules(__path__, f"{__name__}."):
        for value in vars(import_module(module.name)).values():
            own = isinstance(value, type) and value.__module__ == module.name
            if own and issubclass(value, Edition) and not isabstract(value):
                yield value()


_BY_RULES: Mapping[tuple[str, int], Edition] = {
    (edition.id, edition.rules): edition for edition in _found()
}

EDITIONS: Mapping[str, Edition] = {
    name: _BY_RULES[name, rules] for name, rules in sorted(_BY_RULES)
}
"""Each edition by its newest rules: those that new games are played by."""


def edition(name: str) -> Edition:
    """The edition of that name, by its newest rules. Raises BadTable without one."""
    if name not in EDITIONS:
        raise BadTable("edition", name)
    return EDITIONS[name]


def pinned(name: str, rules: int) -> Edition | None:
    """The edition by the rules a game was begun with; None when they aren't known."""
    return _BY_RULES.get((name, rules))


def law(name: str, rules: int) -> Edition:
    """The edition by the rules a game was begun with.

    Raises LookupError when they aren't known.
    """
    found = pinned(name, rules)
    if found is None:
        raise LookupError(name, rules)
    return found
