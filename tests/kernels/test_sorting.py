import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwright.kernels import sorting

# In Python the hash's multiplication warns that it wraps, as it is meant to.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
quick = settings(max_examples=60, deadline=None)
keys_lists = st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 5), max_size=100)


def python_only(monkeypatch):
    names = (
        "find_slot",
        "merge",
        "merge_halves",
        "ordered_bits",
        "sort_by_insertion",
        "sort_by_key",
    )
    for name in names:
        monkeypatch.setattr(sorting, name, getattr(sorting, name).py_func)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=20))
@quick
def test_ordered_bits_order_like_their_floats(values):
    values = np.array([0.0, -0.0, *values])
    keys = np.empty(len(values), dtype=np.uint64)
    sorting.ordered_bits(values, keys)
    assert keys[0] == keys[1]
    assert np.array_equal(np.sign(np.subtract.outer(keys.astype(object), keys.astype(object))),
                          np.sign(np.subtract.outer(values, values)))  # fmt: skip


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("n", [0, 1, 2, 63, 64, 65, 300])
@pytest.mark.parametrize("high", [3, 2**16, 2**63])
def test_sort_by_key_is_a_stable_sort(n, high, compiled, monkeypatch):
    run = sorting.sort_by_key if compiled else sorting.sort_by_key.py_func
    if not compiled:
        python_only(monkeypatch)
    keys = np.random.default_rng(n).integers(0, high, n).astype(np.uint64)
    expected = np.argsort(keys, kind="stable")
    ordered, payload = keys.copy(), np.arange(n, dtype=np.uint64)
    run(ordered, payload, np.empty_like(keys), np.empty_like(keys))
    assert payload.tolist() == expected.tolist()
    assert ordered.tolist() == keys[expected].tolist()


@pytest.mark.parametrize("compiled", [True, False])
def test_ascending_is_a_stable_order_of_floats(compiled, monkeypatch):
    if not compiled:
        python_only(monkeypatch)
    run = sorting.ascending if compiled else sorting.ascending.py_func
    for n in (0, 1, 10, 300):
        values = np.random.default_rng(n).normal(size=n).round(1)
        assert run(values).tolist() == np.argsort(values, kind="stable").tolist()


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("n_values", [1, 70, sorting.FEW, sorting.FEW + 1])
def test_rank_few_ranks_up_to_the_limit_and_leaves_more_alone(n_values, compiled, monkeypatch):
    if not compiled:
        python_only(monkeypatch)
    run = sorting.rank_few if compiled else sorting.rank_few.py_func
    rng = np.random.default_rng(0)
    distinct = np.unique(rng.integers(1, 2**62, 2 * n_values))[:n_values].astype(np.uint64)
    keys = rng.permutation(np.r_[distinct, distinct, distinct[:1]])
    ranked = keys.copy()
    count = run(ranked)
    if n_values > sorting.FEW:
        assert count == 0
        assert ranked.tolist() == keys.tolist()
    else:
        assert count == n_values
        assert ranked.tolist() == np.unique(keys, return_inverse=True)[1].tolist()


def inversions(values):
    return sum(values[i] > values[j] for j in range(len(values)) for i in range(j))


@given(keys_lists)
@quick
def test_count_inversions_counts_and_sorts(values):
    array = np.array(values, dtype=np.uint64)
    assert sorting.count_inversions(array, np.empty_like(array)) == inversions(values)
    assert array.tolist() == sorted(values)


@pytest.mark.parametrize("n", [0, 1, 8, 9, 16, 17, 31, 32, 100])
def test_count_inversions_counts_in_python_too(n, monkeypatch):
    python_only(monkeypatch)
    array = np.random.default_rng(n).integers(0, 10, n).astype(np.uint64)
    expected = inversions(array.tolist())
    assert sorting.count_inversions.py_func(array, np.empty_like(array)) == expected
    assert (np.diff(array.astype(np.int64)) >= 0).all()
