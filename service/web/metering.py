"""What each page costs of its limits: by its link or cookie, or by the network."""

from flask import Blueprint, Response, request

from service import charging, links
from service.charging import Shown
from service.limits import PAGES, WRITING, Whose
from service.web import decisions, devices, games, home

_READING = ("GET", "HEAD")


def init_app(pages: Blueprint) -> None:
    """Count every request for a page before it is answered, and settle it after."""
    pages.before_request(_count)
    pages.after_request(_settle)


def _count() -> None:
    """Raises TooManyRequests."""
    if request.method == "OPTIONS":
        return
    charge = charging.begin(request.remote_addr)
    if charge is None:
        return
    shown = _shown()
    if shown is not None:
        charge.show(shown)
    # Whoever is asked gets to answer, however much they have asked for before.
    if not (charge.by_proof and _is_answer()):
        charge.count(PAGES if request.method in _READING else WRITING)


def _shown() -> Shown | None:
    """The link in the path, or the cookie of the game that is asked for."""
    values = request.view_args or {}
    if "raw" in values:
        return Shown(Whose.LINK, links.normalise(values["raw"]))
    if "game_id" in values:
        secret = devices.secret(values["game_id"])
        return None if secret is None else Shown(Whose.BROWSER, secret)
    if request.endpoint == f"web.{home.bp.name}.{home.index.__name__}":
        secrets = devices.secrets()
        return Shown(Whose.BROWSER, secrets[0]) if secrets else None
    return None


def _is_answer() -> bool:
    if request.method != "POST":
        return False
    if request.endpoint == f"web.{games.bp.name}.{games.act.__name__}":
        return True
    is_link = request.endpoint == f"web.{decisions.bp.name}.{decisions.act.__name__}"
    return is_link and request.form.get("do") == "answer"


def _settle(response: Response) -> Response:
    charge = charging.current()
    if charge is not None:
        # A form that comes back with its faults came from whoever may fill it in.
        status = response.status_code
        charge.settle(proved=charging.is_believed(status) or status == 422, made=True)
    return response
