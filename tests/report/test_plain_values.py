import json
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from rankwright.report import json_text, plain
from rankwright.report.bundle import json_bytes


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


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x9b31m", "\\u009b31m"),
        ("\u202egnp.exe", "\\u202egnp.exe"),
        ("a\u2066b", "a\\u2066b"),
        ("\x7f", "\\u007f"),
        ("\x1b[1m", "\\u001b[1m"),
        ("\U000e0041", "\\udb40\\udc41"),
        ("größe ☃ 𝄞", "größe ☃ 𝄞"),
    ],
)
def test_json_shows_every_character_and_gives_them_back(text, shown):
    written = json_text({text: [text]})
    assert json.loads(written) == {text: [text]}
    assert written == f'{{\n  "{shown}": [\n    "{shown}"\n  ]\n}}'
    assert json.loads(json_text({text: [text]}, ascii_only=True)) == {text: [text]}
    assert json_bytes({text: [text]}).decode() == f"{written}\n"
