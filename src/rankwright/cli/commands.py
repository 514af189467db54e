"""What all commands have in common: exit codes, and errors as messages."""

import functools
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import IntEnum
from typing import Any

import typer

from rankwright.cli.output import Output, console
from rankwright.cli.reading import spread
from rankwright.cli.render import sentence

__all__ = ["Exit", "guarded"]


class Exit(IntEnum):
    """What the exit codes mean."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    UNREACHABLE = 3
    INTERRUPTED = 130

    @property
    def meaning(self) -> str:
        """The code in a sentence."""
        return MEANINGS[self]


MEANINGS = {
    Exit.DONE: "done",
    Exit.FAILED: "the data or the request can't be processed; the message says why",
    Exit.USAGE: "the command was not understood",
    Exit.UNREACHABLE: "no plan reaches the goal; the message says what can be reached",
    Exit.INTERRUPTED: "stopped with Ctrl-C; what reverse, compare and reproduce had found by then "
    "has been printed or written",
}


# matplotlib warns once for each character.
GLYPH = re.compile(r"Glyph (\d+) .*missing from ")
IMPUTE = "leave incomplete products out, or use missing='impute' for medians"
INCOMPLETE = "pass --complete to leave them out, or --missing to choose another remedy"


def guarded(function: Callable[..., None]) -> Callable[..., None]:
    """Let errors that a user can mend end a command with a message, not a traceback.

    Every command has an option ``quiet``, which silences warnings too: errors only.
    """
    function = spread(function)

    @functools.wraps(function)
    def run(*args: Any, quiet: bool, **options: Any) -> None:
        with _errors_as_messages(), _warnings_as_notes(Output(quiet=quiet)):
            function(*args, quiet=quiet, **options)

    return run


@contextmanager
def _errors_as_messages() -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        typer.echo("Stopped before the end: nothing more is printed or written.", err=True)
        raise typer.Exit(Exit.INTERRUPTED) from None
    except (ValueError, OSError, ImportError) as error:
        said = sentence(f"Error: {_words(error)}")
        said.stylize("bold red", 0, len("Error:"))
        console(stderr=True).print(said)
        raise typer.Exit(Exit.FAILED) from None


def _words(error: Exception) -> str:
    """Return the message of an error; scikit-learn's on missing values has other remedies."""
    if str(error).startswith("Input X contains NaN.\n"):
        return "some items have missing factors, which this ranker can't take; " + INCOMPLETE
    return str(error).removeprefix("Input X contains NaN: ").replace(IMPUTE, INCOMPLETE)


@contextmanager
def _warnings_as_notes(output: Output) -> Iterator[None]:
    """Print the first line of each warning once, without the code that raised it.

    What the font of pictures lacks is said in one sentence at the end.
    """
    seen: set[str] = set()
    lacking: dict[str, None] = {}

    def note(message: Warning | str, *_: Any, **__: Any) -> None:
        line = str(message).partition("\n")[0]
        if glyph := GLYPH.match(line):
            lacking[chr(int(glyph[1]))] = None
        elif line not in seen:
            seen.add(line)
            output.note(f"Note: {line}")

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.showwarning = note
        try:
            yield
        finally:
            if lacking:
                from rankwright.data.observations import examples

                listed = examples(lacking, len(lacking))
                output.note(f"Note: pictures show boxes for what their font lacks: {listed}.")
