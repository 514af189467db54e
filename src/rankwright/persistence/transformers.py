"""scikit-learn's transformers: what ``fit`` derived from other attributes, and new rows rest on.

Tables are made as large as such a number says and filled as far as the others reach: a wrong one
shows memory that was never set, or leads outside of the table.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from rankwright.base import is_array
from rankwright.persistence.errors import ModelFileError, require

__all__ = ["CHECKS"]

HIGHEST_DEGREE = 1000
LOG_OF_MOST_COLUMNS = 62 * math.log(2)  # more than NumPy can count
WHOLE = (int, np.integer)


def _check_one_hot(encoder: Any) -> None:
    """Check that each category has a column of its own, inside of those of its feature."""
    known = vars(encoder).get("categories_")
    if known is None:
        return
    require(
        type(known) is list
        and len(known) == encoder.n_features_in_
        and all(_are_places(categories) for categories in known),
        "the categories of a OneHotEncoder",
    )
    sizes = [len(categories) for categories in known]
    if encoder._infrequent_enabled:
        _check_infrequent(
            encoder._infrequent_indices, encoder._default_to_infrequent_mappings, sizes
        )
        sizes = [
            size if rare is None else size - rare.size + 1
            for size, rare in zip(sizes, encoder._infrequent_indices, strict=True)
        ]
    _check_dropped(encoder._drop_idx_after_grouping, sizes)
    outs = encoder._n_features_outs
    require(
        type(outs) is list
        and all(type(n) is int for n in outs)
        and outs == encoder._compute_n_features_outs(),
        "the numbers of columns of a OneHotEncoder",
    )


def _are_places(categories: Any) -> bool:
    """Return whether values are found at their places: texts by a table, others by bisection."""
    if not is_array(categories) or categories.ndim != 1:
        return False
    found = categories
    if found.dtype == object:
        found = np.array([one for one in found if not _is_missing(one)], dtype=object)
        if all(isinstance(one, str) for one in found):
            return True
    return bool((np.searchsorted(found, found) == np.arange(found.size)).all())


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and np.isnan(value))


def _check_infrequent(rare: Any, groups: Any, sizes: list[int]) -> None:
    """Check that rare categories share the last column of their feature."""
    what = "the rare categories of a OneHotEncoder"
    require(type(rare) is list and type(groups) is list and len(rare) == len(groups), what)
    for those, group, size in zip(rare, groups, sizes, strict=True):
        if those is None:
            require(group is None, what)
            continue
        require(is_array(those) and those.dtype.kind == "i" and those.ndim == 1, what)
        frequent = np.setdiff1d(np.arange(size), those)
        require(those.size > 0 and frequent.size + those.size == size, what)
        expected = np.full(size, frequent.size)
        expected[frequent] = np.arange(frequent.size)
        require(is_array(group) and np.array_equal(group, expected), what)


def _check_dropped(dropped: Any, sizes: list[int]) -> None:
    if dropped is None:
        return
    require(
        is_array(dropped)
        and dropped.dtype == object
        and dropped.shape == (len(sizes),)
        and all(
            place is None or (isinstance(place, WHOLE) and 0 <= place < size)
            for place, size in zip(dropped, sizes, strict=True)
        ),
        "the dropped categories of a OneHotEncoder",
    )


def _check_polynomial(transformer: Any) -> None:
    fitted = vars(transformer)
    if "_n_out_full" not in fitted:
        return
    what = "the numbers of columns of a PolynomialFeatures"
    degree = transformer.degree
    lowest, highest = degree if isinstance(degree, tuple | list) else (0, degree)
    require(isinstance(lowest, WHOLE) and isinstance(highest, WHOLE), what)
    require(0 <= lowest <= highest <= HIGHEST_DEGREE, what)
    # Bounded before it is computed: with this many features a number could have any length.
    chosen = (transformer.n_features_in_, highest)
    least = _log_of_choices(*chosen, transformer.interaction_only)
    require(least <= LOG_OF_MOST_COLUMNS, what)
    expected = {"_min_degree": lowest, "_max_degree": highest}
    for name, least in (("n_output_features_", lowest), ("_n_out_full", 0)):
        expected[name] = transformer._num_combinations(
            n_features=transformer.n_features_in_,
            min_degree=least,
            max_degree=highest,
            interaction_only=transformer.interaction_only,
            include_bias=transformer.include_bias,
        )
    require(all(_is_number(fitted.get(name), number) for name, number in expected.items()), what)


def _log_of_choices(n_features: int, degree: int, interaction_only: bool) -> float:
    """Return the logarithm of how many products of features there are; of interactions, at least.

    Those of a degree are chosen from the features, or from these and as many repetitions.
    """
    taken = min(degree, n_features // 2) if interaction_only else degree
    of = n_features if interaction_only else n_features + degree
    return math.lgamma(of + 1) - math.lgamma(taken + 1) - math.lgamma(of - taken + 1)


def _check_splines(transformer: Any) -> None:
    splines = vars(transformer).get("bsplines_")
    if splines is None:
        return
    what = "the splines of a SplineTransformer"
    require(type(splines) is list and len(splines) == transformer.n_features_in_, what)
    shapes = {np.shape(spline.c) for spline in splines}
    require(len(shapes) == 1 and len(shape := shapes.pop()) == 2, what)
    require(all(spline.k == transformer.degree for spline in splines), what)
    n_out = len(splines) * (shape[1] - (not transformer.include_bias))
    require(_is_number(transformer.n_features_out_, n_out), what)


def _check_target_encoder(encoder: Any) -> None:
    encodings = vars(encoder).get("encodings_")
    if encodings is None:
        return
    n_classes = len(encoder.classes_) if encoder.target_type_ == "multiclass" else 1
    require(
        type(encodings) is list and len(encodings) == encoder.n_features_in_ * n_classes,
        "the encodings of a TargetEncoder",
    )


def _check_function(transformer: Any) -> None:
    """Refuse arguments for a function of NumPy: all that it takes say where and how it writes.

    It makes one number of each, so that rows stay rows.
    """
    if transformer.kw_args or transformer.inv_kw_args:
        raise ModelFileError("its FunctionTransformer has kw_args, which model files may not hold")
    for function in (transformer.func, transformer.inverse_func):
        is_elementwise = isinstance(function, np.ufunc) and function.nin == function.nout == 1
        require(function is None or is_elementwise, "the function of a FunctionTransformer")


def _is_number(value: Any, expected: int) -> bool:
    return isinstance(value, WHOLE) and value == expected


CHECKS: dict[str, Callable[[Any], None]] = {
    "FunctionTransformer": _check_function,
    "OneHotEncoder": _check_one_hot,
    "PolynomialFeatures": _check_polynomial,
    "SplineTransformer": _check_splines,
    "TargetEncoder": _check_target_encoder,
}
