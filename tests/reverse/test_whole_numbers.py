"""Sums in whole numbers of any size."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rankwright.reverse.whole_numbers import exact_sums, sums_in_digits

WHOLE = st.integers(-(10**12), 10**12)


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
