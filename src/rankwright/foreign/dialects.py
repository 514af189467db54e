"""How each package wants to be told about groups, grades, weights and held-out rows.

A dialect fits an unfitted model of its kind to rows sorted by group.
"""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier, is_regressor
from sklearn.utils.validation import has_fit_parameter

from rankwright.data import Rows, row_weights
from rankwright.foreign.grades import Grading
from rankwright.foreign.held_out import HeldOut

__all__ = ["Dialect", "dialect_of"]

Dialect = Callable[[Any, Rows, HeldOut | None], Any]

LARGEST_GROUP = 10_000  # of LightGBM
SMALLEST_TARGET, LARGEST_TARGET = 1e-30, 1e30  # of CatBoost


def _lightgbm(model: Any, rows: Rows, held_out: HeldOut | None) -> Any:
    sizes = np.diff(rows.offsets)
    if sizes.max() > LARGEST_GROUP:
        raise ValueError(
            f"a group has {sizes.max():,} rows, and LightGBM takes at most {LARGEST_GROUP:,}; "
            "split it, or use a ranker of this package"
        )
    grades = Grading.of(rows.y)
    if grades.linear_gains and model.get_params().get("label_gain") is None:
        model.set_params(label_gain=grades.linear_gains)
    watched: dict[str, Any] = {}
    if held_out is not None:
        import lightgbm

        pair = held_out.rows.X, grades(held_out.rows.y)
        # eval_set is deprecated since 4.7, and eval_X is not known before.
        renamed = has_fit_parameter(model, "eval_X")
        watched = {
            **({"eval_X": pair[0], "eval_y": pair[1]} if renamed else {"eval_set": [pair]}),
            "eval_group": [np.diff(held_out.rows.offsets)],
            "callbacks": [lightgbm.early_stopping(held_out.rounds, verbose=False)],
        }
    return model.fit(rows.X, grades(rows.y), group=sizes, sample_weight=rows.weights, **watched)


def _xgboost(model: Any, rows: Rows, held_out: HeldOut | None) -> Any:
    grades = Grading.of(rows.y)
    if grades.linear_gains and model.get_params().get("ndcg_exp_gain") is None:
        model.set_params(ndcg_exp_gain=False)
    watched: dict[str, Any] = {}
    if held_out is not None:
        model.set_params(early_stopping_rounds=held_out.rounds)
        watched = {
            "eval_set": [(held_out.rows.X, grades(held_out.rows.y))],
            "eval_qid": [held_out.rows.group_of_row],
            "verbose": False,
        }
    return model.fit(
        rows.X,
        grades(rows.y),
        qid=rows.group_of_row,
        sample_weight=_weight_of_groups(rows),
        **watched,
    )


def _weight_of_groups(rows: Rows) -> NDArray[np.float64] | None:
    """Return the mean weight of each group: XGBoost weighs groups, not rows."""
    if rows.weights is None:
        return None
    means = np.add.reduceat(rows.weights, rows.offsets[:-1]) / np.diff(rows.offsets)
    if (rows.weights != rows.weights[rows.offsets[:-1]][rows.group_of_row]).any():
        warnings.warn(
            "sample_weight differs inside a group, and XGBoost weighs whole groups: each counts "
            "the mean weight of its rows",
            stacklevel=4,
        )
    return np.asarray(means)


def _catboost(model: Any, rows: Rows, held_out: HeldOut | None) -> Any:
    from catboost import CatBoostError, Pool

    size = float(np.abs(rows.y).max())
    if not SMALLEST_TARGET <= size <= LARGEST_TARGET:
        raise ValueError(
            f"y is as large as {size:.3g}, and CatBoost holds it in 32 bits, as which it learns "
            f"from sizes between {SMALLEST_TARGET:.0e} and {LARGEST_TARGET:.0e}; change its unit"
        )
    if model.get_params().get("allow_writing_files") is None:
        model.set_params(allow_writing_files=False)  # else it leaves a folder where it runs

    def pool(part: Rows) -> Any:
        try:
            return Pool(
                part.X,
                part.y,
                group_id=part.group_of_row,
                weight=part.weights,
                cat_features=model.get_params().get("cat_features"),
            )
        except CatBoostError as error:
            raise ValueError(
                f"CatBoost can't read the features ({error}); name columns of text or categories "
                "in a tuple, cat_features=(...), or make them numbers"
            ) from error

    watched: dict[str, Any] = {}
    if held_out is not None:
        watched = {"eval_set": pool(held_out.rows), "early_stopping_rounds": held_out.rounds}
    return model.fit(pool(rows), verbose=False, **watched)


def _regressor(model: Any, rows: Rows, held_out: HeldOut | None) -> Any:
    # Rows of different groups are never compared: what a whole group has in common says nothing.
    weights, starts = row_weights(rows), rows.offsets[:-1]
    totals = np.add.reduceat(weights, starts)
    means = np.add.reduceat(weights * rows.y, starts) / np.where(totals > 0, totals, 1.0)
    return _fit_plain(model, rows, rows.y - means[rows.group_of_row], held_out)


def _classifier(model: Any, rows: Rows, held_out: HeldOut | None) -> Any:
    return _fit_plain(model, rows, np.unique(rows.y, return_inverse=True)[1], held_out)


def _fit_plain(model: Any, rows: Rows, y: NDArray[Any], held_out: HeldOut | None) -> Any:
    if held_out is not None:
        raise ValueError(
            f"{type(model).__name__} can't be told by held-out groups when to stop; leave "
            "early_stopping out, or use the model's own"
        )
    if rows.weights is None:
        return model.fit(rows.X, y)
    if not has_fit_parameter(model, "sample_weight"):
        raise ValueError(f"{type(model).__name__} takes no sample_weight; leave it out")
    return model.fit(rows.X, y, sample_weight=rows.weights)


RANKERS: dict[str, Dialect] = {
    "catboost.core.CatBoostRanker": _catboost,
    "lightgbm.sklearn.LGBMRanker": _lightgbm,
    "xgboost.sklearn.XGBRanker": _xgboost,
}


def dialect_of(model: Any) -> Dialect:
    """Return how to fit a model, by its class or, for models without groups, by its kind."""
    names = [f"{cls.__module__}.{cls.__qualname__}" for cls in type(model).__mro__]
    for dialect in (RANKERS[name] for name in names if name in RANKERS):
        return dialect
    if hasattr(model, "__sklearn_tags__"):
        if is_classifier(model):
            return _classifier
        if is_regressor(model):
            return _regressor
    raise ValueError(
        f"{type(model).__name__} is no ranker that is known here ({', '.join(RANKERS)}), no "
        "regressor and no classifier of scikit-learn's kind"
    )
