"""How well a forest ranks rows, told by the trees that did not see them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from rankwright.metrics import RocCurve, RocEnvelope, roc_curve, roc_envelope
from rankwright.trees.bipartite.growing import RankingRows
from rankwright.trees.bipartite.nodes import RankingTree, auc_gains, cell_masses
from rankwright.trees.bootstrap import Bag

__all__ = ["MOST_ROWS", "Member", "OutOfBag", "auc_drops", "estimate_out_of_bag"]

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


@dataclass(frozen=True, eq=False)
class Member:
    """A tree of a forest, what it says of its leaves, and the rows that it saw."""

    tree: RankingTree
    leaf_values: NDArray[np.float64]
    seed: int
    bag: Bag

    def unseen(self) -> NDArray[np.bool_]:
        """Return which rows the tree did not see."""
        unseen: NDArray[np.bool_] = self.bag.counts(self.seed) == 0
        return unseen


def estimate_out_of_bag(members: list[Member], data: RankingRows, rule: int, seed: int) -> OutOfBag:
    """Score the training rows, and compare pairs of them, by the trees that did not see them."""
    from rankwright.kernels.out_of_bag import compare_pairs

    rng = np.random.default_rng(seed)
    chosen = [_at_most(data.labels == label, rng) for label in (0, 1)]
    rows = np.concatenate(chosen)
    values = np.empty((rows.size, len(members)))
    unseen = np.empty(values.shape, dtype=np.bool_)
    sums, n_votes = np.zeros(len(data.X)), np.zeros(len(data.X))
    for b, member in enumerate(members):
        says, is_unseen = member.leaf_values[member.tree.apply(data.X)], member.unseen()
        values[:, b], unseen[:, b] = says[rows], is_unseen[rows]
        sums += np.where(is_unseen, says, 0.0)
        n_votes += is_unseen
    weights = np.ones(len(data.X)) if data.weights is None else data.weights
    numbers = np.arange(rows.size)
    negatives, positives = np.split(numbers, [chosen[0].size])
    won, total, n_compared, n_trees = compare_pairs(
        values, unseen, weights[rows], positives, negatives, rule
    )
    means = np.divide(sums, n_votes, out=np.full(len(sums), np.nan), where=n_votes > 0)
    return OutOfBag(
        auc=won / total if n_compared else float("nan"),
        n_compared=n_compared,
        n_left_out=positives.size * negatives.size - n_compared,
        trees_per_pair=n_trees / n_compared if n_compared else 0.0,
        scores=data.spread(means, np.nan),
        labels=data.spread(data.labels, 0),
        weights=data.spread(weights, 0.0),
    )


def auc_drops(
    member: Member,
    rows: NDArray[np.float64],
    labels: NDArray[np.float64],
    weights: NDArray[np.float64],
    seed: int,
) -> NDArray[np.float64] | None:
    """Return by how much the AUC of a tree on unseen rows falls when each feature is shuffled.

    None where it did not see rows of both classes.
    """
    rng = np.random.default_rng(seed)
    unseen = np.flatnonzero(member.unseen())
    weights, positive = weights[unseen], labels[unseen] == 1
    if positive.all() or not positive.any():
        return None
    cells = member.tree.cells

    def auc(X: NDArray[np.float64]) -> float:
        ends = member.tree.apply(X)
        negatives = cell_masses(cells, ends, weights * ~positive)
        return 0.5 + float(
            auc_gains(cells, negatives, cell_masses(cells, ends, weights * positive)).sum()
        )

    X = rows[unseen]
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
