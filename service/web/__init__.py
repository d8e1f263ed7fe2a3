"""The pages: server-rendered, no script needed."""

from flask import Blueprint, Flask, current_app
from flask_babel import get_locale

from engine import fairness
from service import config
from service.present import nouns, phrases, sentences, terms
from service.values.names import NAME_LIMIT
from service.web import (
    browsers,
    inbound,
    lost_mail,
    mailbox,
    rate_limits,
    unsubscribing,
)
from service.web.about import home, reference, rules
from service.web.http import error_pages, page_headers, readers
from service.web.play import (
    away_link,
    away_page,
    calendar_page,
    decision_page,
    game_page,
    kept_seats,
    lessons,
    proposal_page,
    round_page,
)
from service.web.table import host, joining, new_game, open_seat

_PARTS = (
    home,
    new_game,
    host,
    joining,
    open_seat,
    decision_page,
    proposal_page,
    browsers,
    calendar_page,
    unsubscribing,
    lost_mail,
    game_page,
    round_page,
    away_link,
    away_page,
    kept_seats,
    mailbox,
    inbound,
    rules,
    reference,
)


def init_app(app: Flask) -> None:
    """Put the pages on an app."""
    pages = Blueprint("web", __name__)
    pages.register_error_handler(Exception, error_pages.page)
    pages.after_request(page_headers.protect)
    rate_limits.init_app(pages)
    for part in _PARTS:
        pages.register_blueprint(part.bp)
    app.register_blueprint(pages)
    app.context_processor(mailbox.badge)
    app.add_template_global(sentences.markup, "markup")
    app.add_template_filter(readers.clock_time, "clock_time")
    app.add_template_filter(readers.time_of_day, "time_of_day")
    app.add_template_global(sentences.isolated, "isolated")
    app.add_template_global(sentences.listed, "listed")
    app.add_template_filter(sentences.isolated, "isolated")
    app.add_template_filter(nouns.signed, "signed")
    app.add_template_filter(sentences.opening, "opening")
    app.add_template_filter(nouns.bot_tag, "bot_tag")
    app.add_template_global(nouns.edition_name, "edition_name")
    app.add_template_global(nouns.edition_line, "edition_line")
    app.add_template_global(terms.sentences_on, "terms_of")
    app.add_template_global(_mail_sender, "mail_sender")
    app.add_template_global(phrases.stock, "stock_phrases")
    app.add_template_global(lessons.read, "lessons")
    app.add_template_global(get_locale, "get_locale")
    app.jinja_env.globals["most_in_name"] = NAME_LIMIT
    app.jinja_env.globals["most_in_word"] = fairness.WORD_LIMIT
    error_pages.init_app(app)


def _mail_sender() -> str:
    """The address that all our mails come from, as mail programs show it."""
    return config.of(current_app).mail_from.addr_spec
