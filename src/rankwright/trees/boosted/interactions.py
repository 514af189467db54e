"""Additive boosters: which features a tree may cut together."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from rankwright.trees.boosted.nodes import BoostedTree

__all__ = ["any_two", "best_pairs", "only_alone", "only_pairs"]

Flags = NDArray[np.bool_]


def only_alone(n_features: int) -> Flags:
    """Let every feature be cut alone."""
    return np.eye(n_features, dtype=np.bool_)


def any_two(n_features: int) -> Flags:
    """Let any two features be cut together."""
    return np.ones((n_features, n_features), dtype=np.bool_)


def only_pairs(n_features: int, pairs: Iterable[tuple[int, int]]) -> Flags:
    """Let only these pairs of features be cut together."""
    partners = only_alone(n_features)
    for first, second in pairs:
        partners[first, second] = partners[second, first] = True
    return partners


def best_pairs(trees: Iterable[BoostedTree], k: int) -> list[tuple[int, int]]:
    """Return the k pairs that gained most in trees of any two features.

    What cuts on the feature of the root gain, that feature gains alone; the cuts on the other one
    are what the pair adds.
    """
    gains: dict[tuple[int, int], float] = {}
    for tree in trees:
        inner = tree.nodes[tree.nodes["left"] >= 0]
        features = np.unique(inner["feature"]).tolist()
        if len(features) == 2:
            below = inner["feature"] != inner["feature"][0]
            pair = (features[0], features[1])
            gains[pair] = gains.get(pair, 0.0) + float(inner["decrease"][below].sum())
    return sorted(gains, key=lambda pair: (-gains[pair], pair))[:k]
