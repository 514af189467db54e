import csv
import io

import pandas as pd
import pytest

from rankwright.report import csv_text

HARMFUL = ["=cmd|' /C calc'!A0", "+1+1", "-1+1", "@SUM(A1)", "--1", "+-", "-a"]
HARMLESS = [
    "a=1",
    "1-1",
    "'=1",
    "",
    "-5",
    "+3.5",
    "-1,5",
    "-1e5",
    "- 3 %",
    "-",
    "=",
    "a;b",
    "a; -5",
    "\ufeffa",
]


@pytest.mark.parametrize("text", HARMFUL)
def test_a_text_that_looks_like_a_formula_gets_an_apostrophe_wherever_it_stands(text):
    frame = pd.DataFrame({text: [text]}, index=pd.Index([text], name=text))
    written = pd.read_csv(io.StringIO(csv_text(frame), newline=""), header=None, dtype=str)
    expected = text.replace("\r", "\n")  # a bare carriage return would end the row
    assert written.to_numpy().ravel().tolist() == [f"'{expected}"] * 4


@pytest.mark.parametrize("text", HARMLESS)
def test_other_texts_and_numbers_written_as_text_stay_as_they_are(text):
    frame = pd.DataFrame({"a": [text, "b"]})
    written = csv_text(frame, index=False)
    pd.testing.assert_frame_equal(
        pd.read_csv(io.StringIO(written), dtype=str, na_filter=False), frame
    )


@pytest.mark.parametrize("text", [text for text in HARMLESS if ";" not in text])
def test_texts_without_separators_are_written_as_pandas_does(text):
    frame = pd.DataFrame({"a": [text, "b"]})
    assert csv_text(frame, index=False) == frame.to_csv(index=False)


UNSEEN = ["\ufeff", "\u200b", "\u00a0", "\u2060", " ", "\n", "\x00", "\ufe0f", "\u3164", '"']


@pytest.mark.parametrize("unseen", UNSEEN)
def test_characters_that_nobody_sees_do_not_hide_a_formula(unseen):
    text = f"{unseen}=1+1"
    frame = pd.DataFrame({text: [text]}, index=pd.Index([text], name=text))
    rows = csv.reader(io.StringIO(csv_text(frame), newline=""))
    assert all("=1+1" in cell and cell[0] == "'" for row in rows for cell in row)


@pytest.mark.parametrize("separator", [";", "\t", "|", "\n", "\r"])
@pytest.mark.parametrize("harm", ["=cmd|' /C calc'!A0", "\ufeff=1+1", '"=1+1"', "-1+1", "@A"])
def test_no_cell_is_a_formula_whatever_separates_cells(separator, harm):
    text = f"a{separator}{harm}{separator}"
    frame = pd.DataFrame({"x": [1.0], text: [text], "y": [text]}, index=pd.Index([text], name=text))
    written = csv_text(frame)
    for delimiter in ",;\t|":
        for row in csv.reader(io.StringIO(written, newline=""), delimiter=delimiter):
            assert not any(cell.lstrip('\ufeff" ').startswith(("=", "-", "@")) for cell in row)


def test_a_text_with_a_separator_of_another_country_is_quoted():
    frame = pd.DataFrame({"a;b": ["c\td", 'e"|f'], "g": [1.5, -2.0]})
    assert csv_text(frame, index=False) == '"a;b",g\n"c\td",1.5\n"e""|f",-2.0\n'


@pytest.mark.parametrize("formulas", [True, False])
def test_texts_with_separators_come_back(formulas):
    frame = pd.DataFrame({"a": ["x;y", "z|1", "\u200bq", 'say "a;b"', ""], "b": [1, -2, 3, 4, 5]})
    written = csv_text(frame, index=False, formulas=formulas)
    pd.testing.assert_frame_equal(pd.read_csv(io.StringIO(written), na_filter=False), frame)


def test_places_are_written_as_people_count():
    frame = pd.DataFrame({"position": [1.0, 2.5, 2.5], "score": [3.0, 2.0, 2.0]})
    assert csv_text(frame, index=False) == "position,score\n1,3.0\n2.5,2.0\n2.5,2.0\n"


def test_negative_numbers_stay_numbers():
    frame = pd.DataFrame({"gain": [-1.5, 2.0], "places": [-3, 4]}, index=["A", "B"])
    assert csv_text(frame) == ",gain,places\nA,-1.5,-3\nB,2.0,4\n"


def test_formulas_are_kept_on_request():
    frame = pd.DataFrame({"a": ["=1+1"]})
    assert csv_text(frame, index=False, formulas=True) == "a\n=1+1\n"


def test_an_index_may_be_named_like_a_column():
    frame = pd.DataFrame({"score": [1]}, index=pd.Index(["A"], name="score"))
    assert csv_text(frame) == "score,score\nA,1\n"


@pytest.mark.parametrize("text", ["＝1+1", "＋1", "－1+1", "＠SUM(A1)"])
def test_signs_in_full_width_begin_a_formula_too(text):
    frame = pd.DataFrame({"a": [text]})
    assert csv_text(frame, index=False) == f"a\n'{text}\n"
