"""BLAS has one thread while a clock runs, and as many as before afterwards."""

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from rankwright.reverse.blas import one_blas_thread
from rankwright.reverse.clock import Clock


def n_threads():
    return {one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"}


@pytest.fixture(autouse=True)
def two_threads():
    with threadpool_limits(2, "blas"):
        yield


@pytest.mark.parametrize("block", [one_blas_thread, lambda: Clock(np.inf)])
def test_blas_has_one_thread_inside(block):
    before = n_threads()
    with block():
        assert n_threads() == {1}
        with block():
            assert n_threads() == {1}
        assert n_threads() == {1}
    assert n_threads() == before


def test_blocks_that_end_in_the_order_they_began_leave_nothing_behind():
    before, one, other = n_threads(), one_blas_thread(), one_blas_thread()
    one.__enter__()
    other.__enter__()
    one.__exit__(None, None, None)
    assert n_threads() == {1}
    other.__exit__(None, None, None)
    assert n_threads() == before


def test_an_error_lifts_the_limit():
    before = n_threads()
    with pytest.raises(ZeroDivisionError), one_blas_thread():
        raise ZeroDivisionError
    assert n_threads() == before
