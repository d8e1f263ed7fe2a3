"""Health: for supervisors and load balancers, outside /v1."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal

import msgspec

from service.api.http.annotations import Who
from service.api.http.resource import Blueprint, Resource
from service.monitoring import health
from service.values import public_urls

blueprint = Blueprint("health", "For whoever runs the service.", prefix="/")


class HealthReply(msgspec.Struct, frozen=True):
    """The process answers."""

    status: Literal["alive"]


class ReadinessStatus(StrEnum):
    """Whether every check is fine."""

    READY = "ready"
    NOT_READY = "not ready"


class ReadinessReply(msgspec.Struct, frozen=True):
    """Every check by name: `ok`, or what is wrong; `replication` only warns."""

    status: ReadinessStatus
    checks: Mapping[str, str]


_CHECKED = dict.fromkeys(
    (
        "database",
        "isolation",
        "limits",
        "migrations",
        "replication",
        "worker",
        "mail",
        "valkey",
    ),
    health.OK,
)
_READY = {"status": "ready", "checks": _CHECKED}
_NOT_READY = {
    "status": "not ready",
    "checks": {**_CHECKED, "worker": "no heartbeat"},
}

_NOW = {"Cache-Control": "no-store"}


@blueprint.place(public_urls.ALIVE)
class Alive(Resource):
    """Whether the process is alive."""

    @blueprint.fleeting()
    @blueprint.named("getHealth")
    @blueprint.access(Who.PUBLIC)
    @blueprint.response(200, HealthReply, example={"status": "alive"})
    def get(self) -> tuple[HealthReply, dict[str, str]]:
        """Say that this process answers; it asks nobody else."""
        return HealthReply("alive"), _NOW


@blueprint.place(public_urls.READY)
class Ready(Resource):
    """Whether the process can serve."""

    @blueprint.fleeting()
    @blueprint.named("getReadiness")
    @blueprint.access(Who.PUBLIC)
    @blueprint.response(200, ReadinessReply, example=_READY)
    @blueprint.alt_response(
        503, ReadinessReply, description="A check failed.", example=_NOT_READY
    )
    def get(self) -> tuple[ReadinessReply, int, dict[str, str]]:
        """Check database, migrations, standbys, Valkey, worker and mails at once."""
        checks = health.checks()
        ready = health.is_ready(checks)
        if ready:
            return ReadinessReply(ReadinessStatus.READY, checks), 200, _NOW
        return ReadinessReply(ReadinessStatus.NOT_READY, checks), 503, _NOW
