"""Models of scikit-learn inside a graph, by skl2onnx."""

from typing import Any

from rankwright.exchange.graph import OPSET, TREES, Graph

__all__ = ["embed"]


def embed(graph: Graph, model: Any) -> str:
    """Add a fitted model of scikit-learn that reads ``graph.X``; return its first output."""
    from skl2onnx import to_onnx
    from skl2onnx.common.data_types import DoubleTensorType

    try:
        converted = to_onnx(
            model,
            initial_types=[("X", DoubleTensorType([None, model.n_features_in_]))],
            target_opset={"": OPSET, TREES: 3},
        )
    except Exception as error:  # whatever skl2onnx raises for what it does not know
        raise ValueError(f"skl2onnx can't convert its {type(model).__name__}: {error}") from error
    return graph.embed(converted)
