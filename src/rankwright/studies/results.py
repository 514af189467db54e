"""What the cells of a study measured, as tables."""

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
    measured : mapping of str to Measured
        By the keys of the cells.
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
                {**cell.parameters, REPLICATION: cell.replication, **row}
                for cell in self.experiments[experiment].cells()
                for row in self.measured[cell.key].rows
            ]
        )

    def seconds(self, experiment: str) -> float:
        """Return the processor time that the cells of an experiment took together."""
        cells = self.experiments[experiment].cells()
        return sum(self.measured[cell.key].seconds for cell in cells)


def read_results(settings: Settings, experiments: Sequence[Experiment], store: Store) -> Results:
    """Collect from the store what the experiments measured."""
    cells = [cell for experiment in experiments for cell in experiment.cells()]
    named = {experiment.name: experiment for experiment in experiments}
    return Results(settings, named, store.get(cells))
