"""Results in all their forms: battles, rankings, or scores of items by tasks."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from rankwright.aggregation.votes import Votes
from rankwright.data import PreferencePairs, Rankings, VoterOrders, read_preflib
from rankwright.data.preflib import KINDS
from rankwright.data.sources import as_sheet, numbers
from rankwright.data.spreadsheet import Sheet
from rankwright.leaderboards.ballots import Ballots, read_ballots
from rankwright.leaderboards.battles import Battles, Context, battles_of_pairs, read_battles
from rankwright.leaderboards.columns import guess_battles
from rankwright.leaderboards.score_table import ScoreTable, read_scores

__all__ = ["Results", "Roles", "read_results"]

Results = Battles | Ballots | ScoreTable
ORDERS = (Rankings, VoterOrders, Votes, list, tuple)


@dataclass(frozen=True, eq=False)
class Roles:
    """What the caller said about the parts of the results."""

    left: str | None = None
    right: str | None = None
    outcome: str | None = None
    counts: str | None = None
    weights: Any = None
    cluster: Any = None
    context: Context | None = None
    side_advantage: bool = False
    smaller_is_better: bool | Sequence[str] = False


def read_results(results: Any, roles: Roles) -> tuple[Results, tuple[str, ...]]:
    """Return the results in their compressed form, and what was guessed about a table."""
    if isinstance(results, str | PathLike) and Path(results).suffix[1:].lower() in KINDS:
        results = read_preflib(results)
    if isinstance(results, PreferencePairs):
        _refuse(roles, "pairs", "left", "right", "outcome", "counts", "weights", "context")
        return battles_of_pairs(results, roles.cluster), ()
    if isinstance(results, ORDERS):
        _refuse(roles, "rankings", "left", "right", "outcome", "counts", "context")
        return read_ballots(results, roles.cluster, roles.weights), ()
    if isinstance(results, np.ndarray):
        results = pd.DataFrame(results)
    sheet = as_sheet(results, [])
    named = replace(sheet, frame=sheet.frame.rename(columns=str))
    return _read_table(named, roles)


def _read_table(sheet: Sheet, roles: Roles) -> tuple[Results, tuple[str, ...]]:
    given = {name: getattr(roles, name) for name in ("left", "right", "outcome", "counts")}
    for name in ("weights", "cluster"):
        given[name] = value if isinstance(value := getattr(roles, name), str) else None
    guess = guess_battles(sheet, given)
    if guess.columns is None:
        if any(given.values()) or roles.context or roles.side_advantage:
            raise ValueError(
                f"{sheet.source} does not say who met whom; name the columns (left=..., right=..., "
                f"--left, --right); its columns are {', '.join(map(repr, sheet.frame.columns))}"
            )
        return _read_scores(sheet, roles)
    for name in ("weights", "cluster"):
        if getattr(roles, name) is not None and given[name] is None:
            raise ValueError(f"{name} of battles is a column of the table; give its name")
    battles = read_battles(sheet, guess.columns, roles.context, side_advantage=roles.side_advantage)
    return battles, guess.reasons


def _read_scores(sheet: Sheet, roles: Roles) -> tuple[ScoreTable, tuple[str, ...]]:
    """Read items by tasks: columns of numbers are tasks, one of texts names the items."""
    frame, reasons = sheet.frame, []
    parsed = {name: numbers(sheet, name) for name in frame.columns}
    texts = [name for name in frame.columns if len(parsed[name].wrong)]
    if len(texts) > 1:
        raise ValueError(
            f"{sheet.source} has texts in {', '.join(map(repr, texts[:4]))}; "
            "battles have a left and a right column, scores have one column of names"
        )
    index = frame.index
    if texts:
        index = pd.Index(frame[texts[0]].astype(str).str.strip())
        reasons.append(f"Items are named by {texts[0]!r}; the other columns are tasks.")
    tasks = [name for name in frame.columns if name not in texts]
    scores = pd.DataFrame({name: parsed[name].values for name in tasks}, index=index)
    table = read_scores(scores, roles.smaller_is_better, roles.weights, roles.cluster)
    return table, tuple(reasons)


def _refuse(roles: Roles, what: str, *names: str) -> None:
    for name in names:
        if getattr(roles, name) is not None:
            raise ValueError(f"{name}={getattr(roles, name)!r} is for tables, not for {what}")
    if roles.side_advantage:
        raise ValueError(f"side_advantage=True is for battles with two sides, not for {what}")
