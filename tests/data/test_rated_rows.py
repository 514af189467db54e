"""Rows that are rated, and rows that are none: totals, averages, summaries."""

import numpy as np
import pandas as pd
import pytest

from rankwright.data.cells import Cells
from rankwright.data.rated_rows import (
    items_alone,
    rated_rows,
    without_averages,
    without_lone_numbers,
    without_summaries,
    without_totals,
)
from rankwright.data.sources import as_sheet

SCORES = [10.5, 20.0, 30.0, 50.0, 89.5]  # sum 200, mean 40, median 30


def sheet_of(names, values, **columns):
    frame = pd.DataFrame({"model": names, "value": values, **columns})
    return as_sheet(frame.set_axis(range(2, len(frame) + 2)), [])


def names_of(sheet):
    return sheet.frame["model"].tolist()


@pytest.mark.parametrize(
    ("value", "is_total"),
    [
        (200.0, True),
        (40.0, True),
        (40.004, True),  # as rounded
        (40.006, False),
        (30.0, True),
        (5.0, True),  # how many they are
        (np.nan, True),
        (41.5, False),
        (89.5, False),
    ],
)
@pytest.mark.parametrize("name", ["Total", "average of all", ""])
def test_a_last_row_called_total_is_one_if_its_value_is(value, is_total, name):
    found = without_totals(sheet_of([*"ABCDE", name], [*SCORES, value]), "model", "value")
    assert names_of(found) == [*"ABCDE"] + [name] * (not is_total)
    shown = "row 7" + (f" ({name!r})" if name else "")
    assert found.notes == ((f"Rows left out as totals below the table: {shown}.",) * is_total)


def test_large_sums_may_be_off_by_their_last_digits():
    values = [1e12, 2e12, 4e12]
    sheet = sheet_of([*"ABC", "Sum", "Sum"], [*values, 7e12 + 1000, 7e12 + 100_000])
    assert names_of(without_totals(sheet, "model", "value")) == [*"ABC", "Sum"]


def test_a_row_called_total_that_may_be_new_stays_without_a_value():
    sheet = sheet_of([*"ABC", "Total"], [1, 2, 3, np.nan])
    assert names_of(without_totals(sheet, "model", "value")) == [*"ABC"]
    assert names_of(without_totals(sheet, "model", "value", unrated=False)) == [*"ABC", "Total"]


@pytest.mark.parametrize(
    ("name", "word", "is_total"), [("", "Total", True), ("Sum", "Total", False), ("", "", False)]
)
def test_the_word_may_stand_in_place_of_a_rank(name, word, is_total):
    sheet = sheet_of([*"ABC", name], ["1", "2", "3", word])
    found = without_totals(sheet, "model", "value", unrated=False)
    assert len(found.frame) == 4 - is_total


def test_a_total_above_the_last_rows_is_an_item():
    sheet = sheet_of(["A", "Total", "B"], [1, np.nan, 2])
    assert without_totals(sheet, "model", "value") is sheet


def test_a_table_of_totals_alone_stays():
    sheet = sheet_of(["Total", "Sum"], [1.0, 1.0])
    assert without_totals(sheet, "model", "value") is sheet


@pytest.mark.parametrize(
    ("ranks", "value", "is_average"),
    [
        ([1, 2, 3, 4, 5], 2.7, True),  # of whole places, whichever rows it is of
        ([1, 2, 3, 4, 5], 4.0, False),
        ([1, 2, 3, 4, 5], 0.5, False),
        ([1, 2, 3, 4, 5], 5.5, False),
        ([1, 2, 3.5, 3.5, 5], 2.7, False),  # halves are places there
        ([1, 1, 1, 2, 2, 3], 2.7, False),  # grades rather than places
        ([1, 1, 2, 2, 3, 4], 2.7, True),
    ],
)
def test_a_fraction_among_whole_places_is_their_average(ranks, value, is_average):
    sheet = sheet_of([*map(str, ranks), "Mean"], [*ranks, value])
    found = without_totals(sheet, "model", "value")
    assert len(found.frame) == len(sheet.frame) - is_average


@pytest.mark.parametrize(
    ("names", "kept"),
    [
        (["A", "Minimum", "B", "Average (all)"], ["A", "B"]),
        (["A", "MEAN", "mean", "B"], ["A", "B"]),
        (["A", "Mean", "Mean", "B"], ["A", "Mean", "Mean", "B"]),  # one word may be a name
        (["A", "Minimum", "Maxim"], ["A", "Minimum", "Maxim"]),
    ],
)
@pytest.mark.parametrize("made", [list, Cells._from_sequence])
def test_rows_called_by_several_words_of_summaries_are_left_out(names, kept, made):
    sheet = sheet_of(made(names), range(len(names)))
    found = without_summaries(sheet, "model")
    assert names_of(found) == kept
    n_gone = len(names) - len(kept)
    assert len(found.notes) == bool(n_gone)
    if n_gone:
        assert found.notes[0].startswith(f"{n_gone} rows left out as summaries: ")


@pytest.mark.parametrize(
    ("below", "kept"),
    [
        ([("Total", 20.0, 9.0)], 4),
        ([("Average", 5.0, 2.25)], 4),
        ([("Average", 5.02, 2.26)], 4),  # rounded
        ([("Average", 5.1, 2.4)], 5),
        ([("Median", 4.5, 2.0)], 4),
        ([("Average", 5.0, 9.5)], 5),  # half of its values are none
        ([("Average", 5.0, np.nan)], 4),
        ([("Average", 5.0, 2.25), ("Total", 7.0, 7.0)], 5),
        ([("Box", 5.0, 2.25)], 5),
        ([("Average", 5.0, 2.25), ("Box", 7.0, 7.0)], 6),  # it stands among the items
    ],
)
def test_rows_below_that_are_averages_of_the_factors_are_no_items(below, kept):
    rows = [("A", 2.0, 1.0), ("B", 4.0, 2.0), ("C", 5.0, 2.0), ("D", 9.0, 4.0), *below]
    frame = pd.DataFrame(rows, columns=["model", "zoom", "price"])
    found = without_averages(as_sheet(frame, []), "model", ["zoom", "price", "gone"])
    assert len(found.frame) == kept


def test_averages_are_told_by_factors_that_are_there_and_known():
    frame = pd.DataFrame({"model": ["A", "B", "Total"], "zoom": [1.0, 2.0, 3.0]})
    for factors, empty in ((["gone"], {}), (["zoom", "none"], {"none": [np.nan] * 3})):
        sheet = as_sheet(frame.assign(**empty), [])
        assert without_averages(sheet, "model", factors) is sheet
    totals = as_sheet(frame.assign(model="Total"), [])
    assert without_averages(totals, "model", ["zoom"]) is totals


@pytest.mark.parametrize(
    ("ranks", "read"),
    [
        (["1", "", "", "4", "5"], [1, 1, 1, 4, 5]),
        (["1", "2", "", "", "5", ""], [1, 2, 2, 2, 5]),  # the last has none
        (["", "2", "", "", "5"], [2, 5]),  # who was first is not known
        (["1", "", "3", "4"], [1, 3, 4]),  # a single one was left out
        (["1", "", "", "3", "4"], [1, 3, 4]),  # the ranks do not count them
        (["1", "", "", "x", "5", "6", "7", "8", "9"], [1, 5, 6, 7, 8, 9]),
        (["1", "", "", "n/a", "5"], [1, 5]),
    ],
)
def test_rows_without_a_rank_share_the_place_above_if_the_ranks_count_them(ranks, read):
    sheet = sheet_of([f"m{i}" for i in range(len(ranks))], ranks)
    found = rated_rows(sheet, "model", "value", "rank")
    assert found.values.tolist() == read
    assert len(found.sheet.frame) == len(found.printed) == len(read)
    shared = len(read) - len([one for one in ranks if one.isdecimal()])
    said = f"{shared} rows without a rank share the place above" in " ".join(found.sheet.notes)
    assert said == (shared > 0)


def test_rows_that_share_a_place_are_named():
    sheet = sheet_of([*"ABCD"], ["1", "", "", "4"])
    (note,) = rated_rows(sheet, "model", "value", "rank").sheet.notes
    assert note.endswith("(row 3, 4).")


def test_scores_do_not_share_what_stands_above_them():
    found = rated_rows(sheet_of([*"ABCD"], ["1", "", "", "4"]), "model", "value", "score")
    assert found.values.tolist() == [1, 4]


def test_rows_without_a_value_are_named_with_what_can_not_be_read():
    sheet = sheet_of([*"ABCDEFGH"], ["9", "8", "7", "6", "", "x", "5", "4"])
    found = rated_rows(sheet, "model", "value", "score")
    assert found.values.tolist() == [9, 8, 7, 6, 5, 4]
    assert found.printed.tolist() == ["9", "8", "7", "6", "5", "4"]
    (note,) = found.sheet.notes
    assert note == (
        "2 rows without a value in 'value' left out ('x' in row 7 can't be read): 'E', 'F'."
    )


def test_values_that_are_all_there_need_no_note():
    found = rated_rows(sheet_of([*"AB"], ["2", "1"]), "model", "value", "score")
    assert found.sheet.notes == ()
    assert rated_rows(sheet_of([*"AB"], ["", "1"]), "model", "value", "score").sheet.notes == (
        "1 row without a value in 'value' left out: 'A'.",
    )


def test_ranks_are_read_as_they_are_printed_and_said():
    found = rated_rows(sheet_of([*"ABCD"], ["1", "=2", "=2", "4-9"]), "model", "value", "rank")
    assert found.values.tolist() == [1, 2, 2, 4]
    (note,) = found.sheet.notes
    assert "2 such as '=2' as a shared place" in note
    assert "1 such as '4-9' as a band" in note
    assert rated_rows(sheet_of([*"AB"], ["1", "2"]), "model", "value", "rank").sheet.notes == ()


@pytest.mark.parametrize("target_is", ["rank", "score"])
def test_an_ordered_categorical_of_texts_counts_by_its_order(target_is):
    values = pd.Categorical(["mid", "low", "top"], ["low", "mid", "top"], ordered=True)
    found = rated_rows(sheet_of([*"ABC"], values), "model", "value", target_is)
    assert found.values.tolist() == [1, 0, 2]
    assert found.sheet.notes == (
        "'value' counts by the order of its categories, from 'low' to 'top'.",
    )


def test_categories_that_are_numbers_or_have_no_order_are_read_as_they_are():
    ordered = pd.Categorical(["2", "9", "5"], ["9", "5", "2"], ordered=True)
    found = rated_rows(sheet_of([*"ABC"], ordered), "model", "value", "score")
    assert found.values.tolist() == [2, 9, 5]
    assert found.sheet.notes == ()
    unordered = pd.Categorical(["1st", "2nd", "3rd"], ["3rd", "2nd", "1st"])
    found = rated_rows(sheet_of([*"ABC"], unordered), "model", "value", "rank")
    assert found.values.tolist() == [1, 2, 3]


def test_several_totals_are_left_out_at_once():
    sheet = sheet_of([*"ABC", "Total", "Average"], [10.5, 20.0, 5.5, 36.0, 12.0])
    assert names_of(without_totals(sheet, "model", "value")) == [*"ABC"]
    frame = pd.DataFrame({"model": [*"AB", "Total", "Mean"], "zoom": [1.0, 3.0, 4.0, 2.0]})
    assert names_of(without_averages(as_sheet(frame, []), "model", ["zoom"])) == [*"AB"]


def test_places_as_they_are_printed_count_in_averages():
    sheet = sheet_of([*"ABCD", "Average"], ["=1", "=1", "3rd", "T4", "2.25"])
    assert names_of(without_totals(sheet, "model", "value")) == [*"ABCD"]


def test_averages_of_tiny_factors_are_near_them_by_their_size():
    frame = pd.DataFrame({"model": [*"AB", "Mean", "Sum"], "zoom": [1e-10, 3e-10, 9e-10, 4e-10]})
    found = without_averages(as_sheet(frame, []), "model", ["zoom"])
    assert names_of(found) == [*"AB", "Mean"]


@pytest.mark.parametrize(("target", "n_items"), [(None, 4), ("value", 3), ("zoom", 4)])
def test_rows_that_sum_up_the_target_are_no_items_and_those_without_one_are(target, n_items):
    sheet = sheet_of(["A", "B", "C", "Total"], [10.0, 20.0, 31.0, 61.0], zoom=[5, 2, 3, np.nan])
    assert len(items_alone(sheet, "model", ["zoom"], target).frame) == n_items


@pytest.mark.parametrize(
    ("zoom", "light", "is_left"),
    [("", "", False), ("7", "", True), ("", "x", True)],
)
def test_a_nameless_row_of_one_number_is_the_number_of_a_page(zoom, light, is_left):
    sheet = sheet_of(
        ["a", "b", "", "c"],
        ["1", "2", "2", "3"],
        zoom=[*"54", zoom, "3"],
        light=[*"62", light, "4"],
    )
    rated = rated_rows(sheet, "model", "value", "rank")
    assert len(rated.values) == 3 + is_left
    said = any("nothing but one number" in n and "'2' in row 4" in n for n in rated.sheet.notes)
    assert said is not is_left


def test_the_number_of_a_page_is_no_item_to_be_ranked():
    sheet = sheet_of(["a", "", "c"], ["1", "2", "3"], zoom=["5", "", "3"])
    assert names_of(items_alone(sheet, "model", ["zoom"], "value")) == ["a", "c"]


def test_a_nameless_row_with_a_word_alone_is_not_left_out_as_a_page():
    sheet = sheet_of(["a", "", "c"], ["1", "x", "3"], zoom=["5", "", "3"])
    assert without_lone_numbers(sheet, "model") is sheet


@pytest.mark.parametrize(
    ("row", "is_left"),
    [
        (("", "7", ""), False),
        (("", "", "7"), False),
        (("", "7.5", ""), False),
        (("", "7", "8"), True),
        (("", "", ""), True),  # whoever reads the names tells of it
        (("", "x", ""), True),
        (("b", "7", ""), True),
        (("7", "", ""), True),
    ],
)
def test_a_row_without_a_name_and_with_one_number_alone_is_left_out(row, is_left):
    name, value, zoom = row
    sheet = sheet_of(["a", name, "c"], ["1", value, "3"], zoom=["5", zoom, "3"])
    assert names_of(without_lone_numbers(sheet, "model")) == (
        ["a", name, "c"] if is_left else ["a", "c"]
    )


def test_several_numbers_of_pages_are_counted_and_shown_with_their_rows():
    sheet = sheet_of(
        ["", "a", "", "", "c"], ["1", "1", "2", "9", "3"], zoom=["", "5", "", "8", "3"]
    )
    found = without_lone_numbers(sheet, "model")
    assert names_of(found) == ["a", "", "c"]
    assert found.notes == (
        "2 rows left out, without a name and with nothing but one number, as the number of a page: "
        "'1' in row 2, '2' in row 4.",
    )
