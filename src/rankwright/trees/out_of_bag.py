"""How well a forest ranks rows, told by the trees that did not see them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from rankwright.metrics import RocCurve, RocEnvelope, roc_curve, roc_envelope

__all__ = ["MOST_ROWS", "OutOfBag", "compare_out_of_bag"]

# Rows of a class that stand for all of it, when it has more: the comparisons grow with the product.
MOST_ROWS = 4000


@dataclass(frozen=True, eq=False)
class OutOfBag:
    """The out-of-bag estimate of a forest.

    Attributes
    ----------
    auc : float
        Over pairs of a positive and a negative, each ordered by only the trees that saw neither:
        about one tree in seven with bootstrap samples of all rows, so a pessimistic estimate. NaN
        where no pair was compared.
    n_compared, n_left_out : int
        Pairs that were compared, and pairs that were not because each tree saw one of their rows.
    trees_per_pair : float
        Trees that a compared pair had on average.
    scores : (n,) float64
        Mean (or median) over the trees that did not see a row, NaN where there are none.
    labels : (n,) int32
        1 for a positive.
    weights : (n,) float64
    """

    auc: float
    n_compared: int
    n_left_out: int
    trees_per_pair: float
    scores: NDArray[np.float64]
    labels: NDArray[np.int32]
    weights: NDArray[np.float64]

    def roc_curve(self) -> RocCurve:
        """Return the ROC curve of the out-of-bag scores."""
        scored = np.flatnonzero(~np.isnan(self.scores))
        return self._curve(scored)

    def roc_envelope(
        self,
        n_resamples: int = 50,
        random_state: int | np.random.RandomState | None = None,
    ) -> RocEnvelope:
        """Return the bounds of the ROC curves of resampled rows: how far to trust the curve.

        Parameters
        ----------
        n_resamples : int
            Bootstrap samples of the rows, drawn from each class apart.
        random_state : int, RandomState or None

        Returns
        -------
        RocEnvelope
        """
        rng = check_random_state(random_state)
        scored = np.flatnonzero(~np.isnan(self.scores))
        classes = [scored[self.labels[scored] == label] for label in (0, 1)]
        return roc_envelope(
            [
                self._curve(np.concatenate([rng.choice(rows, rows.size) for rows in classes]))
                for _ in range(n_resamples)
            ]
        )

    def _curve(self, rows: NDArray[np.int64]) -> RocCurve:
        return roc_curve(self.labels[rows], self.scores[rows], sample_weight=self.weights[rows])


def compare_out_of_bag(
    values: NDArray[np.float64],
    unseen: NDArray[np.bool_],
    labels: NDArray[np.int32],
    weights: NDArray[np.float64],
    rule: int,
) -> tuple[float, int, int, float]:
    """Return AUC, pairs compared, pairs left out and trees per pair, of values (n, n_trees)."""
    from rankwright.kernels.out_of_bag import compare_pairs

    positives, negatives = np.flatnonzero(labels == 1), np.flatnonzero(labels == 0)
    won, total, n_compared, n_votes = compare_pairs(
        values, unseen, weights, positives, negatives, rule
    )
    n_left_out = positives.size * negatives.size - n_compared
    if n_compared == 0:
        return float("nan"), 0, n_left_out, 0.0
    return won / total, n_compared, n_left_out, n_votes / n_compared
