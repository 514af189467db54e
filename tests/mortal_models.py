"""Models that end the process they run in, once: what a cluster has to survive."""

import os
import signal
from pathlib import Path

from sklearn.tree import DecisionTreeClassifier


def die_once(marker):
    """Kill the process, unless another one has been killed before."""
    try:
        Path(marker).touch(exist_ok=False)
    except FileExistsError:
        return
    os.kill(os.getpid(), signal.SIGKILL)


class Mortal(DecisionTreeClassifier):
    """A classifier whose first fit anywhere is the end of its process."""

    def __init__(self, marker=None, max_depth=2, random_state=None):
        super().__init__(max_depth=max_depth, random_state=random_state)
        self.marker = marker

    def fit(self, X, y, sample_weight=None):
        if self.marker is not None:
            die_once(self.marker)
        return super().fit(X, y, sample_weight)


class MortalScorer:
    """A model whose first prediction is."""

    def __init__(self, marker):
        self.marker = marker

    def predict(self, X):
        die_once(self.marker)
        return X["f0"].to_numpy()
