"""Prove how small a position error can be: branch and bound over orders, best first.

A linear program tells whether a formula has the least error that a partial order allows, and if
not, which relations exclude each other. One of them must fail, so that the error grows with each
branch, however many factors there are.
"""

import heapq
from collections.abc import Iterable
from concurrent.futures import Executor
from itertools import count

import numpy as np
from numpy.typing import NDArray

from rankwright.reverse.bound.orders import IMPOSSIBLE, OrderTree, Outlook, PartialOrder, Standing
from rankwright.reverse.bound.relations import Kind, Relation, Witness, find_formula
from rankwright.reverse.problem import RatingProblem
from rankwright.reverse.progress import Progress
from rankwright.reverse.search import climb_on

__all__ = ["OrderProof"]

ROUND = 8  # orders that see the same incumbent, so that the result doesn't depend on n_jobs
MOST_DOUBLINGS = 10
Ints = NDArray[np.int64]


class OrderProof:
    """Partial orders that may have a smaller error than the best formula, the smallest first.

    For smaller errors the ``problem`` must have the values of the problem of the progress.
    """

    def __init__(
        self,
        progress: Progress,
        problem: RatingProblem,
        pool: Executor,
        proved: NDArray[np.bool_] | None = None,
    ) -> None:
        self.progress = progress
        self.pool = pool
        self.tree = OrderTree(problem)
        # Cells are quick with few factors and hopeless with many; orders take little notice.
        self.rounds = 2 ** min(len(problem.directions), MOST_DOUBLINGS)
        self.abandoned: list[int] = []
        self.conflicts: dict[tuple[int, ...], Conflicts] = {}
        self._numbers = count()
        self._heap: list[tuple[int, int, PartialOrder, list[Outlook]]] = []
        for order in self.tree.roots():
            if proved is not None and (np.array(order.signs)[proved] > 0).all():
                continue
            self.conflicts[order.signs] = Conflicts()
            self._push(order)

    def __len__(self) -> int:
        return len(self._heap)

    @property
    def bound(self) -> int:
        """Return minus the error that no formula in the orders that wait undercuts."""
        waiting = [error for error, *_ in self._heap[:1]]
        return -min(waiting + self.abandoned, default=IMPOSSIBLE)

    def explore(self) -> None:
        """Look side by side for formulas that have the least errors."""
        batch = [heapq.heappop(self._heap) for _ in range(min(ROUND, len(self._heap)))]
        # All are asked before any answer counts: else what an order knows of the others' conflicts
        # would depend on how fast threads are.
        answers = list(self.pool.map(lambda item: self._ask(*item[2:]), batch))
        for item, answer in zip(batch, answers, strict=True):
            error, _, order, outlooks = item
            if answer is None:
                heapq.heappush(self._heap, item)
                continue
            if isinstance(answer, Witness):
                self._take(answer)
                children = list(self.tree.branch_at(order, outlooks, answer.places))
                # Either this formula has the least error, or its margins were too small to tell.
                if not children and error < -self.progress.value:
                    self.abandoned.append(error)
            else:
                children = list(self._resolve(order, answer))
            for child in children:
                self._push(child)

    def _push(self, order: PartialOrder) -> None:
        outlooks = self.tree.outlooks(order)
        error = sum(outlook.error for outlook in outlooks)
        if error < min(IMPOSSIBLE, -self.progress.value):
            heapq.heappush(self._heap, (error, -next(self._numbers), order, outlooks))

    def _ask(self, order: PartialOrder, outlooks: list[Outlook]) -> Witness | list[Relation] | None:
        """Return a formula with the least error of an order, or relations that exclude it.

        None when the time is up.
        """
        if self.progress.clock.is_late:
            return None
        conflict = self.conflicts[order.signs].find(self.tree.hoped(outlooks))
        if conflict is not None:
            return conflict
        relations, crowds = self.tree.relations(order, outlooks)
        over = self.progress.clock.over
        return find_formula(self.tree.problem, order.signs, relations, crowds, over)

    def _take(self, found: Witness) -> None:
        if self.progress.offer(found.weights):
            climb_on(self.progress, self.pool)

    def _resolve(self, order: PartialOrder, conflict: list[Relation]) -> Iterable[PartialOrder]:
        """Return orders that cover this one, none if what is decided is excluded already."""
        self.conflicts[order.signs].add(conflict)
        decided = self.tree.decided(order)
        failing = [r for r in conflict if not _hold(_as_terms([r]), decided).all()]
        return self.tree.branch_on(order, failing) if failing else ()


class Conflicts:
    """Sets of relations that exclude each other: no formula has them all."""

    def __init__(self) -> None:
        self._relations: list[list[Relation]] = []
        self._terms = np.empty((0, 1, 3), dtype=np.int64)

    def add(self, relations: list[Relation]) -> None:
        """Remember a conflict."""
        if relations in self._relations:
            return
        self._relations.append(relations)
        terms = _as_terms(relations)[None]
        width = max(terms.shape[1], self._terms.shape[1])
        self._terms = np.concatenate([_widen(self._terms, width), _widen(terms, width)])

    def find(self, standing: Standing) -> list[Relation] | None:
        """Return a conflict in what a standing implies, if there is one."""
        found = np.flatnonzero(_hold(self._terms, standing).all(axis=1))
        return self._relations[found[-1]] if len(found) else None


def _as_terms(relations: list[Relation]) -> Ints:
    """Return rows (i, k, step): i is at least ``step`` classes above k."""
    rows = [(r.one, r.other, int(r.kind is Kind.ABOVE)) for r in relations]
    rows += [(r.other, r.one, 0) for r in relations if r.kind is Kind.LEVEL]
    return np.array(rows, dtype=np.int64)


def _widen(terms: Ints, width: int) -> Ints:
    """Repeat the last term of each conflict."""
    return terms[:, np.minimum(np.arange(width), terms.shape[1] - 1)]


def _hold(terms: Ints, standing: Standing) -> NDArray[np.bool_]:
    one, other, step = terms[..., 0], terms[..., 1], terms[..., 2]
    return np.asarray(standing.worst[one] + step <= standing.best[other])
