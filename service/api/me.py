"""The account of whoever asks: shown, changed, taken along, erased."""

from uuid import UUID

from flask.views import MethodView

from service import accounts
from service.accounts import Change
from service.api import access
from service.api.blueprint import Blueprint
from service.api.declared import Who
from service.errors import AddressInUse, CodeRefused
from service.schemas.person import AddressConfirmationSchema, MeChangeSchema, MeSchema
from service.store import codes

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
        "bot": person.program,
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
    @blueprint.arguments(MeChangeSchema)
    @blueprint.response(200, MeSchema)
    def patch(self, wish: Change) -> dict[str, object]:
        """Change your account.

        A new address is yours once the codes from the old mailbox and the new one are
        in. The name is for tables to come: at a table you keep the one you have.
        """
        person_id = access.account()
        accounts.change(person_id, wish)
        return _me(person_id)


@blueprint.route("/me/address/confirmation")
class AddressConfirmation(MethodView):
    """A change of address, confirmed from both mailboxes."""

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
