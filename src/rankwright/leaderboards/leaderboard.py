"""The result: strengths, ranks, and how sure both are."""

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.stats import t as student

from rankwright.base import is_array
from rankwright.leaderboards.certainty import quasi_variances
from rankwright.leaderboards.outcomes import FloatArray, IntArray
from rankwright.leaderboards.pair_model import win_and_tie
from rankwright.leaderboards.planning import comparisons_needed, most_telling_pairs
from rankwright.leaderboards.rank_sets import differences
from rankwright.leaderboards.score_table import AVERAGES

__all__ = ["Leaderboard"]


@dataclass(frozen=True, eq=False, repr=False)
class Leaderboard:
    """Strengths from comparisons, with the ranks that each item may have.

    Attributes
    ----------
    items : list
        Names; every array below has them in this order, ``table()`` the best first.
    strengths : (items,) array
        Log-odds scale, mean 0 over the finite ones. Infinite for items that won or lost all
        comparisons, NaN for items that nothing connects to the others.
    covariance : (items, items) array
        Of the finite strengths, NaN elsewhere; empty for more than 5,000 items.
    variance_bounds : (items,) array
        For more than 5,000 items: the variance of a difference is at most the sum of two of them.
        Empty otherwise.
    ranks : (items,) array
        1 is best, equal strengths share the mean rank, NaN where the strength is.
    rank_low, rank_high : (items,) int arrays
        The ranks that an item may have, each item's range by itself holding with ``level``.
    simultaneous_low, simultaneous_high : (items,) int arrays
        The same for all items at once.
    tiers : (items,) int array
        1 for items that can't be told apart from the best, 2 for those that can't be told apart
        from the best of the rest, and so on; 0 where the strength is not finite.
    effect_names : list of str
        The columns of the context and of item features, the side, and "ties", the logarithm of the
        ties' parameter, as far as they were estimated.
    effects, effect_errors : (effects,) arrays
        Of these, by how much they add to the log-odds, and the standard errors.
    model : str
        "bradley_terry", "davidson", "plackett_luce", "mean_score" or "mean_rank".
    errors : str
        "model" (the likelihood's), "robust", "clustered", "bootstrap", "bounded" (from
        ``variance_bounds``) or "none".
    method : str
        How rank sets were found: "max-t" or "bonferroni", both step by step.
    level : float
        The confidence of intervals and rank sets.
    alpha : float
        Pseudo-comparisons of each item; 0 without a prior.
    degrees : float
        Degrees of freedom of the standard errors: finite where they come from clusters.
    log_likelihood : float
        Of the comparisons at these strengths; NaN where the model has none.
    n_comparisons : float
        Comparisons, each with its count.
    n_distinct : int
        The distinct outcomes that they were compressed to.
    appearances : (items,) array
        In how many comparisons each item took part.
    three_cycles : float
        The share of triples whose majorities run in a circle; NaN if no triple is complete.
    misfit, misfit_degrees, misfit_p_value : float
        Pearson's statistic over pairs with five comparisons or more, its degrees of freedom and its
        p-value, small where one strength for each item does not explain the results; NaN if there
        are too few.
    misfit_pairs : list of tuples
        The worst pairs: both items, comparisons, points of the first, expected points, residual.
    judges : list
        The clusters.
    judge_decisions : (judges,) array
        How many decisions each made.
    judge_agreement, judge_expected : (judges,) arrays
        The share of them for the stronger item, and the share that was to be expected.
    notes : list of str
        What was guessed about a table, what was left out, and what the data can't say.

    Examples
    --------
    >>> import pandas as pd
    >>> import rankwright as rw
    >>> games = pd.DataFrame({
    ...     "left": ["Ada", "Ada", "Bo", "Bo", "Cy", "Cy"],
    ...     "right": ["Bo", "Bo", "Cy", "Cy", "Ada", "Ada"],
    ...     "outcome": ["left", "tie", "left", "right", "right", "left"],
    ... })
    >>> board = rw.leaderboard(games)
    >>> board.model, board.table().index.tolist()
    ('davidson', ['Ada', 'Cy', 'Bo'])
    >>> round(board.probability("Ada", "Bo"), 2)
    0.58
    """

    items: list[Hashable]
    strengths: FloatArray
    covariance: FloatArray
    variance_bounds: FloatArray
    ranks: FloatArray
    rank_low: IntArray
    rank_high: IntArray
    simultaneous_low: IntArray
    simultaneous_high: IntArray
    tiers: IntArray
    effect_names: list[str]
    effects: FloatArray
    effect_errors: FloatArray
    model: str
    errors: str
    method: str
    level: float
    alpha: float
    degrees: float
    log_likelihood: float
    n_comparisons: float
    n_distinct: int
    appearances: FloatArray
    three_cycles: float
    misfit: float
    misfit_degrees: float
    misfit_p_value: float
    misfit_pairs: list[tuple[Hashable, Hashable, float, float, float, float]]
    judges: list[Hashable]
    judge_decisions: FloatArray
    judge_agreement: FloatArray
    judge_expected: FloatArray
    notes: list[str]

    def __repr__(self) -> str:
        first = ", ".join(map(repr, self.table().index[:3]))
        return f"<Leaderboard of {len(self.items)} items by {self.model}: {first}, ...>"

    @property
    def standard_errors(self) -> FloatArray:
        """The standard errors of the strengths, whose mean is 0; NaN where there is none.

        Where variances are only bounded they are square roots of ``variance_bounds``.
        """
        if self.variance_bounds.size:
            return np.sqrt(self.variance_bounds)
        if not self.covariance.size:
            return np.full(len(self.items), np.nan)
        return np.sqrt(np.maximum(np.diag(self.covariance), 0.0))

    @property
    def best(self) -> list[Hashable]:
        """The items one of which is the best, with the probability ``level``.

        Items whose strength is not finite can't be excluded.
        """
        return [item for item, tier in zip(self.items, self.tiers, strict=True) if tier <= 1]

    @property
    def best_beside_ranks(self) -> str:
        """Why items may show rank 1 and yet not be among ``best``; empty where none does."""
        outside = (self.rank_low == 1) & (self.tiers > 1)
        names = [str(item) for item, hit in zip(self.items, outside, strict=True) if hit]
        if not names:
            return ""
        listed = names[0] if len(names) == 1 else f"{len(names):,} items"
        return (
            "The set of the best (tier 1) is a one-sided test of its own; ranks guard both sides, "
            f"so {listed} may show rank 1 without being in it."
        )

    def table(self) -> pd.DataFrame:
        """Return the leaderboard, the best item first.

        Returns
        -------
        DataFrame
            By item: strength, standard_error, low and high (its confidence interval), rank,
            rank_low and rank_high, all_low and all_high (rank sets that hold for all items at
            once), tier and comparisons.
        """
        width = self._quantile * self.standard_errors
        frame = pd.DataFrame(
            {
                "strength": self.strengths,
                "standard_error": self.standard_errors,
                "low": self.strengths - width,
                "high": self.strengths + width,
                "rank": self.ranks,
                "rank_low": self.rank_low,
                "rank_high": self.rank_high,
                "all_low": self.simultaneous_low,
                "all_high": self.simultaneous_high,
                "tier": self.tiers,
                "comparisons": self.appearances,
            },
            index=pd.Index(self.items, name="item"),
        )
        return frame.sort_values("rank", kind="stable")

    def effect_table(self) -> pd.DataFrame:
        """Return the effects of context, item features and ties, with errors and intervals."""
        width = self._quantile * self.effect_errors
        return pd.DataFrame(
            {
                "effect": self.effects,
                "standard_error": self.effect_errors,
                "low": self.effects - width,
                "high": self.effects + width,
            },
            index=pd.Index(self.effect_names, name="covariate"),
        )

    def difference(self, item: Hashable, other: Hashable) -> dict[str, float]:
        """Return the difference of two strengths, its standard error and confidence interval."""
        i, k = self._finite(item), self._finite(other)
        error = float(np.sqrt(max(self._variance(i, k), 0.0)))
        value = float(self.strengths[i] - self.strengths[k])
        width = self._quantile * error
        return {
            "difference": value,
            "standard_error": error,
            "low": value - width,
            "high": value + width,
        }

    def probability(self, item: Hashable, other: Hashable) -> float:
        """Return the probability that one item beats another, in a neutral context.

        Where ties have a probability of their own, the rest up to 1 is shared by defeat and tie.
        """
        return float(self._chances(item, other)[0])

    def tie_probability(self, item: Hashable, other: Hashable) -> float:
        """Return the probability that two items tie; 0 where ties are halves or do not occur."""
        return float(self._chances(item, other)[1])

    def quasi_standard_errors(self) -> FloatArray:
        """Return errors as if strengths were independent: q_i² + q_k² is about var(i - k).

        With them intervals of strengths can be compared by eye, whatever the reference (Firth and
        de Menezes 2004). NaN for strengths that are not finite.
        """
        if self.variance_bounds.size:
            return np.sqrt(self.variance_bounds)
        found = np.full(len(self.items), np.nan)
        finite = self._is_finite
        if finite.sum() > 1:
            kept = self.covariance[np.ix_(finite, finite)]
            found[finite] = np.sqrt(quasi_variances(kept))
        return found

    def comparisons_needed(self, item: Hashable, other: Hashable, *, power: float = 0.8) -> float:
        """Return how many more comparisons of two items would tell them apart.

        If their strengths are as estimated, that many show the difference at ``level`` with the
        given power; 0 if it is shown already, inf if the strengths are equal.
        """
        if not 0 < power < 1:
            raise ValueError(f"power={power!r}; give a number between 0 and 1")
        i, k = self._finite(item), self._finite(other)
        win, tie = self._chances(item, other)
        information = (1 - tie) / 4 - (win + tie / 2 - 0.5) ** 2
        difference = float(self.strengths[i] - self.strengths[k])
        return comparisons_needed(
            difference, self._variance(i, k), float(information), self.level, power
        )

    def next_pairs(self, count: int = 10) -> list[tuple[Hashable, Hashable]]:
        """Return up to ``count`` pairs to compare next, the most telling first.

        Each lowers the variances of all strengths most, given those before it, among pairs that
        can't be told apart at ``level`` yet. Items whose strength is not finite come first: each
        with the item in the middle.
        """
        self._check_pairs()
        if not self.covariance.size:
            raise ValueError(f"next_pairs is for up to 5,000 items; there are {len(self.items):,}")
        finite = np.flatnonzero(self._is_finite)
        middle = finite[np.argsort(self.strengths[finite])[len(finite) // 2]] if len(finite) else 0
        loose = [k for k in np.flatnonzero(~self._is_finite) if k != middle]
        pairs = [(self.items[k], self.items[middle]) for k in loose][:count]
        if len(finite) < 2:
            return pairs
        strengths = self.strengths[finite]
        covariance = self.covariance[np.ix_(finite, finite)]
        studentised, _ = differences(strengths, covariance)
        win, tie = win_and_tie(strengths[:, None] - strengths, self._tie)
        information = (1 - tie) / 4 - (win + tie / 2 - 0.5) ** 2
        found = most_telling_pairs(
            covariance, information, np.abs(studentised) <= self._quantile, count - len(pairs)
        )
        return pairs + [(self.items[finite[i]], self.items[finite[k]]) for i, k in found]

    @property
    def _is_finite(self) -> "np.ndarray":
        return np.isfinite(self.strengths)

    @property
    def _quantile(self) -> float:
        return float(student.isf((1 - self.level) / 2, self.degrees))

    @property
    def _tie(self) -> float:
        if "ties" not in self.effect_names:
            return 0.0
        return float(np.exp(self.effects[self.effect_names.index("ties")]))

    def _variance(self, i: int, k: int) -> float:
        if self.variance_bounds.size:
            return float(self.variance_bounds[i] + self.variance_bounds[k])
        table = self.covariance
        if not table.size:
            return np.nan
        return float(table[i, i] + table[k, k] - 2 * table[i, k])

    def _chances(self, item: Hashable, other: Hashable) -> FloatArray:
        self._check_pairs()
        i, k = self._number(item), self._number(other)
        if i == k:
            raise ValueError(f"{item!r} can't meet itself; name two items")
        first, second = self.strengths[i], self.strengths[k]
        if first == second or np.isnan(first) or np.isnan(second):
            eta = 0.0 if np.isfinite(first) else np.nan
        else:
            eta = first - second
        win, tie = win_and_tie(np.array([eta]), self._tie)
        return np.array([win[0], tie[0]]) if not np.isnan(eta) else np.full(2, np.nan)

    def _number(self, item: Hashable) -> int:
        if item not in self.items:
            listed = ", ".join(map(repr, self.items[:8]))
            raise ValueError(f"there is no item {item!r}; the items are {listed}, ...")
        return self.items.index(item)

    def _finite(self, item: Hashable) -> int:
        number = self._number(item)
        if not np.isfinite(self.strengths[number]):
            raise ValueError(f"the strength of {item!r} is not finite; alpha=1 makes it so")
        return number

    def _check_arrays(self) -> None:
        """Check the shapes of arrays that come from a file."""
        n, effects, judges = len(self.items), len(self.effect_names), len(self.judges)
        shapes = {
            (n,): ("strengths", "ranks", "rank_low", "rank_high", "simultaneous_low",
                   "simultaneous_high", "tiers", "appearances"),
            (effects,): ("effects", "effect_errors"),
            (judges,): ("judge_decisions", "judge_agreement", "judge_expected"),
        }  # fmt: skip
        wrong = [
            name
            for shape, names in shapes.items()
            for name in names
            if not (is_array(array := getattr(self, name)) and array.shape == shape)
        ]
        if self.covariance.shape not in {(n, n), (0, 0)}:
            wrong.append("covariance")
        if self.variance_bounds.shape not in {(n,), (0,)}:
            wrong.append("variance_bounds")
        if wrong:
            raise ValueError(f"{wrong[0]} does not fit {n} items")

    def _check_pairs(self) -> None:
        if self.model in AVERAGES:
            raise ValueError(f"a {self.model} of tasks has no battles between two items")
