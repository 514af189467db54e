"""Lists with ties, and what a measure of them means: its mean over all orders that they allow."""

from itertools import pairwise, permutations

from hypothesis import strategies as st

binary_rows = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 2)), min_size=2, max_size=6
).filter(lambda rows: len({label for label, _ in rows}) == 2)
graded_rows = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=6)


def mean_over_orders(rows, value):
    """Average `value` of the labels, best first, over all orders that the scores allow."""
    allowed = [
        value([label for label, _ in order])
        for order in permutations(rows)
        if all(a[1] >= b[1] for a, b in pairwise(order))
    ]
    return sum(allowed) / len(allowed)
