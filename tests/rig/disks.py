"""Disks that are small or can't be written to, for processes of their own.

Each is a tmpfs in a mount namespace, which takes no more than the user namespaces that
the private Postgres needs anyway: no root, no image, nothing left behind.
"""

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

_MOUNT = 'mount -t tmpfs -o "$0" none "$1" && shift && exec "$@"'


def on_disk(
    folder: Path, options: str, command: Sequence[str], **more: Any
) -> subprocess.Popen[str]:
    """Start a command that sees a disk of its own at `folder`."""
    folder.mkdir(exist_ok=True)
    inside = ("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", _MOUNT)
    return subprocess.Popen(
        (*inside, options, str(folder), *command),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        **more,
    )


def seen_by(process: subprocess.Popen[str], folder: Path) -> Path:
    """The same folder, as the process sees it."""
    return Path(f"/proc/{process.pid}/root", *folder.parts[1:])


def fill(folder: Path) -> Path:
    """Leave not a byte on a disk; returns the file to delete again."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file:
        for size in (1 << 20, 1 << 12, 1):
            try:
                while file.write(b"x" * size):
                    pass
            except OSError:
                continue
    return filler


def environ(home: Path, **settings: str) -> Mapping[str, str]:
    """Settings for a `kingup` on such a disk."""
    return {
        "KINGUP_HOME": str(home),
        "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
        **settings,
    }
