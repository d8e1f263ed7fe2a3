"""Whether a process is alive and fit to serve."""

from marshmallow import fields

from service.schemas.base import Reply


class AliveSchema(Reply):
    """The process answers."""

    status = fields.String()


class ReadySchema(Reply):
    """Every check by name: `ok`, or what is wrong."""

    status = fields.String()
    checks = fields.Dict(keys=fields.String(), values=fields.String())
