"""Parameters of scikit-learn's estimators that name something: an attribute, a method, a format.

A file says what is looked up by them. They are what scikit-learn documents, and no more.
"""

import re
from collections.abc import Callable
from string import Formatter
from typing import Any

import numpy as np

from rankwright.persistence.errors import ModelFileError, require

__all__ = ["CHECKS", "NAMES_NOTHING", "check_version"]

METHODS = frozenset({"auto", "decision_function", "predict", "predict_log_proba", "predict_proba"})
ATTRIBUTES = re.compile(r"[A-Za-z]\w{0,99}(\.[A-Za-z]\w{0,99}){0,9}")
FIELDS = frozenset({"feature_name", "transformer_name"})
MOST_FIELDS = 10
VERSION = re.compile(r"[0-9A-Za-z.+]{1,40}")

# Classes that fit nothing that new rows rest on, or nothing beyond arrays that NumPy looks at.
NAMES_NOTHING = frozenset(
    {
        # Folds are drawn when a search is fitted.
        *("GroupKFold", "GroupShuffleSplit", "KFold", "LeaveOneGroupOut", "LeaveOneOut"),
        *("LeavePGroupsOut", "LeavePOut", "PredefinedSplit", "ShuffleSplit"),
        *("StratifiedGroupKFold", "StratifiedKFold", "StratifiedShuffleSplit", "TimeSeriesSplit"),
        *("AdamOptimizer", "SGDOptimizer"),  # step when a network is fitted
        # Parameters alone; steps are estimators that were checked.
        *("Binarizer", "FeatureUnion", "Normalizer", "Pipeline"),
        # Codes of categories are found in NumPy's arrays and returned as they are.
        "OrdinalEncoder",
        *("MetadataRequest", "MethodMetadataRequest"),  # names of methods and of their arguments
    }
)


def check_version(name: str, state: dict[str, Any]) -> None:
    """Check the version that scikit-learn wrote, which its warning prints as it stands."""
    version = state.get("_sklearn_version", "0")
    is_version = isinstance(version, str) and VERSION.fullmatch(version) is not None
    require(is_version, f"the version of scikit-learn of a {name}")


def _check_columns(transformer: Any) -> None:
    """Check the format of names: a width in it makes them as long as it says."""
    names = transformer.verbose_feature_names_out
    if type(names) is bool:
        return
    what = "verbose_feature_names_out of a ColumnTransformer"
    require(isinstance(names, str), what)
    try:
        parts = [part[1:] for part in Formatter().parse(names) if part[1] is not None]
    except ValueError:
        raise ModelFileError(f"{what} can't be right") from None
    plain = all(field in FIELDS and not spec and not change for field, spec, change in parts)
    require(plain and len(parts) <= MOST_FIELDS, what)


def _check_importance(selector: Any) -> None:
    getter = selector.importance_getter
    require(
        isinstance(getter, str) and ATTRIBUTES.fullmatch(getter) is not None,
        f"importance_getter of a {type(selector).__name__}",
    )


def _check_selector(selector: Any) -> None:
    pattern = selector.pattern
    require(pattern is None or isinstance(pattern, str), "the pattern of a make_column_selector")


def _check_threshold(model: Any) -> None:
    named = model.response_method in METHODS
    require(named, "response_method of a FixedThresholdClassifier")


def _check_scorer(scorer: Any) -> None:
    """Check what a scorer asks of a model, and that the options of its metric are plain."""
    methods = scorer._response_method
    listed = [methods] if isinstance(methods, str) else methods
    require(
        isinstance(listed, list | tuple) and all(method in METHODS for method in listed),
        "the methods that a scorer asks for",
    )
    plain = (str, bool, int, float, np.generic, type(None))
    options = all(isinstance(option, plain) for option in scorer._kwargs.values())
    require(options, "the options of a scorer")


CHECKS: dict[str, Callable[[Any], None]] = {
    "ColumnTransformer": _check_columns,
    "FixedThreshold": _check_threshold,
    "RFE": _check_importance,
    "RFECV": _check_importance,
    "SelectFromModel": _check_importance,
    "_Scorer": _check_scorer,
    "make_column_selector": _check_selector,
}
