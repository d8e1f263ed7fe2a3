"""What makes an access token good, for every statement that believes one."""

from typing import Final

IS_GOOD: Final = """t.revoked_at IS NULL
        AND (t.expires_at IS NULL OR t.expires_at > kingup_now())"""
"""Whether a token `t` is neither revoked nor expired."""

IS_GOOD_FOR: Final = f"""{IS_GOOD}
        AND (t.game_id IS NULL OR t.game_id = g.id) AND %(scope)s = ANY(t.scopes)"""
"""Whether a token `t` is good for this in a game `g`."""

PROVES: Final = f"t.token_hash = %(proof)s AND {IS_GOOD_FOR}"
"""Whether a token `t` is the one that was brought, and good for this in a game `g`."""
