"""A small model of every class of scikit-learn that files may hold."""

import numpy as np
from sklearn.base import is_classifier, is_regressor
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import rankwright as rw
from rankwright.persistence.classes import SCIKIT_LEARN, _public_classes

X = np.abs(np.random.default_rng(0).normal(size=(60, 3)))
GAPS = np.where(X > 2, np.nan, X)
Y = X @ [1.0, 2.0, 3.0]
TARGETS = {
    "numbers": Y + 1,
    "two classes": (np.median(Y) < Y).astype(int),
    "three classes": np.digitize(Y, np.quantile(Y, [0.3, 0.6])),
}
CLASSES = {cls.__name__: cls for family in SCIKIT_LEARN for cls in _public_classes(family).values()}
POSITIVE = {"GammaRegressor", "PoissonRegressor"}  # rankers would give them numbers around zero
# Those that take part in others, or draw folds; the two of labels are private to classifiers.
SMALL = {
    name for name, cls in CLASSES.items() if not hasattr(cls, "predict") and hasattr(cls, "split")
}
SMALL |= {"LabelBinarizer", "LabelEncoder", "make_column_selector"}
MODELS = sorted(CLASSES.keys() - SMALL)
OF_TWO_CLASSES = {"FixedThresholdClassifier", "GradientBoostingClassifier"}
ARGUMENTS = {
    "ColumnTransformer": {
        "transformers": [("scaled", StandardScaler(), [0, 1]), ("same", "passthrough", [2])],
    },
    "FeatureUnion": {"transformer_list": [("scaled", StandardScaler())]},
    "GridSearchCV": {"estimator": Ridge(), "param_grid": {"alpha": [1, 2]}, "cv": KFold(2)},
    "IsotonicRegression": {"out_of_bounds": "clip"},
    "KBinsDiscretizer": {"encode": "onehot-dense", "quantile_method": "linear"},
    "LogisticRegressionCV": {"Cs": 2, "cv": 2, "use_legacy_attributes": False, "l1_ratios": (0,)},
    "OneHotEncoder": {"sparse_output": False, "handle_unknown": "ignore"},
    "OrthogonalMatchingPursuitCV": {"max_iter": 3},
    "Pipeline": {"steps": [("scaled", StandardScaler())]},
    "RandomizedSearchCV": {
        "estimator": Ridge(),
        "param_distributions": {"alpha": [1, 2]},
        "n_iter": 2,
    },
    "SplineTransformer": {"n_knots": 3},
    "TransformedTargetRegressor": {"transformer": StandardScaler()},
}
MODELS_INSIDE = {
    **dict.fromkeys(
        ("RFE", "RFECV", "SelectFromModel", "SequentialFeatureSelector"), LinearRegression
    ),
    **dict.fromkeys(("FixedThresholdClassifier", "OneVsOneClassifier"), LogisticRegression),
    "OneVsRestClassifier": LogisticRegression,
}


def made(name):
    cls = CLASSES[name]
    arguments = dict(ARGUMENTS.get(name, {}))
    if name in MODELS_INSIDE:
        arguments["estimator"] = MODELS_INSIDE[name]()
    model = cls(**arguments)
    small = {"n_estimators": 3, "max_iter": 30, "n_init": 2, "random_state": 0}
    known = model.get_params()
    return model.set_params(**{k: v for k, v in small.items() if k in known and k not in arguments})


def targets_of(name):
    model = made(name)
    if is_classifier(model):
        return ["two classes", "three classes"][: 1 if name in OF_TWO_CLASSES else 2]
    return ["numbers" if is_regressor(model) else "two classes"]


def rows_of(name):
    rows = X[:, :1] if name == "IsotonicRegression" else X
    return GAPS if name in {"MissingIndicator", "SimpleImputer"} else rows


def ranker_of(name, target):
    """Return a ranker or a pipeline with a fitted model of a class."""
    model, rows, target = made(name), rows_of(name), TARGETS[target]
    if hasattr(model, "predict") and not hasattr(model, "get_support"):
        if hasattr(model, "steps"):
            return make_pipeline(*[step for _, step in model.steps], rw.LeastSquaresRanker()).fit(
                rows, target
            )
        ranker = rw.AdaptedRanker(model if name not in POSITIVE else Ridge()).fit(rows, target)
        ranker.model_ = model.fit(rows, target) if name in POSITIVE else ranker.model_
        return ranker
    if name == "MissingIndicator":
        return make_pipeline(model.set_params(features="all"), rw.LeastSquaresRanker()).fit(
            rows, target
        )
    return make_pipeline(model, rw.LeastSquaresRanker()).fit(rows, target)
