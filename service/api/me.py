"""The account of whoever asks: shown, changed, taken along, erased."""

from collections.abc import Sequence
from uuid import UUID

import msgspec
from flask import Response, request
from flask.views import MethodView

from service import paths
from service.api import access, cursors
from service.api.blueprint import Blueprint
from service.api.contract.declared import Who
from service.errors import AddressInUse, CodeRefused
from service.people import accounts, erasing
from service.people.accounts import Change
from service.schemas.game import PageSchema
from service.schemas.person import (
    AddressConfirmationSchema,
    MeChangeSchema,
    MeSchema,
    OwnExportSchema,
    OwnMailsSchema,
)
from service.store import codes, own, tokens
from service.store.own import OwnMail

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


@blueprint.route("/me")
class Me(MethodView):
    """Your account."""

    @blueprint.access(Who.PERSON, access.PROFILE)
    @blueprint.response(200, MeSchema)
    def get(self) -> dict[str, object]:
        """Show your account."""
        return _me(access.account())

    @blueprint.access(Who.PERSON, access.PROFILE)
    @blueprint.arguments(MeChangeSchema, required=False)
    @blueprint.response(200, MeSchema)
    def patch(self, wish: Change) -> dict[str, object]:
        """Change your account.

        A new address is yours once the codes from the old mailbox and the new one are
        in. The name is for tables to come: at a table you keep the one you have.
        """
        person_id = access.account()
        accounts.change(person_id, wish, request.remote_addr)
        return _me(person_id)

    @blueprint.access(Who.PERSON, access.PROFILE)
    @blueprint.response(204)
    def delete(self) -> Response:
        """Erase your account: name, address, tokens, mails, all of it, at once.

        Your open tables are called off, and seats you were going to take are free
        again. Games that have begun go on without you: your seat is called by its
        number, and the clock answers for it.
        """
        erasing.erase(access.account())
        return Response(status=204)


@blueprint.route("/me/address/confirmation")
class AddressConfirmation(MethodView):
    """A change of address, confirmed from both mailboxes."""

    @blueprint.named("confirmAddress")
    @blueprint.access(Who.PERSON, access.PROFILE)
    @blueprint.fails(AddressInUse, CodeRefused)
    @blueprint.arguments(AddressConfirmationSchema)
    @blueprint.response(200, MeSchema)
    def post(self, sent: dict[str, str]) -> dict[str, object]:
        """Change your address, with the codes from the old mailbox and the new one.

        Whether the new address is somebody else's is only told once both are right.
        """
        person_id = access.account()
        accounts.confirm_address(person_id, sent["old_code"], sent["new_code"])
        return _me(person_id)


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
        person_id, limit = access.account(), int(str(page["limit"]))
        raw = page.get("cursor")
        after = cursors.read(None if raw is None else str(raw))
        found = own.mails(person_id, after, limit + 1)
        shown = found[:limit]
        if len(found) <= limit:
            return {"mails": shown}, {}
        return {"mails": shown}, cursors.leads_on(
            f"{paths.API}/me/mails", limit, shown[-1].cursor
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
        kept = own.belongings(person_id, running=access.READ in scopes)
        everything = {
            **msgspec.structs.asdict(kept),
            "me": _me(person_id),
            "mails": own.mails(person_id, None, None),
            "tokens": tokens.of_person(person_id),
        }
        name = "attachment; filename=kingup-me.json"
        return everything, {"Content-Disposition": name}
