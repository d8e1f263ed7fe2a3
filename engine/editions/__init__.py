"""The editions by name: the only place that knows which there are."""

from collections.abc import Mapping

from engine.editions.base import Edition
from engine.editions.classic import Classic
from engine.errors import BadTable

EDITIONS: Mapping[str, Edition] = {edition.id: edition for edition in (Classic(),)}


def edition(name: str) -> Edition:
    """The edition of that name. Raises BadTable when there is none."""
    if name not in EDITIONS:
        raise BadTable("edition", name)
    return EDITIONS[name]
