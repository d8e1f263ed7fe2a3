"""Whether a process is alive and fit to serve."""

from marshmallow import fields, validate

from service.api.schemas.base import Reply


class AliveSchema(Reply):
    """The process answers."""

    status = fields.String(validate=validate.Equal("alive"))


class ReadySchema(Reply):
    """Every check by name: `ok`, or what is wrong; `replication` only warns."""

    status = fields.String(validate=validate.OneOf(("ready", "not ready")))
    checks = fields.Dict(keys=fields.String(), values=fields.String())
