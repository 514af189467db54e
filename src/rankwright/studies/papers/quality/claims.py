"""What section 8 claims, and whether it held."""

import numpy as np
import pandas as pd
from scipy.stats import sem, wilcoxon

from rankwright.studies.page import Page, Verdict
from rankwright.studies.papers.quality.rounds import MEASURES, NAMES, RANKS, rank_sums

__all__ = ["judge_rounds"]


def judge_rounds(final: pd.DataFrame, page: Page) -> None:
    """Judge the claims by the rounds that :func:`final_rounds` returns."""
    _judge_leads(final, page)
    _judge_consistency(final, page)
    _judge_small_samples(final, page)


def _judge_leads(final: pd.DataFrame, page: Page) -> None:
    for split, called in (("train", "training"), ("test", "test")):
        page.claim(
            f"MIO-RE has the best M1 of {called} products, averaged over rounds (Table 5)",
            *_lead(final, split),
        )
    sums = rank_sums(final, ["replication"])
    won = pd.DataFrame(
        {column: _is_ahead(sums[column].unstack("method")) for column in ("m1_rank", "total")}
    )
    page.claim(
        "MIO-RE has the largest sums of ranks, of M1 and in total, in training and in testing "
        "(Table 6)",
        Verdict.of(float(won.to_numpy().mean())),
        f"Of {final['replication'].nunique()} data sets it alone has the largest sum in "
        + "; ".join(
            f"{won.xs(split, level='split')['m1_rank'].sum()} (M1) and "
            f"{won.xs(split, level='split')['total'].sum()} (total), {called}"
            for split, called in (("train", "training"), ("test", "testing"))
        )
        + ".",
    )


def _lead(final: pd.DataFrame, split: str) -> tuple[Verdict, str]:
    """Judge whether MIO-RE's M1 is the best, by data set, with a paired test over rounds."""
    rounds = _by_method(final, split)
    average = rounds.groupby("replication").mean()
    rival = str(rounds.drop(columns="mio_re").mean().idxmax())
    difference = rounds["mio_re"] - rounds[rival]
    p = wilcoxon(difference).pvalue if difference.any() else 1.0
    best = _is_ahead(average)
    return Verdict.of(float(best.mean())), (
        f"Best in {int(best.sum())} of {len(best)} data sets: {rounds['mio_re'].mean():.3f} on "
        f"average, {NAMES[rival]}, the best other method, {rounds[rival].mean():.3f}. Over "
        f"{len(rounds)} rounds the difference is {_with_error(difference)}, by Wilcoxon's paired "
        f"test p = {p:.2g}; rounds of a data set share products, so that this is optimistic."
    )


def _judge_consistency(final: pd.DataFrame, page: Page) -> None:
    tested, trained = _by_method(final, "test"), _by_method(final, "train")
    worst = tested.rsub(tested.max(axis=1), axis=0).max().sort_values()
    page.claim(
        "MIO-RE is consistently good in M1 of test products; other methods sometimes do very "
        "poorly",
        Verdict.of(float((worst.drop("mio_re") >= worst["mio_re"]).mean())),
        "How far each method falls behind the best of a round at worst: "
        + ", ".join(f"{NAMES[str(method)]} {behind:.3f}" for method, behind in worst.items())
        + ".",
    )
    against = tested["mio_re"] - tested["ls1"]
    page.claim(
        "From ranks alone MIO-RE does as well in M1 as LS1, which sees the scores, or better",
        Verdict.of(float((against >= 0).mean())),
        f"On test products it is at least as good in {int((against >= 0).sum())} of {len(against)} "
        f"rounds; the difference is {_with_error(against)}.",
    )
    alone = _is_ahead(trained)
    page.claim(
        "In all rounds but one there is a particularly good solution of the training products that "
        "only MIO-RE finds",
        Verdict.of(float(alone.mean())),
        f"Its M1 of training products is above that of all others in {int(alone.sum())} of "
        f"{len(alone)} rounds.",
    )


def _judge_small_samples(final: pd.DataFrame, page: Page) -> None:
    least = final[RANKS[1:]][final["method"] == "ls3"] == 0
    page.claim(
        "LS3 has the worst M2 and M3 (rank sums of 0 in Table 6)",
        Verdict.of(float(least.to_numpy().mean())),
        f"No method is below it in {least['m2_rank'].mean():.0%} (M2) and "
        f"{least['m3_rank'].mean():.0%} (M3) of rounds, training and test.",
    )
    noise = float(_by_method(final, "test").std().mean())
    spread = float(np.ptp(_by_method(final, "train").mean()))
    page.claim(
        "The test measures vary more between folds than training performance does between methods",
        Verdict.of(float(noise > spread)),
        f"M1 of a method's test products has a standard deviation of {noise:.3f} over rounds; the "
        f"methods' mean M1 of training products lie within {spread:.3f}.",
    )
    turned = [turn for measure in MEASURES for turn in _turned(final, measure)]
    page.claim(
        "The worst method in training is sometimes the best in testing",
        Verdict.of(float(any(turned))),
        f"In {sum(turned)} of {len(turned)} comparisons (rounds times measures).",
    )


def _turned(final: pd.DataFrame, measure: str) -> list[bool]:
    """Tell for each round whether a method that is worst in training is best in testing."""
    trained, tested = (_by_method(final, split, measure) for split in ("train", "test"))
    worst = trained.eq(trained.min(axis=1), axis=0)
    best = tested.eq(tested.max(axis=1), axis=0)
    differ = (trained.nunique(axis=1) > 1) & (tested.nunique(axis=1) > 1)
    turned: list[bool] = ((worst & best).any(axis=1) & differ).tolist()
    return turned


def _with_error(differences: pd.Series) -> str:
    values = differences.to_numpy(dtype=float)
    return f"{values.mean():+.3f} on average (standard error {sem(values):.3f})"


def _is_ahead(table: pd.DataFrame) -> pd.Series:
    ahead: pd.Series = table["mio_re"] > table.drop(columns="mio_re").max(axis=1)
    return ahead


def _by_method(final: pd.DataFrame, split: str, measure: str = "m1") -> pd.DataFrame:
    rows = final[final["split"] == split]
    return rows.pivot(index=["replication", "held_out"], columns="method", values=measure)
