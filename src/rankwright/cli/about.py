"""What is on board: data sets, versions, compiled kernels."""

from typing import Annotated

import typer

from rankwright.cli import options as opt
from rankwright.cli.output import Output
from rankwright.cli.render import first_line, table

__all__ = ["datasets", "print_version", "version", "warm_up"]

DEPENDENCIES = (
    "numpy", "scipy", "scikit-learn", "numba", "highspy", "pandas", "joblib", "skops",
    "matplotlib", "rich", "typer",
)  # fmt: skip


def datasets(json: opt.Json = False, quiet: opt.Quiet = False) -> None:
    """List the bundled tables and the data set generators."""
    import rankwright as rw

    output = Output(json, quiet)
    names = [name for name in rw.datasets.__all__ if name.startswith(("load_", "make_"))]
    summaries = {name: first_line(getattr(rw.datasets, name)) for name in names}
    rows = [(f"rw.datasets.{name}()", summary) for name, summary in summaries.items()]
    output.show(table("Data sets", ["in Python", "what it is"], rows))
    output.result(datasets=summaries)


def print_version(asked: bool) -> None:
    """Print the version and end, where ``--version`` stands in the place of a command."""
    if asked:
        version()
        raise typer.Exit


def version(
    deps: Annotated[
        bool, typer.Option("--deps", help="Also print the versions of the dependencies.")
    ] = False,
    json: opt.Json = False,
    quiet: opt.Quiet = False,
) -> None:
    """Print the version; with --deps, also those of the dependencies."""
    import platform
    from importlib import metadata

    import rankwright as rw

    output = Output(json, quiet)
    found = {"rankwright": rw.__version__}
    if deps:
        found |= {"python": platform.python_version(), "platform": platform.platform()}
        found |= {name: metadata.version(name) for name in DEPENDENCIES}
    output.show(*(f"{name} {number}" for name, number in found.items()))
    output.result(**found)


def warm_up(
    jobs: Annotated[
        int, typer.Option("--jobs", metavar="N", help="Processes that compile; -1: one per core.")
    ] = -1,
    json: opt.Json = False,
    quiet: opt.Quiet = False,
) -> None:
    """Compile everything for this machine, so that no first fit has to wait."""
    import time

    from joblib import Parallel, delayed

    from rankwright.cli.first_fits import FIRST_FITS, OTHER_KERNELS, time_work

    output = Output(json, quiet)
    names, seconds = [*FIRST_FITS, *OTHER_KERNELS], {}
    start = time.perf_counter()
    each = Parallel(jobs, pre_dispatch="n_jobs", batch_size=1, return_as="generator_unordered")
    with output.progress("Compiling", total=len(names)) as update:
        for name, took in each(delayed(time_work)(name) for name in names):
            seconds[name] = took
            update(len(seconds), f"Compiled for {name}")
    passed = time.perf_counter() - start
    output.show(f"Compiled in {passed:.0f} seconds; from now on first fits do not wait.")
    output.result(seconds=seconds)
