"""Absences, announced."""

from marshmallow import fields

from service.api.schemas.base import Request
from service.people.absences import MOST_DAYS, AbsenceWish
from service.values.enums import AbsenceChoice


class AbsenceWishSchema(Request):
    """Days on which you will be away, by the calendar of your own time zone."""

    makes = AbsenceWish
    first = fields.Date(
        required=True,
        format="iso",
        metadata={
            "description": "The first day: today at the earliest.",
            "example": "2031-07-01",
        },
    )
    last = fields.Date(
        required=True,
        format="iso",
        metadata={
            "description": f"The last day; {MOST_DAYS} days in all at most.",
            "example": "2031-07-14",
        },
    )
    choice = fields.Enum(AbsenceChoice, by_value=fields.String, required=True)
