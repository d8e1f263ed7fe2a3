"""Remembered devices: listed and ended by whoever has the seat."""

from collections.abc import Sequence
from uuid import UUID

from flask import Response
from flask.views import MethodView

from service.api.http import access, cursors, preconditions
from service.api.http.annotations import Who
from service.api.openapi.blueprint import Blueprint
from service.api.schemas.device import DevicesSchema
from service.api.schemas.game import PageSchema
from service.present import browser_names
from service.store import devices
from service.store.devices import DeviceRow
from service.store.transactions import transaction
from service.values import public_urls
from service.values.errors import NotFound

blueprint = Blueprint("devices", "Browsers that are remembered for your seats.")


def shown(row: DeviceRow) -> dict[str, object]:
    """A device as its owner sees it."""
    return {
        "id": row.id,
        "game": row.game,
        "seat": row.seat,
        "description": browser_names.name(row.agent),
        "created_at": row.created_at,
        "last_used_at": row.last_used_at,
        "expires_at": row.expires_at,
    }


@blueprint.route("/me/devices")
class Devices(MethodView):
    """All your remembered devices."""

    @blueprint.access(Who.PERSON, access.PROFILE)
    @blueprint.arguments(PageSchema, location="query")
    @blueprint.response(200, DevicesSchema)
    def get(
        self, page: dict[str, object]
    ) -> tuple[dict[str, Sequence[dict[str, object]]], dict[str, str]]:
        """List the browsers that are remembered for seats of yours, newest first.

        Each sees the cards of its seat on the pages of its game, and answers for it.
        """
        person_id = access.account()
        after, limit = cursors.wanted(page)
        found = devices.of_person(person_id, after, limit + 1)
        listed: dict[str, Sequence[dict[str, object]]] = {
            "devices": [shown(row) for row in found[:limit]]
        }
        if len(found) <= limit:
            return listed, {}
        return listed, cursors.leads_on(
            f"{public_urls.API}/me/devices", limit, found[limit - 1].cursor
        )


@blueprint.route("/me/devices/<uuid:device_id>")
class Device(MethodView):
    """One of your remembered devices."""

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
