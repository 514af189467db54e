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
from rankwright.data.sheet import Sheet
from rankwright.data.sources import as_sheet
from rankwright.leaderboards.ballot_tables import (
    BallotTable,
    cells_of_judges,
    guess_ballots,
    guess_places,
)
from rankwright.leaderboards.ballots import Ballots, read_ballots
from rankwright.leaderboards.battles import (
    Battles,
    Columns,
    Context,
    battles_of_pairs,
    read_battles,
)
from rankwright.leaderboards.columns import BattleGuess, guess_battles, resolve
from rankwright.leaderboards.score_table import ScoreTable, read_scores
from rankwright.leaderboards.tallies import guess_matrix, one_outcome_each
from rankwright.leaderboards.tasks import directions, find_tasks

__all__ = ["Results", "Roles", "read_results"]

Results = Battles | Ballots | ScoreTable
ORDERS = (Rankings, VoterOrders, Votes, list, tuple)


@dataclass(frozen=True, eq=False)
class Roles:
    """What the caller said about the parts of the results."""

    left: str | None = None
    right: str | None = None
    outcome: str | tuple[str, str] | None = None
    counts: str | None = None
    weights: Any = None
    cluster: Any = None
    context: Context | None = None
    side_advantage: bool = False
    smaller_is_better: bool | Sequence[str] = False
    tasks: Sequence[str] | None = None


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
    sheet = sheet.in_texts()
    named = replace(sheet, frame=sheet.frame.rename(columns=str), memory={})
    read, reasons = _read_table(named, roles)
    return read, (*sheet.notes, *reasons)


def _read_table(sheet: Sheet, roles: Roles) -> tuple[Results, tuple[str, ...]]:
    weights, cluster = (
        value if isinstance(value, str) else None for value in (roles.weights, roles.cluster)
    )
    given = Columns(roles.left, roles.right, roles.outcome, roles.counts, weights, cluster)
    nothing_said = not (given.listed() or roles.context or roles.side_advantage or roles.tasks)
    if nothing_said and (ballots := guess_ballots(sheet)):
        return _read_ballot_table(ballots, roles)
    if nothing_said and (matrix := guess_matrix(sheet)):
        sheet, guess = matrix
    else:
        guess = BattleGuess(None, ()) if roles.tasks else guess_battles(sheet, given)
    if guess.columns is not None:
        return _read_battle_table(sheet, guess, roles), guess.reasons
    if not nothing_said and not roles.tasks:
        raise ValueError(
            f"{sheet.source} does not say who met whom; name the columns (left=..., right=..., "
            f"--left, --right); its columns are {', '.join(map(repr, sheet.frame.columns))}"
        )
    if nothing_said and (places := guess_places(sheet)):
        return _read_ballot_table(places, roles)
    if nothing_said and (judged := cells_of_judges(sheet)):
        found, reason = judged
        if isinstance(found, BallotTable):
            return _read_ballot_table(found, roles)
        frame, reasons = found, [reason]
    else:
        frame, reasons = find_tasks(sheet, roles.tasks)
    smaller, said = directions([str(name) for name in frame.columns], roles.smaller_is_better)
    table = read_scores(frame, smaller, roles.weights, roles.cluster)
    return table, (*reasons, *said)


def _read_battle_table(sheet: Sheet, guess: BattleGuess, roles: Roles) -> Battles:
    assert guess.columns is not None
    for name in ("weights", "cluster"):
        if getattr(roles, name) is not None and getattr(guess.columns, name) is None:
            raise ValueError(f"{name} of battles is a column of the table; give its name")
    context = resolve(sheet, roles.context)
    sheet, columns = one_outcome_each(sheet, guess.columns)
    return read_battles(sheet, columns, context, side_advantage=roles.side_advantage)


def _read_ballot_table(table: BallotTable, roles: Roles) -> tuple[Ballots, tuple[str, ...]]:
    """Read ballots; voters who filled in several of them are clusters."""
    cluster, reasons = roles.cluster, table.reasons
    if cluster is None and table.voters is not None and table.voters.duplicated().any():
        cluster = table.voters
        reasons = (*reasons, f"Who voted is read from {table.voters.name!r}, judging by its name.")
    return read_ballots(table.orders, cluster, roles.weights), reasons


def _refuse(roles: Roles, what: str, *names: str) -> None:
    for name in names:
        if getattr(roles, name) is not None:
            raise ValueError(f"{name}={getattr(roles, name)!r} is for tables, not for {what}")
    if roles.side_advantage:
        raise ValueError(f"side_advantage=True is for battles with two sides, not for {what}")
