"""Mutation testing: change the source a little, many times, and see whether a test notices.

    PYTHONPATH=tests python -m mutation src/rankwright/metrics --tests tests/metrics

The tests run once, while it is noted which lines each of them reaches. Each mutant is then put
into a fork of this process, where the tests of its statement run, the fastest first, until one
fails or the budget is spent. Mutants that survive are printed, unless ``explained.toml`` says why
no test can notice them, and a row for each file: mutants, killed, explained, open. Kernels are not
mutated: numba has compiled them. On Unix only.
``--sample 50`` tries fifty mutants of each file, drawn by a fixed seed, and says of how many.

Broken code runs here, with your rights: root is refused, and a container is best. A test of what
must not be touched makes its own in a temporary folder, never names a part of the machine.
"""

import argparse
import os
import random
import sys
import threading
import time
import tomllib
from collections import defaultdict
from itertools import accumulate
from pathlib import Path

import hypothesis
import pytest
from _pytest.runner import runtestprotocol
from _pytest.warnings import catch_warnings_for_item

from mutation.mutants import Mutant, mutants_of, unchanged
from mutation.trial import allow, dies

EXPLAINED = Path(__file__).with_name("explained.toml")


class Session:
    """A pytest plugin that runs tests first as they are, and then against mutants."""

    def __init__(self, files: list[Path], given: argparse.Namespace) -> None:
        self.files = files
        self.budget = given.budget
        self.sample = given.sample
        self.among = given.among.read_text(encoding="utf-8") if given.among else None
        self.explained = explained_mutants()
        self.reached: defaultdict[tuple[str, int], list[pytest.Item]] = defaultdict(list)
        self.seconds: dict[pytest.Item, float] = {}
        self.out = os.fdopen(os.dup(1), "w", buffering=1)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run everything."""
        items = [item for item in session.items if not item.get_closest_marker("skip")]
        for item, following in zip(items, [*items[1:], None], strict=True):
            self.run_traced(item, following)
        used = {test for tests in self.reached.values() for test in tests}
        print(f"{len(used)} tests, {sum(self.seconds[t] for t in used):.0f} s", file=self.out)
        for file in self.files:
            self.try_file(file)
        return True

    def run_traced(self, item: pytest.Item, following: pytest.Item | None) -> None:
        """Run a test as it is, and note which lines it reaches."""
        names, reached = {str(file.resolve()) for file in self.files}, set()

        def in_file(frame, event, arg):
            reached.add((frame.f_code.co_filename, frame.f_lineno))
            return in_file

        def in_any(frame, event, arg):
            return in_file if frame.f_code.co_filename in names else None

        start = time.process_time()
        sys.settrace(in_any)
        threading.settrace(in_any)
        passed = passes(item, following)
        sys.settrace(None)
        threading.settrace(None)
        self.seconds[item] = time.process_time() - start
        if not reached:
            return
        # Libraries with threads of their own may hang in a fork.
        if not passed or dies(None, lambda: passes(item), self.seconds[item]):
            print(f"left out, it fails without a mutant: {item.nodeid}", file=self.out)
            return
        for line in reached:
            self.reached[line].append(item)

    def try_file(self, file: Path) -> None:
        """Try the mutants of a file, and print those that survive."""
        counts = dict.fromkeys(("killed", "explained", "survived"), 0)
        if self.is_killed(unchanged(file)):
            print(f"left out, it dies without a change: {file}", file=self.out)
            return
        mutants = list(mutants_of(file))
        module = file.with_suffix("").as_posix().removeprefix("src/rankwright/")
        explained = {name for name in self.explained if name.startswith(f"{module}.py ")}
        for name in sorted(explained - set(map(str, mutants))):
            print(f"explained, but it is no mutant any more: {name}", file=self.out)
        for mutant in self.chosen(mutants):
            tests = self.tests_of(mutant)
            if self.is_killed(mutant):
                counts["killed"] += 1
            elif str(mutant) in self.explained:
                counts["explained"] += 1
            else:
                counts["survived"] += 1
                line = mutant.lines.start if mutant.lines else 0
                print(f"  {len(tests):3} tests, line {line}: {mutant}", file=self.out)
        tried = sum(counts.values())
        number = f"{tried:,}" if tried == len(mutants) else f"{tried:,} of {len(mutants):,}"
        print(f"| `{module}` | {number} | {' | '.join(map(str, counts.values()))} |", file=self.out)

    def is_killed(self, mutant: Mutant) -> bool:
        """Return whether a test that reaches a mutant notices it."""
        tests = self.tests_of(mutant)
        seconds = sum(self.seconds[test] for test in tests)
        return dies(mutant, lambda: all(map(self.passes_in_time, tests)), seconds)

    def passes_in_time(self, test: pytest.Item) -> bool:
        """Run a test in a process that is thrown away."""
        allow(self.seconds[test])
        return passes(test)

    def chosen(self, mutants: list[Mutant]) -> list[Mutant]:
        """Return the mutants that were asked for."""
        if self.among is not None:
            mutants = [mutant for mutant in mutants if f"{mutant}\n" in self.among]
        if self.sample is None or self.sample >= len(mutants):
            return mutants
        drawn = sorted(random.Random(0).sample(range(len(mutants)), self.sample))
        return [mutants[place] for place in drawn]

    def tests_of(self, mutant: Mutant) -> list[pytest.Item]:
        """Return the tests that reach a mutant, the fastest first."""
        path = str(mutant.file.resolve())
        reached = {
            test
            for (file, line), tests in self.reached.items()
            if file == path and (mutant.lines is None or line in mutant.lines)
            for test in tests
        }
        tests = sorted(reached, key=lambda test: (self.seconds[test], test.nodeid))
        spent = accumulate(self.seconds[test] for test in tests)
        return [test for test, seconds in zip(tests, spent, strict=True) if seconds <= self.budget]


def passes(test: pytest.Item, following: pytest.Item | None = None) -> bool:
    """Run a test, with its own filters of warnings."""
    with catch_warnings_for_item(test.config, test.ihook, when="runtest", item=test):
        return not any(r.failed for r in runtestprotocol(test, log=False, nextitem=following))


def explained_mutants() -> set[str]:
    """Return the mutants that no test can notice."""
    reasons = tomllib.loads(EXPLAINED.read_text(encoding="utf-8"))["reason"]
    return {mutant for reason in reasons for mutant in reason["mutants"]}


def main() -> int:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(prog="python -m mutation", description=__doc__)
    parser.add_argument("sources", nargs="+", type=Path, help="files or folders to mutate")
    parser.add_argument("--tests", nargs="*", default=[], help="tests, beside the doctests")
    parser.add_argument("--budget", type=float, default=10.0, help="seconds of tests for a mutant")
    parser.add_argument("--sample", type=int, help="mutants of each file; all by default")
    parser.add_argument("--among", type=Path, help="output of a run: only mutants named in it")
    given = parser.parse_args()
    if os.geteuid() == 0:
        parser.error("mutants can delete files; run as an ordinary user, in a copy of the checkout")
    files = [f for s in given.sources for f in (sorted(s.rglob("*.py")) if s.is_dir() else [s])]
    options = [
        "-q",
        "--tb=native",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "-p",
        "no:faulthandler",
    ]
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # a pool of threads does not survive a fork
    phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)  # the first failure is enough
    hypothesis.settings.register_profile(
        "mutants",
        phases=phases,
        derandomize=True,
        database=None,
        deadline=None,  # a machine that is busy with other things is no mutant
        suppress_health_check=[hypothesis.HealthCheck.too_slow],
    )
    hypothesis.settings.load_profile("mutants")
    plugin = Session(files, given)
    return pytest.main([*options, *given.tests, *map(str, files)], plugins=[plugin])


if __name__ == "__main__":
    sys.exit(main())
