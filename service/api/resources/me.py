"""The account of whoever asks: shown, changed, taken along, erased."""

from collections.abc import Sequence
from functools import partial
from uuid import UUID

import msgspec
from flask import Response, request
from flask.views import MethodView

from service.api.http import access, cursors, etags, preconditions, response_headers
from service.api.http.annotations import Who
from service.api.openapi.blueprint import Blueprint
from service.api.resources import devices
from service.api.schemas.game import PageSchema
from service.api.schemas.person import (
    AddressConfirmationSchema,
    MeChangeSchema,
    MeSchema,
    OwnExportSchema,
    OwnMailsSchema,
)
from service.people import accounts, deletion
from service.people.accounts import AccountChange
from service.store import codes, personal_data, tokens
from service.store import devices as devicestore
from service.store.personal_data import OwnMail
from service.values import public_urls
from service.values.errors import AddressInUse, CodeRefused

blueprint = Blueprint("me", "Your account.")


def _me(person_id: UUID) -> dict[str, object]:
    person = accounts.known(person_id)
    return {
        "id": person.id,
        "name": person.profile.name,
        "language": person.profile.language,
        "zone": person.profile.zone,
        "address": person.address,
        "new_address": codes.wanted(person_id),
        "program": person.program,
    }


def _marked(person_id: UUID) -> tuple[dict[str, object], dict[str, str]]:
    """An account, and the header with the mark of just that."""
    found = _me(person_id)
    return found, {response_headers.ETAG: f'"{_mark(found)}"'}


def _mark(found: dict[str, object]) -> str:
    return etags.of(MeSchema().dump(found))


def _check(person_id: UUID) -> None:
    """Refuse a write that counts on another account than there is, while it is held."""
    preconditions.check(lambda: _mark(_me(person_id)))


@blueprint.route("/me")
class Me(MethodView):
    """Your account."""

    @blueprint.access(Who.PERSON, access.PROFILE)
    @blueprint.response(200, MeSchema)
    def get(self) -> tuple[dict[str, object], dict[str, str]]:
        """Show your account."""
        return _marked(access.account())

    @blueprint.conditional()
    @blueprint.marked()
    @blueprint.access(Who.PERSON, access.PROFILE)
    @blueprint.arguments(MeChangeSchema, required=False)
    @blueprint.response(200, MeSchema)
    def patch(self, wish: AccountChange) -> tuple[dict[str, object], dict[str, str]]:
        """Change your account.

        A new address is yours once the codes from the old mailbox and the new one are
        in. The name is for tables to come: at a table you keep the one you have.
        """
        person_id = access.account()
        check = partial(_check, person_id)
        accounts.change(person_id, wish, request.remote_addr, check)
        return _marked(person_id)

    @blueprint.conditional()
    @blueprint.access(Who.PERSON, access.PROFILE)
    @blueprint.response(204)
    def delete(self) -> Response:
        """Erase your account: name, address, tokens, mails, all of it, at once.

        Your open tables are called off, and seats you were going to take are free
        again. Games that have begun go on without you: your seat is called by its
        number, and the clock answers for it.
        """
        person_id = access.account()
        deletion.erase(person_id, partial(_check, person_id))
        return Response(status=204)


@blueprint.route("/me/address/confirmation")
class AddressConfirmation(MethodView):
    """A change of address, confirmed from both mailboxes."""

    @blueprint.named("confirmAddress")
    @blueprint.marked()
    @blueprint.access(Who.PERSON, access.PROFILE)
    @blueprint.fails(AddressInUse, CodeRefused)
    @blueprint.arguments(AddressConfirmationSchema)
    @blueprint.response(200, MeSchema)
    def post(self, sent: dict[str, str]) -> tuple[dict[str, object], dict[str, str]]:
        """Change your address, with the codes from the old mailbox and the new one.

        Whether the new address is somebody else's is only told once both are right.
        """
        person_id = access.account()
        # The codes are all that it counts on.
        preconditions.check_unmarked()
        accounts.confirm_address(
            person_id, sent["old_code"], sent["new_code"], request.remote_addr
        )
        return _marked(person_id)


@blueprint.route("/me/mails")
class Mails(MethodView):
    """The mails you were sent."""

    @blueprint.access(Who.PERSON, access.PROFILE)
    @blueprint.arguments(PageSchema, location="query")
    @blueprint.response(200, OwnMailsSchema)
    def get(
        self, page: dict[str, object]
    ) -> tuple[dict[str, Sequence[OwnMail]], dict[str, str]]:
        """List your mails, the newest first: what each was about, not what it said.

        Mails with codes are listed for a day.
        """
        person_id = access.account()
        after, limit = cursors.wanted(page)
        found = personal_data.mails(person_id, after, limit + 1)
        shown = found[:limit]
        if len(found) <= limit:
            return {"mails": shown}, {}
        return {"mails": shown}, cursors.leads_on(
            f"{public_urls.API}/me/mails", limit, shown[-1].cursor
        )


@blueprint.route("/me/export")
class OwnExport(MethodView):
    """All that is kept about you."""

    @blueprint.access(Who.PERSON, access.PROFILE)
    @blueprint.response(200, OwnExportSchema)
    def get(self) -> tuple[dict[str, object], dict[str, str]]:
        """Take along all that is kept about you.

        Secrets are kept as hashes alone and are not in it, nor is what others are to
        the same games. Answers of games that still run, laid ballots among them, are in
        it for a token that has `games:read` as well.
        """
        person_id = access.account()
        scopes = access.person(access.PROFILE).scopes
        kept = personal_data.belongings(person_id, running=access.READ in scopes)
        everything = {
            **msgspec.structs.asdict(kept),
            "me": _me(person_id),
            "mails": personal_data.mails(person_id, None, None),
            "tokens": tokens.of_person(person_id),
            "devices": [
                devices.shown(row)
                for row in devicestore.of_person(person_id, None, None)
            ],
        }
        name = "attachment; filename=kingup-me.json"
        return everything, {"Content-Disposition": name}
