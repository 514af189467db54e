"""What the first fit takes on a machine where nothing has been compiled yet."""

import json
import subprocess
import sys
from typing import Any

from benchmarks.case import Case, Task
from benchmarks.first_fit import DEMO
from rankwright.cli.first_fits import FIRST_FITS


def prepare(name: str) -> Task:
    def first_fit() -> dict[str, Any]:
        command = [sys.executable, "-m", "benchmarks.first_fit", name]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        return json.loads(done.stdout)

    return Task(
        ours=first_fit,
        peers={},
        agree=lambda name, ours, theirs: None,
        measures={
            "processor seconds": lambda found: found["seconds"],
            "functions compiled": lambda found: found["kernels"],
            "load": lambda found: found["load"],
        },
    )


CASES = [
    Case(
        name="first-fit",
        question=(
            "How long does the first fit take, in an empty cache of kernels? (*seconds* are those "
            "of a whole process with its imports; *processor seconds* those of the fit, which count"
            " on a busy machine, of which *load* is how many processes wanted to run.)"
        ),
        sizes=(*FIRST_FITS, DEMO),
        quick=("PRankPerceptron",),
        prepare=prepare,
        repeats=0,
    )
]
