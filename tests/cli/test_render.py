import pytest

from rankwright.cli.render import number


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
