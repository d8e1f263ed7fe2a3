"""The API as a page: every operation of the contract, for whoever writes programs."""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec
from flask import Blueprint, current_app, render_template

from service.api.openapi import document, examples
from service.present import languages
from service.present.languages import gettext as _
from service.values import public_urls
from service.web.about import operations
from service.web.about.operations import OperationPage

bp = Blueprint("reference", __name__)

_KEY: Final = "kingup_reference"

_TITLES: Final[Mapping[str, str]] = {
    "sign-in": "Sign-in",
    "games": "Games",
    "play": "Playing",
    "turns": "Turns",
    "stream": "Stream",
    "tickets": "Tickets",
    "standing-answers": "Standing answers",
    "card-orders": "Cards by mail",
    "messages": "Talk",
    "events": "Record",
    "export": "Export",
    "pictures": "Pictures",
    "invitations": "Invitations",
    "seats": "Seats",
    "departure": "Departure",
    "pauses": "Pauses",
    "waits": "Waiting no longer",
    "replacement": "Replacement",
    "proposals": "Proposals",
    "rematch": "Rematch",
    "clock": "Clock",
    "tokens": "Tokens",
    "devices": "Devices",
    "me": "Account",
    "personal-data": "Your data",
    "absences": "Days away",
    "calendars": "Calendar",
    "editions": "Editions",
    "contract": "Contract",
    "health": "Health",
}
"""What the sections are called, in the order in which one needs them.

Like the rest of the contract they speak English.
"""


class Section(msgspec.Struct, frozen=True):
    """A resource: what it is, and all that can be done to it."""

    name: str
    title: str
    about: str
    operations: Sequence[OperationPage]


@bp.get("/docs")
def show() -> str:
    """Every operation: who may call it, what it takes, and all that it answers."""
    return render_template(
        "reference.html",
        sections=_sections(),
        callers=_callers(),
        origin=public_urls.api_url().removesuffix(public_urls.API),
        game=examples.GAME,
    )


def _sections() -> Sequence[Section]:
    """The contract by resources, which no request changes any more."""
    found: Sequence[Section] | None = current_app.extensions.get(_KEY)
    if found is None:
        with languages.speaking(languages.LANGUAGES[0]):
            found = current_app.extensions[_KEY] = _read()
    return found


def _read() -> Sequence[Section]:
    spec = document.specification(current_app)
    pages = list(operations.read(spec))
    sections = [
        Section(
            tag["name"],
            _TITLES.get(tag["name"], tag["name"]),
            tag.get("description", ""),
            [each for each in pages if each.tag == tag["name"]],
        )
        for tag in spec["tags"]
    ]
    return sorted(sections, key=_by_use)


def _by_use(section: Section) -> int:
    """Where a section comes; one without a title of its own at the end."""
    names = list(_TITLES)
    return names.index(section.name) if section.name in names else len(names)


def _callers() -> Mapping[str, str]:
    """Who may call something, in words."""
    return {
        "public": _("anybody; a token changes nothing"),
        "visitor": _("anybody; a token shows who asks"),
        "reader": _("whoever may see the game, with a token or without"),
        "person": _("whoever the token belongs to"),
        "seat": _("whoever sits at the table"),
        "host": _("the host"),
        "holder": _("whoever has the secret from the mailed link"),
    }
