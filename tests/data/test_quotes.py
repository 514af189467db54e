import pytest

from rankwright.data.quotes import mend_quotes
from rankwright.data.spreadsheet import read_sheet


def test_marks_inside_a_quoted_cell_are_part_of_it_and_said(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('rank,name,pay\n1,"The "Old" Inn, Rome",9\n2,"The Oak "Hall"",8\n3,Elm,7\n')
    sheet = read_sheet(path)
    assert sheet.frame["name"].tolist() == ['The "Old" Inn, Rome', 'The Oak "Hall"', "Elm"]
    assert sheet.notes[0].startswith(
        "Quotation marks inside a quoted cell taken as part of it in 2"
    )


@pytest.mark.parametrize(
    ("line", "separator", "mended"),
    [
        ('1,"The "Old" Inn",open?', ",", '1,"The ""Old"" Inn",open?'),
        ('1;"The "Old" Inn; Rome";9', ";", '1;"The ""Old"" Inn; Rome";9'),
        ('"The ""Old"" and "New" Inn",9', ",", '"The ""Old"" and ""New"" Inn",9'),
    ],
)
def test_marks_are_doubled_once_and_the_line_is_shown_whole(line, separator, mended):
    assert mend_quotes(f"{line}\r\n", separator) == (f"{mended}\r\n", [line])


@pytest.mark.parametrize(
    "text",
    [
        'a,b\n"x ""y""",1\n',
        'a,b\n"two\nlines",1\n',
        'a,b\n5" wide,1\n',
        'a,b\n"never closed,1\nz,2\n',
        'a,b\r\n"",1\r\n',
    ],
)
def test_what_can_be_read_is_left_as_it_is(text):
    assert mend_quotes(text, ",") == (text, [])


def test_a_line_that_can_not_be_mended_is_left_as_it_is():
    text = 'name,pay\n"The "Old" Inn" in Rome,9\n'
    assert mend_quotes(text, ",") == (text, [])
