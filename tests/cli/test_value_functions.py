import json

import numpy as np
import pandas as pd
import pytest

from rankwright.reverse.values.typed import read_value_functions


def test_pieces_go_from_the_command_line_to_the_result_the_report_and_the_model(
    rankwright, tmp_path
):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"price": rng.integers(10, 100, 30), "fuel": rng.integers(1, 4, 30)})
    worth = -np.minimum(X["price"], 50) + np.array([0, 9.5, 4.2])[X["fuel"] - 1]
    frame = X.assign(
        name=[f"p{i}" for i in range(30)], rank=(-worth).rank(method="min").astype(int)
    )
    path, out = tmp_path / "cars.csv", tmp_path / "cars.html"
    frame.to_csv(path, index=False)
    given = ["--value-functions", "price: 50", "--value-functions", "fuel: levels"]
    answer = rankwright("reverse", path, *given, "--time", 600, "--no-checks", "--out", out)
    assert answer.code == 0, answer.err
    assert "with these signs and pieces fits better: that is proved" in answer.out
    assert "rankwright improve" not in answer.out
    result = json.loads(out.with_suffix(".json").read_text())
    named = {row["factor"] for row in result["factor_values"]}
    assert named == {"price", "fuel"}
    assert "price over 50" in out.read_text()
    assert (
        rankwright("explain", out.with_suffix(".rw"), path, "--item", "p0", "--above", "p1").code
        == 0
    )
    plan = rankwright("improve", out.with_suffix(".rw"), path, "--item", "p1", "--position", 1)
    assert plan.code != 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("prise: 3", "'prise' is not a factor here"),
        ("price: cheap", "'cheap' is not a number"),
        ("price", "give 'piecewise' alone"),
    ],
)
def test_what_is_not_understood_is_named(text, message):
    with pytest.raises(ValueError, match=message):
        read_value_functions([text], ["price"])


def test_a_factor_that_is_named_twice_is_refused():
    with pytest.raises(ValueError, match="twice"):
        read_value_functions(["price: 3", "price: 4"], ["price"])
