"""What every ranker with coefficients has: scores and explanations."""

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from rankwright.base import RankerMixin, check_array, check_scores, validate_features
from rankwright.base.magnitude import check_sizes
from rankwright.base.parameters import FLAG, VERBOSITY, Rule, number, whole_number
from rankwright.explanation import weighted_difference
from rankwright.linear.parts import LossOf, Training
from rankwright.linear.solver import Curvature, minimize, sample_curvature
from rankwright.linear.weighted_sums import weighted_sums

__all__ = ["LinearRankerMixin", "LinearScoresMixin", "PenalisedRankerMixin", "SOLVER_RULES"]

Floats = NDArray[np.float64]

SOLVER_RULES = {
    "nonnegative": FLAG,
    "tol": number(least=0),
    "max_iter": whole_number(1),
    "verbose": VERBOSITY,
}


class LinearScoresMixin(RankerMixin):
    """Score rows by ``X @ coef_`` and explain differences of scores."""

    coef_: Floats
    n_features_in_: int

    def _linear_scores(self, X: Any, accept_sparse: str | bool = False) -> Floats:
        check_is_fitted(self)
        X = validate_features(self, X, dtype=np.float64, accept_sparse=accept_sparse, reset=False)
        with np.errstate(over="ignore", invalid="ignore"):
            scores = weighted_sums(X, self.coef_)
        return check_scores(self, scores, X)

    def _contributions(self, rows: Any) -> Floats:
        return weighted_difference(
            self.coef_, validate_features(self, rows, dtype=np.float64, reset=False)
        )


class LinearRankerMixin(LinearScoresMixin):
    """A ranker whose ``predict`` returns linear scores."""

    def predict(self, X: Any) -> Floats:
        """Return scores, larger is better; only their differences inside a group have a meaning.

        Parameters
        ----------
        X : (n, d) frame, array or sparse matrix

        Returns
        -------
        (n,) float64
        """
        return self._linear_scores(X, accept_sparse="csr")

    def _check_arrays(self) -> None:
        super()._check_arrays()
        if hasattr(self, "coef_"):
            check_array(self, "coef_", (self.n_features_in_,))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


class PenalisedRankerMixin(LinearRankerMixin):
    """Minimise a smooth loss of the scores plus alpha |w|²/2, as the parameters say."""

    alpha: float
    nonnegative: bool
    tol: float
    max_iter: int
    warm_start: bool
    verbose: int

    _parameter_rules: ClassVar[dict[str, Rule]] = {
        "alpha": number(least=0),
        **SOLVER_RULES,
        "warm_start": FLAG,
    }

    def _start(self, training: Training) -> Floats:
        previous: Floats | None = getattr(self, "coef_", None) if self.warm_start else None
        if previous is None or previous.size != training.n_features:
            return np.zeros(training.n_features)
        return previous

    def _curvature(
        self, training: Training, second_derivative: Callable[[Floats], Floats]
    ) -> Curvature:
        check_sizes(self, training.feature_sizes())
        return sample_curvature(
            training, second_derivative, float(self.alpha), diagonal=self.nonnegative
        )

    def _options(self) -> dict[str, Any]:
        names = ("nonnegative", "tol", "max_iter", "verbose")
        return {name: getattr(self, name) for name in names}

    def _minimize(
        self, training: Training, loss: LossOf, curvature: Curvature, start: Floats
    ) -> None:
        objective = training.objective(loss, float(self.alpha))
        found = minimize(objective, start, curvature, **self._options())
        found.warn_if_not_reached(self.tol, self.max_iter)
        self._forget_fit()
        self.coef_, self.n_iter_ = found.coef, found.n_iter
        self.objective_ = found.value
