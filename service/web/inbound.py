"""Mails that a service for incoming mail hands on: kept as they came, no more told."""

from http import HTTPStatus

from flask import Blueprint, Response, current_app, request

from service import config
from service.people import incoming_mail
from service.rate_limits import charging
from service.values import inbound_secrets
from service.values.errors import NotFound

bp = Blueprint("inbound", __name__)

_MOST_ADDRESS = 320
_TYPE = "message/rfc822"


def is_proved() -> bool:
    """Whether the request shows the secret of whoever may hand mails on."""
    secret = config.of(current_app).inbound_secret
    return inbound_secrets.is_shown(request.headers.get("Authorization", ""), secret)


@bp.post(inbound_secrets.PATH)
def take() -> Response:
    """Keep a mail, its raw bytes as they came; `to` is the address it was delivered to.

    Whatever becomes of it later, the answer is the same: also if it came before. Raises
    NotFound where nobody may bring any, and Busy.
    """
    settings = config.of(current_app)
    if settings.inbound_address is None or settings.inbound_secret is None:
        raise NotFound(what="page")
    if not is_proved():
        charging.refuse()
        return _bare(HTTPStatus.UNAUTHORIZED)
    if request.mimetype != _TYPE:
        return _bare(HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
    envelope = request.args.get("to", "").strip()
    if len(envelope) > _MOST_ADDRESS or not envelope.isprintable():
        return _bare(HTTPStatus.UNPROCESSABLE_ENTITY)
    request.max_content_length = config.MAIL_LIMIT
    incoming_mail.take(request.get_data(cache=False), envelope)
    return _bare(HTTPStatus.NO_CONTENT)


def _bare(status: HTTPStatus) -> Response:
    """No page: it is a program that reads this, and the status says it all."""
    answer = Response(status=status)
    if status is HTTPStatus.UNAUTHORIZED:
        answer.headers["WWW-Authenticate"] = "Bearer"
    return answer
