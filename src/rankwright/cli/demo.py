"""The bundled cameras, from the published ranks to the cheapest way up."""

import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rankwright.cli import options as opt
from rankwright.cli.commands import Exit
from rankwright.cli.files import check_free, report_files, write_text
from rankwright.cli.improve import show_plans
from rankwright.cli.output import Output
from rankwright.cli.render import table
from rankwright.cli.results import ReportFiles
from rankwright.cli.reverse import investigated, write_investigation

if TYPE_CHECKING:
    import pandas as pd

    from rankwright.datasets import CameraRatings
    from rankwright.reverse import Investigation

__all__ = ["demo"]

CAMERA, TOP = "Cirrus M440", 3


def demo(
    out: Annotated[
        Path,
        typer.Option(
            "--out", metavar="FOLDER", help="The folder to write to.", rich_help_panel=opt.OUTPUT
        ),
    ] = Path("rankwright-demo"),
    force: opt.Force = False,
    json: opt.Json = False,
    quiet: opt.Quiet = False,
) -> None:
    """Reverse-engineer the bundled, fictitious camera ratings, and move one camera up."""
    import rankwright as rw
    from rankwright.improve import Planner
    from rankwright.report.proof_words import certificate_words
    from rankwright.report.rating import rating_result
    from rankwright.report.words import trust_words

    output = Output(json, quiet)
    ratings, example = rw.datasets.load_camera_ratings(), rw.datasets.load_cameras()
    inputs = {
        out / "cameras.csv": ratings.table.to_csv(index=False),
        out / "changes.csv": example.changes.to_csv(),
        out / "conflicts.csv": _conflicts(example.conflicts),
    }
    out.mkdir(exist_ok=True)
    check_free(*inputs, *report_files(out / "report.html"), force=force)
    for path, text in inputs.items():
        write_text(path, text)

    data = rw.read_table(out / "cameras.csv", item="name", target="rank", group="type")
    output.show(f"{len(data)} fictitious cameras of 5 types, ranked by a known formula.", "")
    found = investigated(output, data, checks=True, compiling=20, top=10, time_limit=20.0)
    output.show(_beside_true(found, ratings), "", *certificate_words(found)[:1])
    output.show(*trust_words(found))
    files = ReportFiles([out / "report.html"], [], [])
    write_investigation(output, found, files, rating_result(found))
    if found.interrupted:
        raise typer.Exit(Exit.INTERRUPTED)

    row = ratings.table.set_index("name").loc[CAMERA]
    rivals = ratings.X[(ratings.groups == row["type"]) & (ratings.X.index != CAMERA)]
    planner = Planner(found.formula, example.changes, example.conflicts)
    plan = planner.minimize_cost(ratings.X.loc[CAMERA], position=TOP, competitors=rivals)
    output.show("", f"The cheapest way for {CAMERA} to rise from position {row['rank']} to {TOP}:")
    show_plans(output, CAMERA, [plan], len(rivals) + 1)
    output.show("", f"Open {out / 'report.html'} in a browser to see all of it.")
    output.show("To do the same by hand:", *_activation(), *_commands(out))
    output.result(folder=out, weights=_weights(found, ratings), plan=plan)


def _weights(found: "Investigation", ratings: "CameraRatings") -> "pd.DataFrame":
    """Return the true weights beside the recovered ones, on one scale."""
    import pandas as pd

    ranges = ratings.X.max() - ratings.X.min()
    true = ratings.weights * 100 / (ratings.weights.abs() * ranges).sum()
    recovered = pd.Series(found.formula.weights_, index=ratings.X.columns)
    both = pd.DataFrame({"true": true, "recovered": recovered}).rename_axis("factor")
    return both.loc[(both["true"].abs() * ranges).sort_values(ascending=False).index]


def _beside_true(found: "Investigation", ratings: "CameraRatings") -> Any:
    rows = [
        (str(factor), true, recovered, abs(recovered - true))
        for factor, true, recovered in _weights(found, ratings).itertuples()
    ]
    return table("The formula", ["factor", "true weight", "recovered", "apart"], rows)


def _conflicts(conflicts: tuple[tuple[str, ...], ...]) -> str:
    rows = [(number, name) for number, names in enumerate(conflicts, 1) for name in names]
    return "conflict,change\n" + "".join(f"{number},{name}\n" for number, name in rows)


def _activation() -> list[str]:
    """Return what lets the shell find the commands, where it does not."""
    script = Path(sys.prefix) / "bin" / "activate"
    if shutil.which("rankwright") or not script.exists():
        return []
    return [f"  . {shlex.quote(str(script))}"]


def _commands(out: Path) -> list[str]:
    return [
        f"  cd {shlex.quote(str(out))}",
        "  rankwright reverse cameras.csv --top 10 --out report.html --force",
        f'  rankwright improve report.rw cameras.csv --item "{CAMERA}" --changes changes.csv '
        f"--conflicts conflicts.csv --position {TOP}",
        f'  rankwright explain report.rw cameras.csv --item "Linnet M270" --above "{CAMERA}"',
    ]
