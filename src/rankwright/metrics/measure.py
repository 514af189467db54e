"""A metric with its options, read from text such as ``ndcg(gains=exponential)@10``."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from inspect import Parameter, signature
from typing import Any, Self

from numpy.typing import ArrayLike

from rankwright.metrics.cascade import expected_reciprocal_rank
from rankwright.metrics.gains import dcg, ndcg
from rankwright.metrics.grouped import GroupValues, Metric, by_group
from rankwright.metrics.kendall import kendall_tau, probabilistic_kendall_tau, somers_d
from rankwright.metrics.overlap import rank_biased_overlap
from rankwright.metrics.rank_loss import rank_loss
from rankwright.metrics.relevance import (
    average_precision,
    hit_ratio,
    precision,
    recall,
    reciprocal_rank,
)
from rankwright.metrics.roc import auc
from rankwright.metrics.spearman import spearman_footrule, spearman_rho
from rankwright.metrics.top_auc import top_auc

__all__ = ["LOSSES", "METRICS", "Measure", "SUMS_GROUPS"]

METRICS: dict[str, Metric] = {
    metric.__name__: metric
    for metric in (
        auc,
        average_precision,
        dcg,
        expected_reciprocal_rank,
        hit_ratio,
        kendall_tau,
        ndcg,
        precision,
        probabilistic_kendall_tau,
        rank_biased_overlap,
        rank_loss,
        recall,
        reciprocal_rank,
        somers_d,
        spearman_footrule,
        spearman_rho,
        top_auc,
    )
}
# top_auc sums over groups by its own rule; every other metric is averaged.
SUMS_GROUPS: frozenset[Metric] = frozenset({top_auc})
# Losses compare labels, which `predict` returns; the others compare scores.
LOSSES: frozenset[Metric] = frozenset({rank_loss})
# What the field calls them.
ABBREVIATIONS = {
    "err": "expected_reciprocal_rank",
    "map": "average_precision",
    "mrr": "reciprocal_rank",
    "p": "precision",
    "r": "recall",
    "rbo": "rank_biased_overlap",
    "tau": "kendall_tau",
}
AVERAGED = sorted(name for name, metric in METRICS.items() if metric not in SUMS_GROUPS | LOSSES)
NOTATION = re.compile(r"\s*(?P<name>\w+)\s*(?:\((?P<options>[^()]*)\))?\s*(?:@(?P<k>\d+))?\s*")
LEFT_OUT = "left out"


@dataclass(frozen=True)
class Measure:
    """A metric with its options, whose mean over lists makes sense and is better larger.

    Attributes
    ----------
    name : str
        The metric's name in ``rw.metrics``.
    options : mapping of str to value
        What the metric is called with, for example ``{"k": 10, "gains": "exponential"}``.
    empty : float or None
        What a list counts in which the metric is undefined; None leaves it out.

    Examples
    --------
    >>> import rankwright as rw
    >>> measure = rw.metrics.Measure.read("ndcg(gains=exponential, empty=0)@10")
    >>> measure.options, measure.empty
    ({'gains': 'exponential', 'k': 10}, 0.0)
    >>> str(rw.metrics.Measure.read("ndcg@10"))
    'ndcg(gains=linear)@10'
    >>> str(rw.metrics.Measure.read("mrr"))
    'reciprocal_rank'
    """

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)
    empty: float | None = None

    def __post_init__(self) -> None:
        if self.name not in AVERAGED:
            raise ValueError(f"metric={self.name!r}; choose from {[*AVERAGED, *ABBREVIATIONS]}")
        unknown = [option for option in self.options if option not in self._defaults()]
        if unknown:
            raise ValueError(
                f"{self.name} has no option {unknown[0]!r}; choose from "
                f"{[*self._defaults(), 'empty']}"
            )

    @classmethod
    def read(cls, text: "str | Measure") -> Self:
        """Read ``name``, ``name@k`` or ``name(option=value, ...)@k``.

        Parameters
        ----------
        text : str
            ``map``, ``mrr``, ``err``, ``p``, ``r``, ``rbo`` and ``tau`` are understood as well;
            ``empty=0``, ``1`` or ``left out`` says what a list without a value counts.
        """
        if isinstance(text, cls):
            return text
        parts = NOTATION.fullmatch(str(text))
        if parts is None:
            raise ValueError(
                f"metric={text!r}; write a name, with options in brackets and the places that "
                "count behind @, such as ndcg(gains=exponential)@10"
            )
        name = ABBREVIATIONS.get(parts["name"].lower(), parts["name"])
        options = {key: _value(word) for key, word in _assignments(parts["options"])}
        empty = options.pop("empty", LEFT_OUT)
        if parts["k"] is not None:
            options["k"] = int(parts["k"])
        if empty != LEFT_OUT and not isinstance(empty, int | float):
            raise ValueError(f"empty={empty!r}; give a number, or 'left out'")
        return cls(name, options, None if empty == LEFT_OUT else float(empty))

    @property
    def metric(self) -> Metric:
        """The function that computes it."""
        return METRICS[self.name]

    def by_group(self, y_true: ArrayLike, scores: ArrayLike, groups: ArrayLike) -> GroupValues:
        """Return its value in each group, as `rankwright.metrics.by_group` does."""
        return by_group(self.metric, y_true, scores, groups, empty=self.empty, **self.options)

    def __str__(self) -> str:
        """Return the notation, with the gains also where they are the default ones."""
        defaults = {key: value for key, value in self._defaults().items() if key == "gains"}
        shown = {**defaults, **self.options}
        words = [f"{key}={value}" for key, value in shown.items() if key != "k"]
        words += [] if self.empty is None else [f"empty={self.empty:g}"]
        k = self.options.get("k")
        brackets = f"({', '.join(words)})" if words else ""
        return f"{self.name}{brackets}" + ("" if k is None else f"@{k}")

    def _defaults(self) -> dict[str, Any]:
        parameters = signature(self.metric).parameters.values()
        return {
            one.name: one.default
            for one in parameters
            if one.kind is Parameter.KEYWORD_ONLY and one.name != "sample_weight"
        }


def _assignments(text: str | None) -> list[tuple[str, str]]:
    """Return the options between brackets, as written."""
    pairs = []
    for part in (text or "").split(","):
        key, _, value = (word.strip() for word in part.partition("="))
        if part.strip() and not (key and value):
            raise ValueError(f"option {part.strip()!r} of a metric; write option=value")
        if part.strip():
            pairs.append((key, value))
    return pairs


def _value(word: str) -> Any:
    """Return a number where a word is one."""
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            continue
    return word.strip("\"'")
