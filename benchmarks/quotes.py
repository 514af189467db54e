"""Tables of the documentation that quote stored results; no number in them is typed.

Such a table stands between ``<!-- benchmark: CASE -->`` and ``<!-- end -->``, and is written anew
whenever ``docs/benchmarks.md`` is.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchmarks.report import PAGE, RESULTS

DOCS = PAGE.parent


def _measurements(case: str) -> list[dict[str, Any]]:
    document = json.loads((RESULTS / f"{case}.json").read_text(encoding="utf-8"))
    measurements: list[dict[str, Any]] = document["measurements"]
    return measurements


@dataclass(frozen=True)
class Table:
    """A table of a page, named after the case or the cases that it quotes."""

    case: str
    page: str

    def lines(self) -> list[list[str]]:
        """Return the cells, line by line, the heading first."""
        raise NotImplementedError

    def table(self) -> str:
        """Return the table in Markdown, as the stored results have it."""
        heading, *lines = self.lines()
        rows = [heading, ["---"] * len(heading), *lines]
        return "\n".join("| " + " | ".join(row) + " |" for row in rows)

    def placed(self, text: str) -> str:
        """Return a page with the table in its place."""
        begin, end = f"<!-- benchmark: {self.case} -->\n", "\n<!-- end -->"
        pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
        assert len(pattern.findall(text)) == 1, f"{self.page}: {begin.strip()}"
        return pattern.sub(lambda _: begin + self.table() + end, text)


@dataclass(frozen=True)
class Quote(Table):
    """One measure of a case, or its seconds: a row for each size, a column for each contender."""

    corner: str
    rows: dict[str, str]  # label: what stands for {} in the sizes of the columns
    columns: dict[str, tuple[str, str]]  # heading: size, contender
    measure: str
    digits: int

    def lines(self) -> list[list[str]]:
        """See `Table`."""
        values = self._values()
        return [
            [self.corner, *self.columns],
            *(
                [label, *(values[size.format(part), who] for size, who in self.columns.values())]
                for label, part in self.rows.items()
            ),
        ]

    def _values(self) -> dict[tuple[str, str], str]:
        return {
            (str(row["size"]), row["contender"]): "not run"
            if row["skipped"]
            else f"{(row['measures'] | {'seconds': row['seconds']})[self.measure]:.{self.digits}f}"
            for row in _measurements(self.case)
        }


@dataclass(frozen=True)
class Leads(Table):
    """How far the first contender of several cases is ahead of others: a row for each case.

    Of the contenders of a column the one that comes nearest, or is farthest ahead, counts.
    """

    rows: dict[str, str]  # label: case
    columns: dict[str, tuple[Callable[[str], bool], str]]  # heading: which contenders, measure

    def lines(self) -> list[list[str]]:
        """See `Table`."""
        return [
            ["", *self.columns],
            *(
                [label, *(_least_lead(_measurements(case), *c) for c in self.columns.values())]
                for label, case in self.rows.items()
            ),
        ]


def _least_lead(rows: list[dict[str, Any]], chosen: Callable[[str], bool], measure: str) -> str:
    leads = [
        (*row["measures"][f"we are ahead by ({measure})"], row["measures"]["splits"])
        for row in rows
        if chosen(row["contender"]) and not row["skipped"]
    ]
    if not leads:
        return "not run"
    lead, error, splits = min(leads)
    return f"{lead:+.4f} ± {error:.4f} ({splits})"


SETS = {
    "LightGBM's example": "boosting-lambdarank",
    "MovieLens": "boosting-movielens",
    "sushi": "boosting-sushi",
    "hotels": "boosting-hotels",
    "hotels drawn anew": "boosting-new-hotels",
    "web search": "boosting-web-search",
}


def _of(library: str) -> Callable[[str], bool]:
    return lambda contender: contender.startswith(library)


LP = "ℓp, p = 2"
LIMITED = ("300 x 12", "1000 x 8", "3000 x 20", *(f"20000 x {d}" for d in (2, 5, 12, 20)))
QUOTES: tuple[Table, ...] = (
    Leads(
        "boosting-peers",
        "boosting.md",
        SETS,
        {
            f"{library}, {measure}": (_of(library), measure)
            for measure in ("tau", "NDCG@10")
            for library in ("LightGBM", "XGBoost", "CatBoost")
        },
    ),
    Leads(
        "boosting-additive",
        "boosting.md",
        SETS,
        {
            f"{heading}, {measure}": (_of(contender), measure)
            for heading, contender in (
                ("additive", "rankwright, additive"),
                ("10 pairs", "rankwright, 10 pairs"),
            )
            for measure in ("tau", "NDCG@10")
        },
    ),
    Quote(
        "consensus-exact",
        "consensus.md",
        "items",
        {"seconds": ""},
        {
            size: (size, "rankwright")
            for size in (
                *("100 noisy (20%)", "100 noisy (30%)", "200 noisy (5%)", "200 noisy (25%)"),
                *("30 random", "50 random", "70 random"),
            )
        },
        "seconds",
        2,
    ),
    Quote(
        "rating-flexible",
        "reverse.md",
        "top",
        {top: top for top in ("60", "45", "25")},
        {
            "`RatingFormula`": ("{}", "rankwright"),
            "LS1": ("{}", "LS1"),
            "LS3": ("{}", "LS3"),
            "ℓp, p = 1": ("{}", "ℓp, p = 1"),
            LP: ("{}", LP),
            f"{LP} with pull": ("{}", f"{LP}, pull"),
        },
        "M1",
        3,
    ),
    Quote(
        "rating-limits",
        "reliability.md",
        "products x factors",
        {"beyond the limit, of what is allowed": ""},
        {size.replace(" x ", " × "): (size, "rankwright") for size in LIMITED},
        "largest excess (1 is allowed)",
        2,
    ),
    Quote(
        "rating-peers",
        "reverse.md",
        "ratings",
        {"half stars, no noise": "exact", "noise 0.2": "noise 0.2"},
        {
            "`RatingFormula`": ("{}", "rankwright"),
            "least squares on places": ("{}", "least squares on places"),
            "pairwise logistic": ("{}", "pairwise logistic"),
            "UTASTAR": ("{}", "UTASTAR, straight"),
            "HiGHS on their program, 20 s each": ("{}", "HiGHS on (13), 20 s"),
            "SITW": ("{}", "pymcdm-reidentify, SITW"),
        },
        "mean statistic",
        4,
    ),
    Quote(
        "rating-positions",
        "reverse.md",
        "top",
        {str(top): str(top) for top in range(2, 11)},
        {
            "MVP: least error": ("mvp top {}", "rankwright"),
            "MVP: regression": ("mvp top {}", "non-negative regression"),
            "per-1: least error": ("per-1 top {}", "rankwright"),
            "per-1: regression": ("per-1 top {}", "non-negative regression"),
        },
        "position error",
        0,
    ),
    Quote(
        "rating-seasons",
        "reverse.md",
        "statistics",
        {str(count): str(count) for count in range(4, 9)},
        {f"top {top}": (f"{{}} statistics, top {top}", "rankwright") for top in range(2, 7)},
        "position error",
        0,
    ),
)


def write() -> None:
    """Write every table into its page."""
    for quote in QUOTES:
        page = DOCS / quote.page
        page.write_text(quote.placed(page.read_text(encoding="utf-8")), encoding="utf-8")
