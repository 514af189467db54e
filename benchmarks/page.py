"""Write ``docs/benchmarks.md`` from all stored results: what matters first, then every case."""

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from benchmarks import report
from benchmarks.runner import Measurement

INTRODUCTION = """\
# Benchmarks

Every number on this page was measured and written here by `python -m benchmarks`; none was typed.
Each case runs rankwright and its peers in turn, in one process, on the same data, and takes the
median after a round off the clock that compiles kernels and checks that the results agree (cases
of a single round clock that one).

- *ratio* is the contender's time as a multiple of rankwright's: **above 1, rankwright is faster**.
- What follows ± is a standard error. A number in parentheses says by how much rankwright is ahead;
  where it is negative, rankwright is behind.
- Machines are noisy: compare within a table, not between tables. Under each table stands how many
  cores other work kept busy meanwhile; `python -m benchmarks --disturbed` runs the cases again that
  were not alone.
"""
TIMES = """\
## Summary: time

Each case at the largest size that a peer was run at, beside the fastest of its peers. What has a †
was not measured on a quiet machine.
"""
QUALITIES = """\
## Summary: quality and memory

Each case at its last size, beside the contender that comes closest to rankwright or is further
ahead of it.
"""
# The chapters of the page, and how the names of their cases begin.
CHAPTERS = {
    "Rating formulas": ("rating",),
    "Plans of improvement": ("plan", "frontier"),
    "Linear rankers": ("pairwise", "many-groups", "real-queries"),
    "Boosted trees": ("boosting",),
    "Ordinal trees and forests": ("ordinal",),
    "Bipartite trees and forests": ("treerank", "ranking-forest"),
    "Leaderboards": ("leaderboard",),
    "Consensus of rankings": ("consensus",),
    "Metrics and files": ("kendall", "svmlight", "published"),
    "Many machines": ("cluster",),
    "First fits": ("first-fit",),
    "Other cases": ("",),
}
# What the parts of a size are, where it has several.
SIZES = {
    "boosting-memory": "{} rows, {} features",
    "boosting-scoring": "{} rows, {} features, threads: {}",
    "boosting-speed": "{} rows, {} features, threads: {}",
    "boosting-speed-large": "{} rows, {} features, threads: {}",
    "leaderboard-bootstrap": "{} items, {} battles, {} resamples",
    "leaderboard-pairs": "{} items, {} battles",
    "pairwise-million": "{} rows, {}, grades: {}",
}
OURS = "rankwright"
# Cases whose contenders do not do the same work as well: their times are no race.
NO_RACE = (
    "rating", "pairwise-growth", "pairwise-memory", "boosting-memory", "ordinal-criteria",
    "leaderboard-bootstrap",
)  # fmt: skip


@dataclass(frozen=True)
class Quality:
    """The measure by which the contenders of a case compare, and whether more of it is better."""

    measure: str
    more: bool = True


QUALITY = {
    "rating-peers": Quality("mean statistic"),
    "rating-proofs": Quality("mean objective"),
    "rating-gaps": Quality("mean objective"),
    "rating-study": Quality("objective"),
    "rating-flexible": Quality("M1"),
    "rating-positions": Quality("position error", more=False),
    "rating-seasons": Quality("position error", more=False),
    "boosting-hotels": Quality("tau"),
    "boosting-lambdarank": Quality("tau"),
    "boosting-movielens": Quality("tau"),
    "boosting-new-hotels": Quality("tau"),
    "boosting-sushi": Quality("tau"),
    "boosting-web-search": Quality("tau"),
    "boosting-ordinal": Quality("mean absolute error", more=False),
    "boosting-memory": Quality("MB while fitting", more=False),
    "pairwise-memory": Quality("MB while fitting", more=False),
    "ranking-forest": Quality("test AUC"),
    "treerank": Quality("test AUC"),
    "ordinal-forest": Quality("test rank loss", more=False),
}
Document = dict[str, Any]
AHEAD = re.compile(r"we are ahead by \((.+)\)")


def write_page() -> None:
    """Write the page and its growth plots."""
    documents = [
        json.loads(path.read_text(encoding="utf-8"))
        for path in sorted(report.RESULTS.glob("*.json"))
    ]
    chapters = _chapters(documents)
    common = _most_common_versions(documents)
    parts = [INTRODUCTION, f"Unless a case says otherwise: {_named(common)}.\n"]
    header = ["case", "size", OURS, "fastest peer", "ratio"]
    parts += _summary(TIMES, header, chapters, _race)
    header = ["case", "size", "measure", OURS, "closest or best peer", "ahead by"]
    parts += _summary(QUALITIES, header, chapters, _contest)
    for chapter, members in chapters.items():
        parts.append(f"## {chapter}\n")
        for document in members:
            parts += _section(document, common)
    report.PAGE.write_text("\n".join(parts), encoding="utf-8")


def _chapters(documents: list[Document]) -> dict[str, list[Document]]:
    chapters: dict[str, list[Document]] = {chapter: [] for chapter in CHAPTERS}
    for document in documents:
        name = document["case"]
        chapters[next(c for c, begins in CHAPTERS.items() if name.startswith(begins))].append(
            document
        )
    return {chapter: members for chapter, members in chapters.items() if members}


def _most_common_versions(documents: list[Document]) -> dict[str, str]:
    found = Counter(tuple(_versions(document).items()) for document in documents)
    return dict(found.most_common(1)[0][0]) if found else {}


def _versions(document: Document) -> dict[str, str]:
    return {"Python": document["python"], **document["versions"]}


def _named(versions: dict[str, str]) -> str:
    return ", ".join(f"{name} {number}" for name, number in versions.items())


def _summary(
    introduction: str,
    header: list[str],
    chapters: dict[str, list[Document]],
    line: Callable[[Document], list[str] | None],
) -> list[str]:
    """Return a table with a line of each case that has one, by chapter."""
    rows = []
    for chapter, members in chapters.items():
        lines = [entry for entry in map(line, members) if entry is not None]
        rows += [[chapter if entry is lines[0] else "", *entry] for entry in lines]
    return [introduction, _markdown(["capability", *header], rows) + "\n"] if rows else []


def _race(document: Document) -> list[str] | None:
    """Return a line of the summary of times, None where no peer was run."""
    name = document["case"]
    if name.startswith(NO_RACE):
        return None
    measurements = _measurements(document)
    raced = [row for row in measurements if _is_rival(row) and row.seconds is not None]
    if not raced:
        return None
    size = raced[-1].size
    fastest = min((row for row in raced if row.size == size), key=lambda row: row.seconds or 0.0)
    ours = _ours_at(measurements, size)
    return [
        f"[{name}](#{name})",
        _size(name, size),
        _seconds(ours.seconds),
        f"{fastest.contender} {_seconds(fastest.seconds)}",
        f"{fastest.ratio:.3g}" + ("" if report.is_quiet(document) else " †"),
    ]


def _contest(document: Document) -> list[str] | None:
    """Return a line of the summary of qualities, None where nobody else was measured."""
    name = document["case"]
    if name not in QUALITY:
        return None
    quality, measurements = QUALITY[name], _measurements(document)
    rivals = [row for row in measurements if _is_rival(row) and _has(row, quality.measure)]
    if not rivals:
        return None
    size, sign = rivals[-1].size, 1 if quality.more else -1
    ours = _ours_at(measurements, size)
    label = next((a for a, of in _differences(measurements).items() if of == quality.measure), "")

    def lead(row: Measurement) -> float:
        if (known := row.measures.get(label)) is not None:
            return float(known[0])
        return sign * (ours.measures[quality.measure] - row.measures[quality.measure])

    best = min((row for row in rivals if row.size == size), key=lead)
    ahead = best.measures.get(label)
    return [
        f"[{name}](#{name})",
        _size(name, size),
        quality.measure + ("" if quality.more else " (less is better)"),
        _shown(ours.measures[quality.measure]),
        f"{best.contender} {_shown(best.measures[quality.measure])}",
        _shown(ahead) if ahead is not None else f"{lead(best):.3g}",
    ]


def _measurements(document: Document) -> list[Measurement]:
    return [Measurement(**entry) for entry in document["measurements"]]


def _is_rival(row: Measurement) -> bool:
    return not row.contender.startswith(OURS) and row.skipped is None


def _has(row: Measurement, measure: str) -> bool:
    return row.measures.get(measure) is not None


def _ours_at(measurements: list[Measurement], size: Any) -> Measurement:
    return next(row for row in measurements if row.size == size and row.contender == OURS)


def _section(document: Document, common: dict[str, str]) -> Iterator[str]:
    name, measurements = document["case"], _measurements(document)
    yield f"### {name}\n\n{document['question']}\n"
    yield _table(name, measurements) + "\n"
    if report.shows_growth(measurements):
        picture = report.PAGE.parent / "benchmarks" / f"{name}.png"
        report.plot_growth(measurements, picture)
        yield f"![time against size](benchmarks/{picture.name})\n"
    notes = [*_absences(name, measurements), report.load_words(document)]
    versions = _versions(document)
    if versions != common:
        notes.append(f"{_named(versions)}.")
    yield f"*{' '.join(notes)}*\n"


def _table(name: str, measurements: list[Measurement]) -> str:
    """Return what was measured; a size that all share stands in the corner."""
    rows = [row for row in measurements if row.skipped is None]
    sizes = dict.fromkeys(_size(name, row.size) for row in rows)
    differences = _differences(rows)
    labels = [
        label
        for label in dict.fromkeys(label for row in rows for label in row.measures)
        if label not in differences
    ]
    times = ["seconds", "ratio"] if any(row.seconds is not None for row in rows) else []
    is_shared = len(sizes) == 1
    header = [_corner(name, rows[0].size)] if is_shared else ["size", "contender"]
    lines = []
    for row in rows:
        line = [row.contender] if is_shared else [_size(name, row.size), row.contender]
        if times:
            line += [_seconds(row.seconds, ""), f"{row.ratio:.3g}"]
        line += [_measure(row, label, differences) for label in labels]
        lines.append(line)
    return _markdown([*header, *times, *labels], lines)


def _differences(measurements: list[Measurement]) -> dict[str, str]:
    """Return which measures say by how much rankwright is ahead, and of which others."""
    labels = dict.fromkeys(label for row in measurements for label in row.measures)
    found = {}
    for label in labels:
        if match := AHEAD.fullmatch(label):
            found[label] = next(
                other for other in labels if other != label and other.endswith(match[1])
            )
    return found


def _measure(row: Measurement, label: str, differences: dict[str, str]) -> str:
    text = _shown(row.measures.get(label))
    for ahead, of in differences.items():
        if of == label and row.measures.get(ahead) is not None:
            text += f" ({_shown(row.measures[ahead])})"
    return text


def _absences(name: str, measurements: list[Measurement]) -> Iterator[str]:
    """Yield who was not run, why, and at which sizes where it was at others."""
    reasons: dict[tuple[str, str], list[str]] = {}
    for row in measurements:
        if row.skipped is not None:
            reason = row.skipped.split(" (")[0].removeprefix("it is ")
            reasons.setdefault((row.contender, reason), []).append(_size(name, row.size))
    ran = {row.contender for row in measurements if row.skipped is None}
    together: dict[str, list[str]] = {}
    for (contender, reason), sizes in reasons.items():
        split = contender in ran or sum(who == contender for who, _ in reasons) > 1
        where = f" at {'; '.join(sizes)}" if split else ""
        together.setdefault(reason, []).append(contender + where)
    for reason, who in together.items():
        yield f"Not run ({reason}): {', '.join(who)}."


def _size(name: str, size: Any) -> str:
    if isinstance(size, list | tuple):
        parts = ["none, real-valued" if part is None else _part(part) for part in size]
        return SIZES.get(name, " · ".join(["{}"] * len(parts))).format(*parts)
    return _part(size)


def _corner(name: str, size: Any) -> str:
    return f"size {_size(name, size)}" if isinstance(size, int) else _size(name, size)


def _part(part: Any) -> str:
    return f"{part:,}" if isinstance(part, int) else str(part)


def _seconds(seconds: float | None, unit: str = " s") -> str:
    if seconds is None:
        return ""
    return (f"{seconds:,.0f}" if seconds >= 100 else f"{seconds:.3g}") + unit


def _shown(measure: Any) -> str:
    if isinstance(measure, float) and math.isnan(measure):
        return ""
    return report.shown(measure)


def _markdown(header: list[str], lines: Iterable[list[str]]) -> str:
    rows = [header, ["---"] * len(header), *lines]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)
