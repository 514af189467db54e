import numpy as np
import pytest

from rankwright.explanation import Explanation, one_line


def explanation(item="A1", other="B2", features=("zoom", "price"), errors=None, **kwargs):
    parts = {"contributions": np.array([2.0, -0.5]), "score": 3.0, "other_score": 1.5} | kwargs
    return Explanation(
        item,
        other,
        np.array(features, dtype=object),
        values=np.array([9.0, np.nan]),
        other_values=np.array([3.0, 1.0]),
        standard_errors=errors,
        **parts,
    )


def test_it_reads_as_a_sentence_and_a_line_for_each_feature():
    assert str(explanation()).splitlines() == [
        "A1 is above B2: score difference +1.5",
        "zoom   +2  (9 against 3)",
        "price  -0.5  (missing against 1)",
    ]


@pytest.mark.parametrize(
    ("score", "relation"), [(3.0, "above"), (0.0, "below"), (1.5, "level with")]
)
def test_the_relation_is_that_of_the_scores(score, relation):
    assert explanation(score=score).relation == relation


def test_an_estimate_says_so_with_its_errors():
    why = explanation(errors=np.array([0.25, 0.125]))
    assert not why.is_exact
    assert "zoom   +2 ± 0.25  (9 against 3)" in str(why)
    assert str(why).endswith("estimated from random orders; ± is one standard error")
    assert why.table()["standard_error"].tolist() == [0.25, 0.125]


def test_features_without_effect_are_counted_not_listed():
    why = explanation(contributions=np.array([2.0, 1e-17]))
    assert str(why).splitlines()[1:] == [
        "zoom  +2  (9 against 3)",
        "1 feature makes no difference",
    ]


@pytest.mark.parametrize("name", ["value", "contribution", "feature", "[b]x[/b]", "$x$", "a\nb"])
def test_names_of_items_and_features_stay_apart_from_the_columns(name):
    table = explanation(item=name, other=name, features=(name, "price")).table()
    assert table.columns.tolist() == ["value", "other_value", "contribution"]
    assert table.index.tolist() == [name, "price"]
    assert table.loc[name].tolist() == [9.0, 3.0, 2.0]


def test_a_name_of_several_lines_is_written_in_one():
    why = explanation(item="Alder\nC100", features=("price\r\n[EUR]\x1b[31m", "zoom"))
    lines = str(why).splitlines()
    assert lines[0].startswith("Alder C100 is above B2")
    assert lines[1].startswith("price [EUR] [31m  +2")
    assert one_line(" a \t\n b ") == "a b"
