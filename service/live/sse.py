"""Server-sent events, as bytes on the wire (HTML Living Standard, section 9.2)."""

from typing import Final

RETRY_MS: Final = 2000
"""How long a browser waits before it comes back."""

BEGINNING: Final = f"retry: {RETRY_MS}\n\n".encode()
HEARTBEAT: Final = b": still here\n\n"


def message(event: str, data: bytes, number: int | None = None) -> bytes:
    """A message of one line of data, with an id if it has one."""
    head = f"event: {event}\n"
    if number is not None:
        head += f"id: {number}\n"
    return head.encode() + b"data: " + data + b"\n\n"
