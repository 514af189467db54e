"""Section 7: the flexible ratings, Tables 1 to 3 and Figure 1."""

import numpy as np
import pandas as pd

import rankwright as rw
from rankwright.studies.page import Page, Verdict
from rankwright.studies.published_numbers import beside, mean_and_error, published
from rankwright.studies.results import Results

__all__ = ["write_flexible"]

MEASURES = ["m1", "m2", "m3"]
# Methods that the paper's tables print in one row.
SAME_ROW = {
    "ls1_l1_l2": ["ls1", "l1re", "l2re, pull 0", "l2re, pull 0.5", "l2re, pull 1"],
    "ls2": ["ls2", "ls3"],
    "mio": ["mio_re"],
}
ALIKE = SAME_ROW["ls1_l1_l2"]
NAMES = {
    "ls1": "LS1",
    "ls2": "LS2",
    "ls3": "LS3",
    "l1re": "ℓ1-RE",
    "l2re, pull 0": "ℓ2-RE, C_high 0",
    "l2re, pull 0.5": "ℓ2-RE, C_high 0.5",
    "l2re, pull 1": "ℓ2-RE, C_high 1",
    "mio_re": "MIO-RE",
}
COLUMNS = [f"{measure.upper()} {split}" for measure in MEASURES for split in ("train", "test")]


def write_flexible(results: Results, page: Page) -> None:
    """Add section 7 to the page."""
    frame = results.frame("flexible")
    page.text(
        "## The flexible ratings (section 7)\n\n"
        "The paper's file is no longer public. `make_flex_ratings` makes 200 products by the same "
        "recipe: each of five factors equals the score on one set of products, opposes it on "
        "another and is constant elsewhere (Figure 1). Half of the products are for training. The "
        "paper divided them once, here they are divided "
        f"{frame['replication'].nunique()} times; `error` is the standard error over divisions. "
        "So the numbers need not be the paper's; what can be compared is which method leads. "
        "Least squares and ℓp-RE have no constraint, MIO-RE has weights that are not negative, as "
        "in the paper; it is `RatingFormula(solver='certified')` here, with θ = 9."
    )
    _draw_factors(page)
    _write_tables(frame, page)
    _judge_optimum(frame, results, page)
    _judge_measures(frame, page)


def _draw_factors(page: Page) -> None:
    data = rw.datasets.make_flex_ratings(random_state=0)
    *single, together = rw.plots.panels(2, 3, size=(2.6, 2.2), shared=True)
    for number, (name, ax) in enumerate(zip(data.X, single, strict=True)):
        for axes in (ax, together):
            axes.plot(data.y, data.X[name], ".", color=f"C{number}", markersize=3)
        ax.set_title(str(name), fontsize=10)
    together.set_title("all factors", fontsize=10)
    single[3].set_xlabel("score")
    single[3].set_ylabel("factor")
    page.figure("factors", together, "Figure 1: each factor over the score")


def _write_tables(frame: pd.DataFrame, page: Page) -> None:
    cell = ["top", "method", "split", "measure"]
    ours = frame.melt(["top", "method", "split"], MEASURES, "measure")
    table = beside(
        mean_and_error(ours, cell, "value"), _published_cells(), on=cell, value="published"
    )
    text = table["ours"].map("{:.3f}".format) + " (" + table["published"].map("{:.3f})".format)
    shown = table.assign(text=text, column=table["measure"].str.upper() + " " + table["split"])
    shown = shown.pivot(index=["top", "method"], columns="column", values="text")
    shown = shown[COLUMNS].reindex([(top, method) for top in (60, 45, 25) for method in NAMES])
    page.table(
        "tables1-3",
        table,
        "Tables 1 to 3: M1, M2 and M3, ours (published)",
        shown=shown.reset_index().replace({"method": NAMES}),
    )


def _published_cells() -> pd.DataFrame:
    printed = published("reverse-engineering-tables1-3")
    printed = printed.assign(method=printed["method"].map(SAME_ROW)).explode("method")
    return printed.melt(["top", "method", "split"], MEASURES, "measure", "published")


def _judge_optimum(frame: pd.DataFrame, results: Results, page: Page) -> None:
    fitted = frame[frame["split"] == "train"].set_index(["top", "replication", "method"])
    statistic = fitted["statistic"].unstack("method")
    exact = fitted.xs("mio_re", level="method")
    others = statistic.drop(columns="mio_re").max(axis=1)
    proofs = pd.DataFrame(
        {
            "statistic": statistic["mio_re"],
            "bound": exact["bound"],
            "proved": exact["status"] == "optimal",
            "best other": others,
        }
    )
    by_top = proofs.groupby("top", sort=False).mean().reset_index()
    page.table("proofs", by_top, "The optimised statistic on training products, and its proof")
    proved, cells = int(proofs["proved"].sum()), len(proofs)
    page.claim(
        "Exact optimisation finds solutions that none of the other methods finds",
        Verdict.of(float((statistic["mio_re"] > others).mean())),
        f"{proved} of {cells} formulas are proved optimal. Their statistic is "
        f"{statistic['mio_re'].mean():.4f} on average; the best other method's is "
        f"{others.mean():.4f}, lower in {int((statistic['mio_re'] > others).sum())} of {cells}.",
    )
    seconds = results.seconds("flexible") / cells
    page.claim(
        "MIO-RE finds its solutions within three minutes for each top",
        Verdict.of(float(proved == cells and seconds < 180)),
        f"{seconds:.1f} seconds of processor time for each top and division, for all methods "
        "together, and here with the proof.",
    )


def _judge_measures(frame: pd.DataFrame, page: Page) -> None:
    lead = {measure: _lead(frame, measure) for measure in MEASURES}
    page.claim(
        "MIO-RE is substantially better at the top of the list (M1), in training and in testing",
        Verdict.of(float((lead["m1"] > 0).mean())),
        f"Its M1 leads that of the best other method by {_by_split(lead['m1'])} on average, and "
        f"by {lead['m1'].min():.3f} at least.",
    )
    mean = lead["m1"].groupby(["split", "top"]).mean().unstack("top")[[60, 45, 25]]
    steps = np.diff(mean.to_numpy(), axis=1)
    leads = "; ".join(
        f"{split} {', '.join(f'{value:.3f}' for value in row)}"
        for split, row in zip(mean.index, mean.to_numpy(), strict=True)
    )
    page.claim(
        "The lead in M1 grows as the top becomes shorter",
        Verdict.of(float((steps > 0).mean())),
        f"The mean leads for the top 60, 45 and 25: {leads}.",
    )
    page.claim(
        "MIO-RE has an advantage in M2, whatever the top",
        Verdict.of(float((lead["m2"] > 0).mean())),
        f"Its M2 leads that of the best other method by {_by_split(lead['m2'])} on average, and "
        f"in {(lead['m2'] > 0).mean():.0%} of all cases. With θ = 9 it gives up pairs further down "
        "for pairs won at the top.",
    )
    _judge_likeness(frame, page)


def _judge_likeness(frame: pd.DataFrame, page: Page) -> None:
    cell = ["top", "replication", "split"]
    alike = frame[frame["method"].isin(ALIKE)].groupby(cell)[MEASURES].agg(np.ptp)
    page.claim(
        "LS1, ℓ1-RE and ℓ2-RE have the same M1, M2 and M3",
        Verdict.of(float((alike.to_numpy() < 0.0005).mean())),
        "The largest differences among them are "
        + ", ".join(f"{alike[m].max():.3f} in {m.upper()}" for m in MEASURES)
        + f"; {(alike.to_numpy() < 0.0005).mean():.0%} of the values agree in three digits. "
        "Different losses only agree on data made for it.",
    )
    spread = frame.groupby(cell)["m3"].agg(np.ptp)
    printed = published("reverse-engineering-tables1-3").groupby(["top", "split"])["m3"].agg(np.ptp)
    page.claim(
        "All methods do similarly in M3",
        Verdict.of(float((spread <= printed.max() + 1e-9).mean())),
        f"M3 of the best and of the worst method differ by {spread.mean():.3f} on average and by "
        f"{spread.max():.3f} at most; in the paper by {printed.max():.3f} at most.",
    )


def _lead(frame: pd.DataFrame, measure: str) -> pd.Series:
    """Return how far MIO-RE is ahead of the best other method in each case."""
    table = frame.pivot(index=["top", "replication", "split"], columns="method", values=measure)
    lead: pd.Series = table["mio_re"] - table.drop(columns="mio_re").max(axis=1)
    return lead


def _by_split(values: pd.Series) -> str:
    mean = values.groupby("split").mean()
    return f"{mean['train']:.3f} (training) and {mean['test']:.3f} (test)"
