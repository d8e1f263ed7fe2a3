"""The client that openapi-python-client writes from the contract."""

import importlib
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from tests.rig.house import ROOT

PACKAGE = "kingup_client"
_CONFIG = Path(__file__).with_name("generated.yaml")


@contextmanager
def client(folder: Path) -> Iterator[Path]:
    """A client in a folder, ready to be imported."""
    written = subprocess.run(
        (
            Path(sys.executable).with_name("openapi-python-client"),
            "generate",
            *("--path", ROOT / "openapi.yaml"),
            *("--config", _CONFIG),
            *("--output-path", folder),
            "--fail-on-warning",
        ),
        capture_output=True,
        text=True,
    )
    assert written.returncode == 0, written.stdout + written.stderr
    assert "WARNING" not in written.stdout + written.stderr
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))


def module(name: str) -> ModuleType:
    """A part of the client that was written."""
    return importlib.import_module(f"{PACKAGE}.{name}")
