"""Numbers as they are printed, in whole numbers of any size, and their sums."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankwright.reverse.whole_numbers import as_whole, exact_sums, read_whole, sums_in_digits

WHOLE = st.integers(-(10**12), 10**12)


@given(
    st.lists(st.decimals(-1000, 1000, places=3), min_size=1, max_size=6),
    st.sampled_from([1, 10, 1000, Fraction(1, 100)]),
)
def test_printed_decimals_are_read_exactly(printed, unit):
    values = [Fraction(value) * unit for value in printed]
    read = read_whole(np.array([[float(value)] for value in values]))
    (step,), (smallest,), whole = read.steps, read.smallest, read.whole[:, 0].tolist()
    assert [smallest + step * w for w in whole] == values
    assert min(whole) == 0
    assert np.gcd.reduce(whole) in (0, 1)
    assert read.ranges == [max(values) - min(values)]


@pytest.mark.parametrize(
    ("printed", "units"),
    [
        ([2_000_000, 5_000_000], (2_000_000, 3_000_000)),
        ([1e9, 1e9 + 1], (10**9, 1)),
        ([1_234_567.125, 2_000_000], (Fraction(9_876_537, 8), Fraction(6_123_463, 8))),
        ([5.0, 5.0], (5, 1)),
    ],
)
def test_large_numbers_and_constant_ones_are_read_exactly(printed, units):
    read = read_whole(np.array(printed)[:, None])
    assert (read.smallest[0], read.steps[0]) == units


@pytest.mark.parametrize(
    ("value", "read"),
    [
        (0.12345678901234, Fraction(12345678901234, 10**14)),
        (0.123456789012345, Fraction(123456789012, 10**12)),
        (1234.56789012345, Fraction(123456789012, 10**8)),
    ],
)
def test_numbers_with_more_than_fourteen_digits_are_read_to_twelve(value, read):
    assert read_whole(np.array([[value]])).smallest == [read]


def test_floating_point_weights_are_whole_numbers_without_a_common_divisor():
    assert as_whole(np.array([6.0, 9.0, 0.0])).tolist() == [2, 3, 0]
    assert as_whole(np.zeros(2)).tolist() == [0, 0]
    assert as_whole(np.array([0.5, 2.0**60])).tolist() == [1, 2**61]


@given(
    st.lists(st.tuples(WHOLE, WHOLE, WHOLE), min_size=1, max_size=5),
    st.tuples(*[st.integers(-(10**80), 10**80) | st.integers(-2, 2)] * 3),
)
def test_exact_sums_are_those_of_whole_numbers(rows, weights):
    expected = [sum(a * b for a, b in zip(row, weights, strict=True)) for row in rows]
    assert exact_sums(np.array(rows), np.array(weights, dtype=object)).tolist() == expected


def test_weights_of_64_bits_do_not_wrap_around():
    rows, weights = np.array([[10**15, 10**15]]), np.array([2**63, 2**64 - 1], dtype=object)
    assert exact_sums(rows, weights).tolist() == [10**15 * (2**63 + 2**64 - 1)]


def test_only_the_highest_digit_is_negative():
    digits, bits = sums_in_digits(np.array([[3, 1], [0, 1]]), [-(10**40), 7])
    assert all((one >= 0).all() and (one < 1 << bits).all() for one in digits[:-1])
    assert (digits[-1] < 0).tolist() == [True, False]


def test_no_rows_have_no_sums():
    assert exact_sums(np.empty((0, 2), dtype=np.int64), np.array([10**30, 1])).tolist() == []
