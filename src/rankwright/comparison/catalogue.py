"""Rankers by the names that people type or choose: lower case with hyphens."""

import ast
import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from inspect import signature
from typing import Any

import rankwright
from rankwright.base import RankerMixin

__all__ = ["FOREIGN", "available", "build", "installed_foreign", "read_settings"]

# The rankers of other packages, by package: what they are called there.
FOREIGN = {"catboost": "CatBoostRanker", "lightgbm": "LGBMRanker", "xgboost": "XGBRanker"}
QUIET: dict[str, dict[str, Any]] = {
    "catboost": {"allow_writing_files": False},
    "lightgbm": {"verbose": -1},
    "xgboost": {"verbosity": 0},
}
SEED = 0  # of rankers that chance plays a part in: a command says the same whenever it is run


def available() -> dict[str, type]:
    """Return every public ranker by its name in lower case with hyphens."""
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


def build(name: str, parameters: Mapping[str, Any] | None = None) -> Any:
    """Return an unfitted ranker with its parameters set."""
    if name in FOREIGN:
        return rankwright.adapt(_set(name, _foreign(name), parameters or {}))
    rankers = available()
    if name not in rankers:
        names = ", ".join([*rankers, *FOREIGN])
        raise ValueError(f"there is no ranker {name!r}; choose from {names}")
    return _set(name, rankers[name](), parameters or {})


def read_settings(settings: Sequence[str]) -> dict[str, Any]:
    """Read parameters as people type them: ``name=value``, one each."""
    parameters = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise ValueError(f"the parameter {setting!r} has no value; give NAME=VALUE")
        parameters[name.strip()] = _value(value.strip())
    return parameters


def _value(text: str) -> Any:
    """Read a number, True, None or a list; what is none of these is text."""
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return text


def _foreign(package: str) -> Any:
    if find_spec(package) is None:
        raise ValueError(f"the ranker {package} needs the package {package}: pip install {package}")
    return getattr(import_module(package), FOREIGN[package])(**QUIET[package])


def _set(name: str, ranker: Any, parameters: Mapping[str, Any]) -> Any:
    # CatBoost lists only those parameters that were given.
    known = {**signature(type(ranker)).parameters, **ranker.get_params()}
    for parameter in parameters:
        if parameter not in known:
            raise ValueError(
                f"{name} has no parameter {parameter!r}; it has {', '.join(known) or 'none at all'}"
            )
    is_seeded = ranker.get_params().get("random_state", SEED) is not None
    return ranker.set_params(**{**({} if is_seeded else {"random_state": SEED}), **parameters})


def _kebab(name: str) -> str:
    """Turn RankingForest into ranking-forest, and PRankPerceptron into p-rank-perceptron."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", name).lower()
