import pytest
from rich.console import Console

from rankwright.cli.output import Output
from rankwright.cli.render import number, table


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (0.123456, "0.1235"),
        (999.96, "1000"),
        (1000.5, "1000.5"),
        (-123456.789, "-123456.79"),
        (2000.0, "2000"),
        (1e-7, "1e-07"),
        (1e30, "1e+30"),
        (float("nan"), "–"),
        (None, "–"),
        (123456, "123456"),
    ],
)
def test_numbers_have_the_digits_that_count(value, written):
    assert number(value) == written


def test_texts_are_folded_in_a_narrow_terminal_and_numbers_are_not():
    columns = ["product", "group", "published", "by the formula", "left out", "freed", "weight"]
    numbers = (123456, 12345, 0.001234, 1.234e-05, "-0.000123457")
    row = ("Cirrus M440 Professional Kit", "Compact cameras with a long zoom", *numbers)
    console = Console(width=80)
    with console.capture() as captured:
        console.print(table("Suspicious products", columns, [row]))
    lines = captured.get().splitlines()
    words = captured.get().split()
    assert max(map(len, lines)) <= 80
    for written in ["123456", "12345", "0.001234", "1.234e-05", "-0.000123457"]:
        assert written in words
    assert {"published", "formula", "freed", "weight", "cameras"} <= set(words)


def test_headers_stay_on_one_line_where_there_is_room():
    console = Console(width=80)
    with console.capture() as captured:
        console.print(table("", ["factor", "true weight"], [("size", 0.5)]))
    assert "true weight" in captured.get()


def test_a_title_wider_than_its_table_stays_in_one_line(capsys):
    Output().show(table("Their weights times ranges, in percent", ["year", "pay"], [("2011", "3")]))
    assert capsys.readouterr().out.splitlines()[0] == "Their weights times ranges, in percent"
