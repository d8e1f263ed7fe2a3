"""A web process on a network of its own, where its clients have addresses to choose.

Prints what became of them as JSON: `python -m tests.rig.alone PORT`. It needs a kernel
that lets it have a network; SETTINGS come from the environment.
"""

import ctypes
import fcntl
import http.client
import json
import os
import socket
import struct
import subprocess
import sys
import time
from contextlib import ExitStack, suppress
from pathlib import Path

from service.processes import command_lines
from tests.rig.parts import START_PATIENCE, wait_until

OURS = "198.51.100.1"
A, B, HERE = "198.51.100.2", "203.0.113.2", "127.0.0.1"
NO_NETWORK = 77
"""The exit code where the kernel gives us none."""

_CLONE_NEWUSER, _CLONE_NEWNET = 0x10000000, 0x40000000
_SIOCSIFADDR, _SIOCSIFFLAGS, _IFF_UP = 0x8916, 0x8914, 1
_TRIES = 8


def leave() -> None:
    """Move to a network on which nobody else is. Raises OSError where that can't be."""
    uid, gid = os.getuid(), os.getgid()
    flags = _CLONE_NEWNET | (_CLONE_NEWUSER if uid else 0)
    if ctypes.CDLL(None, use_errno=True).unshare(flags) != 0:
        raise OSError(ctypes.get_errno(), "no network namespace")
    if uid:
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"0 {uid} 1")
        Path("/proc/self/gid_map").write_text(f"0 {gid} 1")


def settle() -> None:
    """Bring this network up, with an address for everybody."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        flags = struct.pack("16sh14x", b"lo", _IFF_UP)
        fcntl.ioctl(line, _SIOCSIFFLAGS, flags)
        for number, address in enumerate((OURS, A, B), start=1):
            name = f"lo:{number}".encode()
            place = struct.pack("HH4s8x", socket.AF_INET, 0, socket.inet_aton(address))
            fcntl.ioctl(line, _SIOCSIFADDR, struct.pack("16s16s8x", name, place))


def connect(port: int, source: str, stack: ExitStack) -> socket.socket:
    """A connection that stays open and says nothing whole."""
    place = HERE if source == HERE else OURS
    line = socket.create_connection((place, port), 10, (source, 0))
    stack.callback(line.close)
    with suppress(OSError):
        line.sendall(b"GET /healthz HTTP/1.1\r\n")
    return line


def kept(lines: list[socket.socket]) -> int:
    """How many connections the server keeps of those it could have closed by now."""
    time.sleep(1)
    return sum(map(is_open, lines))


def is_open(line: socket.socket) -> bool:
    """Whether the server has not closed a connection on which it says nothing."""
    line.setblocking(False)
    try:
        return bool(line.recv(1))
    except BlockingIOError:
        return True
    except OSError:
        return False


def answered(port: int, source: str) -> bool:
    """Whether whoever asks from an address gets what they want."""
    place = HERE if source == HERE else OURS
    client = http.client.HTTPConnection(place, port, 10, (source, 0))
    try:
        client.request("GET", "/healthz")
        return client.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        client.close()


def trial(port: int) -> dict[str, object]:
    """How many of each may stay, and who is served meanwhile."""
    result: dict[str, object] = {}
    for name, source in (("here", HERE), ("peer", A)):
        with ExitStack() as stack:
            lines = [connect(port, source, stack) for _ in range(_TRIES)]
            # These come after the lines: whoever is answered has been let in later.
            result[f"{name} answered"] = answered(port, source)
            result[f"other than {name} answered"] = answered(port, B)
            result[f"{name} kept"] = kept(lines)
    wait_until(lambda: answered(port, A), "the peer's connections' end", 5)
    return result


def main() -> None:
    """Serve, try, tell."""
    port = int(sys.argv[1])
    try:
        leave()
    except OSError:
        sys.exit(NO_NETWORK)
    settle()
    command = command_lines.web(f"0.0.0.0:{port}", workers=1, grace=2)
    with subprocess.Popen(command) as web:
        try:
            wait_until(lambda: answered(port, HERE), "the server", START_PATIENCE)
            print(json.dumps(trial(port)))  # noqa: T201 - this is what it is for
        finally:
            web.kill()


if __name__ == "__main__":
    main()
