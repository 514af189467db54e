"""What a case declares: a subject, its peers, and the sizes to try."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

Work = Callable[[], Any]


class Estimate(NamedTuple):
    """A number and its standard error, to which the number is rounded when it is shown."""

    value: float
    error: float


@dataclass(frozen=True)
class Task:
    """The same work on the same data for the project and its peers.

    Each of ``ours`` and ``peers`` does the work and returns its result. ``agree(ours, theirs)``
    raises AssertionError when a peer's result contradicts ours; it gets the peer's name too, since
    peers may solve slightly different problems. ``measures`` turn a result into numbers worth a
    column (an AUC, a loss), None where a contender has none. ``skipped`` says why a peer is absent
    at this size.
    """

    ours: Work
    peers: Mapping[str, Work]
    agree: Callable[[str, Any, Any], None]
    measures: Mapping[str, Callable[[Any], float | Estimate | None]] = field(default_factory=dict)
    skipped: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Case:
    """A capability to measure.

    ``prepare(size)`` makes the data, outside the clock. Sizes are any labels; a case whose sizes
    are numbers gets a growth plot. ``quick`` is the size that CI runs. A case that is not
    ``timed`` compares qualities alone: its results may come from a store.
    """

    name: str
    question: str
    sizes: tuple[Any, ...]
    quick: tuple[Any, ...]
    prepare: Callable[[Any], Task]
    repeats: int = 5  # clocked rounds after one unclocked; 0: that one is clocked
    timed: bool = True
