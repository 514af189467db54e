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

COLUMNS = "Columns (guessed unless given)"
OUTPUT = "Output"

Table = Annotated[
    Path,
    typer.Argument(
        metavar="TABLE", help="The table: a CSV, TSV or Parquet file.", show_default=False
    ),
]
Model = Annotated[
    Path,
    typer.Argument(
        metavar="MODEL", help="A model file, as written by fit or reverse.", show_default=False
    ),
]

Item = Annotated[
    str | None,
    typer.Option("--item", metavar="COLUMN", help="Column of item names.", rich_help_panel=COLUMNS),
]
ItemColumn = Annotated[
    str | None,
    typer.Option(
        "--item-column", metavar="COLUMN", help="Column of item names.", rich_help_panel=COLUMNS
    ),
]
Rank = Annotated[
    str | None,
    typer.Option(
        "--rank",
        metavar="COLUMN",
        help="Column of ranks, where 1 is best.",
        rich_help_panel=COLUMNS,
    ),
]
Score = Annotated[
    str | None,
    typer.Option(
        "--score",
        metavar="COLUMN",
        help="Column of scores or grades, where larger is better, instead of ranks.",
        rich_help_panel=COLUMNS,
    ),
]
Group = Annotated[
    str | None,
    typer.Option(
        "--group",
        metavar="COLUMN",
        help="Column that says which rows may be compared: subcategories, queries, lists.",
        rich_help_panel=COLUMNS,
    ),
]
Category = Annotated[
    str | None,
    typer.Option(
        "--category",
        metavar="COLUMN",
        help="Column that says which groups share one formula.",
        rich_help_panel=COLUMNS,
    ),
]
Factors = Annotated[
    str | None,
    typer.Option(
        "--factors",
        metavar="A,B,C",
        help="Factor columns; by default every other column of numbers. A name that contains a "
        "comma goes in double quotes.",
        rich_help_panel=COLUMNS,
    ),
]
ModelFactors = Annotated[
    str | None,
    typer.Option(
        "--factors",
        metavar="A,B,C",
        help="Factor columns in the order of the fit, for a model fitted without column names.",
        rich_help_panel=COLUMNS,
    ),
]
Complete = Annotated[
    bool,
    typer.Option(
        "--complete", help="Leave out rows with a missing factor.", rich_help_panel=COLUMNS
    ),
]

Ranker = Annotated[
    str,
    typer.Option(
        "--ranker",
        metavar="NAME",
        help="The ranker to use; rankwright rankers lists them all.",
        autocompletion=complete_rankers,
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="A parameter of the ranker (repeatable)."),
]
Metrics = Annotated[
    list[str] | None,
    typer.Option(
        "--metric",
        metavar="NAME",
        help="A metric (repeatable); by default those that suit the target.",
        autocompletion=complete_metrics,
    ),
]

Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", help="The CSV file to write.", rich_help_panel=OUTPUT),
]
Plot = Annotated[
    Path | None,
    typer.Option(
        "--plot", metavar="FILE", help="Draw a picture: .png, .svg or .pdf.", rich_help_panel=OUTPUT
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
    bool, typer.Option("--force", help="Overwrite existing files.", rich_help_panel=OUTPUT)
]
Json = Annotated[
    bool,
    typer.Option("--json", help="Print one JSON object, for programs.", rich_help_panel=OUTPUT),
]
Quiet = Annotated[
    bool,
    typer.Option(
        "--quiet", help="Print nothing but errors; files are still written.", rich_help_panel=OUTPUT
    ),
]
