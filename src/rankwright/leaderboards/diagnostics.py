"""What speaks against one strength for each item: cycles, misfit, judges who disagree."""

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.stats import binom, chi2

from rankwright.leaderboards.outcomes import FloatArray
from rankwright.leaderboards.pair_model import PairModel
from rankwright.leaderboards.solver import Likelihood

__all__ = [
    "Diagnosis",
    "Judges",
    "Misfit",
    "contrary",
    "diagnose",
    "judges",
    "misfit",
    "three_cycles",
]

MOST_ITEMS = 1000  # whose triples are counted
FEWEST = 5.0  # comparisons of a pair for which its residual is about normal
WORST = 10  # pairs listed


def three_cycles(wins: csr_array) -> float:
    """Return the share of triples of items, all compared, whose majorities run in a circle.

    Coin flips give a quarter; one strength for each item and many comparisons give none.
    """
    if wins.shape[0] > MOST_ITEMS:
        return np.nan
    table = wins.toarray()
    beats = (table > table.T).astype(np.float64)
    decided = beats + beats.T
    triples = ((decided @ decided) * decided).sum() / 6
    cycles = ((beats @ beats) * beats.T).sum() / 3
    return float(cycles / triples) if triples else np.nan


@dataclass(frozen=True, eq=False)
class Misfit:
    """How far the results of pairs are from what the strengths say.

    Attributes
    ----------
    chi_square, degrees, p_value : float
        Over pairs with enough comparisons; NaN where there are too few.
    pairs : list of tuples
        The worst: both items, comparisons, the first one's points (a win is 1, a tie a half),
        those expected, and the residual in standard deviations.
    """

    chi_square: float
    degrees: float
    p_value: float
    pairs: list[tuple[Hashable, Hashable, float, float, float, float]]


UNCHECKED = Misfit(np.nan, np.nan, np.nan, [])


def misfit(model: PairModel, parameters: FloatArray) -> Misfit:
    """Compare the results of every pair with what is expected of it."""
    battles = model.battles
    begins = battles.begins

    def by_pair(values: FloatArray) -> FloatArray:
        return values if len(begins) == len(values) else np.add.reduceat(values, begins)

    won, lost, tied = battles.counts.T
    total = by_pair(won + lost + tied)
    if not (total >= FEWEST).any():
        return UNCHECKED
    points, excess, variance = map(by_pair, (won + tied / 2, *model.residuals(parameters)))
    residual = excess / np.sqrt(np.maximum(variance, 1e-12))
    enough = (total >= FEWEST) & (variance > 0)
    worst = np.flatnonzero(enough)[np.argsort(-np.abs(residual[enough]), kind="stable")][:WORST]
    listed = [
        (battles.items[battles.left[begins[k]]], battles.items[battles.right[begins[k]]],
         float(total[k]), float(points[k]), float(points[k] - excess[k]), float(residual[k]))
        for k in worst
    ]  # fmt: skip
    degrees = int(enough.sum()) - (len(battles.items) - 1) - battles.context.shape[1]
    half_ties = bool(tied.any()) and not model.has_ties
    if degrees < 1 or half_ties or not battles.weights.are_counts:
        return Misfit(np.nan, np.nan, np.nan, listed)
    statistic = float((residual[enough] ** 2).sum())
    return Misfit(statistic, float(degrees), float(chi2.sf(statistic, degrees)), listed)


@dataclass(frozen=True, eq=False)
class Judges:
    """How often each judge decides for the item that is stronger over all.

    Attributes
    ----------
    names : list
    decisions : (judges,) array
        Their comparisons that were decided, ties left out.
    agreement, expected : (judges,) arrays
        The share of them for the stronger item, and what the strengths let expect.
    """

    names: list[Hashable]
    decisions: FloatArray
    agreement: FloatArray
    expected: FloatArray


NOBODY = Judges([], np.empty(0), np.empty(0), np.empty(0))


def judges(model: PairModel, parameters: FloatArray) -> Judges:
    """Compare every judge's decisions with the strengths of all."""
    clusters = model.battles.weights.clusters
    if clusters is None:
        return NOBODY
    eta = model.predictor(parameters)
    likely = 1 / (1 + np.exp(-np.abs(eta)))
    agrees = np.column_stack([eta > 0, eta < 0, np.zeros_like(eta)]) + 0.5 * np.column_stack(
        [eta == 0, eta == 0, np.zeros_like(eta)]
    )
    decided = np.tile([1.0, 1.0, 0.0], len(eta))
    decisions = clusters.weights @ decided
    some = np.maximum(decisions, 1e-300)
    agreement = np.where(decisions > 0, clusters.weights @ agrees.ravel() / some, np.nan)
    expected = np.where(
        decisions > 0, clusters.weights @ (decided * np.repeat(likely, 3)) / some, np.nan
    )
    return Judges(clusters.names, decisions, agreement, expected)


def contrary(found: Judges) -> list[int]:
    """Return the judges who decide against the stronger item more often than coins would.

    One-sided binomial tests at 1% over all judges (Bonferroni).
    """
    against = found.decisions * (1 - np.nan_to_num(found.agreement, nan=0.5))
    chance = binom.sf(np.round(against) - 1, np.round(found.decisions), 0.5)
    return np.flatnonzero(chance < 0.01 / len(found.names)).tolist()


@dataclass(frozen=True, eq=False)
class Diagnosis:
    """What speaks against one strength for each item."""

    three_cycles: float
    misfit: Misfit
    judges: Judges

    def notes(self) -> list[str]:
        """Say what is worth knowing."""
        notes = []
        if self.judges.names and (against := contrary(self.judges)):
            names = ", ".join(str(self.judges.names[k]) for k in against[:5])
            more = f" and {len(against) - 5} more" if len(against) > 5 else ""
            notes.append(f"{names}{more} decided against the stronger item more often than not.")
        if self.misfit.p_value < 0.01:
            first, second, *_ = self.misfit.pairs[0]
            notes.append(
                f"One strength for each item does not explain all results (p = "
                f"{self.misfit.p_value:.2g}); {first} against {second} is the farthest off."
            )
        return notes


def diagnose(model: Likelihood | None, parameters: FloatArray, wins: csr_array | None) -> Diagnosis:
    """Run the checks that the results allow."""
    cycles = np.nan if wins is None else three_cycles(wins)
    if not isinstance(model, PairModel):
        return Diagnosis(cycles, UNCHECKED, NOBODY)
    return Diagnosis(cycles, misfit(model, parameters), judges(model, parameters))
