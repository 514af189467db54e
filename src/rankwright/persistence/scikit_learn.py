"""scikit-learn's trees, which follow the indices in their arrays without a look at the bounds."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rankwright.base import is_array
from rankwright.persistence import parameters, parts, shapes, transformers
from rankwright.persistence.errors import require
from rankwright.persistence.parts import check_parts
from rankwright.persistence.shapes import check_shapes, n_classes, n_features

if TYPE_CHECKING:
    from sklearn.tree._tree import Tree

__all__ = ["TABLES", "check_estimator", "restore_tree"]

LEAF = -1


def restore_tree(arguments: Any, state: Any) -> "Tree":
    """Return a tree whose children follow their parents and whose features exist."""
    from sklearn.tree._tree import NODE_DTYPE, Tree

    n_features, n_classes, n_outputs = arguments
    nodes, values = state["nodes"], state["values"]
    require(
        type(n_features) is int
        and type(n_outputs) is int
        and is_array(n_classes)
        and n_classes.dtype == np.intp
        and n_classes.shape == (n_outputs,)
        and n_outputs >= 1
        and n_classes.min() >= 1,
        "a tree's outputs",
    )
    require(
        is_array(nodes)
        and is_array(values)
        and nodes.dtype == NODE_DTYPE
        and nodes.ndim == 1
        and nodes.size >= 1
        and type(state["node_count"]) is int
        and state["node_count"] == nodes.size
        and values.dtype == np.float64
        and values.shape == (nodes.size, n_outputs, int(n_classes.max())),
        "a tree's nodes",
    )
    left, right = nodes["left_child"], nodes["right_child"]
    inner = left != LEAF
    require(bool(((right != LEAF) == inner).all()), "a tree's leaves")
    _check_children(inner, left, right, nodes["feature"], n_features)
    # What rows of single precision are compared with; exporters look for ever for the nearest such
    # number of another one. Rows without a value are told from all others by infinity.
    limits = np.abs(nodes["threshold"])
    single = np.isinf(limits) | (limits <= np.finfo(np.float32).max)
    require(bool(single.all()), "a tree's thresholds")
    # A path is written into a row as long as the greatest depth.
    depth = state.get("max_depth")
    require(type(depth) is int and depth == _depth(inner, left, right), "a tree's depth")
    tree = Tree(n_features, n_classes, n_outputs)
    tree.__setstate__(state)
    return tree


def check_estimator(name: str, estimator: Any) -> None:
    """Check that the trees of an estimator, or what it derived from its data, can be right."""
    if not name.startswith("sklearn."):
        return
    short = name.rpartition(".")[2]
    check_parts(short, estimator)
    check_shapes(short, estimator)
    for ending in ("Classifier", "Regressor"):
        short = short.removesuffix(ending)
    for checks in TABLES:
        if short in checks:
            checks[short](estimator)


def _check_predictor(predictor: Any) -> None:
    from sklearn.ensemble._hist_gradient_boosting.common import PREDICTOR_RECORD_DTYPE

    nodes = predictor.nodes
    require(
        is_array(nodes)
        and nodes.dtype == PREDICTOR_RECORD_DTYPE
        and nodes.ndim == 1
        and nodes.size >= 1,
        "the nodes of a boosted tree",
    )
    # Their categories are found through several tables; encode them before the model.
    require(not nodes["is_categorical"].any(), "a boosted tree on categories")
    left, right = (nodes[side].astype(np.int64) for side in ("left", "right"))
    _check_children(nodes["is_leaf"] == 0, left, right, nodes["feature_idx"], None)


def _check_children(
    inner: NDArray[np.bool_],
    left: NDArray[Any],
    right: NDArray[Any],
    feature: NDArray[Any],
    n_features: int | None,
) -> None:
    parents = np.flatnonzero(inner)
    for child in (left[parents], right[parents]):
        require(bool(((child > parents) & (child < inner.size)).all()), "a tree's children")
    children = np.concatenate([left[parents], right[parents]])
    is_child = np.zeros(inner.size, dtype=np.bool_)
    is_child[children] = True
    # Each but the root has one parent; on more ways than that, whoever follows all takes for ever.
    require(children.size == inner.size - 1 and bool(is_child[1:].all()), "a tree's children")
    tested = feature[parents]
    require(bool((tested >= 0).all()), "a tree's features")
    require(n_features is None or bool((tested < n_features).all()), "a tree's features")


def _depth(inner: NDArray[np.bool_], left: NDArray[Any], right: NDArray[Any]) -> int:
    """Return the greatest number of steps from the root of a tree."""
    parents = np.flatnonzero(inner)
    above = np.zeros(inner.size, dtype=np.intp)
    above[left[parents]] = above[right[parents]] = parents
    steps = np.ones(inner.size, dtype=np.intp)
    steps[0] = 0
    while above.any():  # twice as far each time
        steps += steps[above]
        above = above[above]
    return int(steps.max())


def _check_tree(estimator: Any) -> None:
    if hasattr(estimator, "tree_"):
        _check_features(estimator, [estimator])


def _check_forest(estimator: Any) -> None:
    _check_features(estimator, getattr(estimator, "estimators_", ()))


def _check_features(estimator: Any, trees: Any) -> None:
    """Check that trees have the features of the estimator, which alone looks at new rows.

    They have one output, and as many values for it as the estimator knows classes: it makes tables
    of the sizes that it was told, and adds what the trees have.
    """
    from sklearn.ensemble._gb import BaseGradientBoosting
    from sklearn.tree import BaseDecisionTree
    from sklearn.tree._tree import Tree

    for tree in trees:
        require(
            isinstance(tree, BaseDecisionTree)
            and isinstance(tree.tree_, Tree)
            and tree.tree_.n_features == n_features(estimator) == n_features(tree),
            f"the trees of a {type(estimator).__name__}",
        )
    if isinstance(estimator, BaseGradientBoosting):  # whose trees are regressors
        return
    n_values = n_classes(estimator) if hasattr(estimator, "classes_") else 1
    for one in (estimator, *trees):
        if not hasattr(one, "n_outputs_"):  # not fitted, or of no use
            continue
        counted = getattr(one, "n_classes_", 1)
        require(
            type(one.n_outputs_) is int
            and one.n_outputs_ == 1
            and np.ndim(counted) == 0
            and counted == n_values,
            f"the outputs of a {type(estimator).__name__}",
        )
    for tree in trees:
        require(
            tree.tree_.n_outputs == 1 and tree.tree_.max_n_classes == n_values,
            f"the outputs of a {type(estimator).__name__}",
        )


def _check_boosted(estimator: Any) -> None:
    from sklearn.base import is_classifier
    from sklearn.dummy import DummyClassifier, DummyRegressor
    from sklearn.ensemble._gb import _init_raw_predictions

    if not hasattr(estimator, "estimators_"):
        return
    trees, first = estimator.estimators_, estimator.init_
    require(
        is_array(trees) and trees.ndim == 2 and trees.shape[1] == 1,
        "the classes of a GradientBoosting model, which are more than two or",
    )
    require(
        isinstance(first, DummyClassifier | DummyRegressor)
        or (isinstance(first, str) and first == "zero"),
        "the first guess of a GradientBoosting model",
    )
    if first == "zero":
        n_columns = estimator.n_trees_per_iteration_
    else:
        # It looks at the number of rows alone, and its columns are written to.
        guess = _init_raw_predictions(
            np.zeros((1, 1)), first, estimator._loss, is_classifier(estimator)
        )
        n_columns = guess.size
    require(n_columns == 1, "the columns of a GradientBoosting model")
    _check_features(estimator, trees.ravel())


def _check_histogram_boosted(estimator: Any) -> None:
    from sklearn.ensemble._hist_gradient_boosting.predictor import TreePredictor

    if not hasattr(estimator, "_predictors"):
        return
    n_seen = n_features(estimator)
    require(
        estimator._preprocessor is None
        and not getattr(estimator, "_in_fit", False)
        and estimator._bin_mapper.is_categorical_.shape == (n_seen,),
        "the preprocessing of a HistGradientBoosting model, which has categories or",
    )
    n_columns = shapes.LENGTHS["b"](estimator) if hasattr(estimator, "classes_") else 1
    what = "the columns of a HistGradientBoosting model"
    require(
        type(estimator.n_trees_per_iteration_) is int
        and estimator.n_trees_per_iteration_ == n_columns
        and is_array(estimator._baseline_prediction)
        and estimator._baseline_prediction.shape == (1, n_columns),
        what,
    )
    for stage in estimator._predictors:
        require(type(stage) is list and len(stage) == n_columns, what)
        for predictor in stage:
            require(
                type(predictor) is TreePredictor
                and bool((predictor.nodes["feature_idx"] < n_seen).all()),
                "the features of a HistGradientBoosting model",
            )


TREES: dict[str, Callable[[Any], None]] = {
    "DecisionTree": _check_tree,
    "ExtraTree": _check_tree,
    "ExtraTrees": _check_forest,
    "GradientBoosting": _check_boosted,
    "HistGradientBoosting": _check_histogram_boosted,
    "RandomForest": _check_forest,
    "TreePredictor": _check_predictor,
}
TABLES = (shapes.CHECKS, parts.CHECKS, parameters.CHECKS, transformers.CHECKS, TREES)
