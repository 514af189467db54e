import doctest
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "linear.md"


def test_the_page_shows_what_its_examples_print():
    assert doctest.testfile(str(PAGE), module_relative=False).failed == 0
