"""Remembered devices: listed and ended by whoever has the seat."""

from collections.abc import Sequence
from typing import Annotated
from uuid import UUID

import msgspec
from flask import Response
from msgspec import Meta

from service.api.http import access, cursors, preconditions
from service.api.http.annotations import Who
from service.api.http.replies import Moment
from service.api.http.resource import Blueprint, Resource
from service.api.schemas.game import Page, PageSchema
from service.present import browser_names
from service.store import devices
from service.store.devices import DeviceRow
from service.store.transactions import transaction
from service.values import public_urls
from service.values.errors import NotFound

blueprint = Blueprint("devices", "Browsers that are remembered for your seats.")


class DeviceReply(msgspec.Struct, frozen=True):
    """A browser that is remembered for a seat of yours, without its secret."""

    id: UUID
    game: UUID
    seat: int
    description: Annotated[
        str,
        Meta(
            description="What it said it was, coarsely.",
            examples=["Firefox on Android"],
        ),
    ]
    created_at: Moment
    last_used_at: Annotated[Moment, Meta(description="To a day.")]
    expires_at: Annotated[
        Moment,
        Meta(description="180 days after its last use, or 30 after the game was over."),
    ]


class DevicesReply(msgspec.Struct, frozen=True):
    """A page of your devices, the newest first; `Link` leads to the next one."""

    devices: Sequence[DeviceReply]


def device_reply(row: DeviceRow) -> DeviceReply:
    """A device as its owner sees it."""
    return DeviceReply(
        id=row.id,
        game=row.game,
        seat=row.seat,
        description=browser_names.name(row.agent),
        created_at=Moment.of(row.created_at),
        last_used_at=Moment.of(row.last_used_at),
        expires_at=Moment.of(row.expires_at),
    )


@blueprint.place("/me/devices")
class Devices(Resource):
    """All your remembered devices."""

    @blueprint.access(Who.PERSON, access.PROFILE)
    @blueprint.arguments(PageSchema, location="query")
    @blueprint.response(200, DevicesReply)
    def get(self, page: Page) -> tuple[DevicesReply, dict[str, str]]:
        """List the browsers that are remembered for seats of yours, newest first.

        Each sees the cards of its seat on the pages of its game, and answers for it.
        """
        person_id = access.account()
        after, limit = cursors.read(page.cursor), page.limit
        found = devices.of_person(person_id, after, limit + 1)
        listed = DevicesReply([device_reply(row) for row in found[:limit]])
        return listed, cursors.next_page(
            f"{public_urls.API}/me/devices", limit, [row.cursor for row in found]
        )


@blueprint.place("/me/devices/<uuid:device_id>")
class Device(Resource):
    """One of your remembered devices."""

    @blueprint.named("forgetDevice")
    @blueprint.access(Who.PERSON, access.PROFILE)
    @blueprint.fails(NotFound)
    @blueprint.response(204)
    def delete(self, device_id: UUID) -> Response:
        """Have a device remembered no more.

        Links from mails still open your cards on it.
        """
        person_id = access.account()
        with transaction():
            if not devices.forget(person_id, [device_id]):
                raise NotFound(what="device")
            preconditions.check_unmarked()
        return Response(status=204)
