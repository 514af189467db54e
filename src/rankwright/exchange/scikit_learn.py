"""Models of scikit-learn inside a graph, by skl2onnx."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from rankwright.exchange.graph import OPSET, TREES, Graph

__all__ = ["embed"]


def embed(graph: Graph, model: Any) -> str:
    """Add a fitted model of scikit-learn that reads ``graph.X``; return its first output."""
    from skl2onnx import to_onnx
    from skl2onnx.common.data_types import DoubleTensorType

    for tree in _trees(model):
        # skl2onnx would look for their neighbours without end.
        if not np.isfinite(tree.threshold[tree.children_left >= 0]).all():
            raise ValueError(
                f"skl2onnx can't convert its {type(model).__name__}: a tree cuts at no finite "
                "number, as between missing and other values; fill the gaps before the fit"
            )
    try:
        converted = to_onnx(
            model,
            initial_types=[("X", DoubleTensorType([None, model.n_features_in_]))],
            target_opset={"": OPSET, TREES: 3},
        )
    except Exception as error:  # whatever skl2onnx raises for what it does not know
        raise ValueError(f"skl2onnx can't convert its {type(model).__name__}: {error}") from error
    return graph.embed(converted)


def _trees(model: Any) -> Iterator[Any]:
    """Yield the trees of a tree, of a forest, or of the last step of a pipeline."""
    if hasattr(model, "tree_"):
        yield model.tree_
    if hasattr(model, "steps"):
        yield from _trees(model.steps[-1][1])
    for one in np.ravel(getattr(model, "estimators_", ())):
        yield from _trees(one)
