import json
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from rankwright.report import plain


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True)
class Found:
    name: str
    values: object


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.float64("nan"), None),
        (float("inf"), None),
        (np.array([[1, 2], [3, 4]]), [[1, 2], [3, 4]]),
        (np.bool_(True), True),
        (np.longdouble(1.5), 1.5),
        (np.array([0.5, np.nan], dtype=np.longdouble), [0.5, None]),
        (np.clongdouble(1 + 2j), "(1+2j)"),
        (Fraction(1, 4), 0.25),
        (Colour.RED, "red"),
        (Path("a") / "b.csv", "a/b.csv"),
        ({1: (2, {"x"})}, {"1": [2, ["x"]]}),
        (Found("tau", np.array([0.5])), {"name": "tau", "values": [0.5]}),
        (pd.Series({"a": 1.5}), {"a": 1.5}),
        (pd.DataFrame({"x": [1]}, index=pd.Index(["A"], name="item")), [{"item": "A", "x": 1}]),
    ],
)
def test_results_become_what_json_knows(value, expected):
    assert plain(value) == expected
    json.dumps(plain(value), allow_nan=False)
