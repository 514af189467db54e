"""A graph of ONNX operators while it is put together."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

__all__ = [
    "Graph",
    "OPSET",
    "TREES",
    "onnx_package",
]

TREES = "ai.onnx.ml"
OPSET, TREES_OPSET = 21, 5
IR_VERSION = 10


def onnx_package() -> Any:
    """Import onnx, or say which extra brings it."""
    try:
        import onnx
    except ImportError as error:
        raise ImportError(
            "to_onnx needs the packages onnx and skl2onnx: pip install 'rankwright[onnx]'"
        ) from error
    return onnx


class Graph:
    """Operators one after the other, from the input ``X`` (n, d) of doubles on.

    ``X`` is the name of the value that the next model reads: the input, or what preprocessing has
    made of it.
    """

    def __init__(self, n_features: int) -> None:
        self.onnx = onnx_package()
        self.n_features = n_features
        self.X = "X"
        self._nodes: list[Any] = []
        self._constants: list[Any] = []
        self._outputs: list[Any] = []
        self._opsets = {"": OPSET}

    def add(self, operator: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        """Add an operator and return the name of its result."""
        name = f"{operator.lower()}_{len(self._nodes)}"
        if domain:
            self._opsets[domain] = TREES_OPSET
        self._nodes.append(
            self.onnx.helper.make_node(operator, list(inputs), [name], domain=domain, **attributes)
        )
        return name

    def constant(self, values: ArrayLike) -> str:
        """Add a constant and return its name."""
        name = f"constant_{len(self._constants)}"
        self._constants.append(self.onnx.numpy_helper.from_array(np.asarray(values), name))
        return name

    def tensor(self, values: ArrayLike) -> Any:
        """Return an array as the tensor of an attribute."""
        return self.onnx.numpy_helper.from_array(np.asarray(values), "values")

    def output(self, name: str, value: str, kind: Any, *shape: int) -> None:
        """Declare a value as an output of n rows under a name of its own."""
        self._nodes.append(self.onnx.helper.make_node("Identity", [value], [name]))
        element = self.onnx.helper.np_dtype_to_tensor_dtype(np.dtype(kind))
        info = self.onnx.helper.make_tensor_value_info(name, element, [None, *shape])
        self._outputs.append(info)

    def embed(self, model: Any) -> str:
        """Add a model with one input, which is fed ``X``; return its first output, in doubles."""
        inner = self.onnx.compose.add_prefix(model, f"part_{len(self._nodes)}_").graph
        if len(inner.input) != 1:
            raise ValueError(
                f"its preprocessing has {len(inner.input)} inputs, and one matrix of numbers is "
                "exported; put the columns into one array of numbers first"
            )
        self._nodes.append(self.onnx.helper.make_node("Identity", [self.X], [inner.input[0].name]))
        self._nodes.extend(inner.node)
        self._constants.extend(inner.initializer)
        for opset in model.opset_import:
            self._opsets.setdefault(opset.domain, opset.version)
        return self.add("Cast", str(inner.output[0].name), to=int(self.onnx.TensorProto.DOUBLE))

    def model(self, facts: Mapping[str, str]) -> Any:
        """Return the checked model, with facts about it in its metadata."""
        helper = self.onnx.helper
        double = self.onnx.TensorProto.DOUBLE
        graph = helper.make_graph(
            self._nodes,
            "ranker",
            [helper.make_tensor_value_info("X", double, [None, self.n_features])],
            self._outputs,
            self._constants,
        )
        opsets = [helper.make_opsetid(domain, version) for domain, version in self._opsets.items()]
        model = helper.make_model(graph, opset_imports=opsets, producer_name="rankwright")
        model.ir_version = IR_VERSION
        helper.set_model_props(model, dict(facts))
        try:
            self.onnx.checker.check_model(model)
        except self.onnx.checker.ValidationError as error:
            # skl2onnx writes trees by an operator that is gone in the version that ours need.
            raise ValueError(f"its parts do not go together in one graph: {error}") from error
        return model
