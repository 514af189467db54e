"""The options that several commands share, so that they are called and explained alike."""

from pathlib import Path
from typing import Annotated

import typer

from rankwright.cli.completion import complete_metrics, complete_rankers

__all__ = [
    "Category",
    "Complete",
    "Factors",
    "Force",
    "Formulas",
    "Group",
    "Item",
    "ItemColumn",
    "Json",
    "Metrics",
    "Model",
    "ModelFactors",
    "Out",
    "Plot",
    "Quiet",
    "Rank",
    "Ranker",
    "Score",
    "Settings",
    "Table",
]

COLUMNS = "Columns (guessed where they are left out)"
OUTPUT = "Output"

Table = Annotated[Path, typer.Argument(help="The table: CSV, TSV or Parquet.", show_default=False)]
Model = Annotated[
    Path, typer.Argument(help="A model file, as fit and reverse write it.", show_default=False)
]

Item = Annotated[
    str | None,
    typer.Option("--item", metavar="COLUMN", help="Names of the items.", rich_help_panel=COLUMNS),
]
ItemColumn = Annotated[
    str | None,
    typer.Option(
        "--item-column", metavar="COLUMN", help="Names of the items.", rich_help_panel=COLUMNS
    ),
]
Rank = Annotated[
    str | None,
    typer.Option("--rank", metavar="COLUMN", help="Ranks: 1 is best.", rich_help_panel=COLUMNS),
]
Score = Annotated[
    str | None,
    typer.Option(
        "--score",
        metavar="COLUMN",
        help="Scores or grades instead of ranks: larger is better.",
        rich_help_panel=COLUMNS,
    ),
]
Group = Annotated[
    str | None,
    typer.Option(
        "--group",
        metavar="COLUMN",
        help="Which rows may be compared: subcategories, queries, lists.",
        rich_help_panel=COLUMNS,
    ),
]
Category = Annotated[
    str | None,
    typer.Option(
        "--category",
        metavar="COLUMN",
        help="Which groups share one formula.",
        rich_help_panel=COLUMNS,
    ),
]
Factors = Annotated[
    str | None,
    typer.Option(
        "--factors",
        metavar="A,B,C",
        help="The factors; by default every other column of numbers.",
        rich_help_panel=COLUMNS,
    ),
]
ModelFactors = Annotated[
    str | None,
    typer.Option(
        "--factors",
        metavar="A,B,C",
        help="The factors in the order of the fit, for a model fitted without column names.",
        rich_help_panel=COLUMNS,
    ),
]
Complete = Annotated[
    bool,
    typer.Option("--complete", help="Leave out rows that lack a factor.", rich_help_panel=COLUMNS),
]

Ranker = Annotated[
    str,
    typer.Option(
        "--ranker",
        metavar="NAME",
        help="Which ranker; rankwright rankers lists them.",
        autocompletion=complete_rankers,
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="A parameter of the ranker; repeatable."),
]
Metrics = Annotated[
    list[str] | None,
    typer.Option(
        "--metric",
        metavar="NAME",
        help="A metric; repeatable. By default those that suit the target.",
        autocompletion=complete_metrics,
    ),
]

Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", help="Where to write.", rich_help_panel=OUTPUT),
]
Plot = Annotated[
    Path | None,
    typer.Option(
        "--plot", metavar="FILE", help="Draw it: .png, .svg or .pdf.", rich_help_panel=OUTPUT
    ),
]
Formulas = Annotated[
    bool,
    typer.Option(
        "--formulas",
        help="Write names that begin with =, +, - or @ as they are; by default an apostrophe keeps "
        "a spreadsheet from running them.",
        rich_help_panel=OUTPUT,
    ),
]
Force = Annotated[
    bool, typer.Option("--force", help="Overwrite files that exist.", rich_help_panel=OUTPUT)
]
Json = Annotated[
    bool,
    typer.Option("--json", help="Print one JSON object, for machines.", rich_help_panel=OUTPUT),
]
Quiet = Annotated[
    bool,
    typer.Option("--quiet", help="Print errors only; write files.", rich_help_panel=OUTPUT),
]
