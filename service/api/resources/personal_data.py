"""What is kept about whoever asks: their mails, and all of it to take along."""

from collections.abc import Iterable, Sequence
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from engine.board import Card
from engine.commands import Answer, Source
from service.api.http import access, cursors, replies
from service.api.http.annotations import Who
from service.api.http.replies import Moment
from service.api.http.resource import Blueprint, Resource
from service.api.resources import devices, me
from service.api.resources.absences import AbsenceReply
from service.api.resources.devices import DeviceReply
from service.api.resources.me import MeReply
from service.api.resources.tokens import TokenReply
from service.api.schemas.game import Page, PageSchema
from service.store import absences, personal_data, tokens
from service.store import devices as devicestore
from service.store.outbox import MailState
from service.store.personal_data import OwnMail
from service.values import public_urls
from service.values.enums import (
    GameStatus,
    InvitationState,
    LinkPurpose,
    SeatState,
)
from service.values.lines import StockPhrase
from service.values.wishes import Wishes

blueprint = Blueprint("personal-data", "Your mails, and all that is kept about you.")


class OwnMailReply(msgspec.Struct, frozen=True):
    """A mail to you: what it was about, not what it said."""

    id: UUID
    kinds: Annotated[Sequence[str], Meta(description="All that it tells of.")]
    game: UUID | None
    state: MailState
    created_at: Moment
    settled_at: Moment | None
    returned_at: Annotated[
        Moment | None,
        Meta(description="When a mail server told that nobody takes it there."),
    ]


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
            me=me.me_reply(person_id),
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
