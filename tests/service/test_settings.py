"""Setting by setting: what works is made right, what can't is refused by its name."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from service import config
from service.values import mail_settings
from service.values.setting import ConfigError
from service.values.urls import MailServer, Security
from tests.rig.service.environs import BAD, COMPLETE
from tests.rig.service.manual import names, page, rows, section

"""Values that can't work. What is empty counts as not set."""


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name in BAD for value in BAD[name]]
)
def test_what_cannot_work_is_refused_in_one_sentence(name: str, value: str) -> None:
    with pytest.raises(ConfigError, match=f"^{name} ") as refused:
        config.load(COMPLETE | {name: value})

    assert str(refused.value).isprintable()
    with pytest.raises(ConfigError, match=f"^{name} "):
        config.load_local(COMPLETE | {name: value})


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("DATABASE_URL", "postgresql://me:{}@db/kingup"),
        ("REDIS_URL", "redis://me:{}@valkey"),
        ("SMTP_URL", "smtp://me:{}@mail.example"),
        ("PUBLIC_URL", "https://me:{}@kingup.example"),
    ],
)
@pytest.mark.parametrize(
    "password", ["hunter/2", "hunter#2", "hunter?2", "1?hunter", "[hunter", "hunt%er%"]
)
def test_no_refusal_tells_a_part_of_a_password(
    name: str, address: str, password: str
) -> None:
    said = refusal(COMPLETE | {name: address.format(password)})

    assert "hunt" not in said


def refusal(environ: Mapping[str, str]) -> str:
    """Why these settings are refused; empty when they aren't."""
    try:
        config.load(environ)
    except ConfigError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    ("value", "option"),
    [("?tls", "tls"), ("?starttls&verify=no", "verify"), ("?STARTTLS", "STARTTLS")],
)
def test_an_unknown_option_of_the_mail_server_is_named(value: str, option: str) -> None:
    with pytest.raises(ConfigError, match=f"^SMTP_URL .*known: {option}\\.$"):
        config.load(COMPLETE | {"SMTP_URL": f"smtp://mail.example{value}"})


def test_every_setting_is_tried_here() -> None:
    table = rows(section(page("self-hosting.md"), "Variables"))
    tried = {*BAD, "KINGUP_HOSTS"}

    assert {names(row[0])[0] for row in table} == tried


@pytest.mark.parametrize("name", [*BAD, "KINGUP_HOSTS"])
@pytest.mark.parametrize("blank", ["", " ", "\t\n"])
def test_a_blank_setting_counts_as_not_set(name: str, blank: str) -> None:
    environ = {each: value for each, value in COMPLETE.items() if each != name}

    try:
        expected = config.load(environ)
    except ConfigError as error:
        with pytest.raises(ConfigError, match=f"^{error}$"):
            config.load(environ | {name: blank})
    else:
        assert config.load(environ | {name: blank}) == expected


@pytest.mark.parametrize(
    ("given", "origin", "domain"),
    [
        ("https://kingup.example", "https://kingup.example", "kingup.example"),
        (" HTTPS://KingUp.Example./ ", "https://kingup.example", "kingup.example"),
        ("https://könig.example", "https://xn--knig-5qa.example", None),
        ("https://KÖNIG.example:8443", "https://xn--knig-5qa.example:8443", None),
        ("https://king。example", "https://king.example", "king.example"),
        ("https://kingup.example:443", "https://kingup.example", "kingup.example"),
        ("http://kingup.example:80/", "http://kingup.example", "kingup.example"),
        ("http://kingup.example:443", "http://kingup.example:443", "kingup.example"),
        ("http://localhost:8000", "http://localhost:8000", "localhost"),
        ("http://king_up", "http://king_up", "king_up"),
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000", "[127.0.0.1]"),
        ("http://[0:0::1]:8000", "http://[::1]:8000", "[IPv6:::1]"),
    ],
)
def test_links_and_mails_spell_our_host_as_their_protocols_do(
    given: str, origin: str, domain: str | None
) -> None:
    settings = config.load(COMPLETE | {"PUBLIC_URL": given})

    assert settings.public_url == origin
    assert settings.mail_domain == (domain or "xn--knig-5qa.example")


@pytest.mark.parametrize(
    ("given", "host", "security"),
    [
        ("smtp://mail", "mail", Security.NONE),
        ("smtp://mail:25?", "mail", Security.NONE),
        ("SMTP://Mail.Example:25/", "mail.example", Security.NONE),
        ("smtp://mail?starttls", "mail", Security.STARTTLS),
        ("smtp://mail?starttls=", "mail", Security.STARTTLS),
        ("smtps://mail", "mail", Security.TLS),
        ("smtp://me:pw@mail", "mail", Security.STARTTLS),
        ("smtp://me:pw@mail?starttls", "mail", Security.STARTTLS),
        ("smtp://me:pw@10.0.0.1", "10.0.0.1", Security.STARTTLS),
        ("smtp://me:pw@127.0.0.1.example", "127.0.0.1.example", Security.STARTTLS),
        ("smtp://me:pw@localhost.example", "localhost.example", Security.STARTTLS),
        ("smtp://me:pw@[::ffff:1.2.3.4]", "::ffff:102:304", Security.STARTTLS),
        ("smtps://me:pw@mail", "mail", Security.TLS),
        ("smtp://me:pw@localhost", "localhost", Security.NONE),
        ("smtp://me:pw@LOCALHOST.", "localhost", Security.NONE),
        ("smtp://me:pw@127.3.2.1:2525", "127.3.2.1", Security.NONE),
        ("smtp://me:pw@[::1]", "::1", Security.NONE),
        ("smtp://me:pw@localhost?starttls", "localhost", Security.STARTTLS),
        ("smtp://köln.example", "xn--kln-sna.example", Security.NONE),
    ],
)
def test_a_login_leaves_this_machine_encrypted_or_not_at_all(
    given: str, host: str, security: Security
) -> None:
    server = config.load(COMPLETE | {"SMTP_URL": given}).mail_server

    assert server is not None
    assert (server.host, server.security) == (host, security)


def test_signs_of_a_password_are_written_as_a_url_writes_them() -> None:
    given = "smtp://me%40kingup.example:p%23%2F%3F%25@mail.example:587"
    settings = config.load(COMPLETE | {"SMTP_URL": given})

    assert settings.mail_server == MailServer(
        host="mail.example",
        port=587,
        security=Security.STARTTLS,
        user="me@kingup.example",
        password="p#/?%",
    )


@pytest.mark.parametrize(
    ("given", "redis", "broker"),
    [
        ("redis://Valkey", "redis://valkey", None),
        ("redis://:p%23%3B@valkey:1/2", "redis://:p%23%3B@valkey:1/2", None),
        ("redis://:a;b@valkey/2", "redis://:a%3Bb@valkey/2", None),
        ("redis://könig.example/0", "redis://xn--knig-5qa.example/0", None),
        ("redis://[::1]:6379/0", "redis://[::1]:6379/0", None),
        ("rediss://valkey?ssl_cert_reqs=none", None, None),
        ("unix:///run/v.sock", None, "redis+socket:///run/v.sock"),
        (
            "UNIX:///r%23n/v.sock",
            "unix:///r%23n/v.sock",
            "redis+socket:///r%23n/v.sock",
        ),
        ("unix:///v.sock?db=3", None, "redis+socket:///v.sock?virtual_host=3"),
    ],
)
def test_redis_is_spelled_as_each_library_wants_it(
    given: str, redis: str | None, broker: str | None
) -> None:
    settings = config.load(COMPLETE | {"REDIS_URL": given})

    assert settings.redis_url == (redis or given)
    assert settings.broker_url == (broker or settings.redis_url)


@pytest.mark.parametrize(
    ("given", "plain"),
    [
        ("postgres://me:p%40@db/kingup", "postgresql://me:p%40@db/kingup"),
        ("PostgreSQL+psycopg://db/kingup", "postgresql://db/kingup"),
        ("postgresql://a:1,b:2/k?target_session_attrs=read-write", None),
        ("postgresql+psycopg://a:1,b/k", "postgresql://a:1,b/k"),
        ("postgresql://me@/k?host=a,b&port=5432", None),
        ("postgresql://me@[::1]:1,[::2]:2/k", None),
        ("postgresql://me@/k?host=%2Frun%2Fpg&port=5432", None),
        ("postgresql://me@[::1]:5432/k?sslmode=verify-full", None),
    ],
)
def test_the_database_is_whatever_libpq_reaches(given: str, plain: str | None) -> None:
    settings = config.load(COMPLETE | {"DATABASE_URL": given})

    assert settings.database_url == (plain or given)


@pytest.mark.parametrize(
    ("given", "sender"),
    [
        ("kingup@kingup.example", "kingup@kingup.example"),
        ("König <kingup@Könighaus.example>", "kingup@xn--knighaus-n4a.example"),
        ('"King, Up" <king.up@localhost>', "king.up@localhost"),
    ],
)
def test_the_sender_of_mails_is_one_that_every_server_takes(
    given: str, sender: str
) -> None:
    settings = config.load(COMPLETE | {"MAIL_FROM": given})

    assert settings.mail_from.addr_spec == sender


def test_blanks_around_a_setting_and_the_case_of_words_do_not_matter() -> None:
    settings = config.load(
        COMPLETE
        | {
            "KINGUP_PORT": " 65535\n",
            "KINGUP_CREATE": " Anyone",
            "LOG_LEVEL": "debug ",
            "KINGUP_HOME": " /srv/a b#c%20d?e;f,ö ",
        }
    )

    assert (settings.port, settings.log_level) == (65535, "DEBUG")
    assert settings.create is config.Create.ANYONE
    assert settings.home == Path("/srv/a b#c%20d?e;f,ö")


@pytest.mark.parametrize(
    ("given", "seconds"),
    [
        ({}, 0),
        ({"SMTP_URL": "smtp://mail.example"}, mail_settings.USUAL_SETTLE),
        ({"SMTP_URL": "smtp://mail.example", "MAIL_SETTLE_SECONDS": "0"}, 0),
        ({"MAIL_SETTLE_SECONDS": "5"}, 5),
    ],
)
def test_mails_that_stay_on_this_machine_are_there_at_once_unless_it_is_said(
    given: dict[str, str], seconds: int
) -> None:
    assert config.load(COMPLETE | given).mail_settle == seconds
