"""Arrays of fitted rankers that came from a file, where anything can be in them."""

from typing import Any, TypeGuard

import numpy as np
from numpy.typing import DTypeLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import LabelBinarizer, StandardScaler

__all__ = ["check_array", "is_array", "is_cheap_to_score", "require"]

# Modules of scikit-learn whose models score by their own arrays.
ALONE = (
    *("sklearn.discriminant_analysis", "sklearn.linear_model.", "sklearn.naive_bayes"),
    *("sklearn.neural_network.", "sklearn.preprocessing._data", "sklearn.svm.", "sklearn.tree."),
)
# What these put into their own attributes to score with; anything else could do anything.
HELPERS = frozenset({LabelBinarizer, StandardScaler})
MOST_STEPS = 100


def require(condition: bool, owner: Any, what: str) -> None:
    """Raise an error unless a part of a fitted ranker fits the others."""
    if not condition:
        raise ValueError(f"the {type(owner).__name__} is damaged: {what}")


def is_array(value: object) -> TypeGuard[NDArray[Any]]:
    """Return whether a value is a plain array; comparisons of a masked one pass over values."""
    return type(value) is np.ndarray


def is_cheap_to_score(model: Any) -> bool:
    """Return whether a model scores by arrays of its own; those of others could take any time."""
    steps = _steps(model)
    return len(steps) <= MOST_STEPS and all(map(_scores_alone, steps))


def _steps(model: Any) -> list[Any]:
    """Return the steps of a pipeline, those of pipelines inside of it among them."""
    steps: list[Any] = []
    waiting = [model]
    while waiting and len(steps) <= MOST_STEPS:
        this = waiting.pop()
        if type(this) is Pipeline:
            waiting += [step for _, step in this.steps[: MOST_STEPS + 1]]
        else:
            steps.append(this)
    return steps


def _scores_alone(model: Any) -> bool:
    """Return whether a model is one of those modules, and holds none but helpers of its own."""
    if not type(model).__module__.startswith(ALONE):
        return False
    held = [part for part in vars(model).values() if isinstance(part, BaseEstimator)]
    n_layers = len(getattr(model, "coefs_", ()))  # of a network
    return n_layers <= MOST_STEPS and all(type(part) in HELPERS for part in held)


def check_array(
    owner: Any, name: str, shape: tuple[int | None, ...], dtype: DTypeLike | None = np.float64
) -> None:
    """Check dtype and shape of an attribute; None stands for any number, or any dtype."""
    array = getattr(owner, name, None)
    require(
        is_array(array)
        and (dtype is None or array.dtype == dtype)
        and len(array.shape) == len(shape)
        and all(asked in {None, given} for asked, given in zip(shape, array.shape, strict=True)),
        owner,
        f"{name} is not an array of shape {shape}",
    )
