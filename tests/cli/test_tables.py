"""Files as spreadsheets write them, tried as a new user would."""

import pandas as pd
import pytest

import rankwright as rw
from rankwright.cli.output import Output
from rankwright.data import sources
from rankwright.data.spreadsheet import read_sheet

HEADER = ["Modell", "Größe", "Preis", "Anteil", "Rang"]
ROWS = [
    ["A1", "3,5", "1.100,00", "12,5 %", "4"],
    ["B2", "10,0", "250,00", "50 %", "1"],
    ["C3", "8,0", "990,00", "20 %", "2"],
    ["D4", "5,0", "1.300,00", "17,5 %", "3"],
]
COLUMNS = ["--item", "Modell", "--rank", "Rang", "--json"]


def european(separator=";", blank=False, totals=False):
    lines = [separator.join(row) for row in [HEADER, *ROWS]]
    if blank:
        lines[2:2] = ["", separator * 4]
    if totals:
        lines.append(separator.join(["Summe", "", "3.640,00", "100 %", "10"]))
    return "\r\n".join(lines) + "\r\n"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (european(), "utf-8"),
        (european(), "utf-8-sig"),
        (european(), "latin-1"),
        (european(), "utf-16"),
        (european("\t"), "utf-8"),
        (european(blank=True), "utf-8"),
        (european(totals=True), "utf-8"),
    ],
    ids=["semicolons", "bom", "latin-1", "utf-16", "tabs", "blank-lines", "totals-row"],
)
def test_european_files_are_read(rankwright, tmp_path, text, encoding):
    (tmp_path / "preise.csv").write_text(text, encoding=encoding, newline="")
    answer = rankwright("fit", "preise.csv", *COLUMNS)
    assert answer.code == 0, answer.err
    assert (answer.json["items"], answer.json["factors"]) == (4, ["Größe", "Preis", "Anteil"])


def test_american_thousands_and_percents_are_read(rankwright, tmp_path):
    text = 'model,price,share,rank\nA,"1,100.00",12%,2\nB,"2,250.50",50%,1\nC,$900.00,3%,3\n'
    (tmp_path / "prices.csv").write_text(text)
    answer = rankwright("fit", "prices.csv", "--json")
    assert answer.json["factors"] == ["price", "share"]
    assert any("Percentages read as fractions" in note for note in answer.json["notes"])


def test_a_damaged_workbook_is_refused_in_words(rankwright, tmp_path):
    (tmp_path / "prices.xlsx").write_bytes(b"PK\x03\x04 and so on")
    answer = rankwright("fit", "prices.xlsx")
    assert answer.code == 1
    assert "prices.xlsx is a damaged workbook, or not one" in answer.err


def test_errors_name_file_row_and_column(rankwright, tmp_path):
    (tmp_path / "bad.csv").write_text("name,zoom,rank\nA,3,1\nB,4,good\nC,5,better\nD,6,4\n")
    answer = rankwright("fit", "bad.csv", "--item", "name", "--rank", "rank")
    assert answer.code == 1
    assert "bad.csv, column 'rank': not a number: 'good' in row 3, 'better' in row 4" in answer.err


def test_a_few_ranks_that_are_none_leave_their_rows_out_and_are_named(rankwright, tmp_path):
    (tmp_path / "bad.csv").write_text("name,zoom,rank\nA,3,1\nB,4,2\nC,5,better\n" + "D,6,4\n" * 20)
    answer = rankwright("fit", "bad.csv", "--item", "name", "--rank", "rank", "--json")
    assert answer.json["items"] == 22
    assert "('better' in row 4 can't be read): 'C'" in answer.err


def test_a_file_that_is_not_there_is_named(rankwright):
    answer = rankwright("fit", "nothing.csv")
    assert answer.code == 1
    assert "there is no file nothing.csv" in answer.err


def test_what_can_not_be_guessed_is_asked_for_by_option(rankwright, tmp_path):
    (tmp_path / "plain.csv").write_text("a,b\n1.5,2\n2.5,9\n3.5,4\n")
    answer = rankwright("fit", "plain.csv")
    assert answer.code == 1
    assert "no column looks like ranks or scores; pass --rank COLUMN or --score" in answer.err
    assert "its columns are 'a', 'b'" in answer.err


def test_missing_factors_can_be_left_out(rankwright, cameras):
    table = pd.read_csv(cameras)
    table.loc[3, "weight"] = None
    table.to_csv(cameras, index=False)
    refused = rankwright("fit", cameras)
    assert refused.code == 1
    assert "--missing rows        199 items of 200" in refused.err
    assert rankwright("fit", cameras, "--complete", "--json").json["items"] == 199


def test_the_notes_speak_of_the_command_line(rankwright, tmp_path):
    (tmp_path / "scores.csv").write_text("name,zoom,points\nA,1,7.5\nB,2,9.1\nC,3,8.2\n")
    answer = rankwright("fit", "scores.csv", "--rank", "points")
    assert "use --score instead of --rank" in answer.err


def test_a_file_is_parsed_once(rankwright, cameras, monkeypatch):
    parsed = []

    def counting(path, wanted=()):
        parsed.append(path)
        return read_sheet(path, wanted)

    monkeypatch.setattr(sources, "read_sheet", counting)
    assert rankwright("fit", cameras).code == 0
    assert len(parsed) == 1
    assert rankwright("rank", "model.rw", cameras).code == 0
    assert len(parsed) == 2


def test_a_person_at_a_terminal_is_asked(rankwright, cameras, monkeypatch):
    monkeypatch.setattr(Output, "can_ask", True)
    answer = rankwright("fit", cameras, stdin="y\n")
    assert answer.code == 0
    assert "Continue with these columns?" in answer.err


def test_a_person_can_correct_the_guess(rankwright, cameras, monkeypatch):
    monkeypatch.setattr(Output, "can_ask", True)
    answers = ["n", "name", "price", "-", "-", "n"]
    answer = rankwright("fit", cameras, stdin="\n".join(answers) + "\n")
    assert answer.code == 0
    # Now the price is the target, and the rank beside it is no factor.
    factors = list(rw.load("model.rw").feature_names_in_)
    assert "weight" in factors
    assert not {"price", "rank"} & set(factors)


def test_nobody_is_asked_in_a_script(rankwright, cameras):
    assert "Continue" not in rankwright("fit", cameras).err


@pytest.mark.slow
def test_fifty_thousand_rows_are_fitted_and_ranked(rankwright, tmp_path, ratings):
    many = pd.concat([ratings.table] * 250, ignore_index=True)
    many["name"] = [f"camera {i}" for i in range(len(many))]
    many["type"] = [f"{label} {i // 200}" for i, label in enumerate(many["type"])]
    many.to_csv(tmp_path / "many.csv", index=False)
    assert rankwright("fit", "many.csv", "--json").json["items"] == 50_000
    assert len(rankwright("rank", "model.rw", "many.csv", "--json").json["ranking"]) == 50_000


PLACES = range(1, 7)
BY_NAME = "Modell;Zoom;Platz\n" + "".join(f"A{place};{9 - place},5;{place}.\n" for place in PLACES)
BY_PLACE = "Platz;Modell;Zoom\n" + "".join(f"{place}.;A{place};{9 - place},5\n" for place in PLACES)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (BY_NAME + "Durchschnitt;5,0;3,5\n", "row 8 ('Durchschnitt')."),
        (BY_PLACE + "Durchschnitt;;5,0\n", "row 8."),
    ],
    ids=["its name", "in place of a rank"],
)
def test_an_average_below_the_table_is_not_ranked_but_a_new_item_of_that_name_is(
    rankwright, tmp_path, text, said
):
    (tmp_path / "de.csv").write_text(text)
    assert rankwright("fit", "de.csv").code == 0
    answer = rankwright("rank", "model.rw", "de.csv", "--json")
    assert len(answer.json["ranking"]) == 6
    assert f"totals below the table: {said}" in answer.err
    (tmp_path / "new.csv").write_text(f"{BY_NAME}Media Markt;5,0;\n")
    assert len(rankwright("rank", "model.rw", "new.csv", "--json").json["ranking"]) == 7


def test_several_scores_are_named_where_one_has_to_be_chosen(rankwright, tmp_path):
    (tmp_path / "t.csv").write_text(
        "land,math_score,reading_score\nA,500,510\nB,520,490\nC,480,500\n"
    )
    answer = rankwright("reverse", "t.csv")
    assert answer.code == 1
    assert "several columns look like scores, 'math_score', 'reading_score'" in answer.err


BROKEN = 'Rank,University,"Main\nregion","Teaching\n(50%)","Re-\nsearch"\n' + "".join(
    f"{k // 2 + 1},U{k},{'ab'[k % 2]},{90 - k * 7 % 40},{50 + k * 11 % 30}\n" for k in range(12)
)


@pytest.mark.parametrize(
    ("asked", "factors"),
    [
        ("Teaching (50%)", ["Teaching (50%)"]),
        ("Teaching  (50%),Re- search", ["Teaching  (50%)", "Re- search"]),
        ('"Teaching\n(50%)"', ["Teaching\n(50%)"]),
        (None, ["Teaching (50%)", "Re- search"]),
    ],
)
def test_names_with_line_breaks_are_named_on_one_line(rankwright, tmp_path, asked, factors):
    (tmp_path / "list.csv").write_text(BROKEN)
    named = [] if asked is None else ["--factors", asked]
    answer = rankwright("fit", "list.csv", "--group", "Main region", *named, "--json")
    assert answer.code == 0, answer.err
    assert answer.json["factors"] == factors
    ranked = rankwright("rank", "model.rw", "list.csv", "--group", "Main region")
    assert ranked.code == 0, ranked.err


def test_names_with_line_breaks_are_those_of_requirements_and_changes(rankwright, tmp_path):
    (tmp_path / "list.csv").write_text(BROKEN)
    (tmp_path / "changes.csv").write_text("change,cost,Teaching (50%)\nmore,5,3\n")
    options = ["--group", "Main region", "--require", "`Teaching (50%)` >= `Re- search`"]
    fitted = rankwright("reverse", "list.csv", *options, "--time", 5, "--out", "model.rw")
    assert fitted.code == 0, fitted.err
    goal = ["--item", "U5", "--changes", "changes.csv", "--frontier", "--group", "Main region"]
    improved = rankwright("improve", "model.rw", "list.csv", *goal)
    assert improved.code == 0, improved.err


def test_one_item_that_is_left_is_the_cause_and_not_a_metric(rankwright, tmp_path):
    (tmp_path / "table.csv").write_text("name,rank,size\nTeak,1,9\nOak,2,7\nElm,3,5\n")
    for command in ("fit", "compare"):
        answer = rankwright(command, "table.csv", "--where", "name = teak")
        assert answer.code == 1
        assert "one item is left, 'Teak', and nothing to compare it with" in answer.err
        assert "let --where keep more of them" in answer.err
        assert "fold" not in answer.err


def test_groups_of_one_item_each_are_the_cause(rankwright, tmp_path):
    (tmp_path / "table.csv").write_text("name,rank,size,kind\nTeak,1,9,a\nOak,1,7,b\nElm,1,5,c\n")
    answer = rankwright("fit", "table.csv", "--group", "kind")
    assert answer.code == 1
    assert "every group of 'kind' has a single item" in answer.err
