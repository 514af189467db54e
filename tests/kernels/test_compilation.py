import time

import numba

from rankwright.kernels.compilation import time_compiling, when_compiling


def test_a_compilation_is_announced_once():
    calls = []
    double, triple = (numba.njit(function) for function in (lambda x: 2 * x, lambda x: 3 * x))
    with when_compiling(lambda: calls.append("compiling")):
        assert (double(2), triple(2)) == (4, 6)
    assert calls == ["compiling"]


def test_what_is_compiled_already_is_not_announced():
    calls = []
    double = numba.njit(lambda x: 2 * x)
    double(2)
    with when_compiling(lambda: calls.append("compiling")):
        double(3)
    assert calls == []


def test_nothing_is_announced_afterwards():
    calls = []
    with when_compiling(lambda: calls.append("compiling")):
        pass
    numba.njit(lambda x: 5 * x)(2)
    assert calls == []


def test_only_compiling_is_timed():
    double = numba.njit(lambda x: 2 * x)
    begin = time.monotonic()
    with time_compiling() as compiling:
        assert compiling() == 0.0
        double(2)
        seconds = compiling()
        assert 0.0 < seconds <= time.monotonic() - begin
        double(3)
        assert compiling() == seconds
