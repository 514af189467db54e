import pytest

from rankwright.report.time_left import seconds_left


def test_the_report_of_many_products_is_given_more_time_but_never_most_of_it():
    assert seconds_left(60.0, 2.0, 20_000) == pytest.approx(60 - 2 - 5.5)
    assert seconds_left(10.0, 0.0, 10**6) == pytest.approx(6.5)
    assert seconds_left(3.0, 2.5, 20) == pytest.approx(0.45)  # reading took long
