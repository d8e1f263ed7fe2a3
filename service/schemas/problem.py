"""Problems as RFC 9457 wants them told."""

from marshmallow import INCLUDE, fields

from service.schemas.base import Reply


class ProblemSchema(Reply):
    """What went wrong; the facts of its code come as further fields."""

    class Meta:
        """Any fact may stand beside what is always there."""

        unknown = INCLUDE

    type = fields.String(metadata={"description": "A URI made of the code."})
    title = fields.String(metadata={"description": "The status in words."})
    status = fields.Integer()
    detail = fields.String(
        metadata={"description": "One sentence in the reader's language."}
    )
    code = fields.String(metadata={"description": "Stable: act by this."})
