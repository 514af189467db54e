import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwright.data.numbers import parse_numbers
from rankwright.data.numerals import (
    DefaultMark,
    Numeral,
    default_mark,
    is_missing,
    is_number,
    mark_of_shapes,
    read_numeral,
    shapes,
)


def decimal_mark(cells):
    return mark_of_shapes(shapes(cells))


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("12", 12.0),
        ("-3.5", -3.5),
        ("−3.5", -3.5),
        ("\u200b12\u200e", 12.0),
        ("+.5", 0.5),
        ("5.", 5.0),
        ("1,234.5", 1234.5),
        ("1,234,567", 1234567.0),
        ("1.234,5", 1234.5),
        ("1.234.567", 1234567.0),
        ("3,5", 3.5),
        ("0,125", 0.125),
        ("1 234,5", 1234.5),
        ("1\u00a0234", 1234.0),
        ("1\u202f234,5", 1234.5),
        ("1'234.5", 1234.5),
        ("12.5%", 0.125),
        ("12,5 %", 0.125),
        ("$1,299.00", 1299.0),
        ("-$5.25", -5.25),
        ("1.299,00 €", 1299.0),
        ("1.5e-3", 0.0015),
        ("1,5E+03", 1500.0),
        ("TRUE", 1.0),
        ("False", 0.0),
        ("-inf", -math.inf),
        ("12 oz", None),
        ("1_000", None),
        ("1,23,4", None),
        ("12/05/2021", None),
        ("--5", None),
        ("0x10", None),
    ],
)
def test_a_cell_is_read_as_a_spreadsheet_shows_it(cell, value):
    numbers = parse_numbers([cell])
    if value is None:
        assert numbers.wrong.tolist() == [0]
    else:
        assert numbers.wrong.size == 0
        assert numbers.values[0] == value


@pytest.mark.parametrize(
    "cell",
    [
        *("", "-", "--", "---", "–", "—", "‒", "―", ".", "..", "...", "…", "?"),
        *("NA", "n/a", "N.A.", "NaN", "NULL", "None"),
        *("(none)", "NR", "n.r.", "N/R", "nd", "n.d.", "N/D", "Missing"),
        *("not ranked", "Unranked", "not available", "Not rated"),
        *("#N/A", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!"),
    ],
)
def test_spreadsheet_words_for_nothing_are_missing(cell):
    numbers = parse_numbers(["1", cell])
    assert numbers.wrong.size == 0
    assert np.isnan(numbers.values[1])


@pytest.mark.parametrize(
    ("cells", "mark"),
    [
        (["1,234", "5"], None),
        (["1.234"], None),
        (["1,234", "0,5"], ","),
        (["1.234", "1.234.567"], ","),
        (["1,234", "2.5"], "."),
        (["0.250"], "."),
        (["1234,567"], ","),
        (["1 234,567"], ","),
        (["abc", "v1.2b"], None),
    ],
)
def test_the_decimal_mark_is_told_only_by_a_number_without_doubt(cells, mark):
    assert decimal_mark(cells) == mark


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("TRUE", 1.0),
        ("False", 0.0),
        ("inf", np.inf),
        ("+Inf", np.inf),
        ("-inf", -np.inf),
        ("Infinity", np.inf),
        ("-infinity", -np.inf),
        ("∞", np.inf),
        ("−∞", -np.inf),
    ],
)
def test_words_for_numbers_are_read(cell, value):
    assert parse_numbers(["1", cell]).values[1] == value


def test_a_doubtful_column_follows_the_default_mark():
    assert parse_numbers(["1,234"], DefaultMark(".")).values[0] == 1234
    assert parse_numbers(["1,234"], DefaultMark(",")).values[0] == 1.234
    assert parse_numbers(["1.234"], DefaultMark(",")).values[0] == 1234


@pytest.mark.parametrize("cells", [["12", "4.761"], ["x", "1,234"], ["", "$12,345"]])
def test_a_cell_that_either_mark_reads_is_pointed_at_unless_the_table_settles_it(cells):
    assert parse_numbers(cells).doubtful == 1
    assert parse_numbers(cells, DefaultMark(".", settled=True)).doubtful is None


@pytest.mark.parametrize("cells", [["4.761", "0.5"], ["1,234", "1,234,567"], ["0.250"], ["12"]])
def test_a_column_that_tells_its_mark_has_no_doubtful_cell(cells):
    assert parse_numbers(cells).doubtful is None


def test_plain_numbers_beside_percentages_are_pointed_at_but_not_zero():
    numbers = parse_numbers(["12%", "0.5", "50", "", "0", "NA"])
    assert numbers.percent
    assert numbers.bare.tolist() == [1, 2]
    assert parse_numbers(["12%", "5%", ""]).bare.size == 0


@settings(deadline=None)
@given(st.lists(st.integers(0, 10**6), min_size=1))
def test_percentages_are_the_nearest_numbers(tenths):
    written = [f"{n // 10}.{n % 10}%" for n in tenths]
    np.testing.assert_array_equal(parse_numbers(written).values, [float(f"{n}e-3") for n in tenths])


@pytest.mark.parametrize(
    "cell", ["1" + " " * 50_000 + "x", "1," * 30_000 + "x", " 1" * 30_000, "1" * 50_000 + "e"]
)
def test_long_cells_take_no_time(cell):
    assert parse_numbers([cell, "1.5"]).wrong.tolist() == [0]


def test_a_percentage_with_an_endless_exponent_is_read():
    assert parse_numbers(["1e" + "9" * 5000 + "%", "1e-" + "9" * 5000]).values.tolist() == [
        math.inf,
        0,
    ]


def test_one_wrong_cell_below_many_numbers_costs_no_time():
    assert parse_numbers(["12345"] * 1000 + ["x"]).wrong.tolist() == [1000]


def test_a_negative_number_with_a_typographic_minus_tells_its_mark():
    assert parse_numbers(["−3,5", "1,234"]).values.tolist() == [-3.5, 1.234]


def test_a_column_that_mixes_marks_is_reported_at_the_cell_that_differs():
    assert parse_numbers(["1.5", "2.5", "3,75"]).wrong.tolist() == [2]


@settings(deadline=None)
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_floats_written_by_python_come_back_exactly(values):
    np.testing.assert_array_equal(parse_numbers([repr(v) for v in values]).values, values)


@settings(deadline=None)
@given(
    st.lists(st.integers(-(10**10), 10**10), min_size=1),
    st.sampled_from([(".", ","), (".", ""), (",", "."), (",", "\u202f"), (",", " "), (".", "'")]),
)
def test_grouped_numbers_with_two_decimals_come_back_exactly(hundredths, marks):
    decimal, grouping = marks
    written = [
        f"{cents / 100:,.2f}".replace(",", "g").replace(".", decimal).replace("g", grouping)
        for cents in hundredths
    ]
    expected = [float(f"{cents / 100:.2f}") for cents in hundredths]
    np.testing.assert_array_equal(parse_numbers(written).values, expected)


def test_percents_are_no_currency_and_other_signs_are():
    assert [read_numeral(cell, ".").currency for cell in ("5%", "5 €", "$5", "5")] == [
        "", "EUR", "USD", "",
    ]  # fmt: skip


SAYS_POINT, SAYS_COMMA, OPEN = ["1.5"], ["1,5"], ["1,234"]


@pytest.mark.parametrize(
    ("columns", "semicolons", "expected"),
    [
        ([SAYS_POINT, OPEN], False, DefaultMark(".", settled=True)),
        ([OPEN, SAYS_COMMA], False, DefaultMark(",", settled=True)),
        ([SAYS_COMMA, SAYS_POINT, SAYS_COMMA], False, DefaultMark(",", settled=False)),
        ([SAYS_POINT, SAYS_COMMA, SAYS_POINT], True, DefaultMark(".", settled=False)),
        ([OPEN], False, DefaultMark(".", settled=False)),
        ([OPEN], True, DefaultMark(",", settled=False)),
        ([["7"], ["1.234"], OPEN], True, DefaultMark(",", settled=False)),
        ([["1.234"]], True, DefaultMark(".", settled=False)),
        ([["7"]], True, DefaultMark(".", settled=False)),
    ],
)
def test_the_other_columns_settle_the_default_mark(columns, semicolons, expected):
    assert default_mark(columns, semicolons=semicolons) == expected


def test_semicolons_are_not_taken_for_granted():
    assert default_mark([OPEN]).mark == "."


@pytest.mark.parametrize("cells", [["1", "2"], ["1", "x"]])
def test_without_a_percent_sign_no_cell_is_beside_one(cells):
    numbers = parse_numbers(cells)
    assert not numbers.percent
    assert numbers.bare.size == 0


def test_a_word_that_ends_in_a_percent_sign_is_no_percentage():
    assert not parse_numbers(["5", "none%"]).percent


def test_a_plain_column_has_no_wrong_cells():
    numbers = parse_numbers(["1", "", "2.5"])
    assert numbers.wrong.size == 0
    assert numbers.wrong.dtype == np.int64


@pytest.mark.parametrize("cells", [["1\n2"], ["1\n2", "3"], ["1\n2\n3"]])
def test_a_cell_of_several_lines_is_no_number(cells):
    numbers = parse_numbers(cells)
    assert len(numbers.values) == len(cells)
    assert numbers.wrong.tolist() == [0]


@pytest.mark.parametrize(("cell", "mark"), [("0.1.2", None), ("1,234e5", ","), ("0,250", ",")])
def test_a_mark_is_certain_only_in_a_number_that_nobody_groups(cell, mark):
    assert decimal_mark([cell]) == mark


@pytest.mark.parametrize(("cell", "value"), [("$-5", -5.0), ("1.5e2%", 1.5), ("1e-1 %", 0.001)])
def test_signs_after_currencies_and_exponents_of_percentages_are_read(cell, value):
    assert parse_numbers([cell]).values.tolist() == [value]


def test_a_place_with_a_point_behind_it_tells_no_decimal_mark():
    assert decimal_mark(["1.", "2.", "10."]) is None


def test_an_empty_cell_beside_a_word_is_missing():
    assert parse_numbers(["x", ""]).wrong.tolist() == [0]


def test_a_number_with_a_question_mark_is_none():
    assert parse_numbers(["5?"]).wrong.tolist() == [0]


def test_a_word_with_a_point_raises_no_doubt():
    assert parse_numbers(["x.y", "7"]).doubtful is None


@pytest.mark.parametrize(
    ("word", "power"),
    [
        *[(word, 3) for word in ("k", "K", "thousand", "Thousand", "tsd", "Tsd.")],
        *[(word, 6) for word in ("M", "million", "millions", "mio", "Mio.", "mn", "mn.")],
        *[(word, 9) for word in ("B", "billion", "Billions", "bn", "mrd", "Mrd.")],
    ],
)
def test_thousands_millions_and_billions_are_counted(word, power):
    for gap in ("", " ", "\u00a0"):
        assert read_numeral(f"2.5{gap}{word}", ".") == Numeral(2.5 * 10**power, magnitude=True)
    assert read_numeral(f"$2.5{word}", ".").value == 2.5 * 10**power


@pytest.mark.parametrize("cell", ["3 m", "3 b", "3 thousands of", "3 kk"])
def test_letters_that_may_mean_something_else_are_no_magnitude(cell):
    assert read_numeral(cell, ".") is None


def test_thousands_of_thousands_leave_the_decimal_mark_open():
    assert decimal_mark(["7.197 T€", "3.712 Tsd. €"]) is None
    assert decimal_mark(["7,25 T€"]) == ","
    assert decimal_mark(["7.197 Mio. €"]) == "."


def test_a_t_before_a_currency_that_may_mean_trillions_is_no_number():
    assert read_numeral("3 T$", ".") is None
    assert read_numeral("3 T", ".") is None


@pytest.mark.parametrize(
    ("cell", "of_number", "of_nothing"),
    [("1,5", True, False), ("1.5", True, False), (" n/a", False, True), ("x", False, False)],
)
def test_a_cell_is_a_number_with_either_mark_or_a_word_for_nothing(cell, of_number, of_nothing):
    assert is_number(cell) is of_number
    assert is_missing(cell) is of_nothing


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("1,23,456", 123456),
        ("12,34,567.5", 1234567.5),
        ("₹1,00,00,000", 1e7),
        ("–5", -5),
        ("–3.5%", -0.035),
        ("–$1,234", -1234),
        ("‒.5", -0.5),
    ],
)
def test_numbers_are_read_as_india_groups_them_and_as_dashes_negate_them(cell, value):
    assert read_numeral(cell, ".").value == value
    assert parse_numbers([cell, "1"]).values.tolist() == [value, 1]


@pytest.mark.parametrize("cell", ["1,23", "1,23,45", "123,45,678", "1,2,345", "1–5", "––5"])
def test_what_is_no_grouping_and_no_sign_is_no_number(cell):
    assert read_numeral(cell, ".") is None


def test_nobody_groups_in_lakhs_beside_a_decimal_comma():
    assert read_numeral("1.23.456", ",") is None
