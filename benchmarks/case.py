"""What a case declares: a subject, its peers, and the sizes to try."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Work = Callable[[], Any]


@dataclass(frozen=True)
class Task:
    """The same work on the same data for the project and its peers.

    Each of ``ours`` and ``peers`` does the work and returns its result. ``agree(ours, theirs)``
    raises AssertionError when a peer's result contradicts ours; it gets the peer's name too, since
    peers may solve slightly different problems. ``measures`` turn a result into numbers worth a
    column (an AUC, a loss). ``skipped`` says why a peer is absent at this size.
    """

    ours: Work
    peers: Mapping[str, Work]
    agree: Callable[[str, Any, Any], None]
    measures: Mapping[str, Callable[[Any], float]] = field(default_factory=dict)
    skipped: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Case:
    """A capability to measure.

    ``prepare(size)`` makes the data, outside the clock. Sizes are any labels; a case whose sizes
    are numbers gets a growth plot. ``quick`` is the size that CI runs.
    """

    name: str
    question: str
    sizes: tuple[Any, ...]
    quick: tuple[Any, ...]
    prepare: Callable[[Any], Task]
    repeats: int = 5  # clocked rounds after one unclocked; 0: that one is clocked
