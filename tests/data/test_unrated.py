import numpy as np
import pandas as pd
import pytest

from rankwright.data import read_items, read_numbers


def test_items_come_with_the_factors_in_the_order_asked_for(tmp_path):
    path = tmp_path / "new.csv"
    path.write_text("model;zoom;price;kind\nA1;3,5;100;p\nB2;10;;q\n", encoding="utf-8-sig")
    items = read_items(path, item="model", factors=["price", "zoom"], group="kind")
    assert items.X.columns.tolist() == ["price", "zoom"]
    assert items.X.loc["A1"].tolist() == [100, 3.5]
    assert items.groups.tolist() == ["p", "q"]
    assert any("'price' is missing in 1 row (row 3)" in note for note in items.notes)


def test_a_missing_factor_column_is_named():
    with pytest.raises(ValueError, match="has no column 'zoom'"):
        read_items(pd.DataFrame({"model": ["A"]}), item="model", factors=["zoom"])


def test_votes_are_positions_by_item_and_voter(tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text("film,ann,bob\nUp,1,2\nHer,2,\n")
    votes = read_numbers(path)
    assert votes.index.tolist() == ["Up", "Her"]
    assert votes["ann"].tolist() == [1, 2]
    assert votes["bob"].isna().tolist() == [False, True]


def test_a_vote_that_is_no_number_is_named_by_file_row_and_column(tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text("film,ann\nUp,1\nHer,second\n")
    with pytest.raises(ValueError, match=r"votes.csv, column 'ann'.*'second' in row 3"):
        read_numbers(path)


def test_an_item_named_twice_is_refused():
    with pytest.raises(ValueError, match="'Up' more than once"):
        read_numbers(pd.DataFrame({"film": ["Up", "Up"], "ann": [1, 2]}))


def test_a_cost_that_may_be_thousands_is_warned_of(tmp_path):
    path = tmp_path / "changes.csv"
    path.write_text("change,cost\nPolish,4.761\nPaint,3\n")
    with pytest.warns(UserWarning, match=r"changes.csv: '4.761' \(row 2.*was read as 4.761"):
        assert read_numbers(path)["cost"].tolist() == [4.761, 3]


TWICE = pd.DataFrame({"model": ["A", "B", "A"], "zoom": [1, 2, None]}, index=[2, 3, 4])


def test_a_name_of_several_rows_is_refused_with_the_rows_and_a_row_is_taken(tmp_path):
    path = tmp_path / "twice.csv"
    TWICE.to_csv(path, index=False)
    items = read_items(path, item="model", factors=["zoom"])
    with pytest.raises(ValueError, match="2 items called 'A', in row 2, row 4; give 'row 2' or"):
        items.find("A")
    assert items.find("row 4") == items.find("4") == 2
    with pytest.raises(ValueError, match="no item in row 9, or it was left out"):
        items.find("row 9")


def test_an_item_called_like_a_number_is_itself_rather_than_a_row(tmp_path):
    path = tmp_path / "numbers.csv"
    path.write_text("model,zoom\n3,1\nB,2\n")
    items = read_items(path, item="model", factors=["zoom"])
    assert (items.find("3"), items.find("row 3")) == (0, 1)


def test_leaving_out_one_of_two_rows_of_a_name_says_which_is_meant(tmp_path):
    path = tmp_path / "twice.csv"
    TWICE.to_csv(path, index=False)
    items = read_items(path, item="model", factors=["zoom"])
    left = items.keep(items.X["zoom"].notna().to_numpy())
    assert left.rows == (2, 3)
    assert left.notes[-1].startswith("'A' appears in several rows, of which only row 2 is left")
    assert not items.keep(np.ones(3, dtype=bool)).notes[len(items.notes) :]
