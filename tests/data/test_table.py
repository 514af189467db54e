import csv
import io
import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rankwright.data import ItemTable, read_table
from rankwright.linear import ExpectedRankRegressor

CAMERAS = "model,zoom,price,rank\nA1,3.5,100,3\nB2,10,250,1\nC3,8,200,2\n"


@pytest.fixture
def save(tmp_path):
    def write(text, name="cameras.csv", encoding="utf-8"):
        path = tmp_path / name
        path.write_bytes(text.encode(encoding))
        return path

    return write


def read(source, **options) -> ItemTable:
    return read_table(source, **({"item": "model", "target": "rank"} | options))


def noted(table, *words):
    return any(all(word in note for word in words) for note in table.notes)


def test_ranks_are_negated_once_and_scores_are_kept(save):
    path = save(CAMERAS)
    assert read(path).y.tolist() == [-3, -1, -2]
    assert read(path, target="zoom", target_is="score").y.tolist() == [3.5, 10, 8]


def test_factors_are_inferred_from_the_other_numeric_columns(save):
    table = read(save(CAMERAS))
    assert list(table.X.columns) == ["zoom", "price"]
    assert list(table.items) == ["A1", "B2", "C3"]
    assert (table.X.dtypes == np.float64).all()
    assert table.notes == ()


def test_factors_given_are_used_in_their_order(save):
    assert list(read(save(CAMERAS), factors=["price", "zoom"]).X.columns) == ["price", "zoom"]


@pytest.mark.parametrize("made", [tuple, np.array, pd.Index])
def test_names_of_columns_may_come_in_an_array(made):
    frame = pd.DataFrame({"model": list("ABCD"), "zoom": [9, 8, 7, 6], "pay": [1, 2, 4, 3]})
    frame = frame.assign(kind=list("uvuv"), mount=list("xxyy"), rank=[1, 2, 3, 4])
    table = read(frame, factors=made(["pay", "zoom"]), category_factors=made(["kind", "mount"]))
    assert list(table.X.columns) == ["pay", "zoom", "kind = v", "mount = y"]


def test_the_factors_tell_which_of_two_rows_is_the_header(save):
    text = "model,rank,size,size\nmodel,rank,width,height\nA1,1,30,20\nB2,2,25,40\n"
    assert read(save(text), factors=["width"]).X["width"].tolist() == [30, 25]


def test_a_european_file_reads_as_the_same_table(save):
    text = (
        "sep=;\r\nmodel;zoom;price;share;rank\r\n"
        "A1;3,5;1.100,00 €;12,5 %;3\r\nB2;10,0;250,00 €;50 %;1\r\n;;;;\r\n"
    )
    table = read(save(text, encoding="utf-16"))
    assert table.X.to_numpy().tolist() == [[3.5, 1100, 0.125], [10, 250, 0.5]]
    assert noted(table, "Percentages", "share")


def test_groups_and_categories_are_labels_not_factors(save):
    text = "model,kind,family,zoom,rank\nA,1,x,3,1\nB,1,x,4,2\nC,2,x,5,1\n"
    table = read(save(text), group="kind", category="family")
    assert table.groups.tolist() == ["1", "1", "2"]
    assert table.categories.tolist() == ["x", "x", "x"]
    assert list(table.X.columns) == ["zoom"]
    assert noted(table, "1 group with a single item", "'2'")


def test_rows_without_a_rank_are_left_out_and_named(save):
    table = read(save(CAMERAS + "D4,1,2,\nE5,3,4,n/a\n"))
    assert len(table) == 3
    assert noted(table, "2 rows without a value in 'rank'", "'D4'", "'E5'")


@pytest.mark.parametrize("total", ["Total,21.5,550,6", "Average:,7.17,183.33,2", ",21.5,550,"])
def test_a_totals_row_is_left_out_and_named(save, total):
    table = read(save(CAMERAS + "\n" + total + "\n"))
    assert list(table.items) == ["A1", "B2", "C3"]
    assert noted(table, "totals", "row 6")


@pytest.mark.parametrize(
    "name", ["Durchschnitt", "Mittelwert", "Gesamt", "Moyenne", "Media", "Promedio", "Ø aller"]
)
@pytest.mark.parametrize("average", ["3,5", "3,4"])  # 3,4 is rounded otherwise, or of other rows
def test_an_average_of_places_with_points_is_no_item(save, name, average):
    rows = "".join(f"A{place};{9 - place},5;{place}.\n" for place in range(1, 7))
    table = read(save(f"model;zoom;rank\n{rows}{name};5,0;{average}\n"))
    assert list(table.items) == ["A1", "A2", "A3", "A4", "A5", "A6"]
    assert noted(table, "totals", f"row 8 ({name!r})")


def test_summaries_of_each_year_are_no_items_wherever_they_stand(save):
    years = "".join(
        f"A,{y},3,7\nMinimum,{y},2,1\nB,{y},4,8\nAverage (median),{y},3,6\nC,{y},2,1\n"
        for y in (2001, 2002)
    )
    table = read(save("model,year,zoom,rank\n" + years))
    assert list(table.items) == ["A", "B", "C"] * 2
    assert noted(table, "4 rows left out as summaries: 'Average (median)', 'Minimum'.")


def test_a_single_item_called_like_a_summary_stays(save):
    table = read(save("model,zoom,rank\nMax,3,1\nB,4,2\nC,2,3\n"))
    assert list(table.items) == ["Max", "B", "C"]


def test_a_last_item_called_like_an_average_with_a_shared_place_stays(save):
    rows = "A;9;1\nB;8;2\nC;7;3,5\nMedia Markt;6;3,5\n"
    assert len(read(save(f"model;zoom;rank\n{rows}")).items) == 4


def test_a_last_product_called_total_with_its_own_rank_stays(save):
    table = read(save(CAMERAS + "Total Recall,1,2,4\n"))
    assert list(table.items)[-1] == "Total Recall"
    assert table.notes == ()


def test_a_large_table_keeps_its_nameless_last_row(save):
    rows = "".join(f"m{i},{i % 7},{i}\n" for i in range(1, 3000))
    assert len(read(save("model,zoom,rank\n" + rows + ",5,3000\n"))) == 3000


def test_duplicate_names_are_kept_and_told_with_their_rows(save):
    table = read(save(CAMERAS + "A1,1,2,4\n"))
    assert len(table) == 4
    assert noted(table, "1 item name used more than once", "'A1'", "rows 2, 5")


def test_a_name_in_two_groups_is_no_duplicate(save):
    text = "model,year,zoom,rank\nA,2020,1,1\nB,2020,2,2\nA,2021,1,2\nB,2021,2,1\n"
    assert read(save(text), group="year").notes == ()


def test_ties_are_kept_and_counted_within_groups(save):
    text = "model,kind,zoom,rank\nA,x,1,1\nB,x,2,1\nC,x,2,3\nD,y,2,1\nE,y,2,2\n"
    assert noted(read(save(text), group="kind"), "2 items tied", "'A', 'B'")
    assert noted(read(save(text)), "3 items tied")


def test_a_target_in_which_all_tie_is_noted_as_nothing_to_learn_from(save):
    assert noted(read(save("model,zoom,rank\nA,1,1\nB,2,1\n")), "nothing to learn")


def test_missing_factors_are_kept_told_and_left_out_by_complete(save):
    table = read(save(CAMERAS + "D4,,5,4\n"))
    assert np.isnan(table.X.loc["D4", "zoom"])
    assert noted(table, "'zoom' is missing in 1 row", "5")
    whole = table.complete()
    assert list(whole.items) == ["A1", "B2", "C3"]
    assert whole.y.tolist() == [-3, -1, -2]
    assert noted(whole, "1 row left out", "'D4'")
    assert noted(whole, "'zoom' is missing in 1 row")
    assert noted(table, ".complete()")
    assert not noted(whole, ".complete()")


def test_complete_keeps_labels_and_returns_itself_when_nothing_is_missing(save):
    text = "model,kind,family,zoom,rank\nA,x,u,1,1\nB,y,v,,2\nC,y,v,2,3\n"
    whole = read(save(text), group="kind", category="family").complete()
    assert whole.groups.tolist() == ["x", "y"]
    assert whole.categories.tolist() == ["u", "v"]
    assert whole.complete() is whole


def test_a_table_without_printed_ranks_is_completed(save):
    table = replace(read(save(CAMERAS + "D4,,5,4\n")), printed=None)
    assert table.complete().printed is None


def test_complete_refuses_to_leave_nothing(save):
    with pytest.raises(ValueError, match="every row"):
        read(save("model,zoom,price,rank\nA,1,,1\nB,,2,2\n")).complete()


def test_text_and_empty_columns_are_told(save):
    table = read(save("model,brand,note,zoom,rank\nA,Canon,,1,1\nB,Nikon,,2,2\n"))
    assert noted(table, "Columns of text", "brand")
    assert noted(table, "without any value", "note")


def test_an_almost_numeric_column_is_told_with_the_cell_that_spoils_it(save):
    table = read(save("model,size,zoom,rank\nA,1,1,1\nB,2 oz,2,2\nC,3,3,3\n"))
    assert noted(table, "'size' is not used", "1 of 3", "'2 oz' in row 3")


def test_a_column_that_mixes_percentages_with_plain_numbers_is_told_and_not_used(save):
    table = read(save("model,share,zoom,rank\nA,12%,1,1\nB,0.5,2,2\nC,50,3,3\n"))
    assert list(table.X.columns) == ["zoom"]
    assert noted(table, "'share' is not used", "'12%' in row 2", "'0.5' in row 3")


def test_a_number_that_may_be_thousands_is_told_with_how_it_was_read(save):
    table = read(save("model,price,rank\nA,4.761,1\nB,12,2\n"))
    assert table.X["price"].tolist() == [4.761, 12]
    assert noted(table, "'4.761' (row 2, column 'price') was read as 4.761", "separates thousands")
    grouped = read(save('model,price,rank\nA,"4,761",1\nB,12,2\n'))
    assert grouped.X["price"].tolist() == [4761, 12]
    assert noted(grouped, "'4,761'", "was read as 4761")
    assert not noted(read(save("model,price,rank\nA,4.761,1\nB,12.5,2\n")), "settles")


def test_columns_without_a_role_raise_no_doubt(save):
    table = read(save("model,version,zoom,rank\nA,1.234,1,1\nB,5,2,2\n"), factors=["zoom"])
    assert table.notes == ()


def test_the_other_columns_of_a_frame_settle_a_doubtful_mark():
    frame = pd.DataFrame({"model": ["A", "B"], "zoom": ["3,5", "10"], "price": ["1.234", "800"]})
    table = read(frame.assign(rank=[1, 2]))
    assert table.X["price"].tolist() == [1234, 800]
    assert not noted(table, "settles")


def test_a_nameless_item_is_named_by_its_row(save):
    assert list(read(save("model,zoom,rank\n,1,1\nB,2,2\n")).items) == ["row 2", "B"]


def test_an_item_named_na_is_not_missing(save):
    assert list(read(save("model,zoom,rank\nNA,1,1\nnull,2,2\n")).items) == ["NA", "null"]


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([87.3, 91.2, 60], "87.3 (row 2) is not a whole number"),
        ([40, 50, 60], "smallest value is 40"),
        ([2, 3, 4], "smallest value is 2"),
        ([0, 1, 2], "0 (row 2) is below 1"),
    ],
)
def test_ranks_that_look_like_scores_are_told(save, values, reason):
    text = "model,zoom,rank\n" + "".join(f"m{v},1,{v}\n" for v in values)
    assert noted(read(save(text)), reason, "target_is='score'")


def test_a_column_called_score_read_as_a_rank_is_told(save):
    text = "model,zoom,score\nA,1,1\nB,2,2\nC,3,3\n"
    assert noted(read(save(text), target="score"), "name suggests a score")


def test_averaged_ranks_are_no_cause_for_doubt(save):
    assert not noted(read(save("model,zoom,rank\nA,1,2\nB,2,2\nC,3,2\nD,4,4\n")), "target_is")
    assert not noted(read(save("model,zoom,rank\nA,1,1.5\nB,2,1.5\nC,3,3\n")), "target_is")


def test_scores_that_look_like_ranks_are_told(save):
    assert noted(read(save(CAMERAS), target_is="score"), "1 to 3 once", "target_is='rank'")
    partial = "model,zoom,rank\nA,1,5\nB,2,9\n"
    assert noted(read(save(partial), target_is="score"), "name suggests a rank")


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (
            CAMERAS,
            {"target": "Rank"},
            r"no column 'Rank' \(did you mean 'rank'\?\); its columns are",
        ),
        (CAMERAS, {"item": None}, "item=None; give the name of a column"),
        (CAMERAS, {"target": None}, "target=None; give the name of a column"),
        (CAMERAS, {"item": 3}, "no column 3; its columns are 'model', 'zoom'"),
        (
            CAMERAS,
            {"factors": ["weight"]},
            "no column 'weight'; its columns are 'model', 'zoom', 'price', 'rank'",
        ),
        (CAMERAS, {"target_is": "grade"}, r"target_is='grade'; choose from \['rank', 'score'\]"),
        (CAMERAS, {"item": "rank"}, "two different columns"),
        (CAMERAS, {"factors": "zoom"}, r"factors=\['zoom'\]"),
        (CAMERAS, {"factors": []}, r"factors=\[\]"),
        (CAMERAS, {"factors": ["zoom", "rank"]}, "'rank', which is the item, target"),
        (CAMERAS, {"factors": ["zoom", "zoom"]}, "'zoom' more than once"),
        (
            CAMERAS + "D,1,2,last\n",
            {},
            r"cameras.csv, column 'rank': not a number: 'last' in row 5",
        ),
        (CAMERAS + "D,big,2,4\n", {"factors": ["zoom"]}, "column 'zoom'.*'big' in row 5"),
        (CAMERAS + "D,inf,2,4\n", {}, "column 'zoom': row 5 holds an infinite"),
        (CAMERAS + "D,1,2,-inf\n", {}, "column 'rank': row 5 holds an infinite"),
        (CAMERAS + "D,1e999,2,4\n", {}, r"row 5 holds an infinite value \(1e999\); correct or"),
        (
            "model,share,rank\nA,12%,1\nB,0.5,2\nC,50,3\n",
            {"factors": ["share"]},
            "'12%' in row 2 has a percent sign and '0.5' in row 3 has none; write all of them",
        ),
        ("model,zoom,rank\nA,1,\nB,2,\n", {}, "column 'rank': every value is missing"),
        ("model,zoom,rank\nA,,1\nB,,2\n", {"factors": ["zoom"]}, "'zoom': every value is missing"),
        (
            "model,brand,rank\nA,x,1\nB,y,2\n",
            {},
            "no column of numbers.*'brand'. Column 'brand' is text, such as 'x' in row 2",
        ),
        ("model,w,rank\nA,12%,1\nB,5,2\n", {}, "no column of numbers.*'12%' in row 2 has a perc"),
        ("model,rank\nA,1\nB,2\n", {}, "it has no column"),
        ("model,kind,zoom,rank\nA,x,1,1\nB,,2,2\n", {"group": "kind"}, "'kind': 1 row.*row 3"),
    ],
)
def test_bad_input_is_refused_in_words(save, text, options, message):
    with pytest.raises(ValueError, match=message):
        read(save(text), **options)


def test_a_group_in_two_categories_is_refused(save):
    text = "model,kind,family,zoom,rank\nA,x,one,1,1\nB,x,two,2,2\n"
    with pytest.raises(ValueError, match=r"group 'x' is in several categories \(one, two\)"):
        read(save(text), group="kind", category="family")


def test_frames_parquet_and_json_read_as_the_file_does(save, tmp_path):
    text = "model,kind,zoom,new,rank\nA,1,3.5,true,3\nB,1,10,false,1\nC,2,,true,2\n"
    frame = pd.read_csv(io.StringIO(text))
    frame.to_parquet(tmp_path / "t.parquet")
    frame.to_json(tmp_path / "t.json", orient="records")
    frame.to_json(tmp_path / "t.jsonl", orient="records", lines=True)
    files = [tmp_path / name for name in ("t.parquet", "t.json", "t.jsonl")]
    expected = read(save(text), group="kind")
    for source in [frame, pl.read_csv(io.StringIO(text)), *files]:
        table = read(source, group="kind")
        pd.testing.assert_frame_equal(table.X, expected.X)
        np.testing.assert_array_equal(table.y, expected.y)
        np.testing.assert_array_equal(table.groups.astype(str), expected.groups)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_an_ordered_categorical_is_a_target_by_its_order(frame):
    grades = {
        pd.DataFrame: pd.Categorical(
            ["good", "poor", "fair"], ["poor", "fair", "good"], ordered=True
        ),
        pl.DataFrame: pl.Series(["good", "poor", "fair"], dtype=pl.Enum(["poor", "fair", "good"])),
    }[frame]
    table = read(
        frame({"model": ["A", "B", "C"], "zoom": [1, 2, 3], "grade": grades}),
        target="grade",
        target_is="score",
    )
    assert table.y.tolist() == [2, 0, 1]
    assert noted(table, "'grade' counts by the order of its categories, from 'poor' to 'good'")


def test_nullable_columns_of_a_frame_are_read(save):
    frame = pd.DataFrame({"model": ["A", None, "C"], "rank": pd.array([1, 2, None], "Int64")})
    frame["zoom"] = pd.array([None, 2.5, 1.0], "Float64")
    table = read(frame)
    assert list(table.items) == ["A", "row 1"]
    assert np.isnan(table.X["zoom"].iloc[0])


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (pd.DataFrame({"model": [], "rank": [], "zoom": []}), "no rows"),
        (pd.DataFrame(), "no column 'model'"),
        ([[1, 2]], "can't read a table from list"),
        (pd.DataFrame([["A", 1]]), "no column 'model'; its columns are '0', '1'"),
        (pd.DataFrame([[1]], columns=pd.MultiIndex.from_tuples([("a", "b")])), "2 levels.*join"),
    ],
)
def test_what_is_not_a_source_is_refused(source, message):
    with pytest.raises(ValueError, match=message):
        read(source)


@pytest.mark.parametrize("content", ["a,b\n1,2\n", '{"a": 1}\n{"a": 2}\n'])
def test_a_json_file_without_records_is_refused(save, content):
    with pytest.raises(ValueError, match=r"t\.json holds no list of records"):
        read(save(content, "t.json"))


@pytest.mark.parametrize("content", ["a,b\n1,2\n", "PAR1 but cut off"])
def test_a_parquet_file_that_is_none_is_refused(save, content):
    with pytest.raises(ValueError, match="Parquet file"):
        read(save(content, "t.parquet"))


def test_parquet_without_pyarrow_names_the_extra(tmp_path, monkeypatch):
    path = tmp_path / "t.parquet"
    pd.DataFrame({"model": ["A"], "zoom": [1], "rank": [1]}).to_parquet(path)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"rankwright\[parquet\]"):
        read(path)


def test_the_description_tells_an_analyst_what_was_read(save):
    text = "model,kind,zoom,rank\nA,x,1,1\nB,x,2,2\nC,y,,3\n"
    table = read(save(text), group="kind", category="kind")
    lines = str(table).splitlines()
    assert lines[0] == "cameras.csv: 3 items"
    assert lines[1:3] == ["groups: x (2), y (1)", "categories: x (2), y (1)"]
    assert lines[3] == "target: rank (rank, 1 is best), best 'A', worst 'C'"
    assert any(line.split() == ["zoom", "1", "1.5", "2", "1"] for line in lines)
    assert any(line.startswith("- Factor 'zoom'") for line in lines)
    assert repr(table) == "<ItemTable cameras.csv: 3 items, 1 factor>"


def test_the_source_frame_is_left_as_it_was():
    frame = pd.DataFrame(
        {"model": ["A", "B", "Total"], "zoom": ["1,5", "2,5", ""], "rank": [1, 2, 3]}
    )
    before = frame.copy()
    assert len(read(frame)) == 2
    pd.testing.assert_frame_equal(frame, before)


DIALECTS = st.fixed_dictionaries(
    {
        "separator": st.sampled_from([",", ";", "\t", "|"]),
        "decimal": st.sampled_from([".", ","]),
        "grouping": st.booleans(),
        "newline": st.sampled_from(["\n", "\r\n", "\r"]),
        "encoding": st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"]),
        "quoting": st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
        "blank_rows": st.booleans(),
    }
)
NAMES = st.text(st.sampled_from("abz ÄéßØ,;|\"'-%.5"), min_size=1, max_size=8).map(
    lambda name: f"n{name}".strip()
)
HUNDREDTHS = st.integers(-(10**8), 10**8)


def write_number(hundredths, decimal, grouping):
    text = f"{hundredths / 100:,.2f}" if grouping else f"{hundredths / 100:.2f}"
    return text.translate(str.maketrans({".": decimal, ",": "." if decimal == "," else ","}))


def write_dialect(rows, dialect):
    out = io.StringIO(newline="")
    writer = csv.writer(
        out,
        delimiter=dialect["separator"],
        lineterminator=dialect["newline"],
        quoting=dialect["quoting"],
    )
    for row in rows:
        writer.writerow(row)
        if dialect["blank_rows"]:
            out.write(dialect["newline"])
    return out.getvalue().encode(dialect["encoding"])


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    rows=st.lists(st.tuples(NAMES, HUNDREDTHS, HUNDREDTHS), min_size=2, max_size=8),
    dialect=DIALECTS,
)
def test_a_table_written_in_any_dialect_comes_back_equal(tmp_path, rows, dialect):
    marks = dialect["decimal"], dialect["grouping"]
    body = [
        [name, write_number(a, *marks), write_number(b, *marks), rank]
        for rank, (name, a, b) in enumerate(rows, start=1)
    ]
    path = tmp_path / "random.csv"
    path.write_bytes(write_dialect([["model", "größe, cm", "b", "rank"], *body], dialect))
    table = read(path, factors=["größe, cm", "b"])
    assert list(table.items) == [name for name, _, _ in rows]
    expected = [[float(f"{a / 100:.2f}"), float(f"{b / 100:.2f}")] for _, a, b in rows]
    np.testing.assert_array_equal(table.X.to_numpy(), expected)
    np.testing.assert_array_equal(table.y, -np.arange(1.0, len(rows) + 1))


def test_a_ranker_fits_on_what_was_read(save):
    table = read(save("model,kind,zoom,rank\nA,x,1,2\nB,x,2,1\nC,y,1,2\nD,y,5,1\n"), group="kind")
    ranker = ExpectedRankRegressor().fit(table.X, table.y, table.groups)
    assert ranker.rank(table.X, table.groups).tolist() == [2, 1, 2, 1]


@pytest.mark.parametrize("signed", ["12%", "12% ", "12%*", "12 %[1]", "12%\u200b"])
def test_where_a_percent_sign_stands_is_said_whatever_follows_it(signed):
    frame = pd.DataFrame({"model": list("ABC"), "rank": [1, 2, 3], "x": ["7", "0.5", signed]})
    with pytest.raises(ValueError, match=r"'12 ?%.* in row 2 has a percent sign and '7' in row 0"):
        read(frame, factors=["x"])


def test_a_few_cells_that_are_no_numbers_are_counted_and_shown():
    frame = pd.DataFrame({"model": list("ABCDEFGHIJ"), "rank": range(1, 11)})
    cells = ["1", "2", "3", "4", "see note", "6", "7", "8", "9", "10"]
    one = read(frame.assign(x=cells), factors=["x"])
    assert noted(one, "1 cell is not a number and counts as missing", "'see note' in row 4")
    cells[0] = "?!"
    two = read(frame.assign(x=cells), factors=["x"])
    assert noted(two, "2 cells are not numbers and count as missing", "'?!' in row 0")
    assert two.X["x"].isna().sum() == 2


def test_places_are_counted_inside_groups_and_ties_have_the_first_and_the_last():
    frame = pd.DataFrame({"model": list("ABCDEF"), "g": list("xxxxyy"), "rank": [1, 2, 2, 2, 1, 1]})
    places = read(frame.assign(z=range(6)), group="g").places()
    assert places["first"].tolist() == [1, 2, 2, 2, 1, 1]
    assert places["last"].tolist() == [1, 4, 4, 4, 2, 2]


def test_whole_numbers_stay_labels_of_groups_and_texts_stay_texts():
    frame = pd.DataFrame({"model": list("ABCD"), "g": [7, 7, 8, 8], "rank": [1, 2, 1, 2]})
    assert read(frame.assign(z=range(4)), group="g").groups.tolist() == [7, 7, 8, 8]
    texts = frame.assign(z=range(4), g=["7", "7", "08", "08"])
    assert read(texts, group="g").groups.tolist() == ["7", "7", "08", "08"]


def test_a_table_without_notes_says_nothing_of_notes(save):
    assert "notes:" not in str(read(save(CAMERAS)))


def test_a_remedy_is_checked_also_where_nothing_is_missing(save):
    with pytest.raises(ValueError, match="rows"):
        read(save(CAMERAS)).complete("whatever")


def test_a_category_may_stand_without_groups(save):
    frame = pd.DataFrame({"model": list("AB"), "c": list("uv"), "rank": [1, 2], "z": [1, 2]})
    assert read(frame, category="c").categories.tolist() == ["u", "v"]


def test_factors_made_of_categories_come_behind_the_others():
    frame = pd.DataFrame({"model": list("ABCD"), "rank": [1, 2, 3, 4], "z": [4, 3, 2, 1]})
    table = read(frame.assign(kind=list("uvuv")), category_factors=["kind"])
    assert table.X.columns[0] == "z"
    assert len(table.X.columns) > 1
    assert len(table) == 4


def test_the_first_group_that_lies_in_two_categories_is_named():
    frame = pd.DataFrame(
        {"model": list("ABCDE"), "g": list("qpqpr"), "c": list("uuvvu"), "rank": range(1, 6)}
    )
    with pytest.raises(ValueError, match=r"group 'q' is in several categories \(u, v\)"):
        read(frame.assign(z=range(5)), group="g", category="c")


def test_a_nameless_row_is_named_by_its_number_and_makes_no_duplicate():
    frame = pd.DataFrame({"model": ["A", "", "", "A"], "rank": [1, 2, 3, 4], "z": [4, 3, 2, 1]})
    table = read(frame)
    assert list(table.items) == ["A", "row 1", "row 2", "A"]
    assert noted(table, "'A'")
