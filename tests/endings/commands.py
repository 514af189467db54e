"""Commands that take a while, and what must hold of the files that they write."""

import gzip
import json
import os
import signal
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd

import rankwright as rw
from rankwright.persistence.atomic import SUFFIX, write_atomically
from rankwright.persistence.files import read_checksum
from rankwright.report.bundle import MODEL_STAMP

__all__ = ["COMMANDS", "Command"]


class Command(ABC):
    """A command in a folder, with the files that it is given and those that it writes."""

    outputs: tuple[str, ...] = ()

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.prepare()
        self.inputs = set(os.listdir(folder))

    @property
    @abstractmethod
    def arguments(self) -> list[str]:
        """What the program is given."""

    @abstractmethod
    def prepare(self) -> None:
        """Write the files that are read."""

    def complaints(self, number: signal.Signals) -> list[str]:
        """Return what is wrong with the files after an ending."""
        found = list(self.damage())
        left = list(self.folder.rglob(f"*{SUFFIX}"))
        if number == signal.SIGINT and left:
            found.append(f"left over: {[path.name for path in left]}")
        for path in left:  # as if the next write came ten seconds later
            os.utime(path, (time.time() - 10,) * 2)
            target = path.with_name(path.name[1:].rsplit(".", 2)[0])
            write_atomically(target, target.read_bytes() if target.exists() else b"")
            if path.exists():
                found.append(f"{path.name} was not removed by the next write")
        return found

    def damage(self) -> Iterator[str]:
        """Say which files are not whole, or do not belong together."""
        for name in self.outputs:
            path = self.folder / name
            if not path.exists():
                yield f"{name} is gone"
            elif problem := _problem(path):
                yield f"{name}: {problem}"


def _problem(path: Path) -> str | None:
    try:
        READERS[path.suffix](path)
    except Exception as error:  # whatever a reader says
        return f"{type(error).__name__}: {error}"
    return None


def _read_page(path: Path) -> None:
    if not path.read_text("utf-8").rstrip().endswith("</html>"):
        raise ValueError("the end is missing")


def _read_picture(path: Path) -> None:
    if not path.read_bytes().endswith(b"IEND\xaeB`\x82"):
        raise ValueError("the end is missing")


READERS: dict[str, Callable[[Path], object]] = {
    ".html": _read_page,
    ".png": _read_picture,
    ".json": lambda path: json.loads(path.read_bytes()),
    ".csv": pd.read_csv,
    ".rw": rw.load,
    ".md": lambda path: path.read_text("utf-8"),
    ".gz": lambda path: gzip.decompress(path.read_bytes()),
}


class Reverse(Command):
    """``reverse``: a report, a result and a model that carry one stamp, and two more files."""

    outputs = ("report.html", "report.json", "report.rw", "formula.csv", "other.json")

    def prepare(self) -> None:
        """Write a noisy rating of 300 products."""
        rng = np.random.default_rng(0)
        X = rng.integers(0, 11, size=(300, 6)) / 2
        score = X @ rng.random(6) + rng.normal(size=300)
        frame = pd.DataFrame(X, columns=list("abcdef"))
        frame.insert(0, "name", [f"product {row}" for row in range(len(frame))])
        frame["rank"] = (-score).argsort().argsort() + 1
        frame.to_csv(self.folder / "table.csv", index=False)

    @property
    def arguments(self) -> list[str]:
        """Return a run of a few seconds."""
        out = [f"--out={name}" for name in ("report.html", "formula.csv", "other.json")]
        return ["reverse", "table.csv", "--rank", "rank", "--time", "3", "--force", *out]

    def damage(self) -> Iterator[str]:
        """Say also what does not belong together."""
        yield from super().damage()
        stamp = read_checksum(self.folder / "report.rw")
        if json.loads((self.folder / "report.json").read_bytes())[MODEL_STAMP] != stamp:
            yield "the result is of another model"
        if stamp not in (self.folder / "report.html").read_text("utf-8"):
            yield "the report is of another model"


class Improve(Command):
    """``improve``: plans in four forms."""

    outputs = ("plans.csv", "plans.json", "plans.png")

    def prepare(self) -> None:
        """Write a formula, products and many changes."""
        rng = np.random.default_rng(0)
        X = pd.DataFrame(rng.integers(0, 11, size=(60, 5)) / 2, columns=list("abcde"))
        formula = rw.RatingFormula(time_limit=2, random_state=0).fit(X, X @ rng.random(5))
        rw.save(formula, self.folder / "model.rw")
        X.insert(0, "name", [f"product {row}" for row in range(len(X))])
        X.to_csv(self.folder / "table.csv", index=False)
        changes = pd.DataFrame(rng.integers(0, 3, size=(25, 5)) / 2, columns=list("abcde"))
        changes.insert(0, "cost", rng.integers(1, 40, size=25))
        changes.insert(0, "change", [f"change {row}" for row in range(25)])
        changes.to_csv(self.folder / "changes.csv", index=False)

    @property
    def arguments(self) -> list[str]:
        """Return all efficient plans that hold for every formula."""
        out = [f"--out={name}" for name in self.outputs]
        read = ["model.rw", "table.csv", "--item", "product 7", "--changes", "changes.csv"]
        return ["improve", *read, "--frontier", "--robust", "--force", *out]

    def damage(self) -> Iterator[str]:
        """Say also where tables and JSON list different plans."""
        yield from super().damage()
        plans = json.loads((self.folder / "plans.json").read_bytes())["plans"]
        if len(plans) != len(pd.read_csv(self.folder / "plans.csv")):
            yield "the files list different plans"


class Compare(Command):
    """``compare``: rankers under cross-validation."""

    outputs = ("comparison.csv", "comparison.json", "comparison.png")

    def prepare(self) -> None:
        """Write ten lists."""
        rng = np.random.default_rng(0)
        X = pd.DataFrame(rng.normal(size=(200, 5)).round(2), columns=list("abcde"))
        X["score"] = (X @ rng.random(5) + rng.normal(size=200)).round(2)
        X.insert(0, "list", np.repeat(np.arange(10), 20))
        X.insert(0, "name", [f"item {row}" for row in range(200)])
        X.to_csv(self.folder / "table.csv", index=False)

    @property
    def arguments(self) -> list[str]:
        """Return a comparison of five kinds of rankers."""
        out = [f"--out={name}" for name in self.outputs]
        chosen = (
            "pairwise-ranker",
            "push-ranker",
            "boosted-ranker",
            "ordinal-forest",
            "preference-ranker",
        )
        rankers = [f"--ranker={name}" for name in chosen]
        read = ["table.csv", "--score", "score", "--group", "list", "--folds", "3"]
        return ["compare", *read, *rankers, "--force", *out]


class Aggregate(Command):
    """``aggregate``: a consensus that is hard to prove."""

    outputs = ("consensus.csv", "consensus.json", "consensus.png")

    def prepare(self) -> None:
        """Write votes of nobody who agrees with anybody."""
        rng = np.random.default_rng(0)
        votes = {f"voter {k}": rng.permutation(70) + 1 for k in range(9)}
        pd.DataFrame({"item": [f"item {k}" for k in range(70)], **votes}).to_csv(
            self.folder / "votes.csv", index=False
        )

    @property
    def arguments(self) -> list[str]:
        """Return an exact consensus."""
        out = [f"--out={name}" for name in self.outputs]
        return ["aggregate", "votes.csv", "--method", "kemeny", "--time", "8", "--force", *out]


class Leaderboard(Command):
    """``leaderboard``: strengths of many items, with resamples."""

    outputs = ("board.html", "board.json", "board.rw", "table.csv")

    def prepare(self) -> None:
        """Write battles."""
        rng = np.random.default_rng(0)
        strength = rng.normal(size=40)
        left, right = rng.integers(0, 40, size=(2, 5_000))
        wins = rng.random(5_000) < 1 / (1 + np.exp(strength[right] - strength[left]))
        battles = {
            "model_a": [f"item {k}" for k in left],
            "model_b": [f"item {k}" for k in right],
            "winner": np.where(wins, "model_a", "model_b"),
        }
        frame = pd.DataFrame(battles)[left != right]
        frame.to_csv(self.folder / "battles.csv", index=False)

    @property
    def arguments(self) -> list[str]:
        """Return a leaderboard whose errors come from resamples."""
        out = [f"--out={name}" for name in ("board.html", "table.csv")]
        return ["leaderboard", "battles.csv", "--bootstrap", "100", "--force", *out]


class Study(Command):
    """``reproduce``: a study that an interrupted run goes on with."""

    outputs = ("out/transform.md",)

    def prepare(self) -> None:
        """Nothing is read."""

    @property
    def arguments(self) -> list[str]:
        """Return a study in two processes, whose replications are those of the last run and one."""
        self.replications = getattr(self, "replications", 1) + 1
        given = ["--replications", str(self.replications), "--jobs", "2", "--force"]
        return ["reproduce", "transform", *given, "--out", "out"]


COMMANDS: dict[str, Callable[[Path], Command]] = {
    "reverse": Reverse,
    "improve": Improve,
    "compare": Compare,
    "aggregate": Aggregate,
    "leaderboard": Leaderboard,
    "study": Study,
}
