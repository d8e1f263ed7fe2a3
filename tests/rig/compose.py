"""docker-compose.yml as local processes: our services' commands, checks, settings."""

import re
import shlex
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from tests.rig.house import ROOT

FILE = ROOT / "docker-compose.yml"
_VARIABLE = re.compile(r"\$\$|\$\{(\w+)(?::(-|\?)([^}]*))?\}")

Json = dict[str, Any]


class Missing(Exception):
    """A variable the file insists on isn't set."""


def read(variables: Mapping[str, str]) -> Json:
    """The services, with variables put in as Compose does. Raises Missing."""
    services: Json = yaml.load(FILE.read_text(), yaml.CSafeLoader)["services"]
    filled: Json = _fill(services, variables)
    return filled


def _fill(value: Any, variables: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: _fill(inner, variables) for key, inner in value.items()}
    if isinstance(value, list):
        return [_fill(inner, variables) for inner in value]
    return _VARIABLE.sub(lambda found: _one(found, variables), str(value))


def _one(found: re.Match[str], variables: Mapping[str, str]) -> str:
    name, kind, rest = found.groups()
    if name is None:
        return "$"
    if variables.get(name):
        return variables[name]
    if kind == "-":
        return str(rest)
    raise Missing(name)


class Local:
    """One of our services on this machine: `moved` says what stands where here."""

    def __init__(self, name: str, service: Json, moved: Mapping[str, str]) -> None:
        self.name = name
        self._moved = moved
        self._service = service

    @property
    def command(self) -> tuple[str, ...]:
        """What the container would run, with its image's entry point."""
        words = [self._here(word) for word in self._service["command"]]
        return (sys.executable, "-P", "-m", "service.commands.cli", *words)

    def environ(self, base: Mapping[str, str]) -> dict[str, str]:
        """The container's settings, pointed at what runs here; nothing else is set."""
        own: Mapping[str, str] = self._service["environment"]
        given = {name: value for name, value in own.items() if value}
        host = {"HOSTNAME": socket.gethostname()}
        return {**base, **{k: self._here(v) for k, v in given.items()}, **host}

    def is_healthy(self, base: Mapping[str, str], folder: Path) -> bool:
        """Whether the health check's command succeeds, as Docker would run it."""
        kind, *words = self._service["healthcheck"]["test"]
        if kind == "CMD-SHELL":
            words = [
                "sh",
                "-c",
                words[0].replace("python", shlex.quote(sys.executable)),
            ]
        elif words[0] == "python":
            words[0] = sys.executable
        done = subprocess.run(
            [self._here(word) for word in words],
            env=self.environ(base),
            cwd=folder,
            capture_output=True,
            timeout=60,
        )
        return done.returncode == 0

    def _here(self, value: str) -> str:
        for there, here in self._moved.items():
            value = value.replace(there, here)
        return value


def ours(services: Json) -> dict[str, Json]:
    """The services that run our own image."""
    return {name: each for name, each in services.items() if "build" in each}
