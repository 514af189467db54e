"""What the trials of a study measured, as tables."""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from rankwright.studies.experiment import REPLICATION, Experiment
from rankwright.studies.store import Measured, Store
from rankwright.studies.study import Settings

__all__ = ["Results", "read_results"]


@dataclass(frozen=True)
class Results:
    """The measurements of a study's experiments.

    Attributes
    ----------
    settings : Settings
        Those of the run.
    experiments : mapping of str to Experiment
        By name.
    measured : mapping of str to Measured
        By the keys of the trials.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from rankwright.studies import Experiment, Results, Settings, Store
    >>> def measure(rng, size):
    ...     return {"longest": size - 1}
    >>> experiment = Experiment("lengths", measure, grid=[{"size": 3}, {"size": 5}])
    >>> with TemporaryDirectory() as folder, Store(Path(folder) / "results.sqlite") as store:
    ...     for trial in experiment.trials():
    ...         store.put(trial, trial.measure(), seconds=0.1)
    ...     measured = store.get(experiment.trials())
    >>> results = Results(Settings(), {"lengths": experiment}, measured)
    >>> results.frame("lengths")[["size", "longest"]].to_numpy().tolist()
    [[3, 2], [5, 4]]
    """

    settings: Settings
    experiments: dict[str, Experiment]
    measured: dict[str, Measured]

    def __contains__(self, experiment: str) -> bool:
        """Whether the study ran this experiment; some need a file that may be missing."""
        return experiment in self.experiments

    def frame(self, experiment: str) -> pd.DataFrame:
        """Return all rows of an experiment: parameters, replication, measurements."""
        return pd.DataFrame(
            [
                {**trial.parameters, REPLICATION: trial.replication, **row}
                for trial in self.experiments[experiment].trials()
                for row in self.measured[trial.key].rows
            ]
        )

    def seconds(self, experiment: str) -> float:
        """Return the processor time that the trials of an experiment took together."""
        trials = self.experiments[experiment].trials()
        return sum(self.measured[trial.key].seconds for trial in trials)


def read_results(settings: Settings, experiments: Sequence[Experiment], store: Store) -> Results:
    """Collect from the store what the experiments measured."""
    trials = [trial for experiment in experiments for trial in experiment.trials()]
    named = {experiment.name: experiment for experiment in experiments}
    return Results(settings, named, store.get(trials))
