"""Model files, whatever ranks in them: a ranker, a pipeline, a search, with or without names."""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankwright.cli.files import read_model
from rankwright.cli.rankers import trusted_classes

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from rankwright.explanation import Explanation

__all__ = ["SavedModel", "load_model"]


@dataclass(frozen=True)
class SavedModel:
    """A model from a file and the factors that it was fitted on."""

    name: str
    ranker: Any
    factors: list[str] | None  # None where it was fitted without column names
    n_factors: int

    @property
    def is_grouped(self) -> bool:
        """Whether a rating formula was fitted to ranks within several groups."""
        rating = getattr(getattr(self.ranker, "best_estimator_", self.ranker), "rating_", None)
        return rating is not None and len(set(rating.groups)) > 1

    @property
    def marks_gaps(self) -> bool:
        """Whether some of the factors tell where another one was missing."""
        from rankwright.data.remedies import IS_MISSING

        known = self.factors or []
        return any(f"{name}{IS_MISSING}" in known for name in known)

    @property
    def factor_ranges(self) -> "NDArray[np.float64] | None":
        """The least and largest value of each factor in the fit, where the model knows them."""
        model = getattr(self.ranker, "best_estimator_", self.ranker)
        ranges: NDArray[np.float64] | None = getattr(model, "factor_ranges_", None)
        return ranges

    @property
    def gap_values(self) -> dict[str, float]:
        """What filled the gaps of each factor in the fit, as far as the model has kept its data."""
        from rankwright.data.remedies import IS_MISSING

        rating = getattr(getattr(self.ranker, "best_estimator_", self.ranker), "rating_", None)
        if rating is None:
            return {}
        columns = dict(zip(rating.factor_names, rating.X.T, strict=True))
        marks = {name: columns.get(f"{name}{IS_MISSING}") for name in columns}
        return {
            name: float(columns[name][marked == 1][0])
            for name, marked in marks.items()
            if marked is not None and (marked == 1).any()
        }

    def predict(self, X: "pd.DataFrame") -> "NDArray[np.float64]":
        """Return the score of each item, larger is better."""
        from rankwright.base import scores_of

        return scores_of(self.ranker, X if self.factors is not None else X.to_numpy())

    def explain(self, item: "pd.DataFrame", other: "pd.DataFrame") -> "Explanation":
        """Say why one item is above another, by the names of the table's columns."""
        from dataclasses import replace

        import numpy as np

        import rankwright as rw

        why = rw.why_above(self.ranker, item, other)
        if self.factors is not None:
            return why
        names = {f"x{place}": name for place, name in enumerate(item.columns)}
        features = [names.get(feature, feature) for feature in why.features]
        return replace(why, features=np.array(features, dtype=object))

    def formula(self, factors: list[str]) -> Any:
        """Return a fitted rating formula, or the weights of a linear ranker, by factor."""
        import numpy as np

        from rankwright.linear.linear_ranker import LinearRankerMixin

        model = getattr(self.ranker, "best_estimator_", self.ranker)
        if isinstance(model, LinearRankerMixin):
            return dict(zip(factors, model.coef_.tolist(), strict=True))
        if not hasattr(model, "weights_"):
            raise ValueError(
                f"{self.name} ({type(model).__name__}) has no weights for the factors; plans need "
                "a formula from rankwright reverse, or a ranker such as pairwise-ranker"
            )
        if self.factors is not None:
            return model
        named = copy(model)
        named.feature_names_in_ = np.array(factors, dtype=object)
        return named


def load_model(path: Path, trust: Sequence[str] | None = None) -> SavedModel:
    """Read a model file, which may hold models of the packages that are trusted."""
    ranker = read_model(path, trusted_classes(trust or ()))
    if not (hasattr(ranker, "decision_function") or hasattr(ranker, "predict")):
        raise ValueError(
            f"{path.name} ({type(ranker).__name__}) can't score items; "
            "save a fitted ranker, a pipeline, or a search with refit=True"
        )
    names = _stated(ranker, "feature_names_in_")
    count = _stated(ranker, "n_features_in_")
    if names is None and count is None:
        raise ValueError(
            f"{path.name} does not say how many factors it was fitted on; "
            "fit it again on a frame with column names"
        )
    if names is None:
        return SavedModel(path.name, ranker, None, int(count))
    return SavedModel(path.name, ranker, [str(name) for name in names], len(names))


def _stated(model: Any, fact: str) -> Any:
    """Return what a model, or the one that it hands its input to, says about its input."""
    steps = [step for _, step in getattr(model, "steps", ()) if step != "passthrough"]
    inner = getattr(model, "best_estimator_", steps[0] if steps else None)
    return getattr(model, fact, None if inner is None else _stated(inner, fact))
