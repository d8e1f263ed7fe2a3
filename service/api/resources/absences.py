"""Absences: the days on which somebody is away from all their games."""

from collections.abc import Sequence
from uuid import UUID

import msgspec
from flask import Response

from service.api.http import access, preconditions, replies
from service.api.http.annotations import Who
from service.api.http.resource import Blueprint, Resource
from service.api.replies.view_reply import Day
from service.api.schemas.absence import AbsenceWishSchema
from service.people import absences
from service.people.absences import AbsenceWish
from service.store import absences as absencestore
from service.values import public_urls
from service.values.conflicts import AbsencesOverlap, TooManyAbsences
from service.values.enums import AbsenceChoice
from service.values.errors import NotFound

blueprint = Blueprint("absences", "Days on which you are away.")


class AbsenceReply(msgspec.Struct, frozen=True):
    """Days on which you are away; all your tables see them, strangers don't."""

    id: UUID
    first: Day
    last: Day
    choice: AbsenceChoice


class AbsencesReply(msgspec.Struct, frozen=True):
    """Your absences that aren't over, the next one first."""

    absences: Sequence[AbsenceReply]


@blueprint.place("/me/absences")
class Absences(Resource):
    """Your absences."""

    @blueprint.access(Who.PERSON, access.PROFILE)
    @blueprint.response(200, AbsencesReply)
    def get(self) -> AbsencesReply:
        """List your absences that aren't over."""
        found = absencestore.of_person(access.account())
        return AbsencesReply([replies.of(AbsenceReply, row) for row in found])

    @blueprint.once()
    @blueprint.named("announceAbsence")
    @blueprint.access(Who.PERSON, access.PROFILE)
    @blueprint.fails(AbsencesOverlap, TooManyAbsences)
    @blueprint.arguments(AbsenceWishSchema)
    @blueprint.response(201, AbsenceReply)
    def post(self, wish: AbsenceWish) -> tuple[AbsenceReply, dict[str, str]]:
        """Announce days on which you are away from all your games.

        With `wait` no question that is put to you from now on ends on these days,
        as long as your table has waited for no more than 21 days of yours in all.
        With `bot` a bot keeps your seats, as if you had left them, from the first day
        on; you are back after the last one as soon as your cards are open, or when you
        come back yourself.
        """
        person_id = access.account()
        preconditions.check_unmarked(shown=True)
        found = absences.announce(person_id, wish)
        place = public_urls.api_url("me", "absences", found.id)
        return replies.of(AbsenceReply, found), {"Location": place}


@blueprint.place("/me/absences/<uuid:absence_id>")
class Absence(Resource):
    """One of your absences."""

    @blueprint.named("callOffAbsence")
    @blueprint.access(Who.PERSON, access.PROFILE)
    @blueprint.fails(NotFound)
    @blueprint.response(204)
    def delete(self, absence_id: UUID) -> Response:
        """Call an absence off, or end it early.

        A question that waits for you already ends as late as it would have.
        """
        person_id = access.account()
        preconditions.check_unmarked()
        absences.call_off(person_id, absence_id)
        return Response(status=204)
