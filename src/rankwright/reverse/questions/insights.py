"""What a fitted formula tells: its ranges, its doubtful data, its reasons and its limits."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from joblib import effective_n_jobs
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted, validate_data

from rankwright.data import positions
from rankwright.explanation import Explanation, weighted_difference, why_above
from rankwright.reverse.progress import Status
from rankwright.reverse.questions import audit, chance, ranges
from rankwright.reverse.questions import summary as text

if TYPE_CHECKING:
    from fractions import Fraction

    from rankwright.reverse.problem import RatingProblem
    from rankwright.reverse.problem.reading import RatingData
    from rankwright.reverse.problem.whole_numbers import Weights

__all__ = ["FormulaInsights", "Training", "product_names"]


@dataclass(frozen=True)
class Training:
    """The products that a formula was fitted to, as the caller gave them."""

    X: NDArray[np.float64]
    y: NDArray[np.float64]
    groups: NDArray[Any]
    categories: NDArray[Any]
    names: list[str]


class FormulaInsights:
    """Questions that a fitted rating formula answers."""

    if TYPE_CHECKING:
        weights_: NDArray[np.float64]
        shares_: NDArray[np.float64]
        training_: Training
        status_: Status
        time_limit: float
        n_jobs: int | None

        def _data(self) -> RatingData: ...
        def _problem(self) -> RatingProblem: ...
        def _own_weights(self) -> list[Fraction]: ...
        def _whole_weights(self) -> Weights: ...
        def _scores(self, X: Any) -> NDArray[np.float64]: ...
        def _factors(self, X: Any) -> NDArray[np.float64]: ...

    def summary(self, *, checks: bool = True) -> str:
        """Return in words: the formula, how good it is, what is proved, and whether to trust it.

        Parameters
        ----------
        checks : bool
            Also fit held-out folds and shuffled ranks: is the formula better than chance?

        Returns
        -------
        str
        """
        held_out, against_chance = (self.held_out(), self.chance()) if checks else (None, None)
        return text.summary(self, self._data(), held_out, against_chance)

    def to_excel_formula(self, columns: Mapping[str, str] | None = None, row: int = 2) -> str:
        """Return the formula for a spreadsheet.

        Parameters
        ----------
        columns : mapping from factor to column letters, optional
            B, C, ... by default: the first column names the products.
        row : int

        Returns
        -------
        str
        """
        check_is_fitted(self)
        return text.excel_formula(self._own_weights(), self._data().factor_names, columns, row)

    def weight_ranges(self, slack: float = 0.0, *, time_limit: float | None = None) -> pd.DataFrame:
        """Return how far each share can go while the objective stays within ``slack`` of the best.

        Parameters
        ----------
        slack : float
            0 for the formulas as good as this one.
        time_limit : float, optional
            Seconds; the fit's own by default.

        Returns
        -------
        DataFrame
            For each factor its ``share`` and, in percent, ``inner_low`` and ``inner_high``, which
            some good formula reaches, and ``outer_low`` and ``outer_high``, which none exceeds.
            They agree when the search was exhaustive.
        """
        found = self._good_formulas(slack, time_limit)
        inner, outer = found.inner_shares(), found.outer_shares()
        columns = {
            "share": self.shares_,
            "inner_low": inner[0],
            "inner_high": inner[1],
            "outer_low": outer[0],
            "outer_high": outer[1],
        }
        return pd.DataFrame(columns, index=pd.Index(self._data().factor_names, name="factor"))

    def weight_polytope(
        self, slack: float = 0.0, *, time_limit: float | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the outer ranges as ``A`` and ``b``: each good formula has ``A @ weights <= b``.

        Formulas are scaled alike: weight times range sums to the same as for this one. Robust
        plans are made against this polytope.

        Parameters
        ----------
        slack, time_limit
            As in :meth:`weight_ranges`.

        Returns
        -------
        (2d + 2, d) array, (2d + 2,) array
        """
        ranges = self.weight_ranges(slack, time_limit=time_limit)
        problem = self._problem()
        spans = problem.directions * np.array([float(span) for span in problem.factors.ranges])
        total = float(spans @ self.weights_)
        low, high = (ranges[f"outer_{end}"].to_numpy() * total / 100 for end in ("low", "high"))
        # A share is linear in the weights once their total is fixed.
        matrix = np.vstack([np.diag(spans), -np.diag(spans), spans, -spans])
        return matrix, np.concatenate([high, -low, [total, -total]])

    def rank_ranges(
        self,
        X: Any,
        groups: ArrayLike | None = None,
        slack: float = 0.0,
        *,
        time_limit: float | None = None,
    ) -> pd.DataFrame:
        """Return the best and worst position of each product over all good formulas.

        Parameters
        ----------
        X : (n, d) frame or array
        groups : (n,) array, optional
        slack, time_limit
            As in :meth:`weight_ranges`.

        Returns
        -------
        DataFrame
            ``position`` by the formula, ``best`` and ``worst``: an outer estimate that holds for
            every formula within the slack.
        """
        check_is_fitted(self)
        names = product_names(X)
        position = positions(self._scores(X), groups)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        best, worst = self._good_formulas(slack, time_limit).position_ranges(X, groups)
        index = pd.Index(names or [str(i) for i in range(len(X))], name="product")
        return pd.DataFrame({"position": position, "best": best, "worst": worst}, index=index)

    def audit(self, most: int = 20, time_limit: float = 0.0) -> pd.DataFrame:
        """Return the products whose published rank no good formula explains.

        Each of the ``most`` products that lose the heaviest pairs is left out in turn, then kept
        with its rank freed, and the formula searched again.

        Parameters
        ----------
        most : int
        time_limit : float
            Seconds to prove each new formula, or to find a better one. Without them rises are what
            a short search finds, and may be larger.

        Returns
        -------
        DataFrame
            Sorted by ``rise_without``, how much the optimum gains without the product;
            ``rise_freed``, how much when its pairs don't count but it takes its place among the
            others and, if it scores high, one at the top; whether both are ``proved``, and so is
            the formula; ``published`` and ``modelled`` positions, ``lost`` pairs and ``against``,
            the products it loses them to.
        """
        check_is_fitted(self)
        data, problem, weights = self._data(), self._problem(), self._whole_weights()
        table = audit.audit(data, problem, weights, most, time_limit)
        return table.assign(proved=table["proved"] & (self.status_ == Status.OPTIMAL))

    def explain(self, product: Any, other: Any) -> Explanation:
        """Say factor by factor why one product is above another.

        Parameters
        ----------
        product, other
            Names in the index of the training frame, row numbers of it, or rows of factors.

        Returns
        -------
        Explanation
            Contributions in points of score, the largest first.
        """
        check_is_fitted(self)
        return why_above(self, self._row(product), self._row(other))

    def _row(self, product: Any) -> Any:
        """Return the factors of a training product; rows of factors as they are."""
        is_row = isinstance(product, Mapping) or np.ndim(product) > 0
        if is_row and not (isinstance(product, tuple) and str(product) in self.training_.names):
            return product
        number = text.find_product(self.training_.names, product)
        name, factors = self.training_.names[number], self._data().factor_names
        return pd.Series(self.training_.X[number], index=factors, name=name)

    def _contributions(self, rows: Any) -> NDArray[np.float64]:
        return weighted_difference(self.weights_, self._factors(rows))

    def leave_one_out(self) -> pd.DataFrame:
        """Return where each product would enter if it were new: its position without its own data.

        Returns
        -------
        DataFrame
            ``published`` and ``predicted`` positions inside the group.
        """
        check_is_fitted(self)
        return chance.leave_one_out(self._data(), self._problem(), self._whole_weights())

    def bootstrap(self, samples: int = 50, level: float = 0.9) -> pd.DataFrame:
        """Return intervals of the shares when products are drawn again with replacement.

        Parameters
        ----------
        samples : int
        level : float
            Share of the samples inside the interval.

        Returns
        -------
        DataFrame
            ``share``, ``low`` and ``high`` in percent.
        """
        check_is_fitted(self)
        shares = chance.bootstrap_shares(self._problem(), self._whole_weights(), samples)
        tail = (1 - level) / 2
        low, high = np.quantile(shares, [tail, 1 - tail], axis=0)
        columns = {"share": self.shares_, "low": low, "high": high}
        return pd.DataFrame(columns, index=pd.Index(self._data().factor_names, name="factor"))

    def held_out(self, folds: int = 5, repeats: int = 2) -> chance.HeldOut:
        """Return M1, M2 and M3 of products that the formula was not fitted to, over repeated folds.

        Parameters
        ----------
        folds, repeats : int

        Returns
        -------
        HeldOut
            The ``measures``, NaN where there is nothing to count, and what guessing gets.
        """
        check_is_fitted(self)
        return chance.held_out(self._data(), self._problem(), folds, repeats)

    def chance(self, permutations: int = 19) -> chance.ChanceCheck:
        """Return what the same search reaches when the published ranks are shuffled.

        Parameters
        ----------
        permutations : int

        Returns
        -------
        ChanceCheck
        """
        check_is_fitted(self)
        return chance.against_chance(self._problem(), self._whole_weights(), permutations)

    def _good_formulas(self, slack: float, time_limit: float | None) -> ranges.GoodFormulas:
        check_is_fitted(self)
        if slack < 0:
            raise ValueError(f"slack={slack!r}; choose 0 or more")
        limit = self.time_limit if time_limit is None else time_limit
        return ranges.find_good_formulas(
            self._problem(), self._whole_weights(), slack, limit, effective_n_jobs(self.n_jobs)
        )


def product_names(X: Any) -> list[str] | None:
    """Return the index of a pandas frame as text, None for anything else."""
    index = getattr(X, "index", None)
    return None if index is None or callable(index) else [str(name) for name in index]
