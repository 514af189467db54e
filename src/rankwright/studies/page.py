"""The page of a study: what was claimed, what came out, tables and figures."""

import gzip
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from rankwright.persistence.atomic import write_together
from rankwright.report import csv_text, figure_bytes

__all__ = ["Page", "Verdict"]


class Verdict(StrEnum):
    """What became of a published claim.

    Examples
    --------
    >>> from rankwright.studies import Verdict
    >>> Verdict.of(0.6) is Verdict.PARTLY
    True
    """

    HELD = "held"
    PARTLY = "held in part"
    FAILED = "did not hold"
    UNTESTED = "could not be tested"

    @classmethod
    def of(cls, share: float) -> "Verdict":
        """Judge by the share of comparisons in which the claim was right.

        Examples
        --------
        >>> from rankwright.studies import Verdict
        >>> [str(Verdict.of(share)) for share in (1.0, 0.6, 0.0, float("nan"))]
        ['held', 'held in part', 'did not hold', 'could not be tested']
        """
        if share != share:
            return cls.UNTESTED
        return cls.HELD if share == 1 else cls.FAILED if share == 0 else cls.PARTLY


@dataclass(frozen=True)
class Claim:
    """A published claim, what became of it here, and why."""

    text: str
    verdict: Verdict
    why: str


@dataclass(frozen=True)
class Page:
    """A Markdown page with its tables and figures in a folder of the same name.

    All of them are written in one step at the end, so that none is of another run than the others.

    Attributes
    ----------
    folder : Path
        Where the page goes.
    name : str
        The page is ``name.md``; its files are in ``name/``.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from rankwright.studies import Page, Verdict
    >>> with TemporaryDirectory() as folder:
    ...     page = Page(Path(folder), "grades")
    ...     page.claim("More grades are better", Verdict.HELD, "Tau rose in 6 of 6 steps.")
    ...     page.save("Grades", "How many are needed?")
    ...     print(page.path.read_text().splitlines()[-1])
    - More grades are better: **held**. Tau rose in 6 of 6 steps.
    """

    folder: Path
    name: str
    claims: list[Claim] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)

    def claim(self, claim: str, verdict: Verdict, why: str) -> None:
        """Say whether a published claim held here, and why, in sentences; these come first."""
        self.claims.append(Claim(claim, verdict, why))

    def text(self, text: str) -> None:
        """Add a paragraph, or a heading, in Markdown."""
        self.parts.append(text.strip())

    def table(
        self, name: str, frame: pd.DataFrame, caption: str, *, shown: pd.DataFrame | None = None
    ) -> None:
        """Add a table as ``name.csv`` and show it, or a digest of it, on the page."""
        file = f"{name}.csv"
        self.files[file] = csv_text(frame, index=False, float_format="%.6g").encode()
        self.text(f"**{caption}** ([{file}]({self.name}/{file}))")
        self.text(markdown(frame if shown is None else shown))

    def figure(self, name: str, axes: Any, caption: str) -> None:
        """Add a figure, given by one of its axes, as ``name.png`` and show it."""
        file = f"{name}.png"
        self.files[file] = figure_bytes(axes, Path(file))
        self.text(f"![{caption}]({self.name}/{file})\n\n*{caption}*")

    def raw(self, name: str, frame: pd.DataFrame) -> None:
        """Add all measurements of an experiment as ``name.csv.gz``."""
        content = csv_text(frame, index=False).encode()
        self.files[f"{name}.csv.gz"] = gzip.compress(content, mtime=0)

    @property
    def path(self) -> Path:
        """The page itself."""
        return self.folder / f"{self.name}.md"

    def save(self, title: str, introduction: str) -> None:
        """Write the page and its files."""
        claims = [f"- {c.text}: **{c.verdict}**. {c.why}" for c in self.claims]
        verdicts = ["## What was claimed, and what came out", "\n".join(claims)] if claims else []
        content = "\n\n".join([f"# {title}", introduction, *verdicts, *self.parts])
        beside = self.folder / self.name
        (beside if self.files else self.folder).mkdir(parents=True, exist_ok=True)
        written = {beside / name: file for name, file in self.files.items()}
        write_together({**written, self.path: f"{content}\n".encode()})


def markdown(frame: pd.DataFrame) -> str:
    """Write a frame as a table in Markdown."""
    cells = [[_cell(value) for value in row] for row in frame.itertuples(index=False)]
    header = [str(column) for column in frame.columns]
    numeric = [pd.api.types.is_numeric_dtype(frame[column]) for column in frame.columns]
    rule = ["---:" if is_number else "---" for is_number in numeric]
    return "\n".join(f"| {' | '.join(row)} |" for row in [header, rule, *cells])


def _cell(value: Any) -> str:
    if value is None or value is pd.NA or value != value:
        return ""
    if isinstance(value, bool | np.bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    return str(value).replace("|", "\\|").replace("\n", " ")
