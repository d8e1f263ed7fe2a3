"""Measure everything in one run and print it: `make bench`."""

import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from service import config
from service.app import create_app
from tests.bench import answers, engine, latency, mails, reads, stage


def main() -> None:
    """Print the rows; the ratios are what counts.

    The engine comes first and needs no servers. Each other measurement has servers of
    its own, and the loads come last: none pays for what another has left in memory and
    on its way to the disk. (A rented disk stalls for a tenth of a second at a time once
    it was written to a lot.)
    """
    _print("Engine, by seconds of processor time", engine.measure())
    for name, measure in (
        ("Last ballot to first mail", latency.measure),
        ("Mails through one worker", mails.measure),
        ("Growth of an answer's cost", answers.growth),
        ("Views over HTTP, 8 clients", reads.measure),
        ("Answers over HTTP, 8 clients", answers.measure),
    ):
        with (
            tempfile.TemporaryDirectory(prefix="kingup-bench-") as folder,
            stage.servers(Path(folder)) as environ,
            create_app(config.load(environ)).app_context(),
        ):
            _print(name, measure(environ))


def _print(name: str, rows: Mapping[str, float]) -> None:
    sys.stdout.write(f"{name}\n")
    for row, value in rows.items():
        sys.stdout.write(f"  {row:<28} {value:10.3f}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
