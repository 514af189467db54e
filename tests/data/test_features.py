import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from rankwright.data import as_frame, check_columns, check_objects, refuse_lazy

DAYS = pd.to_datetime(["2020-01-01", None])
DATES = "give numbers, such as the days since a date"
SPANS = "give numbers, such as their seconds"


def frame(when):
    return pd.DataFrame({"size": [1.0, 2.0], "when": when})


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (frame(DAYS), rf"^column 'when' of X has type datetime64\[.*; {DATES}"),
        (frame(DAYS.tz_localize("UTC")), rf"^column 'when' of X has type datetime64\[.*; {DATES}"),
        (frame(DAYS - DAYS[0]), rf"^column 'when' of X has type timedelta64\[.*; {SPANS}"),
        (frame(DAYS.to_period("D")), rf"^column 'when' of X has type period\[D\]; {DATES}"),
        (
            pl.DataFrame({"when": DAYS.to_numpy()}),
            f"^column 'when' of X has type Datetime.*{DATES}",
        ),
        (pl.DataFrame({"when": [datetime.date(2020, 1, 1)]}), f"^column 'when'.* Date; {DATES}"),
        (pl.DataFrame({"when": [datetime.time(1)]}), f"^column 'when'.* Time; {SPANS}"),
        (pl.DataFrame({"when": [datetime.timedelta(1)]}), f"^column 'when'.* Duration.*{SPANS}"),
        (pa.table({"when": DAYS.to_numpy()}), f"^column 'when' of X has type timestamp.*{DATES}"),
        (DAYS.to_numpy()[:, None], f"^X has type datetime64.*{DATES}"),
        (pd.Series(DAYS, name="when"), f"^column 'when' of X has type datetime64.*{DATES}"),
        (pl.DataFrame({"size": [1.0]}).lazy(), r"^X is a LazyFrame.* give X\.collect\(\)$"),
    ],
)
def test_columns_of_times_and_unread_tables_are_refused_by_name(X, message):
    with pytest.raises(ValueError, match=message):
        check_columns(X)


@pytest.mark.parametrize(
    "X",
    [
        frame(pd.Categorical(["a", "b"])),
        pl.DataFrame({"size": [1.0]}),
        pa.table({"size": [1.0]}),
        np.ones((2, 2)),
        [[1.0], [2.0]],
    ],
)
def test_other_tables_pass(X):
    assert check_columns(X) is None
    assert refuse_lazy(X) is None


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (frame(pd.Series([datetime.date(2020, 1, 1)] * 2, dtype=object)), f"'when' .*{DATES}"),
        ([[1.0, pd.Timestamp("2020")], [2.0, pd.NaT]], f"column 1 of X holds Timestamp.*{DATES}"),
        ([[datetime.timedelta(1), 2.0]], f"column 0 of X holds .*{SPANS}"),
    ],
)
def test_times_among_objects_are_named_with_their_column(X, message):
    with pytest.raises(ValueError, match=message):
        check_objects(X)


@pytest.mark.parametrize(
    "X", [[[1.0, {1}]], [[1.0], [2.0, 3.0]], [1.0, 2.0], pl.DataFrame({"size": ["a"]})]
)
def test_what_else_is_no_number_is_left_to_those_who_read_it(X):
    assert check_objects(X) is None


KINDS = ["b", "a", "b"]


@pytest.mark.parametrize("X", [frame([1, 2]), np.ones((2, 2)), [[1.0]], None])
def test_what_is_no_table_of_polars_or_arrow_is_returned_as_it_is(X):
    assert as_frame(X) is X


def test_a_table_of_arrow_becomes_a_frame_of_pandas():
    found = as_frame(pa.table({"size": [1.0, 2.0], "kind": ["a", "b"]}))
    assert type(found) is pd.DataFrame
    assert found.to_dict("list") == {"size": [1.0, 2.0], "kind": ["a", "b"]}


@pytest.mark.parametrize(
    ("dtype", "categories", "is_ordered"),
    [(pl.Enum(["b", "a"]), ["b", "a"], True), (pl.Categorical, ["a", "b"], False)],
)
def test_categories_of_polars_stay_categories_and_an_enumeration_keeps_its_order(
    dtype, categories, is_ordered
):
    found = as_frame(pl.DataFrame({"size": [1.0, 2.0, 3.0], "kind": pl.Series(KINDS, dtype=dtype)}))
    assert list(found) == ["size", "kind"]
    assert found["size"].tolist() == [1.0, 2.0, 3.0]
    assert found["kind"].tolist() == KINDS
    assert found["kind"].cat.categories.tolist() == categories
    assert found["kind"].cat.ordered is is_ordered


def test_texts_of_polars_stay_texts():
    found = as_frame(pl.DataFrame({"kind": KINDS}))
    assert found["kind"].tolist() == KINDS
    assert not isinstance(found["kind"].dtype, pd.CategoricalDtype)
