import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.exceptions import DataConversionWarning

import rankwright as rw
from rankwright.data import check_target, ordered_categories, without_categories

GRADES = ["poor", "fair", "good"]
ANSWERS = ["good", "poor", "fair", "good"]
ORDERED = [
    pd.Categorical(ANSWERS, GRADES, ordered=True),
    pd.Series(pd.Categorical(ANSWERS, GRADES, ordered=True), index=list("wxyz")),
    pd.CategoricalIndex(ANSWERS, GRADES, ordered=True),
    pl.Series(ANSWERS, dtype=pl.Enum(GRADES)),
]
X = np.array([[3.0], [1.0], [2.0], [4.0]])


@pytest.mark.parametrize("y", ORDERED)
def test_an_ordered_categorical_counts_by_its_order_not_by_its_letters(y):
    assert check_target(y, 4).tolist() == [2, 0, 1, 2]
    categories = ordered_categories(y)[1]
    assert (categories.dtype, categories.tolist()) == (object, GRADES)


@pytest.mark.parametrize("y", ORDERED)
@pytest.mark.parametrize(
    "ranker",
    [
        rw.PairwiseRanker(),
        rw.ExpectedRankRegressor(),
        rw.PlackettLuceRanker(),
        rw.PreferenceRanker(random_state=0),
        rw.PRankPerceptron(random_state=0),
    ],
    ids=lambda ranker: type(ranker).__name__,
)
def test_rankers_fit_and_score_ordered_categoricals_as_their_codes(ranker, y):
    codes = np.array([2.0, 0, 1, 2])
    expected = ranker.fit(X, codes).score(X, codes)
    assert ranker.fit(X, y).score(X, y) == expected


@pytest.mark.parametrize("y", ORDERED)
def test_every_other_door_takes_ordered_categoricals(y):
    assert rw.Rankings.from_rows(X, y).orders == ([[0, 3], 2, 1],)
    assert len(rw.pairwise_transform(X, y)[1]) == 5
    assert rw.metrics.kendall_tau(y, [3.0, 1, 2, 3]) == 1


def test_a_forest_takes_an_enumeration_of_polars_in_its_order():
    y = pl.Series(ANSWERS * 5, dtype=pl.Enum(GRADES))
    forest = rw.OrdinalForest(n_estimators=3, random_state=0).fit(np.tile(X, (5, 1)), y)
    assert forest.predict([[1.0], [4.0]]).tolist() == ["poor", "good"]


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (pd.Categorical(ANSWERS), "without an order.*set_categories"),
        (pd.Series(ANSWERS, dtype="category"), "'fair', 'good', 'poor'"),
        (pl.Series(ANSWERS, dtype=pl.Categorical), r"without an order.*polars\.Enum"),
        (pd.Categorical(["good", None, "fair", "poor"], GRADES, ordered=True), r"\(nan\) in row 1"),
        (pl.Series(["good", None, "fair", "poor"], dtype=pl.Enum(GRADES)), r"\(nan\) in row 1"),
        ([1, 2, "high", 4], "y holds 'high', which is not a number.*ordered categorical"),
        ([1, 2, None, [3]], "y holds lists; give one value for each row"),
        ([[1], [1, 2], [3], [4]], "y holds lists"),
        (
            np.array([1.0, 2.0, np.ones(1), 4.0], dtype=object),
            r"y holds array\(\[1\.\]\), which is",
        ),
        ([1.0, 2.0, np.inf, 3.0], r"\(inf\) in row 2"),
        ([1, 2, 3], "y has 3 values but X has 4 rows"),
        ([1.0, np.nan, np.inf, 3.0], r"y has 2 values that are NaN or infinite, the first \(nan\)"),
        (np.zeros((4, 2)), r"y has shape \(4, 2\); give one value for each row"),
        (3.0, r"y has shape \(\); give one value for each row"),
        (pd.Categorical(list("abcd")), r"without an order \('a', 'b', 'c', 'd'\); say"),
        (pd.Categorical(list("abcde")), r"without an order \('a', 'b', 'c', 'd', \.\.\.\); say"),
    ],
)
def test_what_has_no_order_is_refused_with_the_remedy(y, message):
    with pytest.raises(ValueError, match=message):
        check_target(y, 4)


@pytest.mark.parametrize(
    "y",
    [
        [[3], [1], [2]],
        ((3,), (1,), (2,)),
        np.array([[3], [1], [2]]),
        pd.DataFrame({"y": [3, 1, 2]}, index=[2, 1, 0]),
    ],
)
def test_a_table_of_one_column_is_its_values_with_a_warning_where_it_was_given(y):
    with pytest.warns(DataConversionWarning, match="column-vector") as caught:
        found = without_categories(y)
    assert np.asarray(found).tolist() == [3, 1, 2]
    assert [one.filename for one in caught] == [__file__]


def test_one_row_of_several_columns_is_no_vector():
    wide = np.zeros((1, 3))
    assert without_categories(wide) is wide


def test_a_frame_of_polars_with_one_enumeration_keeps_its_order():
    with pytest.warns(DataConversionWarning):
        assert check_target(pl.DataFrame({"y": ORDERED[3]}), 4).tolist() == [2, 0, 1, 2]
