"""What the planner needs of a rating formula."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol

import numpy as np

from rankwright.improve.decimals import exact, weighted_sum
from rankwright.improve.polytope import WeightPolytope
from rankwright.improve.steps import Steps, steps_of

__all__ = ["AdditiveFormula", "Formula", "RangedFormula", "Scoring", "possible_weights", "scoring"]


class Formula(Protocol):
    """A fitted formula: a product's score is ``weights_ @ factors``."""

    weights_: Any  # (d,) array
    feature_names_in_: Any  # (d,) array of str


class RangedFormula(Formula, Protocol):
    """A formula that knows which other formulas are possible."""

    def weight_polytope(self, slack: float = 0.0) -> tuple[Any, Any]:
        """Return A and b: all formulas within ``slack`` of the best one have A @ weights <= b.

        The weights are in the order and on the scale of the formula's ``weights_``, and the
        polytope is bounded, by a normalisation for instance.
        """


class AdditiveFormula(Protocol):
    """A fitted formula: a product's score is a sum of functions of one factor, each in steps."""

    feature_names_in_: Any  # (d,) array of str

    def shape_functions(self) -> Any:
        """Return the functions, each with ``features``, ``points`` and ``values``."""


@dataclass(frozen=True)
class Scoring:
    """How factors make a score: a weight for each, and steps for some, whose weight is zero."""

    weights: Mapping[str, Fraction]
    steps: Mapping[str, Steps] = field(default_factory=dict)

    def score(self, values: Mapping[str, Fraction]) -> Fraction:
        """Return the score of a product."""
        stepped = sum((steps(values[name]) for name, steps in self.steps.items()), Fraction(0))
        return weighted_sum(self.weights, values) + stepped


def scoring(formula: Formula | AdditiveFormula | Mapping[str, Any]) -> Scoring:
    """Return how a formula scores."""
    if not hasattr(formula, "shape_functions"):
        return Scoring(_weights_of(formula))
    names = getattr(formula, "feature_names_in_", None)
    if names is None:
        raise ValueError("the formula has no factor names; fit it on a frame with columns")
    return Scoring({str(name): Fraction(0) for name in names}, steps_of(formula))


def _weights_of(formula: Formula | Mapping[str, Any]) -> dict[str, Fraction]:
    if hasattr(formula, "weights_"):
        if not hasattr(formula, "feature_names_in_"):
            raise ValueError("the formula has no factor names; fit it on a frame with columns")
        if getattr(formula, "value_functions_", None) is not None:
            raise ValueError(
                "the formula counts factors in pieces, which plans do not know; plan with a "
                "formula in which factors count evenly (without value functions)"
            )
        names, values = formula.feature_names_in_, np.asarray(formula.weights_).tolist()
        weights = dict(zip(names, values, strict=True))
    elif hasattr(formula, "items"):
        weights = dict(formula.items())
    else:
        raise ValueError(f"{formula!r} is neither a mapping of weights nor a fitted formula")
    return {str(name): exact(value, f"the weight of {name!r}") for name, value in weights.items()}


def possible_weights(formula: Any, slack: float) -> WeightPolytope:
    """Return the outer estimate of the formula's weights."""
    if not hasattr(formula, "weight_polytope"):
        raise ValueError(
            "robust=True needs a formula with weight_polytope, such as a fitted RatingFormula; "
            "plain weights allow no other formula"
        )
    matrix, limits = formula.weight_polytope(slack)
    polytope = WeightPolytope(np.asarray(matrix, dtype=float), np.asarray(limits, dtype=float))
    _ = polytope.box  # raises when there is none
    weights = np.asarray(formula.weights_, dtype=float)
    excess = (polytope.matrix @ weights - polytope.limits).max(initial=0)
    if excess > 1e-6 * max(1.0, np.abs(polytope.limits).max(initial=0)):
        raise ValueError(
            f"the formula's own weights miss its weight_polytope({slack}) by {excess:g}"
        )
    return polytope
