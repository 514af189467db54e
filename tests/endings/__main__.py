"""End commands at random moments, many times, and look at what they leave.

    PYTHONPATH=tests python -m endings reverse improve --signal INT --times 20

A command runs once to its end, over nothing. Then it runs again and again over the files that are
there, and is sent a signal at a moment drawn from the whole of its time. What has to hold after
every ending: files are whole, those that belong together come from one run, an old file stays
unless a new one took its place; no traceback is shown. After Ctrl-C the exit code is 130 and
nothing lies about; after SIGKILL the next write removes what does. The seconds between signal and
end are printed, by the clock and of the processor. On Linux only.
"""

import argparse
import random
import signal
import sys
import tempfile
from pathlib import Path

from endings.commands import COMMANDS
from endings.trial import Ended, run_to_end, run_until

SIGNALS = {"INT": signal.SIGINT, "TERM": signal.SIGTERM, "KILL": signal.SIGKILL}


def attack(name: str, number: signal.Signals, times: int, rng: random.Random) -> int:
    """End one command so many times; return how many endings were wrong."""
    wrong, endings = 0, []
    with tempfile.TemporaryDirectory(prefix=f"endings-{name}-") as folder:
        command = COMMANDS[name](Path(folder))
        whole = run_to_end(command)
        for _ in range(times):
            ended = run_until(command, number, rng.uniform(0.0, whole.seconds))
            complaints = [*ended.complaints(number), *command.complaints(number)]
            wrong += bool(complaints)
            endings.append(ended)
            if complaints:
                print(f"{name}, {number.name} after {ended.moment:.2f} s: {complaints}", flush=True)
                print("  | " + ended.errors[-2000:].replace("\n", "\n  | "), flush=True)
    print(_row(name, number, whole, endings, wrong), flush=True)
    return wrong


def _row(
    name: str, number: signal.Signals, whole: Ended, endings: list[Ended], wrong: int
) -> str:
    in_time = [one for one in endings if one.was_running]
    last = max((one.after for one in in_time), default=0.0)
    worked = max((one.worked_after for one in in_time), default=0.0)
    codes = sorted({one.code for one in in_time})
    return (
        f"{name}: {whole.seconds:.1f} s undisturbed; {number.name} {len(in_time)} times while it "
        f"ran, wrong {wrong}; exit codes {codes}; ended at most {last:.2f} s later by the clock, "
        f"{worked:.2f} s of the processor"
    )


def main() -> None:
    """Attack the commands that are named."""
    parser = argparse.ArgumentParser(prog="python -m endings", description=__doc__)
    parser.add_argument("commands", nargs="*", metavar="COMMAND", help=", ".join(COMMANDS))
    parser.add_argument("--signal", choices=SIGNALS, default="INT")
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    rng = random.Random(given.seed)  # noqa: S311, moments are no secret
    names = given.commands or list(COMMANDS)
    sys.exit(sum(attack(name, SIGNALS[given.signal], given.times, rng) for name in names) > 0)


if __name__ == "__main__":
    main()
