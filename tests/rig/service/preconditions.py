"""Writes that count on what was read before."""

from typing import Any

from werkzeug.test import TestResponse

from tests.rig.service.programs import Api

FAILED = (412, "precondition-failed")


def mark(api: Api, path: str, token: str | None = None) -> str:
    return api.get(path, token).headers["ETag"]


def write(
    api: Api, method: str, path: str, token: str | None, tag: str, body: Any = None
) -> TestResponse:
    """A write that counts on a mark."""
    options = {} if body is None else {"json": body}
    return api.call(method, path, token, headers={"If-Match": tag}, **options)


def problem(answer: TestResponse) -> tuple[int, str]:
    return answer.status_code, answer.json["code"]
