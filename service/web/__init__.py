"""The pages: server-rendered, no script needed."""

from flask import Blueprint, Flask
from flask_babel import get_locale

from service import i18n
from service.depicting import telling, terms
from service.web import (
    browsers,
    decisions,
    failures,
    games,
    headers,
    home,
    joining,
    mailbox,
    metering,
    new,
    reference,
    rules,
    tables,
)

_PARTS = (
    home,
    new,
    tables,
    joining,
    decisions,
    browsers,
    games,
    mailbox,
    rules,
    reference,
)


def init_app(app: Flask) -> None:
    """Put the pages on an app."""
    pages = Blueprint("web", __name__)
    pages.register_error_handler(Exception, failures.page)
    pages.after_request(headers.protect)
    metering.init_app(pages)
    for part in _PARTS:
        pages.register_blueprint(part.bp)
    app.register_blueprint(pages)
    app.context_processor(mailbox.badge)
    app.add_template_global(telling.markup, "told")
    app.add_template_global(telling.isolated, "isolated")
    app.add_template_global(telling.listed, "listed")
    app.add_template_filter(telling.isolated, "isolated")
    app.add_template_filter(i18n.signed, "signed")
    app.add_template_filter(i18n.opening, "opening")
    app.add_template_filter(i18n.bot_tag, "bot_tag")
    app.add_template_global(i18n.edition_name, "edition_name")
    app.add_template_global(i18n.edition_line, "edition_line")
    app.add_template_global(terms.told, "terms_of")
    app.add_template_global(get_locale, "get_locale")
    failures.init_app(app)
