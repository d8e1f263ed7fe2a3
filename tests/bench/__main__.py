"""Measure everything in one run and print it: `make bench`."""

import sys
import tempfile
from pathlib import Path

from service import config
from service.app import create_app
from tests.bench import answers, latency, stage


def main() -> None:
    """Print the rows; the ratios are what counts.

    Each measurement has servers of its own, and the loads come last: none pays for
    what another has left in memory and on its way to the disk. (A rented disk stalls
    for a tenth of a second at a time once it was written to a lot.)
    """
    for name, measure in (
        ("Last ballot to first mail", latency.measure),
        ("Growth of an answer's cost", answers.growth),
        ("Answers over HTTP, 8 clients", answers.measure),
    ):
        with (
            tempfile.TemporaryDirectory(prefix="kingup-bench-") as folder,
            stage.servers(Path(folder)) as environ,
            create_app(config.load(environ)).app_context(),
        ):
            sys.stdout.write(f"{name}\n")
            for row, value in measure(environ).items():
                sys.stdout.write(f"  {row:<28} {value:10.3f}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
