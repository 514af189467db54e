"""Strengths from results, with their covariance and what speaks against them."""

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from scipy.stats import rankdata

from rankwright.aggregation.votes import Votes
from rankwright.leaderboards.ballots import Ballots, read_ballots
from rankwright.leaderboards.battles import Battles
from rankwright.leaderboards.bounds import VarianceBounds, bound_variances
from rankwright.leaderboards.certainty import Certainty, Errors, bootstrap, covariance_of
from rankwright.leaderboards.connection import (
    Connection,
    connection,
    wins_of_ballots,
    wins_of_battles,
)
from rankwright.leaderboards.features import Features, feature_basis, read_features
from rankwright.leaderboards.few_clusters import ENOUGH_CLUSTERS, lift_few
from rankwright.leaderboards.few_rankings import allow_for_few
from rankwright.leaderboards.laplacian import Laplacian
from rankwright.leaderboards.outcomes import BoolArray, FloatArray
from rankwright.leaderboards.pair_model import PairModel
from rankwright.leaderboards.ranking_model import RankingModel
from rankwright.leaderboards.results import Results
from rankwright.leaderboards.score_table import AVERAGES, ScoreTable, average
from rankwright.leaderboards.solver import Fit, Likelihood, Problem, maximize

__all__ = ["Estimate", "MOST_CERTAIN", "Settings", "choose_model", "estimate"]

MOST_CERTAIN = 5000  # items whose covariance is computed; beyond it variances are bounded
FEW_CLUSTERS = 15
AMBIGUOUS = (
    "the effects can't be told apart from the strengths: a covariate is constant, repeats another, "
    "or belongs to single items; leave it out"
)
ENDLESS = (
    "the likelihood has no maximum: an effect would be infinite, since a covariate or the ties "
    "decide all comparisons; leave out the covariate, or pass model='bradley_terry' or alpha=1"
)
MODELS = {
    Battles: ("bradley_terry", "davidson"),
    Ballots: ("plackett_luce",),
    ScoreTable: (*AVERAGES, "plackett_luce"),
}


@dataclass(frozen=True, eq=False)
class Settings:
    """What the caller said about the fit."""

    model: str
    alpha: float
    item_features: Any
    bootstrap: int
    rng: np.random.Generator


@dataclass(frozen=True, eq=False)
class Estimate:
    """Strengths of all items, and everything that is known about the fit."""

    strengths: FloatArray
    certainty: Certainty | VarianceBounds | None
    wins: csr_array | None = None
    likelihood: Likelihood | None = None
    parameters: FloatArray = field(default_factory=lambda: np.empty(0))
    effect_names: list[str] = field(default_factory=list)
    effects: FloatArray = field(default_factory=lambda: np.empty(0))
    effect_errors: FloatArray = field(default_factory=lambda: np.empty(0))
    log_likelihood: float = np.nan
    notes: list[str] = field(default_factory=list)


def choose_model(results: Results, model: str) -> str:
    """Return the model, the one that suits the results for "auto"."""
    allowed = MODELS[type(results)]
    if model == "auto":
        if isinstance(results, Battles):
            return "davidson" if _ties_can_be_estimated(results) else "bradley_terry"
        return allowed[0]
    if model not in allowed:
        raise ValueError(f"model={model!r}; for these results choose from {['auto', *allowed]}")
    return model


def _ties_can_be_estimated(battles: Battles) -> bool:
    """Return whether there are ties, and wins that run in a circle.

    Without a circle strengths and ν could grow together without end, each win the surer for it.
    """
    won, lost, tied = (column > 0 for column in battles.counts.T)
    if not tied.any():
        return False
    n = len(battles.items)
    winners = np.append(battles.left[won], battles.right[lost])
    losers = np.append(battles.right[won], battles.left[lost])
    wins = csr_array((np.ones(len(winners)), (winners, losers)), shape=(n, n))
    n_parts, _ = connected_components(wins, connection="strong")
    return bool(n_parts < n)


def estimate(results: Results, settings: Settings) -> Estimate:
    """Fit the model to the results."""
    if isinstance(results, ScoreTable):
        if settings.model in AVERAGES:
            return _average(results, settings)
        results = _orders_of_tasks(results)
    return _fit(results, settings)


def _average(table: ScoreTable, settings: Settings) -> Estimate:
    for name in ("alpha", "item_features", "bootstrap"):
        if getattr(settings, name):
            raise ValueError(f"{name} is for models of comparisons, not for {settings.model}")
    strengths, certainty = average(table, settings.model, settings.rng)
    notes = []
    if certainty.lifts.any():
        notes.append(
            f"{_listed(table.items, certainty.lifts > 0)} took part in few of the tasks: their "
            "scores are taken to vary as those of all items do."
        )
    return Estimate(strengths, certainty, notes=notes)


def _orders_of_tasks(table: ScoreTable) -> Ballots:
    """Return every task as a ranking of the items that took part."""
    positions = rankdata(-table.values.T, axis=1, nan_policy="omit")
    n_tasks, n_items = positions.shape
    votes = Votes(tuple(table.items), positions, np.ones(n_tasks), np.ones(n_items))
    weights = None if (table.weights == 1).all() else table.weights
    return read_ballots(votes, table.clusters, weights)


def _fit(results: Battles | Ballots, settings: Settings) -> Estimate:
    wins = wins_of_battles(results) if isinstance(results, Battles) else wins_of_ballots(results)
    found = connection(wins)
    everyone = np.ones(len(results.items), dtype=bool)
    free = settings.alpha == 0 and settings.item_features is None
    kept = found.finite if free else everyone
    strengths = found.infinite.copy()
    notes = _said(results, found, settings)
    if not kept.any():
        return Estimate(strengths, None, wins, notes=notes)
    data = results if kept.all() else results.take(kept)
    likelihood = _likelihood(data, settings.model)
    features = _features(data, settings)
    problem = _problem(likelihood, features, settings)
    fit = maximize(problem, data.weights.total)
    if not fit.converged:
        raise ValueError(ENDLESS if fit.steps else AMBIGUOUS)
    certainty = _certainty(problem, fit, data, settings)
    parameters = problem.parameters(fit.coordinates).copy()
    n = likelihood.n_items
    parameters[:n] -= parameters[:n].mean()
    strengths[kept] = parameters[:n]
    effects, errors = _effects(problem, parameters, certainty)
    names, units = _covariates(likelihood, features)
    return Estimate(
        strengths,
        certainty,
        wins,
        likelihood,
        parameters,
        names,
        effects / units,
        errors / units,
        fit.log_likelihood,
        [*notes, *_cautions(certainty, data)],
    )


def _likelihood(data: Battles | Ballots, model: str) -> Likelihood:
    if isinstance(data, Ballots):
        return RankingModel(data)
    return PairModel(data, has_ties=model == "davidson" and bool(data.counts[:, 2].any()))


def _cautions(certainty: Certainty | VarianceBounds | None, data: Battles | Ballots) -> list[str]:
    """Say what makes the fit doubtful."""
    cautions, clusters = [], data.weights.clusters
    if clusters is not None and len(clusters.names) < FEW_CLUSTERS:
        cautions.append(f"Standard errors from {len(clusters.names)} clusters are rough.")
    if isinstance(certainty, Certainty) and certainty.lifts.any():
        what = "comparisons are about" if clusters is None else "clusters compared"
        cautions.append(
            f"Fewer than {ENOUGH_CLUSTERS} {what} {_listed(data.items, certainty.lifts > 0)}: "
            "variances are at least those of independent wins and losses there, since so few "
            "can't show how much they vary."
        )
    if certainty is None:
        cautions.append(
            f"How certain the ranks are is not known: for more than {MOST_CERTAIN:,} items, that "
            "takes connected battles with counts, and no clusters, weights or item features."
        )
    if isinstance(certainty, VarianceBounds):
        cautions.append(
            f"For more than {MOST_CERTAIN:,} items standard errors are quasi standard errors from "
            "upper bounds of the variances of differences, on which rank sets rest."
        )
    return cautions


def _features(data: Battles | Ballots, settings: Settings) -> Features | None:
    if settings.item_features is None:
        return None
    return read_features(settings.item_features, data.items)


def _problem(likelihood: Likelihood, features: Features | None, settings: Settings) -> Problem:
    if features is None:
        return Problem(likelihood, settings.alpha)
    basis = feature_basis(features.values, len(likelihood.extra_names))
    return Problem(likelihood, settings.alpha, basis)


def _covariates(likelihood: Likelihood, features: Features | None) -> tuple[list[str], FloatArray]:
    """Return the names and the units of what has an effect."""
    names, units = likelihood.extra_names, likelihood.extra_units
    if features is None:
        return names, units
    return [*features.names, *names], np.append(features.units, units)


def _certainty(
    problem: Problem, fit: Fit, data: Battles | Ballots, settings: Settings
) -> Certainty | VarianceBounds | None:
    is_large = problem.likelihood.n_items > MOST_CERTAIN
    if settings.bootstrap:
        if is_large:
            raise ValueError(
                f"bootstrap={settings.bootstrap} takes at most {MOST_CERTAIN:,} items; there are "
                f"{problem.likelihood.n_items:,}: pass bootstrap=0"
            )
        resampled = bootstrap(problem, fit, data.weights, settings.bootstrap, settings.rng)
        return lift_few(resampled, problem, fit, data, settings.rng)
    if is_large:
        return _bounds(problem, fit, data)
    robust = not data.weights.are_counts or (
        settings.model == "bradley_terry" and isinstance(data, Battles) and _has_halves(data)
    )
    found = covariance_of(problem, fit, data.weights, robust=robust)
    if found.errors == Errors.MODEL:
        grown = allow_for_few(found.covariance, problem, fit, data.weights.total)
        found = replace(found, covariance=grown)
    return lift_few(found, problem, fit, data, settings.rng)


def _has_halves(battles: Battles) -> bool:
    """Return whether ties count as halves beside wins: their errors are smaller than those of wins.

    By how much can't be seen from ties alone.
    """
    won, lost, tied = battles.counts.sum(axis=0)
    return bool(tied > 0 and won + lost > 0)


def _bounds(problem: Problem, fit: Fit, data: Battles | Ballots) -> VarianceBounds | None:
    """Bound the likelihood's variances; a tie that counts as two halves only lowers them."""
    if data.weights.clusters is not None or not data.weights.are_counts:
        return None
    hessian = problem.curvature(fit.coordinates, data.weights.total).hessian
    return bound_variances(hessian) if isinstance(hessian, Laplacian) else None


def _effects(
    problem: Problem, parameters: FloatArray, certainty: Certainty | VarianceBounds | None
) -> tuple[FloatArray, FloatArray]:
    """Return coefficients of features, of the context, and of ties, with their errors, by unit."""
    n = problem.likelihood.n_items
    if isinstance(certainty, VarianceBounds):
        return parameters[n:], np.sqrt(certainty.effects)
    covariance = None if certainty is None else certainty.covariance
    if problem.basis is None:
        effects = parameters[n:]
        variances = None if covariance is None else np.diag(covariance)[n:]
    else:
        to_effects = np.linalg.pinv(problem.basis)
        effects = to_effects @ parameters
        variances = None if covariance is None else np.diag(to_effects @ covariance @ to_effects.T)
    if variances is None:
        return effects, np.full(len(effects), np.nan)
    return effects, np.sqrt(np.maximum(variances, 0.0))


def _said(results: Battles | Ballots, found: Connection, settings: Settings) -> list[str]:
    """Say which strengths the comparisons do not determine."""
    notes = []
    n_parts = int(found.parts.max()) + 1
    if n_parts > 1:
        notes.append(
            f"The items fall into {n_parts:,} parts that were never compared with each other."
        )
    if settings.alpha:
        notes.append(
            f"Strengths are pulled together by a prior: {settings.alpha:g} pseudo-comparisons of "
            "each item with an average one, half of them won."
        )
        return notes
    if settings.item_features is not None:
        return notes
    told = (
        (
            found.infinite == np.inf,
            "The strength of {} has no upper limit: no other item beats them, not even through a "
            "third one",
        ),
        (
            found.infinite == -np.inf,
            "The strength of {} has no lower limit: they beat no other item, not even through a "
            "third one",
        ),
        (np.isnan(found.infinite), "Nothing is known about the strength of {} relative to the "
         "others"),
    )  # fmt: skip
    for mask, words in told:
        if mask.any():
            listed = _listed(results.items, mask)
            notes.append(f"{words.format(listed)}; alpha=1 adds a weak prior.")
    return notes


def _listed(items: list[Hashable], marked: BoolArray) -> str:
    names = [str(item) for item, hit in zip(items, marked, strict=True) if hit]
    more = f" and {len(names) - 5:,} more" if len(names) > 5 else ""
    return ", ".join(names[:5]) + more
