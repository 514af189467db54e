"""The formula behind a published rating."""

import re
import shlex
import time as clock_time
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rankwright.cli import options as opt
from rankwright.cli.commands import Exit
from rankwright.cli.findings import show_findings
from rankwright.cli.output import Output
from rankwright.cli.remedies import close_gaps
from rankwright.cli.repeated import given_options
from rankwright.cli.results import ReportFiles, Result
from rankwright.cli.signs import read_signs
from rankwright.cli.tables import Columns, read_rated

if TYPE_CHECKING:
    from rankwright.data import ItemTable
    from rankwright.reverse import Investigation, Step

__all__ = ["investigated", "reverse", "write_investigation"]

# What the commands that use a formula have to know of how its table was read.
READ_AGAIN = {
    "item": "--item-column",
    "group": "--group",
    "sheet": "--sheet",
    "where": "--where",
    "missing": "--missing",
}
CHANGES = ("factors", "few")  # remedies for gaps that leave out factors
LEFT_OUT = re.compile("rows? left out because a factor is missing")
ACCURATE = "accurate"


class Objective(StrEnum):
    """What a formula has to reproduce."""

    TOP_AUC = "top_auc"
    POSITIONS = "positions"
    SCORES = "scores"


def reverse(
    context: typer.Context,
    table_file: opt.Table,
    item: opt.Item = None,
    rank: opt.Rank = None,
    score: opt.Score = None,
    group: opt.Group = None,
    category: opt.Category = None,
    factors: opt.Factors = None,
    complete: opt.Complete = False,
    reading: opt.Reading = opt.AS_FOUND,
    signs: opt.Signs = "auto",
    less_is_better: opt.LessIsBetter = None,
    top: Annotated[
        int,
        typer.Option(
            "--top",
            metavar="N",
            min=1,
            max=1_000_000,
            help="How many products count as the top of a group.",
        ),
    ] = 10,
    objective: Annotated[
        Objective | None,
        typer.Option(
            "--objective",
            metavar="NAME",
            help="What to reproduce: the order, above all at the top (top_auc); the positions of "
            "the top products (positions); or the rounded scores in --score (scores). By default "
            "the scores if a weighted sum gives them to the last digit, else the order.",
            show_default=False,
        ),
    ] = None,
    require: Annotated[
        list[str] | None,
        typer.Option(
            "--require",
            metavar="TEXT",
            help="What you know about the weights, such as 'income <= 5%', 'a + b = 60%', 'a >= "
            "b' or 'at most 3 factors' (repeatable). Percentages are of the sum of all weights.",
        ),
    ] = None,
    require_file: Annotated[
        Path | None,
        typer.Option(
            "--require-file",
            metavar="FILE",
            help="The same, in a TOML file: a list named 'require', and named sums in a table "
            "'sets'.",
        ),
    ] = None,
    value_functions: Annotated[
        list[str] | None,
        typer.Option(
            "--value-functions",
            metavar="TEXT",
            help="Factors that do not count evenly (repeatable): 'price: 60, 100' lets the slope "
            "change at these numbers, 'fuel: levels' gives each number a value of its own; "
            "'piecewise' alone chooses knots by held-out pairs.",
        ),
    ] = None,
    selection: Annotated[
        str,
        typer.Option(
            "--selection",
            metavar="WORD",
            help="The formula to keep in the model: accurate, the one that fits best; stable, one "
            "for new products, found beside it; or a number from 0 (accurate) to 1 (steady).",
        ),
    ] = ACCURATE,
    emphasis: Annotated[
        float,
        typer.Option("--emphasis", metavar="X", help="How much extra weight pairs at the top get."),
    ] = 9.0,
    time: Annotated[
        float,
        typer.Option(
            "--time",
            metavar="SECONDS",
            help="Time limit for the whole command. Search and proof get half of it; the weight "
            "ranges, the products that don't fit and the checks share the rest. Loading the "
            "program and writing take a few seconds, also where the limit is shorter.",
        ),
    ] = 60.0,
    checks: Annotated[
        bool,
        typer.Option(
            "--checks/--no-checks",
            help="Also fit with some products held out and with shuffled ranks, to compare the "
            "formula with other methods and with chance.",
        ),
    ] = True,
    each_group: Annotated[
        bool,
        typer.Option(
            "--each-group",
            help="Also find a formula for each group, and test whether the groups share one.",
        ),
    ] = False,
    test_weights: Annotated[
        Path | None,
        typer.Option(
            "--test-weights",
            metavar="FILE",
            help="Weights to test, such as the official ones: a CSV file with factors in the "
            "first column and weights in the second.",
        ),
    ] = None,
    out: opt.ReportOut = None,
    force: opt.Force = False,
    json: opt.Json = False,
    quiet: opt.Quiet = False,
) -> None:
    """Find the formula behind a published ranking, and say how sure it is.

    Without --out the report is report.html; the CSV table is the formula.
    """
    begun = clock_time.monotonic()
    from rankwright.persistence.atomic import interrupts_deferred
    from rankwright.report.rating import rating_result
    from rankwright.report.time_left import seconds_left
    from rankwright.reverse.questions import read_weights
    from rankwright.reverse.values.typed import read_value_functions

    output = Output(json, quiet)
    if objective is Objective.SCORES and rank is not None:
        raise typer.BadParameter(
            "--objective scores reproduces published scores, but --rank names ranks; give --score"
        )
    read = [table_file, test_weights, require_file]
    files = ReportFiles.of(out or [Path("report.html")], read, force=force)
    columns = Columns(item, rank, score, group, category, factors, reading)
    data = close_gaps(output, read_rated(output, table_file, columns, complete=complete))
    given = None if test_weights is None else read_weights(test_weights)
    known = known_weights(require, require_file)
    is_plain = not known and selection == ACCURATE
    goal = objective or (_guess_objective(output, data) if is_plain else Objective.TOP_AUC)
    found = investigated(
        output,
        data,
        checks=checks,
        each_group=each_group,
        compiling=25,
        objective=goal.value,
        constraints=known,
        top=top,
        emphasis=emphasis,
        value_functions=read_value_functions(value_functions, list(data.X.columns)),
        selection=read_selection(selection),
        signs=read_signs(signs, less_is_better, list(data.X.columns)),
        time_limit=seconds_left(time, clock_time.monotonic() - begun, len(data)),
    )
    with interrupts_deferred():  # what was found is printed and written
        judged = None if given is None else found.judge(given)
        show_findings(output, found, judged)
        result = rating_result(found) | ({} if judged is None else {"test_weights": judged})
        write_investigation(output, found, files, result)
        _show_next(output, found, context, files.model)
        output.result(**result)
    if found.interrupted:
        raise typer.Exit(Exit.INTERRUPTED)


def _guess_objective(output: Output, data: "ItemTable") -> Objective:
    """Take published scores themselves where a weighted sum gives them to the last digit."""
    from rankwright.data.score_parts import score_parts

    if data.target_is != "score":
        return Objective.TOP_AUC
    columns = {str(name): values.to_numpy() for name, values in data.X.items()}
    parts = score_parts(data.y, columns)
    if parts is None:
        return Objective.TOP_AUC
    output.note(
        f"Guessed: the scores themselves are to be reproduced, not only their order, because "
        f"{data.target!r} is {parts}. --objective {Objective.TOP_AUC} looks at the order alone."
    )
    return Objective.SCORES


def read_selection(text: str) -> str | float:
    """Return a number where the text is one; the formula judges the rest."""
    try:
        return float(text)
    except ValueError:
        return text


def known_weights(texts: list[str] | None, path: Path | None) -> list[str]:
    """Return what is known of the weights, from options and from a file."""
    from rankwright.reverse.knowledge import read_requirements

    return [*(texts or []), *([] if path is None else read_requirements(path))]


def investigated(
    output: Output,
    data: "ItemTable",
    *,
    checks: bool,
    compiling: int,
    each_group: bool = False,
    **parameters: Any,
) -> "Investigation":
    """Investigate a rating; each step shows its own progress."""
    from rankwright.reverse import RatingFormula, Step, investigate

    with output.steps(compiling) as show:
        fitting: list[Step] = []

        def begin(step: "Step") -> None:
            fitting[:] = [step]
            show(step)

        def show_state(state: Any) -> None:
            gap = abs(state.bound - state.objective)
            show(fitting[0], f"objective {state.objective:.4f}, gap {gap:.4f}")

        formula = RatingFormula(**parameters, random_state=0, callback=show_state)
        found = investigate(data, formula, checks=checks, each_group=each_group, step=begin)
    for one in (found.formula, found.model):
        one.set_params(callback=None)  # a model file holds no functions
    return found


def write_investigation(
    output: Output, found: "Investigation", files: ReportFiles, values: dict[str, Any]
) -> None:
    """Write what was found, its report with the result and the model beside it."""
    from rankwright.plots import plot_weights
    from rankwright.report.bundle import rating_bundle
    from rankwright.report.rating import result_tables, weight_picture

    tables = result_tables(found)
    result = Result(values, tables, lambda: plot_weights(**weight_picture(found)))
    files.write(output, lambda: rating_bundle(found), found.model, result)


def _two_products(found: "Investigation") -> tuple[str, str] | None:
    """Return the first two products of a group whose names say which rows are meant."""
    names = found.ranking.index
    groups = found.ranking["group"][~names.duplicated(keep=False)]
    for _, members in groups.groupby(groups, sort=False):
        if len(members) > 1:
            return str(members.index[0]), str(members.index[1])
    return None


def _show_next(
    output: Output, found: "Investigation", context: typer.Context, model: Path | None
) -> None:
    """Say what can be done with the result, and what more time would add."""
    from rankwright.report.words import QUESTIONS, is_meaningless, short_of_time

    table = shlex.quote(str(context.params["table_file"]))
    lines = []
    open_parts = [QUESTIONS[name] for name in short_of_time(found)]
    by_order = found.formula.score_fit_ is None
    if by_order and not found.certificate.is_optimal and not found.interrupted:
        open_parts.insert(0, "the proof")
    if open_parts:
        given = given_options(context, without=["time", "force", "json", "quiet"])
        longer = 5 * context.params["time"]
        lines += [
            f"More time is for: {', '.join(open_parts)}.",
            f"  rankwright reverse {table}{given} --time {longer:g} --force",
        ]
    pair = _two_products(found)
    if model is not None and pair is not None and not is_meaningless(found):
        # A formula has the factors that were left: leaving some out is done.
        missing = context.params["missing"]
        read = given_options(context, only=READ_AGAIN, without=["missing"] * (missing in CHANGES))
        by_itself = missing in (None, "few") and any(map(LEFT_OUT.search, found.table.notes))
        whole = " --complete" if by_itself or context.params["complete"] else ""
        saved = shlex.quote(str(model))
        above, below = map(shlex.quote, pair)
        lines.append(f"  rankwright explain {saved} {table}{read} --item {above} --above {below}")
        if found.formula.value_functions_ is None:  # plans do not know pieces
            lines.append(
                f"  rankwright improve {saved} {table}{read}{whole} --item {below} --position 1 "
                "--changes FILE"
            )
    if lines:
        output.show("", "What now", *lines)
