"""Forms that come back: what was typed is kept, what is wrong is said beside it."""

from collections.abc import Mapping, Sequence

import msgspec

from service import messages
from service.errors import Problem, Told


class Trouble(msgspec.Struct, frozen=True):
    """What is wrong with a form: by field, or with all of it (`general`)."""

    status: int
    fields: Mapping[str, str]
    general: str = ""


def trouble(error: Told, labels: Mapping[str, str]) -> Trouble:
    """An error, told beside the field it names.

    `labels` are the fields of the form and what a person reads beside each.
    """
    field = error.facts.get("field") or error.facts.get("option")
    if not isinstance(field, str) or field not in labels:
        return Trouble(messages.status(error), {}, messages.detail(error))
    return Trouble(messages.status(error), {field: _sentence(error, labels[field])})


def troubles(errors: Sequence[Told], labels: Mapping[str, str]) -> Trouble:
    """Several errors at once, each beside its field; at least one."""
    each = [trouble(error, labels) for error in errors]
    fields = {name: said for one in each for name, said in one.fields.items()}
    return Trouble(
        each[0].status, fields, " ".join(one.general for one in each if one.general)
    )


def _sentence(error: Told, label: str) -> str:
    if not isinstance(error, Problem):
        return messages.detail(error)
    return messages.detail(type(error)(**{**error.facts, "field": label}))


def number(raw: str) -> int:
    """A whole number as a form sends it; 0 for anything else."""
    return int(raw) if raw.isascii() and raw.isdigit() and len(raw) < 9 else 0
