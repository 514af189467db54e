"""Ctrl-C while a tree grows."""

import numpy as np
import pytest

import rankwright as rw
from rankwright.kernels.interruption import interruptible
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
