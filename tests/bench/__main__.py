"""Measure everything in one run and print it: `make bench`."""

import sys
import tempfile
from pathlib import Path

from service import config
from service.app import create_app
from tests.bench import answers, latency, stage, tables


def main() -> None:
    """Print the rows; the ratios are what counts."""
    with (
        tempfile.TemporaryDirectory(prefix="kingup-bench-") as folder,
        stage.servers(Path(folder)) as environ,
        create_app(config.load(environ)).app_context(),
    ):
        for name, measure in (
            ("Answers over HTTP, 8 clients", answers.measure),
            ("Growth of an answer's cost", answers.growth),
            ("Last ballot to first mail", latency.measure),
        ):
            sys.stdout.write(f"{name}\n")
            for row, value in measure(environ).items():
                sys.stdout.write(f"  {row:<28} {value:10.3f}\n")
            sys.stdout.flush()
            tables.clear()
            stage.flush(environ)


if __name__ == "__main__":
    main()
