"""Signing in: a code by mail, and a token for it."""

from uuid import UUID

import msgspec
from flask import request

from service.api.http import preconditions
from service.api.http.annotations import Who
from service.api.http.resource import Blueprint, Resource
from service.api.resources import tokens
from service.api.resources.tokens import CreatedTokenReply
from service.api.schemas.person import (
    Confirmed,
    NewSignInSchema,
    SignInConfirmationSchema,
    SignInWish,
)
from service.auth import bearer
from service.people import accounts
from service.rate_limits.limits import CODES
from service.values.conflicts import CodeRefused, MoreThanMailed
from service.values.errors import NotFound

blueprint = Blueprint("sign-in", "Signing in.")


class SignInStartedReply(msgspec.Struct, frozen=True):
    """What a code has to be sent back with, whether or not one was mailed."""

    sign_in: UUID


@blueprint.place("/sign-in")
class SignIn(Resource):
    """Codes by mail."""

    @blueprint.named("requestSignIn")
    @blueprint.access(Who.PUBLIC)
    @blueprint.limited(CODES)
    @blueprint.arguments(NewSignInSchema)
    @blueprint.response(202, SignInStartedReply)
    def post(self, asked: SignInWish) -> tuple[SignInStartedReply, dict[str, str]]:
        """Have a code mailed to your address; no account is needed.

        The mail says in words what whoever types the code in gets: all that `scopes`,
        `game` and `expires_in` ask for, or else everything, for a year.

        The answer is the same whether or not the address is known here, and whether or
        not it had too many codes already: then there is no mail. From a network where
        you have signed in before, and with a token of yours in `Authorization`, codes
        that others ask for use up none of yours.
        """
        preconditions.check_unmarked()
        number = accounts.ask_to_sign_in(
            asked.address, request.remote_addr, bearer.token_hash(request), asked.grant
        )
        return SignInStartedReply(number), {"Cache-Control": "no-store"}


@blueprint.place("/sign-in/confirmation")
class Confirmation(Resource):
    """Codes sent back."""

    # No Idempotency-Key: in its transaction a wrong try would not be counted.
    @blueprint.named("confirmSignIn")
    @blueprint.access(Who.PUBLIC)
    @blueprint.fails(CodeRefused, MoreThanMailed, NotFound)
    @blueprint.arguments(SignInConfirmationSchema)
    @blueprint.response(201, CreatedTokenReply)
    def post(self, sent: Confirmed) -> tuple[CreatedTokenReply, dict[str, str]]:
        """Get a token for the code from the mail.

        It is good for what the mail says; for less with `scopes`, `game` or
        `expires_in`, and never for more (`more-than-mailed`). A code is good for 15
        minutes, five tries and one sign-in. Whoever isn't known yet gets an account by
        it. The token is shown only now. Of more than 100 good ones the one that was
        used longest ago is revoked.
        """
        preconditions.check_unmarked()
        issued = accounts.sign_in(
            sent.sign_in, sent.code, sent.arrival, request.remote_addr, sent.grant
        )
        return tokens.shown(issued), tokens.made(issued)
