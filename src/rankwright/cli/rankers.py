"""Rankers by the names that a command line uses."""

import ast
import re
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from inspect import signature
from typing import Any

__all__ = ["FOREIGN", "available", "build", "installed_foreign", "trusted_classes"]


# The rankers of other packages, by package: what they are called there.
FOREIGN = {"catboost": "CatBoostRanker", "lightgbm": "LGBMRanker", "xgboost": "XGBRanker"}
# What their models are made of, in model files.
CLASSES = {
    "catboost": ("catboost.core.CatBoostRanker",),
    "lightgbm": ("lightgbm.basic.Booster", "lightgbm.sklearn.LGBMRanker"),
    "xgboost": ("xgboost.core.Booster", "xgboost.sklearn.XGBRanker"),
}
QUIET: dict[str, dict[str, Any]] = {
    "catboost": {"allow_writing_files": False},
    "lightgbm": {"verbose": -1},
    "xgboost": {"verbosity": 0},
}


def available() -> dict[str, type]:
    """Return every public ranker by its name in lower case with hyphens."""
    import rankwright
    from rankwright.base import RankerMixin

    # Classes alone: a public module may take long to import.
    public = [getattr(rankwright, name) for name in rankwright.__all__ if name[0].isupper()]
    rankers = [found for found in public if isinstance(found, type)]
    return {
        _kebab(ranker.__name__): ranker
        for ranker in rankers
        if issubclass(ranker, RankerMixin) and ranker is not rankwright.AdaptedRanker
    }


def installed_foreign() -> list[str]:
    """Return the packages that are installed whose rankers can be adapted."""
    return [package for package in FOREIGN if find_spec(package) is not None]


def trusted_classes(packages: Sequence[str]) -> list[str]:
    """Return the classes that a model file may hold, given the packages that are trusted."""
    unknown = [package for package in packages if package not in CLASSES]
    if unknown:
        raise ValueError(f"--trust {unknown[0]}: choose from {', '.join(CLASSES)}")
    return [name for package in packages for name in CLASSES[package]]


def build(name: str, settings: Sequence[str] = ()) -> Any:
    """Return an unfitted ranker with its parameters set from ``name=value``."""
    if name in FOREIGN:
        import rankwright

        return rankwright.adapt(_set(name, _foreign(name), settings))
    rankers = available()
    if name not in rankers:
        names = ", ".join([*rankers, *FOREIGN])
        raise ValueError(f"there is no ranker {name!r}; choose from {names}")
    return _set(name, rankers[name](), settings)


def _foreign(package: str) -> Any:
    if find_spec(package) is None:
        raise ValueError(f"the ranker {package} needs the package {package}: pip install {package}")
    return getattr(import_module(package), FOREIGN[package])(**QUIET[package])


def _set(name: str, ranker: Any, settings: Sequence[str]) -> Any:
    # CatBoost lists only those parameters that were given.
    known = {**signature(type(ranker)).parameters, **ranker.get_params()}
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
