"""The account of whoever asks: shown, changed, erased."""

from functools import partial
from typing import Annotated
from uuid import UUID

import msgspec
from flask import Response, request
from msgspec import Meta

from service.api.http import (
    access,
    etags,
    preconditions,
    response_headers,
)
from service.api.http.annotations import Who
from service.api.http.resource import Blueprint, Resource
from service.api.schemas.person import (
    AddressCodes,
    AddressConfirmationSchema,
    MeUpdateSchema,
)
from service.people import accounts, deletion
from service.people.accounts import AccountChange
from service.store import codes
from service.values.conflicts import AddressInUse, CodeRefused
from service.values.enums import (
    Language,
    MailChoice,
)
from service.values.errors import TooManyChanges

blueprint = Blueprint("me", "Your account.")


class QuietHoursReply(
    msgspec.Struct, frozen=True, rename={"begin": "from", "end": "to"}
):
    """Hours of every day in which nothing of yours ends, by your own clock."""

    begin: Annotated[str, Meta(description="HH:MM.", examples=["22:00"])]
    end: Annotated[str, Meta(description="HH:MM.", examples=["08:00"])]


class MeReply(msgspec.Struct, frozen=True):
    """Your account."""

    id: UUID
    name: str
    language: Language
    zone: str
    address: str
    new_address: Annotated[
        str | None,
        Meta(description="What you change to, while its codes are good."),
    ]
    program: Annotated[
        bool, Meta(description="A program plays for it: others see that.")
    ]
    quiet_hours: Annotated[
        QuietHoursReply | None,
        Meta(
            description="A question put to you that would end then ends an hour after."
            " What only keeps the time that was left may end then. Nobody else sees"
            " them."
        ),
    ]
    weekends: Annotated[
        bool, Meta(description="The same on Saturdays and Sundays, if true.")
    ]
    mails: Annotated[
        MailChoice,
        Meta(
            description="Which mails of a game's course you get: each at once, or only"
            " those by which you act (`asks`), where the rest is told with the next."
        ),
    ]


def me_reply(person_id: UUID) -> MeReply:
    """The account of somebody, for themself."""
    person = accounts.known(person_id)
    quiet = person.free.quiet_hours
    return MeReply(
        id=person.id,
        name=person.profile.name,
        language=Language(person.profile.language),
        zone=person.profile.zone,
        address=person.address or "",
        new_address=codes.wanted(person_id),
        program=person.program,
        quiet_hours=None if quiet is None else QuietHoursReply(quiet.begin, quiet.end),
        weekends=person.free.weekends,
        mails=person.mails,
    )


def _marked(person_id: UUID) -> tuple[MeReply, dict[str, str]]:
    """An account, and the header with the mark of just that."""
    found = me_reply(person_id)
    return found, {response_headers.ETAG: f'"{etags.of(found)}"'}


def _check(person_id: UUID) -> None:
    """Refuse a write that counts on another account than there is, while it is held."""
    preconditions.check(lambda: etags.of(me_reply(person_id)))


@blueprint.place("/me")
class Me(Resource):
    """Your account."""

    @blueprint.access(Who.PERSON, access.PROFILE)
    @blueprint.response(200, MeReply)
    def get(self) -> tuple[MeReply, dict[str, str]]:
        """Show your account."""
        return _marked(access.account())

    @blueprint.conditional()
    @blueprint.marked()
    @blueprint.access(Who.PERSON, access.PROFILE)
    @blueprint.fails(TooManyChanges)
    @blueprint.arguments(MeUpdateSchema)
    @blueprint.response(200, MeReply)
    def patch(self, wish: AccountChange) -> tuple[MeReply, dict[str, str]]:
        """Change your account.

        A new address is yours once the codes from the old mailbox and the new one are
        in. The name is for tables to come: at a table you keep the one you have. Quiet
        hours, weekends, and the zone while you keep either, change three times in seven
        days; taking them away is always possible.
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


@blueprint.place("/me/address/confirmation")
class AddressConfirmation(Resource):
    """A change of address, confirmed from both mailboxes."""

    @blueprint.named("confirmAddress")
    @blueprint.marked()
    @blueprint.access(Who.PERSON, access.PROFILE)
    @blueprint.fails(AddressInUse, CodeRefused)
    @blueprint.arguments(AddressConfirmationSchema)
    @blueprint.response(200, MeReply)
    def post(self, sent: AddressCodes) -> tuple[MeReply, dict[str, str]]:
        """Change your address, with the codes from the old mailbox and the new one.

        Whether the new address is somebody else's is only told once both are right.
        """
        person_id = access.account()
        # The codes are all that it counts on.
        preconditions.check_unmarked()
        accounts.confirm_address(
            person_id, sent.old_code, sent.new_code, request.remote_addr
        )
        return _marked(person_id)
