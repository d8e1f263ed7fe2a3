"""*Lost the mail?*: the page that has one's open questions mailed once more."""

from flask import Blueprint, Response, make_response, render_template, request

from service.people import lost_mails
from service.present.languages import gettext as _
from service.rate_limits import charging
from service.rate_limits.limits import CODES
from service.values.errors import Invalid
from service.web.http import forms, seat_cookies
from service.web.http.forms import FormErrors

bp = Blueprint("lost_mail", __name__)


@bp.get("/lost")
def ask() -> str:
    """Which address misses a mail."""
    return _page()


@bp.post("/lost")
def send() -> Response:
    """The same answer whatever the address is: that whoever has it is mailed."""
    seat_cookies.check_origin()
    try:
        with charging.making(CODES):
            lost_mails.ask(request.form.get("address", ""))
    except Invalid as error:
        trouble = forms.form_error(error, {"address": _("Your e-mail address")})
        return forms.answer(_page(trouble), trouble)
    return make_response(_page(sent=True))


def _page(trouble: FormErrors | None = None, *, sent: bool = False) -> str:
    return render_template(
        "lost_mail.html", trouble=trouble, sent=sent, typed=request.form
    )
