"""Rankers by the names that a command line uses."""

import ast
import re
from collections.abc import Sequence
from typing import Any

__all__ = ["available", "build"]


def available() -> dict[str, type]:
    """Return every public ranker by its name in lower case with hyphens."""
    import rankwright
    from rankwright.base import RankerMixin

    public = [getattr(rankwright, name) for name in rankwright.__all__]
    rankers = [found for found in public if isinstance(found, type)]
    return {
        _kebab(ranker.__name__): ranker for ranker in rankers if issubclass(ranker, RankerMixin)
    }


def build(name: str, settings: Sequence[str] = ()) -> Any:
    """Return an unfitted ranker with its parameters set from ``name=value``."""
    rankers = available()
    if name not in rankers:
        raise ValueError(f"there is no ranker {name!r}; choose from {', '.join(rankers)}")
    ranker = rankers[name]()
    known = ranker.get_params()
    for setting in settings:
        parameter, equals, value = setting.partition("=")
        if not equals or parameter not in known:
            raise ValueError(
                f"--set {setting}: give NAME=VALUE; {name} has {', '.join(known) or 'no parameter'}"
            )
        ranker.set_params(**{parameter: _value(value)})
    return ranker


def _kebab(name: str) -> str:
    """Turn RankingForest into ranking-forest, and PRankPerceptron into p-rank-perceptron."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", name).lower()


def _value(text: str) -> Any:
    """Read a number, True, None or a list; what is none of these is text."""
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return text
