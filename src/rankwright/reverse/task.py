"""What a fit is asked for."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

from joblib import effective_n_jobs
from sklearn.utils import check_random_state

__all__ = ["LEVELS", "SELECTIONS", "Task"]

LEVELS = "levels"
SELECTIONS = ("accurate", "stable")


@dataclass(frozen=True)
class Task:
    """The parameters of a ``RatingFormula``, which explains them, as they are when a fit begins."""

    objective: str
    top: int | Mapping[Any, int]
    emphasis: float
    category_weights: Mapping[Any, float] | None
    signs: str | Mapping[Any, Any]
    constraints: Sequence[str]
    value_functions: str | Mapping[Any, Any]
    selection: str | float
    solver: str
    time_limit: float
    gap: float
    missing: str
    score_step: float | None
    random_state: Any
    n_jobs: int | None
    verbose: bool
    callback: Callable[..., None] | None

    def __post_init__(self) -> None:
        if self.objective == "scores" and self.selection != "accurate":
            raise ValueError(
                f"selection={self.selection!r} with objective='scores', whose formulas reproduce "
                "the scores; choose another objective, with the scores as y: the stable choice "
                "looks at them, too"
            )

    @classmethod
    def of(cls, formula: Any) -> Self:
        """Return the task of an estimator that has these parameters."""
        return cls(**{one.name: getattr(formula, one.name) for one in fields(cls)})

    def has_levels(self, factor: str) -> bool:
        """Tell whether the numbers of a factor are to count as categories."""
        given = self.value_functions
        wanted = given.get(factor) if isinstance(given, Mapping) else None
        return isinstance(wanted, str) and wanted == LEVELS

    @property
    def n_threads(self) -> int:
        """Return how many threads ``n_jobs`` means on this machine."""
        return int(effective_n_jobs(self.n_jobs))

    def draw_seed(self) -> int:
        """Return a seed for the search; a ``RandomState`` gives another one each time."""
        return int(check_random_state(self.random_state).randint(2**31))
