"""Arrays of fitted rankers that came from a file, where anything can be in them."""

from typing import Any, TypeGuard

import numpy as np
from numpy.typing import DTypeLike, NDArray
from sklearn.pipeline import Pipeline

__all__ = ["check_array", "is_array", "is_cheap_to_score", "require"]

# Modules of scikit-learn whose models score by their own arrays.
ALONE = (
    *("sklearn.discriminant_analysis", "sklearn.linear_model.", "sklearn.naive_bayes"),
    *("sklearn.neural_network.", "sklearn.preprocessing._data", "sklearn.svm.", "sklearn.tree."),
)


def require(condition: bool, owner: Any, what: str) -> None:
    """Raise an error unless a part of a fitted ranker fits the others."""
    if not condition:
        raise ValueError(f"the {type(owner).__name__} is damaged: {what}")


def is_array(value: object) -> TypeGuard[NDArray[Any]]:
    """Return whether a value is a plain array; comparisons of a masked one pass over values."""
    return type(value) is np.ndarray


def is_cheap_to_score(model: Any) -> bool:
    """Return whether a model scores by arrays of its own; those of others could take any time."""
    if isinstance(model, Pipeline):
        return all(is_cheap_to_score(step) for _, step in model.steps)
    return type(model).__module__.startswith(ALONE) and not hasattr(model, "estimator_")


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
