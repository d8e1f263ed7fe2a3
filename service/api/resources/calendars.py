"""The calendar of somebody's open questions: its secret address, made and ended."""

from typing import Annotated

import msgspec
from flask import Response
from msgspec import Meta

from service.api.http import access, preconditions, replies
from service.api.http.annotations import Who
from service.api.http.replies import Moment, Url
from service.api.http.resource import Blueprint, Resource
from service.people import calendars
from service.store import calendars as calendarstore

blueprint = Blueprint("calendars", "A calendar of your open questions.")


class CalendarReply(msgspec.Struct, frozen=True):
    """Whether you have a calendar."""

    since: Annotated[
        Moment | None, Meta(description="When its address was made; null without one.")
    ]


class CalendarAddressReply(CalendarReply, frozen=True):
    """Your calendar, with its address."""

    url: Annotated[
        Url,
        Meta(description="A secret: whoever knows it reads where you are asked."),
    ]


@blueprint.place("/me/calendar")
class OwnCalendar(Resource):
    """Your calendar."""

    @blueprint.access(Who.PERSON, access.PROFILE)
    @blueprint.response(200, CalendarReply)
    def get(self) -> CalendarReply:
        """Tell whether you have a calendar; its address isn't kept."""
        return CalendarReply(replies.moment(calendarstore.since(access.account())))

    @blueprint.named("makeCalendar")
    @blueprint.access(Who.PERSON, access.PROFILE)
    @blueprint.response(200, CalendarAddressReply)
    def put(self) -> tuple[CalendarAddressReply, dict[str, str]]:
        """Make a new address at which a calendar program reads your open questions.

        As iCalendar, without a token. It is shown only now, and the one before ends.
        An entry of a vote stays until the reveal, whether or not you have laid a card.
        """
        person_id = access.account()
        preconditions.check_unmarked()
        url = calendars.renew(person_id)
        made = CalendarAddressReply(replies.moment(calendarstore.since(person_id)), url)
        return made, {"Cache-Control": "no-store"}

    @blueprint.named("endCalendar")
    @blueprint.access(Who.PERSON, access.PROFILE)
    @blueprint.response(204)
    def delete(self) -> Response:
        """End your calendar: its address leads nowhere any more."""
        person_id = access.account()
        preconditions.check_unmarked()
        calendars.end(person_id)
        return Response(status=204)
