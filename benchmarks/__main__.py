"""The command ``python -m benchmarks``."""

import argparse
import importlib
import pkgutil

from benchmarks import cases, page, quotes, report, runner
from benchmarks.case import Case
from benchmarks.load import watch


def discover() -> dict[str, Case]:
    """Return every case: each module of ``benchmarks.cases`` lists its own in ``CASES``."""
    modules = (
        importlib.import_module(f"benchmarks.cases.{module.name}")
        for module in pkgutil.iter_modules(cases.__path__)
    )
    return {case.name: case for module in modules for case in module.CASES}


def main() -> None:
    known = discover()
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__)
    parser.add_argument("case", nargs="*", help=f"from {', '.join(known)}; all by default")
    parser.add_argument(
        "--quick", action="store_true", help="small sizes, once: do the results agree?"
    )
    parser.add_argument(
        "--disturbed", action="store_true", help="only cases not yet measured on a quiet machine"
    )
    arguments = parser.parse_args()
    if unknown := set(arguments.case) - set(known):
        parser.error(f"no case {', '.join(sorted(unknown))}; choose from {', '.join(known)}")
    for name in arguments.case or known:
        case = known[name]
        if arguments.disturbed and report.was_quiet(case):
            continue
        print(f"\n{case.name}: {case.question}", flush=True)
        others = watch()
        measurements = list(runner.run(case, quick=arguments.quick))
        print(report.as_table(measurements), flush=True)
        if not arguments.quick:
            report.store(case, measurements, others())
    if not arguments.quick:
        page.write_page()
        quotes.write()


if __name__ == "__main__":
    main()
