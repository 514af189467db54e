"""How well a forest ranks rows, told by the trees that did not see them."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from rankwright.metrics import RocCurve, RocEnvelope, roc_curve, roc_envelope
from rankwright.trees.bipartite.nodes import RankingTree, auc_gains, cell_masses
from rankwright.trees.rows import TrainingRows

__all__ = ["MOST_ROWS", "OutOfBag", "auc_drops", "estimate_out_of_bag"]

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
        Mean over the trees that did not see a row, NaN where there are none.
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


def estimate_out_of_bag(
    votes: Iterable[tuple[NDArray[np.int64], NDArray[np.float64]]],
    n_trees: int,
    data: TrainingRows,
    rule: int,
    seed: int,
) -> OutOfBag:
    """Score the training rows, and compare pairs of them, given what trees say of unseen rows."""
    from rankwright.kernels.trees.out_of_bag import compare_pairs

    rng = np.random.default_rng(seed)
    codes = data.labels.codes
    negatives, positives = (_at_most(codes == label, rng) for label in (0, 1))
    rows = np.concatenate([negatives, positives])
    # Of all rows: what each tree says, and whether it did not see the row.
    values, unseen = np.zeros((rows.size, n_trees)), np.zeros((rows.size, n_trees), dtype=np.bool_)
    place = np.full(codes.size, -1)
    place[rows] = np.arange(rows.size)
    sums, n_votes = np.zeros(codes.size), np.zeros(codes.size)
    for b, (free, says) in enumerate(votes):
        sums[free] += says
        n_votes[free] += 1
        compared = place[free] >= 0
        values[place[free][compared], b] = says[compared]
        unseen[place[free][compared], b] = True
    weights = np.ones(codes.size) if data.weights is None else data.weights
    won, total, n_compared, n_pair_votes = compare_pairs(
        values, unseen, weights[rows], place[positives], place[negatives], rule
    )
    means = np.divide(sums, n_votes, out=np.full(sums.size, np.nan), where=n_votes > 0)
    return OutOfBag(
        auc=won / total if n_compared else float("nan"),
        n_compared=n_compared,
        n_left_out=positives.size * negatives.size - n_compared,
        trees_per_pair=n_pair_votes / n_compared if n_compared else 0.0,
        scores=data.spread(means, np.nan),
        labels=data.spread(codes, 0),
        weights=data.spread(weights, 0.0),
    )


def auc_drops(
    tree: RankingTree,
    X: NDArray[np.float64],
    labels: NDArray[np.float64],
    weights: NDArray[np.float64],
    seed: int,
) -> NDArray[np.float64] | None:
    """Return by how much the AUC of a tree on unseen rows falls when each feature is shuffled.

    None where they are not of both classes.
    """
    rng = np.random.default_rng(seed)
    positive = labels == 1
    if positive.all() or not positive.any():
        return None

    def auc(rows: NDArray[np.float64]) -> float:
        ends = tree.apply(rows)
        negatives = cell_masses(tree.cells, ends, weights * ~positive)
        return 0.5 + float(
            auc_gains(
                tree.cells, negatives, cell_masses(tree.cells, ends, weights * positive)
            ).sum()
        )

    whole = auc(X)
    drops = np.zeros(X.shape[1])
    for j, column in enumerate(X.T.copy()):
        X[:, j] = rng.permutation(column)
        drops[j] = whole - auc(X)
        X[:, j] = column
    return drops


def _at_most(is_chosen: NDArray[np.bool_], rng: np.random.Generator) -> NDArray[np.int64]:
    """Return the rows of a class, or a random sample of them when they are many."""
    rows = np.flatnonzero(is_chosen)
    return rows if rows.size <= MOST_ROWS else np.sort(rng.choice(rows, MOST_ROWS, replace=False))
