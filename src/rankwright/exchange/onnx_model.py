"""A fitted ranker as an ONNX model."""

import json
import os
from pathlib import Path
from typing import Any

from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

import rankwright
from rankwright.exchange.converters import CONVERTERS, NOT_EXPORTED
from rankwright.exchange.graph import Graph, onnx_package
from rankwright.exchange.scikit_learn import embed
from rankwright.persistence.atomic import write_atomically

__all__ = ["to_onnx"]


def to_onnx(model: Any, path: str | os.PathLike[str] | None = None) -> Any:
    """Return a fitted ranker as an ONNX model, which scores rows without Python.

    The model reads ``X``, doubles of shape (n, d) with the columns of the training data in their
    order. Its output ``score`` has one number for each row: what ``predict`` returns, or, of
    ordinal rankers, ``decision_function``; these also have ``label``. Categories are read as the
    numbers that the metadata lists under ``categories``, and as NaN where they are unknown.

    Parameters
    ----------
    model : fitted ranker, or pipeline or search that ends in one
        Steps before the ranker are converted by skl2onnx, and have to take one array of numbers.
    path : path, optional
        Where to write it.

    Returns
    -------
    onnx.ModelProto

    Examples
    --------
    >>> import rankwright as rw
    >>> ranker = rw.PairwiseRanker().fit([[1.0], [2.0], [3.0]], [1, 2, 3])
    >>> [output.name for output in rw.to_onnx(ranker).graph.output]
    ['score']
    """
    onnx_package()
    ranker, steps = _parts(model)
    check_is_fitted(ranker)
    name = type(ranker).__name__
    if name not in CONVERTERS:
        reason = NOT_EXPORTED.get(name, f"give one of {', '.join(CONVERTERS)}")
        raise ValueError(f"{name} can't be exported to ONNX: {reason}")
    graph = Graph(steps[0].n_features_in_ if steps else ranker.n_features_in_)
    try:
        for step in steps:
            graph.X = embed(graph, step)
        CONVERTERS[name](graph, ranker)
    except ValueError as error:
        raise ValueError(f"{name} can't be exported to ONNX: {error}") from error
    made = graph.model(_facts(model, ranker))
    if path is not None:
        write_atomically(Path(path), made.SerializeToString())
    return made


def _parts(model: Any) -> tuple[Any, list[Any]]:
    """Return the ranker that a model ends in, and the fitted steps before it."""
    model = getattr(model, "best_estimator_", model)
    if not isinstance(model, Pipeline):
        return model, []
    steps = [step for _, step in model.steps[:-1] if step not in (None, "passthrough")]
    ranker, inner = _parts(model.steps[-1][1])
    return ranker, steps + inner


def _facts(model: Any, ranker: Any) -> dict[str, str]:
    names = getattr(model, "feature_names_in_", getattr(ranker, "feature_names_in_", []))
    facts = {
        "ranker": type(ranker).__name__,
        "rankwright": rankwright.__version__,
        "features": json.dumps([str(name) for name in names]),
    }
    if categories := getattr(ranker, "categories_", None):
        listed = {str(column): [str(one) for one in known] for column, known in categories.items()}
        facts["categories"] = json.dumps(listed)
    return facts
