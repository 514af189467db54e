"""Tables of the documentation that quote stored results; no number in them is typed.

Such a table stands between ``<!-- benchmark: CASE -->`` and ``<!-- end -->``, and is written anew
whenever ``docs/benchmarks.md`` is.
"""

import json
import re
from dataclasses import dataclass

from benchmarks.report import PAGE, RESULTS

DOCS = PAGE.parent


@dataclass(frozen=True)
class Quote:
    """One measure of a case: a row for each size, a column for each contender."""

    case: str
    page: str
    corner: str
    rows: dict[str, str]  # label: what stands for {} in the sizes of the columns
    columns: dict[str, tuple[str, str]]  # heading: size, contender
    measure: str
    digits: int

    def table(self) -> str:
        """Return the table in Markdown, as the stored results have it."""
        lines = [[self.corner, *self.columns], ["---"] * (1 + len(self.columns))]
        values = self._values()
        for label, part in self.rows.items():
            cells = [
                values[size.format(part), contender] for size, contender in self.columns.values()
            ]
            lines.append([label, *cells])
        return "\n".join("| " + " | ".join(line) + " |" for line in lines)

    def _values(self) -> dict[tuple[str, str], str]:
        document = json.loads((RESULTS / f"{self.case}.json").read_text(encoding="utf-8"))
        return {
            (str(row["size"]), row["contender"]): "not run"
            if row["skipped"]
            else f"{row['measures'][self.measure]:.{self.digits}f}"
            for row in document["measurements"]
        }

    def placed(self, text: str) -> str:
        """Return a page with the table in its place."""
        begin, end = f"<!-- benchmark: {self.case} -->\n", "\n<!-- end -->"
        pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
        assert len(pattern.findall(text)) == 1, f"{self.page}: {begin.strip()}"
        return pattern.sub(lambda _: begin + self.table() + end, text)


LP = "ℓp, p = 2"
QUOTES = (
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
