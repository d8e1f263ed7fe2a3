"""Signing in: a code by mail, and a token for it."""

from uuid import UUID

from flask import request
from flask.views import MethodView

from service.api import preconditions, tokens
from service.api.blueprint import Blueprint
from service.api.contract.declared import Who
from service.errors import CodeRefused
from service.limits import CODES
from service.people import accounts, auth
from service.people.accounts import Arrival
from service.schemas.person import ConfirmationSchema, SignInAskedSchema, SignInSchema
from service.schemas.token import NewTokenSchema

blueprint = Blueprint("sign-in", "Signing in.")


@blueprint.route("/sign-in")
class SignIn(MethodView):
    """Codes by mail."""

    @blueprint.named("signIn")
    @blueprint.access(Who.PUBLIC)
    @blueprint.limited(CODES)
    @blueprint.arguments(SignInSchema)
    @blueprint.response(202, SignInAskedSchema)
    def post(self, asked: dict[str, str]) -> tuple[dict[str, UUID], dict[str, str]]:
        """Have a code mailed to your address; no account is needed.

        The answer is the same whether or not the address is known here, and whether or
        not it had too many codes already: then there is no mail. From a network where
        you have signed in before, and with a token of yours in `Authorization`, codes
        that others ask for use up none of yours.
        """
        preconditions.check_unmarked()
        number = accounts.ask_to_sign_in(
            asked["address"], request.remote_addr, auth.token_hash(request)
        )
        return {"sign_in": number}, {"Cache-Control": "no-store"}


@blueprint.route("/sign-in/confirmation")
class Confirmation(MethodView):
    """Codes sent back."""

    # No Idempotency-Key: in its transaction a wrong try would not be counted.
    @blueprint.named("confirmSignIn")
    @blueprint.access(Who.PUBLIC)
    @blueprint.fails(CodeRefused)
    @blueprint.arguments(ConfirmationSchema)
    @blueprint.response(201, NewTokenSchema)
    def post(
        self, sent: tuple[UUID, str, Arrival]
    ) -> tuple[dict[str, object], dict[str, str]]:
        """Get a token with every scope for the code from the mail.

        A code is good for 15 minutes, five tries and one sign-in. Whoever isn't known
        yet gets an account by it. The token is shown only now. Of more than 100 good
        ones the one that was used longest ago is revoked.
        """
        preconditions.check_unmarked()
        issued = accounts.sign_in(*sent, request.remote_addr)
        return tokens.shown(issued), tokens.made(issued)
