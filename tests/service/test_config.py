"""Settings: what is refused stops the start and names the variable."""

from email.headerregistry import Address
from pathlib import Path

import pytest

from service import config
from service.values import addresses
from service.values.setting import ConfigError
from tests.rig.service.environs import COMPLETE


def test_the_defaults_need_four_settings() -> None:
    settings = config.load(COMPLETE)

    assert settings.database_url == "postgresql://kingup@db/kingup"
    assert settings.mail_server is None
    assert settings.mailbox == Path("/srv/kingup/mailbox")
    assert settings.mail_from == Address("King Up!", "kingup", "localhost")
    assert settings.create is config.Create.ANYONE
    assert settings.invitations_a_day == 1000
    assert settings.trusted_proxies == 0
    assert settings.streams == 1000


@pytest.mark.parametrize(
    "name", ["DATABASE_URL", "REDIS_URL", "SECRET_KEY", "PUBLIC_URL"]
)
def test_a_missing_setting_stops_the_start(name: str) -> None:
    environ = {key: value for key, value in COMPLETE.items() if key != name}

    with pytest.raises(ConfigError, match=f"^{name} is not set"):
        config.load(environ)


def test_listed_hosts_need_a_list() -> None:
    listed = COMPLETE | {"KINGUP_CREATE": "listed"}

    with pytest.raises(ConfigError, match=r"^KINGUP_HOSTS "):
        config.load(listed)

    settings = config.load(
        listed | {"KINGUP_HOSTS": "Ann@example.org, ben@example.org"}
    )
    assert settings.hosts == {"ann@example.org", "ben@example.org"}


@pytest.mark.parametrize(
    "typed", ["WEIß@könig.example", "weiß@KÖNIG.example", "Weiß@xn--knig-5qa.example"]
)
def test_a_host_is_compared_as_any_address_is(typed: str) -> None:
    settings = config.load(COMPLETE | {"KINGUP_HOSTS": f"{typed} ben@example.org"})

    host = addresses.parse("weiß@könig.example", "address")
    assert settings.hosts == {host.key, "ben@example.org"}
    assert addresses.parse("weiss@könig.example", "").key not in settings.hosts


def test_a_host_that_is_no_address_stops_the_start() -> None:
    with pytest.raises(ConfigError, match=r"^KINGUP_HOSTS has .*: ann\.$"):
        config.load(COMPLETE | {"KINGUP_HOSTS": "ben@example.org ann"})


def test_a_link_fits_in_one_line_of_a_mail() -> None:
    longest = "https://" + "k" * 36
    assert len(f"{longest}/d/{'t' * 26}") == 73

    with pytest.raises(ConfigError, match=r"^PUBLIC_URL is longer"):
        config.load(COMPLETE | {"PUBLIC_URL": longest})

    shorter = longest[:-1]
    settings = config.load(COMPLETE | {"PUBLIC_URL": f"{shorter}/"})
    assert settings.public_url == shorter


def test_a_secret_may_come_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.write_text("s" * 40 + "\n", encoding="ascii")
    environ = COMPLETE | {"SECRET_KEY_FILE": str(file)}

    with pytest.raises(ConfigError, match=r"^SECRET_KEY and SECRET_KEY_FILE"):
        config.load(environ)

    settings = config.load(environ | {"SECRET_KEY": ""})
    assert settings.secret_key == "s" * 40


def test_a_secret_file_that_is_not_there_stops_the_start(tmp_path: Path) -> None:
    environ = COMPLETE | {"SMTP_URL_FILE": str(tmp_path / "none")}

    with pytest.raises(ConfigError, match=r"^SMTP_URL_FILE can't be read"):
        config.load(environ)


def test_a_socket_is_spelled_as_each_library_wants_it() -> None:
    settings = config.load(COMPLETE | {"REDIS_URL": "unix:///run/valkey.sock"})

    assert settings.redis_url == "unix:///run/valkey.sock"
    assert settings.broker_url == "redis+socket:///run/valkey.sock"


def test_children_keep_the_cache_of_compiled_files() -> None:
    environ = {"PYTHONDONTWRITEBYTECODE": "1", "SECRET_KEY_FILE": "/s", "LANG": "C"}

    settings = config.child_environ({"SECRET_KEY": "k"}, environ)

    assert settings == {"SECRET_KEY": "k", "LANG": "C"}


def test_a_command_beside_a_running_serve_uses_its_settings(tmp_path: Path) -> None:
    mine = {"KINGUP_HOME": str(tmp_path), "LOG_LEVEL": "ERROR"}
    kept = config.keep_running(tmp_path, COMPLETE | {"KINGUP_HOME": str(tmp_path)})

    settings = config.load_running(mine)

    assert settings.database_url == "postgresql://kingup@db/kingup"
    assert settings.log_level == "ERROR"
    assert kept.stat().st_mode & 0o777 == 0o600


def test_a_command_beside_nothing_says_where_it_has_looked(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="No Kingup runs on .*KINGUP_HOME"):
        config.load_running({"KINGUP_HOME": str(tmp_path)})

    with pytest.raises(ConfigError, match="REDIS_URL"):
        config.load_running(
            {"KINGUP_HOME": str(tmp_path), "DATABASE_URL": "postgresql://here/one"}
        )


def test_a_given_database_is_never_replaced_by_a_running_one(tmp_path: Path) -> None:
    config.keep_running(tmp_path, COMPLETE | {"KINGUP_HOME": str(tmp_path)})
    elsewhere = COMPLETE | {"DATABASE_URL": "postgresql://elsewhere/kingup"}

    settings = config.load_running(elsewhere | {"KINGUP_HOME": str(tmp_path)})

    assert settings.database_url == "postgresql://elsewhere/kingup"
