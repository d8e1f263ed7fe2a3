"""What every request keeps to: it refuses the unknown, and makes a struct of ours."""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Final

import msgspec
from marshmallow import RAISE, Schema, ValidationError, fields, post_load

from service.values.errors import Invalid

_REASONS: Final[Mapping[str, str]] = {
    "required": "missing",
    "null": "null",
    "unknown": "unknown",
    "type": "no-object",
}
"""What isn't in order with any field, or with a whole, by marshmallow's keys."""

_NO: Final[Mapping[type[fields.Field[Any]], str]] = {
    fields.AwareDateTime: "no-moment",
    fields.Date: "no-date",
    fields.UUID: "no-uuid",
    fields.Boolean: "no-boolean",
    fields.Integer: "no-integer",
    fields.List: "no-array",
    fields.Nested: "no-object",
    fields.String: "no-string",
}
"""What a value is not that a field of a type can't read."""

_UNREADABLE: Final = (
    "invalid",
    "invalid_awareness",
    "invalid_uuid",
    "format",
)


class Request(Schema):
    """What a client sends; `makes` is what is made of it, with fields of its names."""

    makes: ClassVar[Any]

    # Messages are the reasons of a problem: `validation` tells them, with their facts.
    error_messages = dict(_REASONS)

    class Meta:
        """A typing mistake in an optional field must not pass for its absence."""

        unknown = RAISE

    def on_bind_field(self, field_name: str, field_obj: fields.Field[Any]) -> None:
        """Let a field, and what a list is of, say what is wrong by its reason."""
        field_obj.error_messages = _messages(field_obj)
        if isinstance(field_obj, fields.List):
            field_obj.inner.error_messages = _messages(field_obj.inner)
        if isinstance(field_obj, fields.Enum):
            field_obj.field.error_messages = _messages(field_obj.field)

    @post_load
    def made(self, values: dict[str, Any], **_: object) -> Any:
        """What was asked for."""
        return msgspec.convert(values, self.makes)


def _messages(field: fields.Field[Any]) -> dict[str, Any]:
    """What a field finds wrong, by marshmallow's keys: reasons, or flaws with facts."""
    found: dict[str, Any] = dict.fromkeys(field.error_messages, "not-understood")
    found |= {key: _REASONS[key] for key in found if key in _REASONS}
    if isinstance(field, fields.Enum):
        choices = tuple(str(each.value) for each in field.enum)
        return {**found, "unknown": [Invalid(reason="one-of", choices=choices)]}
    no = next((_NO[kind] for kind in type(field).__mro__ if kind in _NO), None)
    return found if no is None else found | dict.fromkeys(_UNREADABLE, no)


class Variants(Schema):
    """One of several forms, told apart by the field `kind`."""

    forms: ClassVar[Mapping[str, Schema]]

    def load(self, data: object, **options: object) -> Any:
        """The value of a request's object. Raises ValidationError."""
        if not isinstance(data, dict):
            raise ValidationError("no-object")
        kind = data.get("kind")
        if not isinstance(kind, str) or kind not in self.forms:
            known = [Invalid(reason="unknown-kind", choices=tuple(self.forms))]
            flaw = known if "kind" in data else ["missing"]
            raise ValidationError({"kind": flaw, **self._strange(data)})
        return self.forms[kind].load(data)

    def _strange(self, data: Mapping[str, object]) -> dict[str, list[str]]:
        """What no form has a field for."""
        known = {name for form in self.forms.values() for name in names(form)}
        return {str(name): ["unknown"] for name in data if name not in known}


def names(schema: Schema) -> Iterable[str]:
    """What a schema's fields are called in a request."""
    return (field.data_key or name for name, field in schema.fields.items())


def flag(**more: Any) -> fields.Boolean:
    """True or false in a body, and nothing that passes for either."""
    return fields.Boolean(pre_load=_check_flag, **more)


def _check_flag(value: object) -> object:
    if not isinstance(value, bool):
        raise ValidationError("no-boolean")
    return value
