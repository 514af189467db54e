"""The options that several commands share, so that they are called and explained alike."""

from pathlib import Path
from typing import Annotated

import typer

from rankwright.cli.completion import complete_metrics, complete_rankers
from rankwright.cli.reading import AS_FOUND, COLUMNS, ITEMS_AS_FOUND, Reading, Source

__all__ = [
    "AS_FOUND",
    "Category",
    "Cluster",
    "Complete",
    "Factors",
    "Force",
    "Formulas",
    "Group",
    "ITEMS_AS_FOUND",
    "Item",
    "ItemColumn",
    "Json",
    "LessIsBetter",
    "Metrics",
    "Model",
    "ModelFactors",
    "Out",
    "Quiet",
    "Rank",
    "Ranker",
    "Reading",
    "ReportOut",
    "Score",
    "Settings",
    "Signs",
    "Source",
    "Table",
    "Trust",
]

OUTPUT = "Output"

Table = Annotated[
    Path,
    typer.Argument(
        metavar="TABLE",
        help="The table: a CSV, TSV, Excel, ODS, JSON or Parquet file.",
        show_default=False,
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
        help="Column of groups: subcategories, queries or lists. Only rows of the same group are "
        "compared. Two columns, as in A,B, make groups of rows that have both in common.",
        rich_help_panel=COLUMNS,
    ),
]
Category = Annotated[
    str | None,
    typer.Option(
        "--category",
        metavar="COLUMN",
        help="Column of categories: all groups of a category share one formula.",
        rich_help_panel=COLUMNS,
    ),
]
Factors = Annotated[
    str | None,
    typer.Option(
        "--factors",
        metavar="A,B,C",
        help="Factor columns. By default, every other column of numbers, except the published "
        "order itself, row numbers, years and identifiers. Put a name that contains a comma in "
        "double quotes.",
        rich_help_panel=COLUMNS,
    ),
]
ModelFactors = Annotated[
    str | None,
    typer.Option(
        "--factors",
        metavar="A,B,C",
        help="Factor columns, in the order the model was fitted with; for models fitted without "
        "column names.",
        rich_help_panel=COLUMNS,
    ),
]
Complete = Annotated[
    bool,
    typer.Option(
        "--complete", help="Leave out rows with a missing factor.", rich_help_panel=COLUMNS
    ),
]
Signs = Annotated[
    str,
    typer.Option(
        "--signs",
        metavar="SIGNS",
        help="Which way each factor counts: auto (let the data decide), positive, free, or a list "
        "such as 'price=-,stars=+,zoom=free'.",
    ),
]
LessIsBetter = Annotated[
    str | None,
    typer.Option(
        "--less-is-better",
        metavar="A,B,C",
        help="Factors for which less is better, such as a price.",
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
        help="A metric, such as auc or ndcg(gains=exponential)@10 (repeatable). By default, those "
        "that suit the target.",
        autocompletion=complete_metrics,
    ),
]

Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="[ADDRESS]",
        help="Work on a Dask cluster: the scheduler at an address such as tcp://10.0.0.5:8786, or, "
        "without one, workers started on this machine. Needs the extra cluster.",
    ),
]

Out = Annotated[
    list[Path] | None,
    typer.Option(
        "--out",
        metavar="FILE",
        help="Write the result to a file (repeatable). The suffix sets the format: .csv, .xlsx "
        "with all tables, .json, or a picture as .png, .svg or .pdf.",
        rich_help_panel=OUTPUT,
    ),
]
ReportOut = Annotated[
    list[Path] | None,
    typer.Option(
        "--out",
        metavar="FILE",
        help="Write the result to a file (repeatable). The suffix sets the format: .html for a "
        "report, with a .json result and an .rw model beside it; or just a .csv table, an .xlsx "
        "file with all tables, a .json result, an .rw model, or a picture as .png, .svg or .pdf.",
        rich_help_panel=OUTPUT,
    ),
]
Formulas = Annotated[
    bool,
    typer.Option(
        "--formulas",
        help="Write names that begin with =, +, - or @ unchanged. By default, an apostrophe stops "
        "spreadsheets from running them as formulas.",
        rich_help_panel=OUTPUT,
    ),
]
Force = Annotated[
    bool, typer.Option("--force", help="Overwrite existing files.", rich_help_panel=OUTPUT)
]
Json = Annotated[
    bool,
    typer.Option(
        "--json", help="Print one JSON object, for other programs to read.", rich_help_panel=OUTPUT
    ),
]
Quiet = Annotated[
    bool,
    typer.Option(
        "--quiet", help="Print only errors; files are still written.", rich_help_panel=OUTPUT
    ),
]

Trust = Annotated[
    list[str] | None,
    typer.Option(
        "--trust",
        metavar="PACKAGE",
        help="Also load models of catboost, lightgbm or xgboost (repeatable). That package reads "
        "the file itself, so only use files you trust.",
    ),
]
