"""What an experiment is: a frozen description, from which every trial's key and seed follow."""

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

import rankwright

__all__ = ["Experiment", "Parameters", "REPLICATION", "Row", "Trial", "check_name"]

Parameters = Mapping[str, str | int | float | bool | None]
Row = Mapping[str, Any]
REPLICATION = "replication"


@dataclass(frozen=True)
class Experiment:
    """Measure something at each point of a grid, several times.

    Parameters
    ----------
    name : str
        Unique within its study; its measurements are written to a file of this name.
    measure : callable
        ``measure(rng, **parameters)`` returns a row of measurements, or several rows; values are
        whatever JSON can hold. A function of a module, so that other processes find it.
    grid : sequence of mappings
        The parameters of each point: numbers and strings.
    replications : int
        How often each point is measured, every time with another seed.
    seed : int
        Changes all random numbers.
    seeded_by : sequence of str, optional
        The parameters that enter the seed, by default all: trials that agree in them receive the
        same random numbers, so that methods can be compared on the same data.
    files : mapping of str to Path
        Further keyword arguments of ``measure``. A trial depends on their content, not their place.
    version : int
        Raise it when ``measure`` changes, so that stored results are not taken for new ones.
    study : str
        The study that it belongs to, which :func:`reproduce` enters.

    Examples
    --------
    >>> from rankwright.studies import Experiment
    >>> def measure(rng, size):
    ...     return {"mean": float(rng.normal(size=size).mean())}
    >>> grid = [{"size": 10}, {"size": 100}]
    >>> experiment = Experiment("means", measure, grid, replications=3)
    >>> trials = list(experiment.trials())
    >>> len(trials), trials[0].parameters, trials[0].measure() == trials[0].measure()
    (6, {'size': 10}, True)
    """

    name: str
    measure: Callable[..., Row | Sequence[Row]]
    grid: Sequence[Parameters]
    replications: int = 1
    seed: int = 0
    seeded_by: Sequence[str] | None = None
    files: Mapping[str, Path] = field(default_factory=dict)
    version: int = 1
    study: str = ""

    def __post_init__(self) -> None:
        check_name("an experiment", self.name)
        distinct = {json.dumps(dict(parameters), sort_keys=True) for parameters in self.grid}
        if len(distinct) < len(self.grid):
            raise ValueError(
                f"experiment {self.name!r} has the same parameters twice in its grid; "
                "raise replications to measure a point more often"
            )
        if any(REPLICATION in parameters for parameters in self.grid):
            raise ValueError(
                f"experiment {self.name!r} has a parameter called {REPLICATION!r}, which is the "
                "name of a column of the results; rename it"
            )

    def trials(self) -> Iterator["Trial"]:
        """Yield all trials, a whole grid before the next replication."""
        for replication in range(self.replications):
            for parameters in self.grid:
                yield Trial(self, dict(parameters), replication)

    @cached_property
    def digests(self) -> dict[str, str]:
        """What the files hold."""
        return {
            name: hashlib.sha256(Path(path).read_bytes()).hexdigest()
            for name, path in sorted(self.files.items())
        }


@dataclass(frozen=True)
class Trial:
    """One measurement of an experiment: parameters and the number of the replication.

    Examples
    --------
    >>> from rankwright.studies import Experiment
    >>> def measure(rng, size):
    ...     return {"mean": float(rng.normal(size=size).mean())}
    >>> trial = next(Experiment("means", measure, grid=[{"size": 10}]).trials())
    >>> trial.parameters, trial.replication, trial.measure() == trial.measure()
    ({'size': 10}, 0, True)
    """

    experiment: Experiment
    parameters: dict[str, Any]
    replication: int

    @cached_property
    def key(self) -> str:
        """A hash of everything that the result depends on, with the version of the package."""
        experiment = self.experiment
        described = [
            rankwright.__version__,
            experiment.study,
            experiment.name,
            f"{experiment.measure.__module__}.{experiment.measure.__qualname__}",
            experiment.version,
            self.parameters,
            self.replication,
            experiment.seed,
            experiment.seeded_by and sorted(experiment.seeded_by),
            experiment.digests,
        ]
        return _digest(described).hex()

    def rng(self) -> np.random.Generator:
        """Return the trial's own random numbers, whatever ran before it."""
        experiment = self.experiment
        names = self.parameters if experiment.seeded_by is None else experiment.seeded_by
        chosen = {name: self.parameters[name] for name in names}
        described = [experiment.name, experiment.seed, chosen, self.replication]
        return np.random.default_rng(np.frombuffer(_digest(described), dtype=np.uint32))

    def measure(self) -> list[Row]:
        """Return the rows that the experiment measures in this trial."""
        measured = self.experiment.measure(
            self.rng(), **self.parameters, **dict(self.experiment.files)
        )
        rows = [measured] if isinstance(measured, Mapping) else measured
        if not isinstance(rows, Sequence) or not all(isinstance(row, Mapping) for row in rows):
            raise TypeError(
                f"measure returned {measured!r:.80}; return a row of measurements by name, such as "
                "{'tau': 0.8}, or a list of rows"
            )
        taken = {**self.parameters, REPLICATION: self.replication}
        if twice := sorted({k for row in rows for k in row if k in taken and row[k] != taken[k]}):
            raise ValueError(
                f"measure returned {twice}, which are parameters or {REPLICATION!r} already; "
                "rename them, so that the results have a column for each"
            )
        json.dumps(rows)  # an error here can still name the trial
        return list(rows)


def check_name(what: str, name: str) -> None:
    """Refuse a name that can't be the name of a file everywhere."""
    if not re.fullmatch(r"\w[\w.-]*", name):
        raise ValueError(
            f"{what} is called {name!r}; its results are written to a file of this name, so use "
            "letters, digits, '_', '-' and '.' only"
        )


def _digest(described: list[Any]) -> bytes:
    return hashlib.sha256(json.dumps(described, sort_keys=True).encode()).digest()
