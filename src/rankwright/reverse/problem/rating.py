"""A published rating as it is kept: plain values, and the problem that is made of them once."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from rankwright.reverse.knowledge import allowed_cone, parse_requirements
from rankwright.reverse.problem.objective import RatingObjective
from rankwright.reverse.problem.whole_problem import RatingProblem
from rankwright.reverse.whole_numbers import read_whole

__all__ = ["Rating"]


@dataclass(frozen=True, eq=False)
class Rating:
    """A published rating, and what a formula of it is judged by.

    The products stand in one canonical order, by group, ``y`` and factors, whatever order they came
    in: ties among formulas break alike. Fields are plain values, which model files keep; what
    follows from them is made when first asked for, and kept in memory alone.

    Attributes
    ----------
    X, y : (n, d), (n,) float64
        Without missing factors; larger ``y`` is better.
    groups, categories : (n,) array of labels
    names : list of str
        The products' names: the frame's index, or row numbers.
    rows : (n,) int64
        The caller's row of each product.
    factor_names : list of str
    objective : str
        "top_auc" or "positions".
    emphasis : float
    category_weights : dict of label to float
        Of every category; the products of one without weight don't count.
    tops : list of int
        How many products are the top of each group that counts.
    directions : (d,) int64
        1 where more is better, -1 where less is, 0 where the sign is free.
    asked : (d,) int64
        The directions asked for, 2 where the data were to decide.
    constraints : list of str
        What is known of the weights.
    piece_of : list of str
        Where terms are pieces of factors, the factor of each, which constraints speak of.
    """

    X: NDArray[np.float64]
    y: NDArray[np.float64]
    groups: NDArray[Any]
    categories: NDArray[Any]
    names: list[str]
    rows: NDArray[np.int64]
    factor_names: list[str]
    objective: str
    emphasis: float
    category_weights: Mapping[Hashable, float]
    tops: list[int]
    directions: NDArray[np.int64]
    asked: NDArray[np.int64]
    constraints: list[str] = field(default_factory=list)
    piece_of: list[str] = field(default_factory=list)

    def __getstate__(self) -> dict[str, Any]:
        return {one.name: getattr(self, one.name) for one in fields(self)}

    @cached_property
    def counted(self) -> NDArray[np.int64]:
        """Return the products that count, which the problem is made of, in its order."""
        weights = [self.category_weights[label] for label in self.categories.tolist()]
        return np.flatnonzero(np.array(weights) > 0)

    @cached_property
    def problem(self) -> RatingProblem:
        """Return the rating of the products that count, in whole numbers."""
        counted = self.counted
        groups, y = self.groups[counted], self.y[counted]
        starts = np.flatnonzero(np.r_[True, groups[1:] != groups[:-1]])
        offsets = np.append(starts, len(counted)).astype(np.int64)
        levels = [np.unique(y[b:e], return_inverse=True)[1] for b, e in pairwise(offsets)]
        is_free = self.directions == 0
        factors = read_whole(self.X[counted])
        constrained = self.piece_of or self.factor_names
        known = parse_requirements(self.constraints, list(dict.fromkeys(constrained)))
        return RatingProblem(
            factors=factors,
            directions=np.where(is_free, 1, self.directions),
            free=is_free,
            offsets=offsets,
            levels=np.concatenate(levels).astype(np.int64),
            objective=RatingObjective(
                self.objective == "positions",
                tuple(self.tops),
                Fraction(repr(float(self.emphasis))),
            ),
            categories=tuple(self.categories[counted][starts].tolist()),
            category_weights=self.category_weights,
            cone=allowed_cone(known, constrained, factors),
        )

    @property
    def is_limited(self) -> bool:
        """Tell whether constraints or pieces need directions that are known."""
        return bool(self.constraints or self.piece_of)

    def directed_as(self, problem: RatingProblem, asked: NDArray[np.int64]) -> Self:
        """Return the rating with the directions of a problem that was made of it as asked."""
        directions = np.where(problem.free, 0, problem.directions)
        directed = replace(self, directions=directions, asked=asked)
        vars(directed).update(counted=self.counted, problem=problem)
        return directed

    def find(self, product: Any) -> int:
        """Return where a product stands that is given by its name or by the caller's row."""
        known = str(product) in self.names
        if not known and not (isinstance(product, int | np.integer) and product in self.rows):
            shown = [self.names[i] for i in np.argsort(self.rows)[:5]]
            raise ValueError(f"no product {product!r}; name one of {shown}... or give a row number")
        if not known:
            return int(np.flatnonzero(self.rows == product)[0])
        # Of products with the same name, the caller's first.
        same = [i for i, name in enumerate(self.names) if name == str(product)]
        return min(same, key=self.rows.__getitem__)

    def row(self, product: Any) -> Any:
        """Return the factors of a product by name; a row of factors as it is."""
        is_row = isinstance(product, Mapping) or np.ndim(product) > 0
        if is_row and not (isinstance(product, tuple) and str(product) in self.names):
            return product
        i = self.find(product)
        return pd.Series(self.X[i], index=self.factor_names, name=self.names[i])
