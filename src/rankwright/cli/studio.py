"""The studio, a local web page."""

from pathlib import Path
from typing import Annotated

import typer

from rankwright.cli import options as opt

__all__ = ["studio"]


def studio(
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FILE]",
            help="A table or saved work to start with.",
            show_default=False,
        ),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            "--port", metavar="N", min=1, max=65535, help="The port. By default, one that is free."
        ),
    ] = None,
    host: Annotated[
        str,
        typer.Option(
            "--host",
            metavar="ADDRESS",
            help="The address to listen on. From other machines, the studio can only be reached "
            "with the token in the address it prints.",
        ),
    ] = "127.0.0.1",
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open a browser.")] = False,
    jobs: Annotated[
        int,
        typer.Option("--jobs", metavar="N", min=1, max=64, help="How many jobs may run at once."),
    ] = 2,
    limit: Annotated[
        int,
        typer.Option(
            "--limit", metavar="MB", min=1, max=4096, help="The largest upload, in megabytes."
        ),
    ] = 50,
    quiet: opt.Quiet = False,
) -> None:
    """Open a local web page that does what these commands do, without a terminal."""
    from rankwright.studio.app import Settings, serve

    if file is not None and not file.is_file():
        raise ValueError(f"there is no file {file}; give a table or a saved work")
    serve(Settings(file, port, host, not no_open, jobs, limit))
