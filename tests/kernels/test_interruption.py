"""Ctrl-C while a tree grows, and while kernels are loaded."""

import signal
import threading
from contextlib import suppress

import numpy as np
import pytest

import rankwright as rw
from rankwright.kernels.cache import _KernelCache
from rankwright.kernels.compile import kernel
from rankwright.kernels.interruption import interrupted_afterwards, interruptible
from rankwright.trees.bipartite import growing as bipartite
from rankwright.trees.ordinal import growing as ordinal


def hiding(*arguments):
    raise SystemError("returned a result with an exception set") from KeyboardInterrupt()


@pytest.fixture
def interrupted_kernels(monkeypatch):
    monkeypatch.setattr(ordinal, "grow", hiding)
    monkeypatch.setattr(bipartite, "grow_ranking_tree", hiding)


@pytest.mark.usefixtures("interrupted_kernels")
@pytest.mark.parametrize(
    "ranker",
    [
        rw.TreeRank(),
        rw.RankingForest(2),
        rw.OrdinalTree(),
        rw.OrdinalForest(2),
    ],
    ids=repr,
)
def test_an_interrupt_that_numba_hides_comes_out_as_one(ranker):
    X = np.arange(40.0)[:, np.newaxis]
    with pytest.raises(KeyboardInterrupt):
        ranker.fit(X, X[:, 0] > 20)


def test_other_system_errors_stay_what_they_are():
    with pytest.raises(SystemError, match="broken"), interruptible():
        raise SystemError("broken")


@kernel
def doubled(x):
    return x + x


def press_ctrl_c(times=1):
    for _ in range(times):
        signal.raise_signal(signal.SIGINT)


@pytest.fixture
def pressed_while_loading(monkeypatch):
    """Let Ctrl-C arrive where LLVM calls back while the machine code of `doubled` is loaded."""
    load, steps = _KernelCache.load_overload, []

    def load_overload(*arguments):
        with suppress(KeyboardInterrupt):  # as an exception in a callback of LLVM's is
            press_ctrl_c()
        steps.append("loaded")
        return load(*arguments)

    monkeypatch.setattr(_KernelCache, "load_overload", load_overload)
    return steps


def test_ctrl_c_while_machine_code_is_loaded_comes_out_afterwards(pressed_while_loading):
    handler = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        doubled(1.5)
    assert pressed_while_loading == ["loaded"]
    assert signal.getsignal(signal.SIGINT) is handler
    assert doubled(1.5) == 3.0  # and is not raised twice


def test_a_second_ctrl_c_does_not_wait():
    def pressed_twice():
        with interrupted_afterwards():
            press_ctrl_c(2)
            steps.append("went on")

    steps = []
    with pytest.raises(KeyboardInterrupt):
        pressed_twice()
    assert steps == []


def test_a_handler_of_somebody_else_hears_of_it_afterwards():
    heard, steps = [], []
    before = signal.signal(signal.SIGINT, lambda *_: heard.append(len(steps)))
    try:
        with interrupted_afterwards():
            press_ctrl_c()
            steps.append("done")
    finally:
        signal.signal(signal.SIGINT, before)
    assert heard == [1]


def test_an_ignored_ctrl_c_stays_ignored():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with interrupted_afterwards():
            press_ctrl_c()
    finally:
        signal.signal(signal.SIGINT, before)


def test_other_threads_leave_the_handler_alone():
    def look():
        with interrupted_afterwards():
            handlers.append(signal.getsignal(signal.SIGINT))

    handlers = []
    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert handlers == [signal.getsignal(signal.SIGINT)]
