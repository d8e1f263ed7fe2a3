"""Health: for supervisors and load balancers, outside /v1."""

from flask.views import MethodView

from service.api.http.annotations import Who
from service.api.openapi.blueprint import Blueprint
from service.api.schemas.health import AliveSchema, ReadySchema
from service.monitoring import health
from service.values import public_urls

blueprint = Blueprint("health", "For whoever runs the service.", prefix="/")

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


@blueprint.route(public_urls.ALIVE)
class Alive(MethodView):
    """Whether the process is alive."""

    @blueprint.fleeting()
    @blueprint.named("getHealth")
    @blueprint.access(Who.PUBLIC)
    @blueprint.response(200, AliveSchema, example={"status": "alive"})
    def get(self) -> tuple[dict[str, str], int, dict[str, str]]:
        """Say that this process answers; it asks nobody else."""
        return {"status": "alive"}, 200, _NOW


@blueprint.route(public_urls.READY)
class Ready(MethodView):
    """Whether the process can serve."""

    @blueprint.fleeting()
    @blueprint.named("getReadiness")
    @blueprint.access(Who.PUBLIC)
    @blueprint.response(200, ReadySchema, example=_READY)
    @blueprint.alt_response(
        503, schema=ReadySchema, description="A check failed.", example=_NOT_READY
    )
    def get(self) -> tuple[dict[str, object], int, dict[str, str]]:
        """Check database, migrations, standbys, Valkey, worker and mails at once."""
        checks = health.checks()
        ready = health.is_ready(checks)
        status = "ready" if ready else "not ready"
        body: dict[str, object] = {"status": status, "checks": checks}
        return body, 200 if ready else 503, _NOW
