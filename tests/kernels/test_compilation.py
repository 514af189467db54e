import logging
import time
from pathlib import Path
from types import SimpleNamespace

import numba

from rankwright.kernels import compilation
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


def test_a_family_that_takes_long_is_announced_once_and_a_quick_one_never():
    said = []
    announcement = compilation._Announcement()

    def begin(module):
        function = SimpleNamespace(py_func=SimpleNamespace(__module__=module))
        announcement.on_start(SimpleNamespace(data={"dispatcher": function}))

    handler = logging.Handler()
    handler.emit = lambda record: said.append(record.getMessage())
    compilation.LOGGER.addHandler(handler)
    disabled, compilation.LOGGER.disabled = compilation.LOGGER.disabled, False
    try:
        for module in ("prank", "rating.climb", "rating.bound", "kendall"):
            begin(f"rankwright.kernels.{module}")
    finally:
        compilation.LOGGER.removeHandler(handler)
        compilation.LOGGER.disabled = disabled
    assert len(said) == 1
    assert f"about {compilation.SECONDS['rating']} seconds" in said[0]


def test_every_family_that_is_announced_is_there():
    folder = Path(compilation.__file__).parent
    places = [folder / name.replace(".", "/") for name in compilation.SECONDS]
    assert all(place.is_dir() or place.with_suffix(".py").exists() for place in places)
