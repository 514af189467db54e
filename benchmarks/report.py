"""Turn measurements into text, JSON and pictures."""

import json
import math
import os
import platform
from collections.abc import Iterable
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks.case import Case
from benchmarks.load import QUIET
from benchmarks.runner import Measurement

RESULTS = Path(__file__).parent / "results"
PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"
PEERS = (
    "numpy", "scipy", "scikit-learn", "numba", "highspy", "lightgbm", "xgboost-cpu", "catboost",
)  # fmt: skip


def as_table(measurements: Iterable[Measurement]) -> str:
    """Return the measurements as a Markdown table; without times where none were taken."""
    rows = list(measurements)
    labels = list(dict.fromkeys(label for row in rows for label in row.measures))
    times = ["seconds", "ratio"] if any(row.seconds is not None for row in rows) else []
    header = ["size", "contender", *times, *labels]
    lines = [header, ["---"] * len(header)]
    for row in rows:
        line = [str(row.size), row.contender]
        if row.skipped:
            line.append(f"skipped: {row.skipped}")
        else:
            line += [f"{getattr(row, name):.3g}" for name in times]
            line += [shown(row.measures.get(label)) for label in labels]
        lines.append(line + [""] * (len(header) - len(line)))
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def shown(measure: Any) -> str:
    """Return a number as text: one with a standard error rounded to what that bears."""
    if measure is None:
        return ""
    if isinstance(measure, float | int):
        return f"{measure:.6g}"
    value, error = measure
    if not error > 0:
        return f"{value:.6g} ± {error:.3g}"
    # One digit of the error, two if it begins with a one.
    exponent = math.floor(math.log10(error))
    digits = max(0, -exponent + (error < 2 * 10.0**exponent))
    return f"{value:.{digits}f} ± {error:.{digits}f}"


def store(case: Case, measurements: list[Measurement], others: float) -> None:
    """Write a case's results as JSON, with the versions and the load they were measured under."""
    document = {
        "case": case.name,
        "question": case.question,
        "python": platform.python_version(),
        "versions": {name: version(name) for name in PEERS},
        "cores": os.cpu_count(),
        "cores_of_others": round(others, 2),
        "measurements": [asdict(measurement) for measurement in measurements],
    }
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{case.name}.json").write_text(json.dumps(document, indent=1) + "\n")


def was_quiet(case: Case) -> bool:
    """Return whether the stored times of a case, if it has any, are of a quiet machine."""
    if not case.timed:
        return True
    path = RESULTS / f"{case.name}.json"
    return is_quiet(json.loads(path.read_text()) if path.exists() else {})


def is_quiet(document: dict[str, Any]) -> bool:
    """Return whether stored times are of a quiet machine."""
    return bool(document.get("cores_of_others", math.inf) <= QUIET)


def load_words(document: dict[str, Any]) -> str:
    """Return under what load a case was measured."""
    if all(entry["seconds"] is None for entry in document["measurements"]):
        return "Quality, which does not depend on the load."
    if "cores_of_others" not in document:
        return "Load not recorded."
    others, cores = document["cores_of_others"], document["cores"]
    manner = "Quiet" if is_quiet(document) else "Disturbed"
    return f"{manner}: others kept {others:g} of {cores} cores busy."


def shows_growth(measurements: list[Measurement]) -> bool:
    """Return whether a case has times at three sizes or more that are numbers."""
    sizes = [row.size for row in measurements]
    return all(isinstance(size, int) for size in sizes) and len(set(sizes)) >= 3


def plot_growth(measurements: list[Measurement], path: Path) -> None:
    """Plot time against size on log axes, one line for each contender."""
    import matplotlib.pyplot as plt

    figure, ax = plt.subplots(figsize=(5.5, 3.6), layout="constrained")
    contenders: dict[str, list[tuple[Any, float]]] = {}
    for row in measurements:
        if row.seconds is not None:
            contenders.setdefault(row.contender, []).append((row.size, row.seconds))
    for name, points in contenders.items():
        ax.loglog(*zip(*points, strict=True), marker="o", markersize=4, label=name)
    ax.set_xlabel("size")
    ax.set_ylabel("seconds (median)")
    ax.grid(True, which="major", alpha=0.3)
    ax.legend(frameon=False)
    path.parent.mkdir(exist_ok=True)
    figure.savefig(path, dpi=110)
    plt.close(figure)
