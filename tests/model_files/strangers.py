"""Fitted estimators that others do not expect inside of them, for files with exchanged parts."""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.preprocessing import LabelBinarizer, MultiLabelBinarizer, OneHotEncoder

_X = np.arange(12.0).reshape(6, 2)


def _places() -> MultiLabelBinarizer:
    """Return one whose places are outside of its table."""
    labels = MultiLabelBinarizer().fit([[0.0], [1.0]])
    labels._cached_dict = {float(number): 10**8 for number in range(-3, 4)}
    return labels


def _several() -> OneVsRestClassifier:
    return OneVsRestClassifier(LogisticRegression()).fit(_X, np.eye(3, dtype=int)[[0, 1, 2] * 2])


STRANGERS: list[Callable[[], Any]] = [
    _places,
    _several,
    lambda: LabelBinarizer().fit(np.eye(3, dtype=int)),
    lambda: OneHotEncoder().fit(_X),
    lambda: LogisticRegression().fit(_X, [0, 1] * 3),
]
