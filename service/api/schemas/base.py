"""What every schema keeps to: requests refuse the unknown, replies are whole."""

from abc import abstractmethod
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import ClassVar

from marshmallow import EXCLUDE, RAISE, Schema, ValidationError, fields

HEAD = "^[0-9]+:[0-9a-f]{64}$"
"""What the number and hash of a record event look like, as a pattern."""


class Request(Schema):
    """What a client sends; an unknown field is refused."""

    # `unknown` and `type` are told as the reasons of a problem.
    error_messages = {"unknown": "unknown", "type": "type"}

    class Meta:
        """A typing mistake in an optional field must not pass for its absence."""

        unknown = RAISE


class Reply(Schema):
    """What we send: every field is always there; more may come in later versions."""

    class Meta:
        """Clients are to ignore fields they don't know."""

        unknown = EXCLUDE


class Variants(Schema):
    """One of several forms, told apart by the field `kind`."""

    forms: ClassVar[Mapping[str, Schema]]

    @abstractmethod
    def made(self, kind: str, values: Mapping[str, str]) -> object:
        """The value of a form that was found in order."""

    def load(self, data: object, **options: object) -> object:
        """The value of a request's object. Raises ValidationError."""
        if not isinstance(data, dict):
            raise ValidationError("type")
        kind = data.get("kind")
        if not isinstance(kind, str) or kind not in self.forms:
            known = f"unknown-kind: {', '.join(self.forms)}"
            flaw = known if "kind" in data else "missing"
            raise ValidationError({"kind": [flaw], **self._strange(data)})
        return self.made(kind, self.forms[kind].load(data))

    def _strange(self, data: Mapping[str, object]) -> dict[str, list[str]]:
        """What no form has a field for."""
        known = {
            field.data_key or name
            for form in self.forms.values()
            for name, field in form.fields.items()
        }
        return {str(name): ["unknown"] for name in data if name not in known}


class Flag(fields.Boolean):
    """True or false, and nothing that passes for either."""

    def _deserialize(
        self, value: object, attr: str | None, data: object, **kwargs: object
    ) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class Moment(fields.DateTime):
    """A moment in RFC 3339, UTC, to the millisecond."""

    def _serialize(
        self, value: datetime | None, attr: str | None, obj: object, **kwargs: object
    ) -> str | None:
        return None if value is None else moment(value)


def moment(value: datetime) -> str:
    """A moment as every answer tells it."""
    text = value.astimezone(UTC).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")
