"""The account of whoever asks: shown, changed, taken along, erased."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Annotated
from uuid import UUID

import msgspec
from flask import Response, request
from msgspec import Meta

from engine.board import Card
from engine.commands import Answer, Source
from service.api.http import (
    access,
    cursors,
    etags,
    preconditions,
    replies,
    response_headers,
)
from service.api.http.annotations import Who
from service.api.http.replies import Moment
from service.api.http.resource import Blueprint, Resource
from service.api.resources import devices
from service.api.resources.absences import AbsenceReply
from service.api.resources.devices import DeviceReply
from service.api.resources.tokens import TokenReply
from service.api.schemas.game import Page, PageSchema
from service.api.schemas.person import (
    AddressCodes,
    AddressConfirmationSchema,
    MeUpdateSchema,
)
from service.people import accounts, deletion
from service.people.accounts import AccountChange
from service.store import absences, codes, last_mails, personal_data, tokens
from service.store import devices as devicestore
from service.store.outbox import MailState
from service.store.personal_data import OwnMail
from service.values import public_urls
from service.values.conflicts import AddressInUse, CodeRefused
from service.values.enums import (
    DeliveryState,
    GameStatus,
    InvitationState,
    Language,
    LinkPurpose,
    MailChoice,
    SeatState,
)
from service.values.errors import TooManyChanges
from service.values.lines import StockPhrase
from service.values.wishes import Wishes

blueprint = Blueprint("me", "Your account.")


class QuietHoursReply(
    msgspec.Struct, frozen=True, rename={"begin": "from", "end": "to"}
):
    """Hours of every day in which nothing of yours ends, by your own clock."""

    begin: Annotated[str, Meta(description="HH:MM.", examples=["22:00"])]
    end: Annotated[str, Meta(description="HH:MM.", examples=["08:00"])]


class LastMailReply(msgspec.Struct, frozen=True):
    """What became of the latest mail of a game to you."""

    state: DeliveryState
    at: Moment


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
    last_mail: Annotated[
        LastMailReply | None,
        Meta(
            description="`delivered`: a mail server has it, and none has told that it"
            " came back; `returned`: it came back; `refused`: no server took it."
        ),
    ]


class OwnMailReply(msgspec.Struct, frozen=True):
    """A mail to you: what it was about, not what it said."""

    id: UUID
    kinds: Annotated[Sequence[str], Meta(description="All that it tells of.")]
    game: UUID | None
    state: MailState
    created_at: Moment
    settled_at: Moment | None


class OwnMailsReply(msgspec.Struct, frozen=True):
    """A page of your mails, the newest first; `Link` leads to the next one."""

    mails: Sequence[OwnMailReply]


class OwnSeatReply(msgspec.Struct, frozen=True):
    """A seat of yours."""

    game: UUID
    seat: int
    name: str
    state: SeatState
    status: Annotated[GameStatus, Meta(description="The game's.")]
    is_host: bool
    cards_by_mail: Annotated[
        bool, Meta(description="You have your cards mailed to you in this game.")
    ]


class OwnAnswerReply(msgspec.Struct, frozen=True):
    """An answer you gave, or that was given for you."""

    game: UUID
    decision: int
    seat: int
    source: Annotated[Source, Meta(description="Who or what gave it.")]
    answer: Answer
    wished: Annotated[
        Card | None,
        Meta(
            description="The card that your standing answer named, where a Yes was laid"
            " in its place; null until the reveal."
        ),
    ]


class OwnStandingAnswersReply(Wishes, frozen=True, kw_only=True):
    """What you have answered ahead for a round of a game that runs."""

    game: UUID
    seat: int
    round: int


class OwnInvitationReply(msgspec.Struct, frozen=True):
    """An invitation to you, or by you; whom you asked is not told again."""

    game: UUID
    seat: int
    received: bool
    state: InvitationState
    created_at: Moment
    answered_at: Moment | None


class OwnLinkReply(msgspec.Struct, frozen=True):
    """A link you were mailed, without its secret."""

    game: UUID
    seat: int
    purpose: LinkPurpose
    decision: int | None
    created_at: Moment


class OwnMessageReply(msgspec.Struct, frozen=True):
    """Something you said at a table."""

    game: UUID
    id: Annotated[
        int | None,
        Meta(description="Null, like the moment, while it lies with your ballot."),
    ]
    seat: int
    decision: int | None
    line: str | None
    phrase: StockPhrase | None
    said_at: Moment | None


class OwnMuteReply(msgspec.Struct, frozen=True):
    """A seat of whose talk you read nothing, by your wish."""

    game: UUID
    seat: int


class OwnReportReply(msgspec.Struct, frozen=True):
    """A message that you have reported."""

    game: UUID
    message: int
    created_at: Moment


class OwnUnsubscriptionReply(msgspec.Struct, frozen=True):
    """A game of which you wanted no more mails."""

    game: UUID
    created_at: Moment


class BelongingsReply(msgspec.Struct, frozen=True):
    """What is kept about you beside your account, mails, tokens and devices."""

    created_at: Moment
    verified_at: Moment | None
    seats: Sequence[OwnSeatReply]
    answers: Sequence[OwnAnswerReply]
    standing_answers: Sequence[OwnStandingAnswersReply]
    invitations: Sequence[OwnInvitationReply]
    links: Sequence[OwnLinkReply]
    messages: Sequence[OwnMessageReply]
    mutes: Sequence[OwnMuteReply]
    reports: Sequence[OwnReportReply]
    unsubscribed: Sequence[OwnUnsubscriptionReply]
    known_networks: Annotated[
        int,
        Meta(
            description="From how many networks you proved your address in the last"
            " 180 days. Only digests of them are kept: whoever asks for codes elsewhere"
            " uses up none of yours."
        ),
    ]
    free_time_changes: Annotated[
        Sequence[Moment],
        Meta(
            description="When you last changed quiet hours, weekends, or the zone they"
            " are kept by: three times in seven days at most."
        ),
    ]
    calendar_since: Annotated[
        Moment | None,
        Meta(description="When the address of your calendar was made."),
    ]


class MeExportReply(BelongingsReply, frozen=True):
    """All that is kept about you."""

    me: MeReply
    absences: Sequence[AbsenceReply]
    mails: Sequence[OwnMailReply]
    tokens: Sequence[TokenReply]
    devices: Sequence[DeviceReply]


def _me(person_id: UUID) -> MeReply:
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
        last_mail=_last_mail(person_id),
    )


def _last_mail(person_id: UUID) -> LastMailReply | None:
    found = last_mails.latest(person_id)
    return None if found is None else LastMailReply(found.state, Moment.of(found.at))


def _marked(person_id: UUID) -> tuple[MeReply, dict[str, str]]:
    """An account, and the header with the mark of just that."""
    found = _me(person_id)
    return found, {response_headers.ETAG: f'"{etags.of(found)}"'}


def _check(person_id: UUID) -> None:
    """Refuse a write that counts on another account than there is, while it is held."""
    preconditions.check(lambda: etags.of(_me(person_id)))


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


@blueprint.place("/me/mails")
class Mails(Resource):
    """The mails you were sent."""

    @blueprint.access(Who.PERSON, access.PROFILE)
    @blueprint.arguments(PageSchema, location="query")
    @blueprint.response(200, OwnMailsReply)
    def get(self, page: Page) -> tuple[OwnMailsReply, dict[str, str]]:
        """List your mails, the newest first: what each was about, not what it said.

        Mails with codes are listed for a day.
        """
        person_id = access.account()
        after, limit = cursors.read(page.cursor), page.limit
        found = personal_data.mails(person_id, after, limit + 1)
        listed = OwnMailsReply(_mails(found[:limit]))
        return listed, cursors.next_page(
            f"{public_urls.API}/me/mails", limit, [row.cursor for row in found]
        )


@blueprint.place("/me/export")
class OwnExport(Resource):
    """All that is kept about you."""

    @blueprint.named("exportMe")
    @blueprint.access(Who.PERSON, access.PROFILE)
    @blueprint.response(200, MeExportReply)
    def get(self) -> tuple[MeExportReply, dict[str, str]]:
        """Take along all that is kept about you.

        Secrets are kept as hashes alone and are not in it, nor is what others are to
        the same games. Answers of games that still run, laid ballots and standing
        answers among them and what you said with a ballot, are in it for a token that
        has `games:read` as well.
        """
        person_id = access.account()
        scopes = access.person(access.PROFILE).scopes
        kept = personal_data.belongings(person_id, running=access.READ in scopes)
        everything = MeExportReply(
            **msgspec.structs.asdict(replies.of(BelongingsReply, kept)),
            me=_me(person_id),
            absences=[
                replies.of(AbsenceReply, row) for row in absences.of_person(person_id)
            ],
            mails=_mails(personal_data.mails(person_id, None, None)),
            tokens=[replies.of(TokenReply, row) for row in tokens.of_person(person_id)],
            devices=[
                devices.device_reply(row)
                for row in devicestore.of_person(person_id, None, None)
            ],
        )
        name = "attachment; filename=kingup-me.json"
        return everything, {"Content-Disposition": name}


def _mails(found: Iterable[OwnMail]) -> list[OwnMailReply]:
    return [replies.of(OwnMailReply, row) for row in found]
