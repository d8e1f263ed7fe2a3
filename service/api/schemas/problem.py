"""Problems as RFC 9457 wants them told."""

from marshmallow import INCLUDE, Schema, fields

from service.api.schemas.base import Reply


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


class FlawSchema(Schema):
    """One thing that wasn't understood; the facts of its reason come beside it."""

    class Meta:
        """Any fact may stand beside what is always there."""

        unknown = INCLUDE

    pointer = fields.String(
        metadata={
            "description": "Where in the body it is: a JSON Pointer in a URI fragment."
        }
    )
    parameter = fields.String(
        metadata={"description": "The one of the query that it is."}
    )
    header = fields.String(metadata={"description": "What header it is."})
    reason = fields.String(
        required=True, metadata={"description": "Stable: act by this."}
    )
    detail = fields.String(
        required=True,
        metadata={"description": "One sentence in the reader's language."},
    )


class InvalidProblemSchema(ProblemSchema):
    """What wasn't understood; the first of `errors` stands beside the code, too."""

    errors = fields.List(
        fields.Nested(FlawSchema),
        metadata={"description": "All of it, up to 20."},
    )
