"""The API as a page: every operation of the contract, for whoever writes programs."""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec
from flask import Blueprint, current_app, render_template

from service.api import contract
from service.i18n import gettext as _
from service.web import operations
from service.web.operations import Told

bp = Blueprint("reference", __name__)

_KEY: Final = "kingup_reference"


class Section(msgspec.Struct, frozen=True):
    """A resource: what it is, and all that can be done to it."""

    name: str
    about: str
    operations: Sequence[Told]


@bp.get("/docs")
def show() -> str:
    """Every operation: who may call it, what it takes, and all that it answers."""
    return render_template("reference.html", sections=_sections(), callers=_callers())


def _sections() -> Sequence[Section]:
    """The contract by resources, which no request changes any more."""
    found: Sequence[Section] | None = current_app.extensions.get(_KEY)
    if found is None:
        spec = contract.specification(current_app)
        told = list(operations.read(spec))
        found = current_app.extensions[_KEY] = [
            Section(
                tag["name"],
                tag.get("description", ""),
                [each for each in told if each.tag == tag["name"]],
            )
            for tag in spec["tags"]
        ]
    return found


def _callers() -> Mapping[str, str]:
    """Who may call something, in words."""
    return {
        "public": _("anybody; a token changes nothing"),
        "reader": _("whoever may see the game, with a token or without"),
        "person": _("whoever the token belongs to"),
        "seat": _("whoever sits at the table"),
        "host": _("the host"),
        "holder": _("whoever has the secret from the mailed link"),
    }
