"""Limits of what fields take: beyond them the flaw tells the reason and the limit."""

from collections.abc import Callable, Collection
from typing import Any
from zoneinfo import available_timezones

from marshmallow import ValidationError, validate

from engine.errors import Fact
from service.game import pace
from service.values.errors import Invalid

_ZONES = available_timezones()


class Range(validate.Range):
    """A number from `min` to `max`."""

    def __call__(self, value: Any) -> Any:
        """The number. Raises ValidationError."""
        return _checked(super().__call__, value, "range", min=self.min, max=self.max)


class Length(validate.Length):
    """A text or list that is so long; `max` always counts, `min` may be None."""

    def __call__(self, value: Any) -> Any:
        """The text or list. Raises ValidationError."""
        if self.min is None:
            return _checked(super().__call__, value, "longer", max=self.max)
        return _checked(super().__call__, value, "length", min=self.min, max=self.max)


class OneOf(validate.OneOf):
    """One of some words; `name` is what they are called, where they are several."""

    def __init__(self, choices: Collection[str], name: str = "") -> None:
        super().__init__(choices)
        self.name = name

    def __call__(self, value: Any) -> Any:
        """The word. Raises ValidationError."""
        choices = tuple(str(choice) for choice in self.choices)
        return _checked(super().__call__, value, "one-of", choices=choices)


class Typed(Length):
    """A text that `check` takes, or raises Invalid for: that is told as it is."""

    def __init__(self, check: Callable[[str], object], max: int) -> None:
        super().__init__(max=max)
        self._check = check

    def __call__(self, value: Any) -> Any:
        """The text. Raises ValidationError."""
        try:
            self._check(value)
        except Invalid as flaw:
            raise ValidationError([flaw]) from flaw
        return super().__call__(value)


def check_time_of_day(value: str) -> None:
    """Raise ValidationError for what is no time of the day as HH:MM."""
    if not pace.is_time_of_day(value):
        raise ValidationError("no-time-of-day")


def check_zone(name: str) -> None:
    """Raise ValidationError for what is no time zone's name."""
    if name not in _ZONES:
        raise ValidationError("no-zone")


def _checked(
    check: Callable[[Any], Any], value: Any, reason: str, **facts: Fact
) -> Any:
    try:
        return check(value)
    except ValidationError as error:
        raise ValidationError([Invalid(reason=reason, **facts)]) from error
