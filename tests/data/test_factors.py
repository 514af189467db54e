import numpy as np
import pandas as pd
import pytest

from rankwright.data import read_items, read_table

FRAME = pd.DataFrame(
    {
        "name": list("ABCDEF"),
        "type": ["hot", "cold", "cold", "warm", "cold", "n/a"],
        "zoom": ["5", "3.5", "see note", "2", "7", "1"],
        "rank": [1, 2, 3, 4, 5, 6],
    }
)


def read(**options):
    return read_table(FRAME, item="name", target="rank", **options)


def noted(table, *words):
    return any(all(word in note for word in words) for note in table.notes)


def test_texts_of_few_values_are_offered_and_not_used():
    frame = pd.DataFrame({"name": list("ABCDEF"), "type": list("hhhccc"), "zoom": range(6)})
    table = read_table(frame.assign(rank=range(1, 7)), item="name", target="rank")
    assert list(table.X.columns) == ["zoom"]
    assert noted(table, "Column 'type' holds 2 texts ('c', 'h')", "category_factors=['type']")


def test_categories_become_factors_of_0_and_1_but_the_most_frequent():
    table = read(category_factors=["type"])
    assert list(table.X.columns) == ["zoom", "type = hot", "type = warm"]
    np.testing.assert_array_equal(table.X["type = hot"], [1, 0, 0, 0, 0, np.nan])
    assert noted(table, "'type' counts as 0/1 factors, compared with 'cold'")


def test_a_factor_of_a_category_is_found_in_another_table():
    items = read_items(FRAME, item="name", factors=["type = warm", "zoom"])
    np.testing.assert_array_equal(items.X["type = warm"], [0, 0, 0, 1, 0, np.nan])


def test_a_few_cells_that_are_no_numbers_are_missing_and_named():
    table = read()
    assert np.isnan(table.X["zoom"].iloc[2])
    assert noted(table, "'zoom': 1 cell is not a number and counts as missing: 'see note' in row 2")


def test_names_are_no_categories():
    with pytest.raises(ValueError, match=r"'name' holds 6 different texts in 6 rows"):
        read(category_factors=["name"])


def test_a_column_of_measures_that_can_not_be_read_shows_a_cell_and_the_remedy():
    frame = pd.DataFrame({"name": list("ABCDEFG"), "zoom": [5, 4, 2, 6, 3, 1, 7]})
    frame["rank"] = [3, 1, 2, 5, 4, 7, 6]
    frame["size"] = [f"{k},5 Zoll" for k in range(7)]
    frame["maker"] = [f"Maker {k}" for k in range(7)]
    notes = read_table(frame, item="name", target="rank").notes
    assert any(
        note.startswith("Column 'size' is not used") and "'0,5 Zoll' in row 0" in note
        for note in notes
    )
    assert "Columns of text, not used as factors: maker." in notes
