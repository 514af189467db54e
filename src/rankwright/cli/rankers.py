"""Rankers and their parameters as a command line names them."""

from collections.abc import Sequence
from typing import Any

__all__ = ["build", "trusted_classes"]

# What the models of other packages are made of, in model files.
CLASSES = {
    "catboost": ("catboost.core.CatBoostRanker",),
    "lightgbm": ("lightgbm.basic.Booster", "lightgbm.sklearn.LGBMRanker"),
    "xgboost": ("xgboost.core.Booster", "xgboost.sklearn.XGBRanker"),
}


def trusted_classes(packages: Sequence[str]) -> list[str]:
    """Return the classes that a model file may hold, given the packages that are trusted."""
    unknown = [package for package in packages if package not in CLASSES]
    if unknown:
        raise ValueError(f"--trust {unknown[0]}: choose from {', '.join(CLASSES)}")
    return [name for package in packages for name in CLASSES[package]]


def build(name: str, settings: Sequence[str] = ()) -> Any:
    """Return an unfitted ranker with its parameters set from ``name=value``."""
    from rankwright.comparison import catalogue

    return catalogue.build(name, catalogue.read_settings(settings))
