"""How each kind of ranker is written as ONNX operators.

A converter adds operators to a graph and declares the outputs: ``score``, what a ranking is made
of, and of ordinal rankers ``label``, what ``predict`` returns.
"""

from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.exchange.cells import add_cells
from rankwright.exchange.graph import Graph
from rankwright.exchange.tree_ensemble import FlatTree, add_trees
from rankwright.trees.ordinal.nodes import Tree

__all__ = ["CONVERTERS", "NOT_EXPORTED"]

MOST_LABELS = 50


def _score(graph: Graph, value: str) -> str:
    """Declare a value (n, 1) as the score of n rows."""
    flat = graph.add("Reshape", value, graph.constant(np.array([-1], dtype=np.int64)))
    graph.output("score", flat, np.float64)
    return flat


def _weighted_sum(graph: Graph, X: str, weights: NDArray[np.float64]) -> str:
    return graph.add("MatMul", X, graph.constant(np.asarray(weights, dtype=np.float64)[:, None]))


def _linear(graph: Graph, ranker: Any) -> None:
    _score(graph, _weighted_sum(graph, graph.X, ranker.coef_))


def _perceptron(graph: Graph, ranker: Any) -> None:
    summed = _weighted_sum(graph, graph.X, ranker.coef_)
    _label_by_thresholds(graph, summed, ranker, passes="GreaterOrEqual")


def _label_by_thresholds(graph: Graph, value: str, ranker: Any, *, passes: str) -> None:
    """Declare a score, and the label above the last threshold that it passes."""
    scores = _score(graph, value)
    column = graph.add("Unsqueeze", scores, graph.constant(np.array([1])))
    reached = graph.add(passes, column, graph.constant(ranker.thresholds_[None]))
    counted = graph.add("Cast", reached, to=int(graph.onnx.TensorProto.INT64))
    code = graph.add("ReduceSum", counted, graph.constant(np.array([1])), keepdims=0)
    _label(graph, code, ranker.classes_)


def _label(graph: Graph, code: str, labels: NDArray[Any]) -> None:
    """Declare the labels of codes as an output: text, or numbers."""
    labels = labels.astype(np.float64) if labels.dtype.kind in "biuf" else labels.astype(object)
    kind = np.float64 if labels.dtype.kind == "f" else np.object_
    graph.output("label", graph.add("Gather", graph.constant(labels), code), kind)


def _formula(graph: Graph, formula: Any) -> None:
    if formula.value_functions_ is not None:
        raise ValueError("its factors count in pieces (value_functions=); only sums are exported")
    X = graph.X
    if formula.missing != "refuse":
        missing = graph.add("IsNaN", X)
        X = graph.add("Where", missing, graph.constant(formula.medians_[None]), X)
    # As predict does: sums of decimals, whose digits past the twelfth are noise.
    scale = graph.constant(10.0**formula.score_places_)
    summed = _weighted_sum(graph, X, formula.weights_)
    if formula.intercept_:
        summed = graph.add("Add", summed, graph.constant(np.float64(formula.intercept_)))
    scaled = graph.add("Mul", summed, scale)
    _score(graph, graph.add("Div", graph.add("Round", scaled), scale))


def _flat(
    nodes: NDArray[Any], category_sets: NDArray[np.bool_], values: NDArray[np.float64], target: int
) -> FlatTree:
    """Return a tree of splits and leaves that keep the number of their node."""
    is_leaf = nodes["left"] < 0
    inner = 0 if is_leaf[0] else len(nodes)
    left = np.maximum(nodes["left"][:inner], 0)
    to_left, to_right = (np.where(is_leaf[to], ~to, to) for to in (left, left + 1))
    return FlatTree(nodes[:inner], category_sets, to_left, to_right, values, target)


def _by_label(tree: Tree, values: NDArray[np.float64]) -> list[FlatTree]:
    """Return a tree for each label."""
    return [
        _flat(tree.nodes, tree.category_sets, of_label, label)
        for label, of_label in enumerate(values.T)
    ]


def _boosted_sum(graph: Graph, ranker: Any) -> str:
    trees = [
        _flat(tree.nodes, tree.category_sets, tree.nodes["value"], 0) for tree in ranker.trees_
    ]
    return add_trees(graph, trees)


def _boosted(graph: Graph, ranker: Any) -> None:
    _score(graph, _boosted_sum(graph, ranker))


def _boosted_labels(graph: Graph, ranker: Any) -> None:
    _label_by_thresholds(graph, _boosted_sum(graph, ranker), ranker, passes="Greater")


def _ordinal(graph: Graph, ranker: Any) -> None:
    if len(ranker.labels_) > MOST_LABELS:
        raise ValueError(
            f"it has {len(ranker.labels_)} labels, and a tree is written once for each; at most "
            f"{MOST_LABELS} are exported"
        )
    trees = ranker._grown()
    grown = (_by_label(tree, tree.distributions() / len(trees)) for tree in trees)
    distribution = add_trees(graph, list(chain.from_iterable(grown)))
    _score(graph, _weighted_sum(graph, distribution, ranker.label_values_))
    # The median: the first label at which half of the weight is reached.
    below = graph.add("CumSum", distribution, graph.constant(np.int64(1)))
    half = graph.constant(np.float64(0.5 - 1e-12))
    reached = graph.add("GreaterOrEqual", below, half)
    counted = graph.add("Cast", reached, to=int(graph.onnx.TensorProto.INT64))
    code = graph.add("ArgMax", counted, axis=1, keepdims=0)
    _label(graph, code, ranker.labels_)


def _tree_rank(graph: Graph, ranker: Any) -> None:
    _score(graph, add_cells(graph, ranker.tree_, ranker.tree_.scores()))


def _ranking_forest(graph: Graph, ranker: Any) -> None:
    if ranker.aggregation not in ("mean", "plugin"):
        raise ValueError(
            f"aggregation={ranker.aggregation!r} is no sum over trees; fit with 'mean' or 'plugin'"
        )
    pairs = zip(ranker.trees_, ranker.leaf_values_, strict=True)
    says = [add_cells(graph, tree, values / len(ranker.trees_)) for tree, values in pairs]
    _score(graph, graph.add("Sum", *says))


def _regression(graph: Graph, ranker: Any) -> None:
    from rankwright.exchange.scikit_learn import embed

    _score(graph, embed(graph, ranker.regressor_))


CONVERTERS = {
    "BayesPointPerceptron": _perceptron,
    "BoostedOrdinal": _boosted_labels,
    "BoostedRanker": _boosted,
    "ExpectedRankRegressor": _regression,
    "LeastSquaresRanker": _linear,
    "OrdinalForest": _ordinal,
    "OrdinalTree": _ordinal,
    "PRankPerceptron": _perceptron,
    "PairwiseRanker": _linear,
    "PairwiseRankerCV": _linear,
    "PlackettLuceRanker": _linear,
    "PushRanker": _linear,
    "RankingForest": _ranking_forest,
    "RatingFormula": _formula,
    "TreeRank": _tree_rank,
}
NOT_EXPORTED = {
    "AdaptedRanker": "convert its model_ by the package of the model, or by onnxmltools",
    "PreferenceRanker": "its score compares a row with training rows by a classifier of pairs",
}
