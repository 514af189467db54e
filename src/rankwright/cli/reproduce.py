"""The papers' experiments, run or resumed."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rankwright.cli import options as opt
from rankwright.cli.commands import Exit
from rankwright.cli.completion import complete_studies
from rankwright.cli.on_cluster import joblib_on_cluster
from rankwright.cli.output import Output, console

if TYPE_CHECKING:
    from rankwright.studies import Settings, Study

__all__ = ["reproduce"]

Papers = Annotated[
    list[str] | None,
    typer.Argument(
        help="Names of studies, or Python files that define one. By default, all studies.",
        autocompletion=complete_studies,
        show_default=False,
    ),
]


def reproduce(
    paper: Papers = None,
    replications: Annotated[
        int | None,
        typer.Option(
            "--replications",
            metavar="N",
            min=1,
            help="Number of replications, instead of the papers' own.",
        ),
    ] = None,
    jobs: Annotated[
        int,
        typer.Option("--jobs", metavar="N", min=1, help="Number of processes to run in parallel."),
    ] = 1,
    cluster: opt.Cluster = None,
    quick: Annotated[
        bool,
        typer.Option(
            "--quick", help="Run a reduced version of everything, which takes a few minutes."
        ),
    ] = False,
    file: Annotated[
        list[str] | None,
        typer.Option(
            "--file",
            metavar="NAME=PATH",
            help="A file for a study to use, such as cystic-fibrosis=cfquery.xml (repeatable).",
        ),
    ] = None,
    out: Annotated[
        Path,
        typer.Option(
            "--out", metavar="FOLDER", help="The folder to write to.", rich_help_panel=opt.OUTPUT
        ),
    ] = Path("reproduction"),
    force: opt.Force = False,
    json: opt.Json = False,
    quiet: opt.Quiet = False,
) -> None:
    """Run the published experiments, and set the results beside the published numbers.

    Results are saved as they come in: run the same command again to resume.
    """
    from rich.text import Text

    from rankwright.studies import Settings, find_study, study_names
    from rankwright.studies import reproduce as run_studies

    output = Output(json, quiet)
    studies = [find_study(name) for name in paper or study_names()]
    settings = Settings(quick=quick, replications=replications, files=_files(file or [], studies))
    if out.is_file():
        raise ValueError(f"{out} is a file; give a folder")
    if not force:
        _check_pages(out, studies, settings)
    try:
        with joblib_on_cluster(output, cluster, jobs) as found, _counters(output) as progress:
            pages = run_studies(studies, out, settings=settings, jobs=found, progress=progress)
    except KeyboardInterrupt:
        output.note(f"Stopped. What was measured is in {out}; run the same command to continue.")
        raise typer.Exit(Exit.INTERRUPTED) from None
    for page in pages:
        output.show(Text(f"{page.name}: how the published claims fared", style="bold"))
        output.show(*(f"  {claim.verdict}: {claim.text}" for claim in page.claims))
        output.written(page.path)
    output.result(studies={page.name: page.claims for page in pages}, folder=out)


def _files(given: list[str], studies: list["Study"]) -> dict[str, Path]:
    known = {name: use for study in studies for name, use in study.files.items()}
    files = {}
    for entry in given:
        name, separator, path = entry.partition("=")
        if not separator or name not in known:
            listed = ", ".join(f"{name} ({use})" for name, use in known.items()) or "none"
            chosen = ", ".join(study.name for study in studies)
            raise ValueError(f"--file {entry}: write NAME=PATH; files for {chosen}: {listed}")
        if not Path(path).is_file():
            raise FileNotFoundError(f"--file {entry}: no such file")
        files[name] = Path(path)
    return files


def _check_pages(folder: Path, studies: list["Study"], settings: "Settings") -> None:
    """Refuse to overwrite pages, unless this run goes on with theirs, or they were quick ones."""
    from rankwright.studies.reproduction import STORE

    for study in studies:
        page = folder / f"{study.name}.md"
        if not page.exists():
            continue
        if not (folder / STORE).exists():
            reason = f"{folder} has no {STORE} to resume from"
        elif settings.quick and f"`{study.command(settings)}`" not in page.read_text("utf-8"):
            reason = "it does not come from a quick run like this one"
        else:
            continue
        raise ValueError(
            f"{page} exists, and {reason}; pass --force to overwrite pages, or choose another --out"
        )


@contextmanager
def _counters(output: Output) -> Iterator[Callable[[str, int, int], None]]:
    """Show for each study the trials done, their rate and the time left."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    out = console(stderr=True)
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    hidden = not (output.is_for_people and out.is_terminal)
    with Progress(*columns, console=out, disable=hidden, speed_estimate_period=120) as shown:
        tasks = {}

        def update(study: str, done: int, total: int) -> None:
            if study not in tasks:
                tasks[study] = shown.add_task(study, total=total, completed=done, rate="")
            speed = shown.tasks[tasks[study]].speed
            shown.update(tasks[study], completed=done, rate=f"{speed:.2g}/s" if speed else "")

        yield update
