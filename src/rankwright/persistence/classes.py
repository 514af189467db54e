"""The classes that a model file may name.

A name in a file is never imported as it stands: rankers are looked up in the public namespace, what
they hold and what scikit-learn has in the lists below, and the class found has to have its home
under the very name that the file gives. Names that were trusted by the caller are imported.
"""

from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

import rankwright
from rankwright.persistence.errors import ModelFileError
from rankwright.persistence.splines import SPLINE

__all__ = [
    "HELD",
    "INDEXED",
    "find_class",
    "find_foreign",
    "find_function",
    "find_loss",
    "full_name",
]

# What fitted rankers hold: dataclasses. tests/persistence/test_classes.py knows which are missing.
HELD = frozenset(
    {
        "rankwright.aggregation.consensus.Consensus",
        "rankwright.metrics.scorers.GroupedMetric",
        "rankwright.reverse.problem.rating.Rating",
        "rankwright.reverse.progress.State",
        "rankwright.reverse.scores.score_fit.ScoreFit",
        "rankwright.reverse.solution.RatingSolution",
        "rankwright.reverse.stable.choice.Trial",
        "rankwright.reverse.stable.stable_formula.StableFormula",
        "rankwright.reverse.values.functions.ValueFunctions",
        "rankwright.trees.bipartite.aggregation.KemenyMedian",
        "rankwright.trees.bipartite.nodes.RankingTree",
        "rankwright.trees.bipartite.out_of_bag.OutOfBag",
        "rankwright.trees.bipartite.pruning.AucPruning",
        "rankwright.trees.bipartite.splits.CartSplits",
        "rankwright.trees.bipartite.splits.ClassifierSplit",
        "rankwright.trees.bipartite.splits.ClassifierSplits",
        "rankwright.trees.bipartite.subpartition.Subpartition",
        "rankwright.trees.boosted.nodes.TreeSum",
        "rankwright.trees.bootstrap.Bag",
        "rankwright.trees.label_scale.LabelScale",
        "rankwright.trees.ordinal.nodes.Tree",
        "rankwright.trees.ordinal.pruning.Pruning",
    }
)
# Those whose arrays compiled code follows without a look at the bounds.
INDEXED = frozenset(
    {
        "rankwright.trees.bipartite.aggregation.KemenyMedian",
        "rankwright.trees.bipartite.nodes.RankingTree",
        "rankwright.trees.bipartite.splits.CartSplits",
        "rankwright.trees.boosted.nodes.TreeSum",
        "rankwright.trees.ordinal.nodes.Tree",
        "sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor",
    }
)
# Results that are saved by themselves: dataclasses of arrays, lists, texts and numbers.
RESULTS = frozenset(
    {"rankwright.leaderboards.leaderboard.Leaderboard", "rankwright.persistence.work.Work"}
)
# scikit-learn's classes by name: those whose learned parts can be checked, one by one. What each
# may hold is said in shapes.py, parts.py, parameters.py, scikit_learn.py and transformers.py; a
# test refuses one without a word there. Others (support vectors, neighbours, labels of several
# kinds at once) index compiled or sparse arrays by what is in the file.
BOTH = ("Classifier", "Regressor")
ENSEMBLES = (
    *("AdaBoost", "Bagging", "ExtraTrees", "GradientBoosting", "HistGradientBoosting"),
    "RandomForest",
)
SCIKIT_LEARN: dict[str, frozenset[str]] = {
    family: frozenset(names)
    for family, names in {
        "sklearn.calibration": ("CalibratedClassifierCV",),
        "sklearn.compose": (
            *("ColumnTransformer", "TransformedTargetRegressor", "make_column_selector"),
        ),
        "sklearn.decomposition": ("FactorAnalysis", "FastICA", "PCA", "TruncatedSVD"),
        "sklearn.discriminant_analysis": (
            *("LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"),
        ),
        "sklearn.dummy": ("DummyClassifier", "DummyRegressor"),
        "sklearn.ensemble": [kind + task for kind in ENSEMBLES for task in BOTH],
        "sklearn.feature_selection": (
            *("GenericUnivariateSelect", "RFE", "RFECV", "SelectFdr", "SelectFpr"),
            *("SelectFromModel", "SelectFwe", "SelectKBest", "SelectPercentile"),
            *("SequentialFeatureSelector", "VarianceThreshold"),
        ),
        "sklearn.impute": ("MissingIndicator", "SimpleImputer"),
        "sklearn.isotonic": ("IsotonicRegression",),
        "sklearn.linear_model": (
            *("ARDRegression", "BayesianRidge", "ElasticNet", "ElasticNetCV", "GammaRegressor"),
            *("HuberRegressor", "Lars", "LarsCV", "Lasso", "LassoCV", "LassoLars", "LassoLarsCV"),
            *("LassoLarsIC", "LinearRegression", "LogisticRegression", "LogisticRegressionCV"),
            *("OrthogonalMatchingPursuit", "OrthogonalMatchingPursuitCV"),
            *("PassiveAggressiveClassifier", "PassiveAggressiveRegressor", "Perceptron"),
            *("PoissonRegressor", "QuantileRegressor", "RANSACRegressor", "Ridge", "RidgeCV"),
            *("RidgeClassifier", "RidgeClassifierCV", "SGDClassifier", "SGDRegressor"),
            "TheilSenRegressor",
        ),
        "sklearn.model_selection": (
            *("FixedThresholdClassifier", "GridSearchCV", "RandomizedSearchCV"),
            *("GroupKFold", "GroupShuffleSplit", "KFold", "LeaveOneGroupOut", "LeaveOneOut"),
            *("LeavePGroupsOut", "LeavePOut", "PredefinedSplit", "ShuffleSplit"),
            *("StratifiedGroupKFold", "StratifiedKFold", "StratifiedShuffleSplit"),
            "TimeSeriesSplit",
        ),
        "sklearn.multiclass": ("OneVsOneClassifier", "OneVsRestClassifier"),
        "sklearn.naive_bayes": (
            *("BernoulliNB", "CategoricalNB", "ComplementNB", "GaussianNB", "MultinomialNB"),
        ),
        "sklearn.neural_network": ("MLPClassifier", "MLPRegressor"),
        "sklearn.pipeline": ("FeatureUnion", "Pipeline"),
        "sklearn.preprocessing": (
            *("Binarizer", "FunctionTransformer", "KBinsDiscretizer", "LabelBinarizer"),
            *("LabelEncoder", "MaxAbsScaler", "MinMaxScaler", "Normalizer", "OneHotEncoder"),
            *("OrdinalEncoder", "PolynomialFeatures", "PowerTransformer", "QuantileTransformer"),
            *("RobustScaler", "SplineTransformer", "StandardScaler", "TargetEncoder"),
        ),
        "sklearn.svm": ("LinearSVC", "LinearSVR"),
        "sklearn.tree": (
            *("DecisionTreeClassifier", "DecisionTreeRegressor"),
            *("ExtraTreeClassifier", "ExtraTreeRegressor"),
        ),
    }.items()
}
LOSSES = (
    *("AbsoluteError", "ExponentialLoss", "HalfBinomialLoss", "HalfGammaLoss", "HalfPoissonLoss"),
    *("HalfMultinomialLoss", "HalfSquaredError", "HuberLoss", "PinballLoss"),
)
LINKS = ("HalfLogitLink", "IdentityLink", "Interval", "LogLink", "LogitLink", "MultinomialLogit")
INTERNAL = frozenset(
    {
        SPLINE,
        "sklearn.calibration._CalibratedClassifier",
        "sklearn.calibration._SigmoidCalibration",
        "sklearn.calibration._TemperatureScaling",
        "sklearn.ensemble._hist_gradient_boosting.binning._BinMapper",
        "sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor",
        "sklearn.metrics._scorer._PassthroughScorer",
        "sklearn.metrics._scorer._Scorer",
        "sklearn.neural_network._stochastic_optimizers.AdamOptimizer",
        "sklearn.neural_network._stochastic_optimizers.SGDOptimizer",
        "sklearn.utils._metadata_requests.MetadataRequest",
        "sklearn.utils._metadata_requests.MethodMetadataRequest",
        *(f"sklearn._loss.loss.{name}" for name in LOSSES),
        *(f"sklearn._loss.link.{name}" for name in LINKS),
    }
)
SGD_LOSSES = (
    *("EpsilonInsensitive", "Hinge", "ModifiedHuber"),
    *("SquaredEpsilonInsensitive", "SquaredHinge"),
)
COMPILED_LOSSES = frozenset(
    [f"sklearn._loss._loss.Cy{name}" for name in LOSSES]
    + [f"sklearn.linear_model._sgd_fast.{name}" for name in SGD_LOSSES]
)
# Functions that scikit-learn's selectors keep as parameters, and SciPy's splines as an attribute.
SELECTION = "sklearn.feature_selection"
UNIVARIATE = ("chi2", "f_classif", "f_regression", "r_regression")
FUNCTIONS = frozenset(f"{SELECTION}._univariate_selection.{name}" for name in UNIVARIATE)
FUNCTIONS |= {f"{SELECTION}._mutual_info.mutual_info_{kind}" for kind in ("classif", "regression")}
FUNCTIONS |= {"scipy._lib.array_api_compat.numpy._aliases.asarray"}


def full_name(cls: Any) -> str:
    """Return where a class or a function is defined."""
    return f"{cls.__module__}.{cls.__qualname__}"


def find_class(name: str) -> type | None:
    """Return a class of this package or of scikit-learn that files may hold, None if foreign."""
    if name.split(".")[0] == "rankwright":
        return _find_own(name)
    if name in INTERNAL:
        return _import(name)
    return _public_classes(".".join(name.split(".")[:2])).get(name)


def find_foreign(name: str) -> type:
    """Import a class that the caller trusts."""
    return _import(name)


def find_function(name: str) -> Any:
    """Return an elementwise function of NumPy, one that a selector keeps, or a metric."""
    module, _, short = name.rpartition(".")
    # Without a look at what NumPy imports when it is asked for it.
    function = vars(np).get(short) if module == "numpy" else None
    if name in FUNCTIONS:
        return getattr(import_module(module), short)
    if name.startswith("sklearn.metrics."):
        function = _metrics_of_scorers().get(name)
    elif not isinstance(function, np.ufunc):
        function = None
    if function is None:
        raise ModelFileError(f"it holds the function {name}, which model files may not hold")
    return function


def find_loss(name: str) -> type:
    """Return one of scikit-learn's compiled losses."""
    if name not in COMPILED_LOSSES:
        raise ModelFileError(f"{name} is no loss of scikit-learn")
    return _import(name)


def _find_own(name: str) -> type:
    from rankwright.base import RankerMixin

    short = name.rpartition(".")[2]
    if name in HELD | RESULTS:
        return _import(name)
    cls = getattr(rankwright, short) if short in rankwright.__all__ else None
    if isinstance(cls, type) and issubclass(cls, RankerMixin) and full_name(cls) == name:
        return cls
    raise ModelFileError(f"it names {name}, which is no ranker and no part of one")


@cache
def _metrics_of_scorers() -> dict[str, Any]:
    """Return the functions behind the names that ``scoring=`` of a search takes."""
    from sklearn.metrics import get_scorer, get_scorer_names

    metrics = [get_scorer(name)._score_func for name in get_scorer_names()]
    return {full_name(metric): metric for metric in metrics}


@cache
def _public_classes(family: str) -> dict[str, type]:
    if family not in SCIKIT_LEARN:
        return {}
    module = import_module(family)
    found = [vars(module).get(name) for name in SCIKIT_LEARN[family]]
    return {full_name(cls): cls for cls in found if isinstance(cls, type)}


def _import(name: str) -> type:
    module, _, short = name.rpartition(".")
    cls = getattr(import_module(module), short, None) if module else None
    if not isinstance(cls, type) or full_name(cls) != name:
        raise ModelFileError(f"it names {name}, which is not the home of a class")
    return cls
