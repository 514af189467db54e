"""Orders of the products at the top, decided step by step, and the position errors they cost.

A partial order names the best products of the top one by one, and says of some other products
whether they are above. That alone gives an error that no formula with this order undercuts.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import accumulate, chain, pairwise, product

import numpy as np
from numpy.typing import NDArray

from rankwright.reverse.bound.relations import Crowd, Kind, Relation
from rankwright.reverse.problem import RatingProblem

__all__ = ["OrderTree", "Outlook", "PartialOrder", "Standing", "arrange", "least_error"]

Classes = tuple[tuple[int, ...], ...]
Pairs = tuple[tuple[int, int], ...]
IMPOSSIBLE = 2**31  # an error, or a class, that no order reaches


@dataclass(frozen=True)
class PartialOrder:
    """What is decided about the products at the top.

    Attributes
    ----------
    signs : tuple of int
        The orthant of the weights.
    ranked : tuple of classes
        For each group the first products of its top, best first, ties as inner tuples.
    above, not_above : tuple of (other, ranked) pairs
        Products outside the top that score above a ranked one, or don't.
    """

    signs: tuple[int, ...]
    ranked: tuple[Classes, ...]
    above: Pairs = ()
    not_above: Pairs = ()


@dataclass(frozen=True)
class Outlook:
    """How the top of a group has the least error that a partial order allows.

    Attributes
    ----------
    error : int
    classes : tuple of tuples
        The whole top, best first: what is ranked, and the best order of the rest.
    n_above : tuple of int
        How many others should be above each of the ranked classes.
    roof, floor : dict of int to int
        For others: the first class that they should be above, and the last that they should not.
    usual_floor : int
        The last class that others without an entry should not be above, -1 for none.
    """

    error: int
    classes: Classes
    n_above: tuple[int, ...]
    roof: dict[int, int]
    floor: dict[int, int]
    usual_floor: int


@dataclass(frozen=True)
class Standing:
    """The classes of products, as far as known.

    For a product of the top both are its class; another is above the classes that follow ``worst``,
    and not above ``best`` nor those before. So a product i of the top is at least as high as any k
    if ``worst[i] <= best[k]``, and one of two, of which one is of the top, is above if ``<``.
    """

    worst: NDArray[np.int64]
    best: NDArray[np.int64]


class OrderTree:
    """The partial orders of a problem: their least errors, their relations, how they branch."""

    def __init__(self, problem: RatingProblem) -> None:
        self.problem = problem
        self.wanted: list[int] = problem.aims.position.tolist()
        self.last = max(self.wanted)
        self.group: list[int] = problem.group_of_row.tolist()
        matters = problem.aims.position > 0
        self.tops, self.others = [], []
        for begin, end in problem.bounds:
            members = (begin + np.flatnonzero(matters[begin:end])).tolist()
            self.tops.append(sorted(members, key=self.wanted.__getitem__))
            self.others.append(begin + np.flatnonzero(~matters[begin:end]))

    def roots(self) -> Iterator[PartialOrder]:
        """Yield the order that decides nothing, for each orthant."""
        for signs in product(*((1, -1) if free else (1,) for free in self.problem.free)):
            yield PartialOrder(signs, ((),) * len(self.tops))

    def outlooks(self, order: PartialOrder) -> list[Outlook]:
        """Return how each group has its least error."""
        return [self._outlook(order, g) for g in range(len(self.tops))]

    def _outlook(self, order: PartialOrder, g: int) -> Outlook:
        ranked = order.ranked[g]
        highest, lowest = self._decided_others(order, g)
        if any(highest[k] <= lowest[k] for k in highest.keys() & lowest.keys()):
            return Outlook(IMPOSSIBLE, ranked, (), {}, {}, -1)
        least, most = self._counts_above(g, len(ranked), highest, lowest)
        done = {i for members in ranked for i in members}
        rest = [i for i in self.tops[g] if i not in done]
        error, n_above, joined, sizes, gap = least_error(
            tuple(tuple(self.wanted[i] for i in members) for members in ranked),
            tuple(self.wanted[i] for i in rest),
            least,
            most,
        )
        whole = [*ranked]
        if joined:
            whole[-1] += tuple(rest[:joined])
        for size in sizes:
            whole.append(tuple(rest[joined : joined + size]))
            joined += size
        is_tight = [n == low for n, low in zip(n_above, least, strict=True)]
        is_tight += [all(is_tight[-1:]) and c < gap for c in range(len(sizes))]
        tight = [-1, *accumulate((c if is_tight[c] else -1 for c in range(len(whole))), max)]
        roof = dict(highest)
        for c, n in enumerate(n_above):
            # Where more should be above, let those be it that are above some class anyway.
            rising = [k for k, h in highest.items() if h > c > lowest.get(k, -1)]
            if n == least[c] + len(rising):
                roof |= {k: min(roof[k], c) for k in rising}
        floor = {k: max(lowest.get(k, -1), tight[highest.get(k, -1)]) for k in highest | lowest}
        return Outlook(error, tuple(whole), n_above, roof, floor, tight[-1])

    def _counts_above(
        self, g: int, n_classes: int, highest: dict[int, int], lowest: dict[int, int]
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the least and the most others above each class ranked."""
        enough = self.last + len(highest)  # more are never better
        n = len(self.others[g])
        return (
            tuple(sum(h <= c for h in highest.values()) for c in range(n_classes)),
            tuple(
                min(enough, n - sum(low >= c for low in lowest.values())) for c in range(n_classes)
            ),
        )

    def _decided_others(self, order: PartialOrder, g: int) -> tuple[dict[int, int], dict[int, int]]:
        """Return the first class that others are above, and the last that they aren't above."""
        class_of = {i: c for c, members in enumerate(order.ranked[g]) for i in members}
        highest: dict[int, int] = {}
        for k, i in order.above:
            if i in class_of:
                highest[k] = min(highest.get(k, IMPOSSIBLE), class_of[i])
        lowest: dict[int, int] = {}
        for k, i in order.not_above:
            if i in class_of:
                lowest[k] = max(lowest.get(k, -1), class_of[i])
        return highest, lowest

    def decided(self, order: PartialOrder) -> Standing:
        """Return what is decided."""
        standing = self._unknown()
        for g, ranked in enumerate(order.ranked):
            highest, lowest = self._decided_others(order, g)
            standing.best[self.tops[g]] = len(ranked) - 1
            _enter(standing, ranked, highest, lowest)
        return standing

    def hoped(self, outlooks: list[Outlook]) -> Standing:
        """Return what must hold for the least error, beside what is decided."""
        standing = self._unknown()
        for others, outlook in zip(self.others, outlooks, strict=True):
            standing.best[others] = outlook.usual_floor
            _enter(standing, outlook.classes, outlook.roof, outlook.floor)
        return standing

    def _unknown(self) -> Standing:
        n = len(self.wanted)
        return Standing(np.full(n, IMPOSSIBLE), np.full(n, -1))

    def relations(
        self, order: PartialOrder, outlooks: list[Outlook]
    ) -> tuple[list[Relation], list[Crowd]]:
        """Return what is decided, and what must hold for the least error.

        Others that are not decided, thousands maybe, stand together: none above some class.
        """
        crowds = []
        found = {Relation(Kind.ABOVE, k, i) for k, i in order.above}
        found |= {Relation(Kind.AT_LEAST, i, k) for k, i in order.not_above}
        for others, outlook in zip(self.others, outlooks, strict=True):
            classes = outlook.classes
            found |= {Relation(Kind.ABOVE, a[-1], b[0]) for a, b in pairwise(classes)}
            found |= {Relation(Kind.LEVEL, *pair) for c in classes for pair in pairwise(c)}
            found |= {Relation(Kind.ABOVE, k, classes[c][0]) for k, c in outlook.roof.items()}
            found |= {
                Relation(Kind.AT_LEAST, classes[c][-1], k)
                for k, c in outlook.floor.items()
                if c >= 0
            }
            if outlook.usual_floor >= 0:
                usual = others[~np.isin(others, [*outlook.floor])]
                crowds.append(Crowd(classes[outlook.usual_floor][-1], usual))
        return sorted(found), crowds

    def branch_on(self, order: PartialOrder, failing: list[Relation]) -> Iterator[PartialOrder]:
        """Yield orders that cover this one, given hopes one of which must fail."""
        ranked = {i for classes in order.ranked for members in classes for i in members}
        pairs = [(r.other, r.one) for r in failing if r.one in ranked and not self.wanted[r.other]]
        pairs += [(r.one, r.other) for r in failing if not self.wanted[r.one]]
        if pairs:
            yield from self._decide(order, min(pairs, key=lambda pair: self.wanted[pair[1]]))
        else:
            yield from self._rank_next(order, min(self.group[r.one] for r in failing))

    def branch_at(
        self, order: PartialOrder, outlooks: list[Outlook], places: NDArray[np.float64]
    ) -> Iterator[PartialOrder]:
        """Yield orders that cover this one, given scores whose error exceeds the least."""
        for others, classes, outlook in zip(self.others, order.ranked, outlooks, strict=True):
            for members, n_above in zip(classes, outlook.n_above, strict=True):
                i = members[0]
                is_above = places[others] > places[i]
                known = [k for k, j in order.above + order.not_above if j in members]
                excess = is_above.sum() - n_above
                at_fault = others[~np.isin(others, known) & (is_above == (excess > 0))]
                if excess and len(at_fault):
                    highest = int(at_fault[places[at_fault].argmax()])
                    yield from self._decide(order, (highest, i))
                    return
        for g, (tops, classes) in enumerate(zip(self.tops, order.ranked, strict=True)):
            if sum(map(len, classes)) < len(tops):
                yield from self._rank_next(order, g)
                return

    def _decide(self, order: PartialOrder, pair: tuple[int, int]) -> Iterator[PartialOrder]:
        yield replace(order, above=(*order.above, pair))
        yield replace(order, not_above=(*order.not_above, pair))

    def _rank_next(self, order: PartialOrder, g: int) -> Iterator[PartialOrder]:
        classes = order.ranked[g]
        done = {i for members in classes for i in members}
        for i in reversed(self.tops[g]):
            if i in done:
                continue
            choices = [(*classes, (i,))]
            if classes and classes[-1][-1] < i:  # ties are listed in one order only
                choices.append((*classes[:-1], (*classes[-1], i)))
            for choice in choices:
                yield replace(order, ranked=(*order.ranked[:g], choice, *order.ranked[g + 1 :]))


def _enter(
    standing: Standing, classes: Classes, roof: dict[int, int], floor: dict[int, int]
) -> None:
    for c, members in enumerate(classes):
        for i in members:
            standing.worst[i] = standing.best[i] = c
    for k, c in roof.items():
        standing.worst[k] = c - 1
    for k, c in floor.items():
        standing.best[k] = c


@lru_cache(maxsize=2**16)
def least_error(
    ranked: Classes, rest: tuple[int, ...], least: tuple[int, ...], most: tuple[int, ...]
) -> tuple[int, tuple[int, ...], int, tuple[int, ...], int]:
    """Return the least summed error of a partial order, and how it comes about.

    Parameters
    ----------
    ranked : tuple of tuples
        The wanted positions of the classes ranked, best first.
    rest : tuple of int
        Those of the products that follow, ascending.
    least, most : tuple of int
        Bounds on the number of others above each class.

    Returns
    -------
    error : int
        At least ``IMPOSSIBLE`` if the bounds exclude each other.
    n_above : tuple of int
        How many others are above each class; they are above the next one too.
    joined : int
        How many of the rest join the last class.
    sizes : tuple of int
        Those of the classes that the others of the rest form.
    gap : int
        The number of these classes before others are wanted between them.
    """
    # So many others above, and no more are better.
    reach = np.arange(1 + max([*rest, *chain(*ranked), *least], default=0))
    before, errors = 0, [np.zeros_like(reach)]
    for wanted, low, high in zip(ranked, least, most, strict=True):
        error = np.minimum.accumulate(errors[-1])
        for w in wanted:
            error = error + np.abs(1 + before + reach - w)
        error[:low] = error[high + 1 :] = IMPOSSIBLE
        errors.append(error)
        before += len(wanted)
    best: tuple[int, int, int, tuple[int, ...]] = (IMPOSSIBLE, 0, 0, ())
    for n, so_far in enumerate(errors[-1].tolist()):
        last = 1 + before - len(ranked[-1]) + n if ranked else 0
        for joined in range(len(rest) + 1 if ranked else 1):
            if so_far > best[0]:
                break
            more, sizes = arrange(rest[joined:], 1 + before + n + joined)
            more += sum(abs(last - w) for w in rest[:joined])
            best = min(best, (so_far + more, n, joined, sizes))
    total, n, joined, sizes = best
    counts = [n]
    for error in errors[-2:0:-1]:
        counts.append(int(error[: counts[-1] + 1].argmin()))
    at, gap = joined, 0
    for size in sizes:
        if rest[at] > 1 + before + n + at:
            break
        at, gap = at + size, gap + 1
    return total, tuple(counts[::-1][: len(ranked)]), joined, sizes, gap


@cache
def arrange(wanted: tuple[int, ...], first: int) -> tuple[int, tuple[int, ...]]:
    """Return the least summed error on places from ``first`` on, and the sizes of classes.

    ``wanted`` ascends, and so do the best places: products that tie, a class, take the first of
    their places, and places may be left to others.

    Examples
    --------
    >>> arrange((1, 2, 3), 1), arrange((1, 2, 3, 4), 2)
    ((0, (1, 1, 1)), (2, (2, 2)))
    """
    if not wanted:
        return 0, ()
    first = max(first, wanted[0])
    choices = []
    for size in range(1, len(wanted) + 1):
        error, sizes = arrange(wanted[size:], first + size)
        choices.append((error + sum(abs(first - w) for w in wanted[:size]), (size, *sizes)))
    return min(choices)
