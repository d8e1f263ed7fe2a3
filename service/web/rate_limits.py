"""What each page costs of its limits: by its link or cookie, or by the network."""

from flask import Blueprint, Response, request

from service.rate_limits import charging
from service.rate_limits.charging import Credential
from service.rate_limits.limits import PAGES, WRITING, Whose
from service.values import signed_tokens
from service.web import inbound
from service.web.about import home
from service.web.http import seat_cookies
from service.web.play import decision_page, game_page

_READING = ("GET", "HEAD")


def init_app(pages: Blueprint) -> None:
    """Count every request for a page before it is answered, and settle it after."""
    pages.before_request(_count)
    pages.after_request(_settle)


def _count() -> None:
    """Raises TooManyRequests."""
    if request.method == "OPTIONS" or _is_mail():
        return
    charge = charging.begin(request.remote_addr)
    if charge is None:
        return
    credential = _credential()
    if credential is not None:
        charge.show(credential)
    # Whoever is asked gets to answer, however much they have asked for before.
    if not (charge.by_proof and _is_answer()):
        charge.count(PAGES if request.method in _READING else WRITING)


def _is_mail() -> bool:
    """Whether somebody hands a mail on who may: as many as come."""
    name = f"web.{inbound.bp.name}.{inbound.take.__name__}"
    return request.endpoint == name and inbound.is_proved()


def _credential() -> Credential | None:
    """What is secret in the path, or the cookie of the game that is asked for."""
    values = request.view_args or {}
    for name in ("raw", "secret"):
        if name in values:
            return Credential(Whose.LINK, signed_tokens.normalise(values[name]))
    if "game_id" in values:
        secret = seat_cookies.secret(values["game_id"])
        return None if secret is None else Credential(Whose.BROWSER, secret)
    if request.endpoint == f"web.{home.bp.name}.{home.index.__name__}":
        secrets = seat_cookies.secrets()
        return Credential(Whose.BROWSER, secrets[0]) if secrets else None
    return None


def _is_answer() -> bool:
    if request.method != "POST":
        return False
    if request.endpoint == f"web.{game_page.bp.name}.{game_page.act.__name__}":
        return True
    is_link = (
        request.endpoint == f"web.{decision_page.bp.name}.{decision_page.act.__name__}"
    )
    return is_link and request.form.get("do") == "answer"


def _settle(response: Response) -> Response:
    charge = charging.current()
    if charge is not None:
        # A form that comes back with its faults came from whoever may fill it in.
        status = response.status_code
        charge.settle(proved=charging.is_believed(status) or status == 422, made=True)
    return response
