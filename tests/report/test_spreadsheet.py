import io

import pandas as pd
import pytest

from rankwright.report import csv_text

HARMFUL = ["=cmd|' /C calc'!A0", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "--1", "+-", "-a"]
HARMLESS = ["a=1", "1-1", "'=1", "", "-5", "+3.5", "-1,5", "-1e5", "- 3 %", "-", "=", "x\n=1"]


@pytest.mark.parametrize("text", HARMFUL)
def test_a_text_that_looks_like_a_formula_gets_an_apostrophe_wherever_it_stands(text):
    frame = pd.DataFrame({text: [text]}, index=pd.Index([text], name=text))
    written = pd.read_csv(io.StringIO(csv_text(frame), newline=""), header=None, dtype=str)
    expected = text.replace("\r", "\n")  # a bare carriage return would end the row
    assert written.to_numpy().ravel().tolist() == [f"'{expected}"] * 4


@pytest.mark.parametrize("text", HARMLESS)
def test_other_texts_and_numbers_written_as_text_stay_as_they_are(text):
    frame = pd.DataFrame({"a": [text, "b"]})
    assert csv_text(frame, index=False) == frame.to_csv(index=False)


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
