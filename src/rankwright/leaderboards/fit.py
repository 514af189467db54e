"""The public function: read results, fit, and say how sure every rank is."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from rankwright.data.alike import note_alike
from rankwright.leaderboards.battles import Context
from rankwright.leaderboards.bounds import VarianceBounds
from rankwright.leaderboards.certainty import Certainty, Errors
from rankwright.leaderboards.diagnostics import diagnose
from rankwright.leaderboards.estimate import Estimate, Settings, choose_model, estimate
from rankwright.leaderboards.leaderboard import Leaderboard
from rankwright.leaderboards.outcomes import FloatArray
from rankwright.leaderboards.ranking import rank_items
from rankwright.leaderboards.results import Results, Roles, read_results

__all__ = ["leaderboard"]


def leaderboard(
    results: Any,
    *,
    left: str | None = None,
    right: str | None = None,
    outcome: str | tuple[str, str] | None = None,
    counts: str | None = None,
    weights: Any = None,
    cluster: Any = None,
    context: Context | None = None,
    side_advantage: bool = False,
    smaller_is_better: bool | Sequence[str] = False,
    tasks: Sequence[str] | None = None,
    item_features: Any = None,
    model: str = "auto",
    alpha: float = 0.0,
    level: float = 0.95,
    bootstrap: int = 0,
    random_state: int = 0,
) -> Leaderboard:
    """Estimate strengths from comparisons, and say which ranks each item may have.

    Parameters
    ----------
    results : table, path, PreferencePairs, Rankings, VoterOrders, Votes or list of orders
        A table of battles (a row for each, with two items and an outcome), pairs, rankings with
        ties and gaps (as tables too: a ballot in each row, a place in each row, or a judge in each
        row and an item in each column), or a table of scores with items in rows and tasks in
        columns. Tables are pandas or polars frames, or paths to CSV, TSV or Parquet files; PrefLib
        files are read too.
    left, right : str, optional
        Columns of a table of battles that name the two items, guessed unless given.
    outcome : str or pair of str, optional
        The column of a table of battles that says who won, guessed unless given: the winner's name,
        or left, right and tie, or 1, 0.5 and 0 for the left item, or points such as 3-1. Two
        columns hold the points of both sides. Columns winner and loser need none.
    counts : str, optional
        The column that says how often each row's battle happened.
    weights : str or array, optional
        How much comparisons count: a column of battles, or one number for each ranking or task.
        Standard errors are then robust ones.
    cluster : str or array, optional
        Whose comparisons belong together (judge, user, task): a column, or an array with an entry
        for each pair, ranking or task. Standard errors then allow for their dependence.
    context : str, list of str, or dict, optional
        Columns of numbers that describe the battle from the left item's side, or by name the
        columns of both sides, whose difference is taken: ``{"length": ("length_a", "length_b")}``,
        for which ``"length"`` is short. Strengths are those at equal context.
    side_advantage : bool, default=False
        Whether being on the left (at home, shown first) is an advantage to be estimated.
    smaller_is_better : bool or list of str, default=False
        For scores: of all tasks, or of which.
    tasks : list of str, optional
        For scores: the columns that are tasks, all of numbers but summaries unless given.
    item_features : DataFrame, optional
        Numbers by item. Strengths are then made of them alone: what explains strength.
    model : str, default="auto"
        "bradley_terry" (a tie is half a win), "davidson" (ties have a probability of their own),
        "plackett_luce" for rankings, "mean_score" (of standardised scores) or "mean_rank". "auto"
        is "davidson" for battles whose ties can be estimated, "bradley_terry" for other battles,
        "plackett_luce" for rankings and "mean_score" for scores.
    alpha : float, default=0
        A prior: so many pseudo-comparisons of each item with an average one, half of them won.
    level : float, default=0.95
        The confidence of intervals and rank sets.
    bootstrap : int, default=0
        How often comparisons, or whole clusters, are drawn again to find the standard errors; 0
        finds them from the likelihood, with weights or clusters from the robust ("sandwich") form.
    random_state : int, default=0
        Draws the resamples and what rank sets are simulated with.

    Returns
    -------
    Leaderboard

    Examples
    --------
    Chocolate puddings compared by twos (Davidson 1970, the first three brands):

    >>> import pandas as pd
    >>> import rankwright as rw
    >>> battles = pd.DataFrame(
    ...     [(1, 2, "left", 19), (1, 2, "right", 22), (1, 2, "tie", 16),
    ...      (1, 3, "left", 16), (1, 3, "right", 19), (1, 3, "tie", 12),
    ...      (2, 3, "left", 19), (2, 3, "right", 19), (2, 3, "tie", 10)],
    ...     columns=["left", "right", "outcome", "times"],
    ... )
    >>> board = rw.leaderboard(battles, counts="times")
    >>> board.table()[["rank", "rank_low", "rank_high", "tier"]].reset_index()
       item  rank  rank_low  rank_high  tier
    0     3   1.0         1          3     1
    1     2   2.0         1          3     1
    2     1   3.0         1          3     1
    """
    if not 0 < level < 1:
        raise ValueError(f"level={level!r}; give a number between 0 and 1, such as 0.95")
    if not (np.isfinite(alpha) and alpha >= 0):
        raise ValueError(f"alpha={alpha!r}; give the number of pseudo-comparisons, 0 for none")
    if bootstrap < 0 or bootstrap == 1:
        raise ValueError(f"bootstrap={bootstrap!r}; give 0, or at least 2 resamples")
    roles = Roles(
        left,
        right,
        outcome,
        counts,
        weights,
        cluster,
        context,
        side_advantage,
        smaller_is_better,
        tasks,
    )
    read, guessed = read_results(results, roles)
    rng = np.random.default_rng(random_state)
    chosen = choose_model(read, model)
    found = estimate(read, Settings(chosen, float(alpha), item_features, bootstrap, rng))
    return _assemble(read, guessed, chosen, found, float(alpha), level, rng)


def _assemble(
    read: Results,
    guessed: tuple[str, ...],
    model: str,
    found: Estimate,
    alpha: float,
    level: float,
    rng: np.random.Generator,
) -> Leaderboard:
    ranked = rank_items(found.strengths, found.certainty, level, rng)
    certainty, checks = found.certainty, diagnose(found.likelihood, found.parameters, found.wins)
    return Leaderboard(
        items=read.items,
        strengths=found.strengths,
        covariance=_covariance_of_all(found),
        variance_bounds=_bounds_of_all(found),
        ranks=ranked.ranks,
        rank_low=ranked.marginal.low,
        rank_high=ranked.marginal.high,
        simultaneous_low=ranked.simultaneous.low,
        simultaneous_high=ranked.simultaneous.high,
        tiers=ranked.tiers,
        effect_names=found.effect_names,
        effects=found.effects,
        effect_errors=found.effect_errors,
        model=model,
        errors=_errors(certainty),
        method=ranked.method,
        level=level,
        alpha=alpha,
        degrees=float(certainty.degrees) if isinstance(certainty, Certainty) else np.inf,
        log_likelihood=found.log_likelihood,
        n_comparisons=read.n_comparisons,
        n_distinct=read.n_distinct,
        appearances=read.appearances(),
        three_cycles=checks.three_cycles,
        misfit=checks.misfit.chi_square,
        misfit_degrees=checks.misfit.degrees,
        misfit_p_value=checks.misfit.p_value,
        misfit_pairs=checks.misfit.pairs,
        judges=checks.judges.names,
        judge_decisions=checks.judges.decisions,
        judge_agreement=checks.judges.agreement,
        judge_expected=checks.judges.expected,
        notes=[*guessed, *note_alike(read.items), *read.notes, *found.notes, *checks.notes()],
    )


def _covariance_of_all(found: Estimate) -> FloatArray:
    """Return the covariance by item, NaN where the strength is not finite."""
    finite = np.flatnonzero(np.isfinite(found.strengths))
    if not isinstance(found.certainty, Certainty) and len(finite) > 1:
        return np.empty((0, 0))  # of too many items
    covariance = np.full((len(found.strengths), len(found.strengths)), np.nan)
    if isinstance(found.certainty, Certainty):
        block = found.certainty.covariance[: len(finite), : len(finite)]
        covariance[np.ix_(finite, finite)] = block
    return covariance


def _bounds_of_all(found: Estimate) -> FloatArray:
    if not isinstance(found.certainty, VarianceBounds):
        return np.empty(0)
    bounds = np.full(len(found.strengths), np.nan)
    bounds[np.isfinite(found.strengths)] = found.certainty.items
    return bounds


def _errors(certainty: Certainty | VarianceBounds | None) -> str:
    if certainty is None:
        return "none"
    return str(certainty.errors if isinstance(certainty, Certainty) else Errors.BOUNDED)
