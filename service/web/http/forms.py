"""Forms that come back: what was typed is kept, what is wrong is said beside it."""

from collections.abc import Mapping, Sequence

import msgspec
from flask import Response, make_response

from service.present import error_texts
from service.values import errors
from service.values.errors import Problem, PublicError


class FormErrors(msgspec.Struct, frozen=True):
    """What is wrong with a form: by field, or with all of it (`general`).

    `retry_after` are the seconds after which the same may be all right.
    """

    status: int
    fields: Mapping[str, str]
    general: str = ""
    retry_after: int | None = None


def form_error(error: PublicError, labels: Mapping[str, str]) -> FormErrors:
    """An error, told beside the field it names.

    `labels` are the fields of the form and what a person reads beside each.
    """
    status, wait = error_texts.status(error), errors.retry_after(error)
    field = error.facts.get("field") or error.facts.get("option")
    if not isinstance(field, str) or field not in labels:
        return FormErrors(status, {}, error_texts.detail(error), wait)
    return FormErrors(status, {field: _sentence(error, labels[field])}, "", wait)


def form_errors(errors: Sequence[PublicError], labels: Mapping[str, str]) -> FormErrors:
    """Several errors at once, each beside its field; at least one."""
    each = [form_error(error, labels) for error in errors]
    fields = {name: said for one in each for name, said in one.fields.items()}
    general = " ".join(one.general for one in each if one.general)
    return FormErrors(each[0].status, fields, general, each[0].retry_after)


def answer(page: str, trouble: FormErrors) -> Response:
    """A form's page, with the status of what is wrong with it."""
    response = make_response(page, trouble.status)
    if trouble.retry_after is not None:
        response.headers["Retry-After"] = str(trouble.retry_after)
    return response


def _sentence(error: PublicError, label: str) -> str:
    if not isinstance(error, Problem):
        return error_texts.detail(error)
    return error_texts.detail(type(error)(**{**error.facts, "field": label}))


def number(raw: str) -> int:
    """A whole number as a form sends it; 0 for anything else."""
    # Python reads digits of every script, and numbers of any length, which take long.
    return int(raw) if raw.isascii() and raw.isdigit() and len(raw) < 9 else 0
