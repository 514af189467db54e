"""Standard output and error that print whatever they are given, as well as they can."""

import codecs
import io
import os
import sys
from typing import Any, TextIO

__all__ = ["is_unicode", "open_streams"]

# What the commands themselves draw, for streams that know only ASCII.
DRAWN = {"–": "-", "…": "...", "±": "+/-", "×": "x", "█": "#"} | dict.fromkeys("▏▎▍▌▋▊▉", "")


def open_streams() -> None:
    """Let no character, no closed stream and no pipe that nobody reads end a command.

    Characters that a stream can't encode are written as escapes. What is written to a stream that
    was closed before, or to a pipe whose reader has gone (``| head -1``), is thrown away: the
    command goes on, and writes its files.
    """
    codecs.register_error("rankwright", _replace)
    for name, number in (("stdin", 0), ("stdout", 1), ("stderr", 2)):
        stream = getattr(sys, name)
        if stream is None:
            # It also keeps files that the command opens from getting the stream's number.
            os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, open(number, "r" if number == 0 else "w", encoding="utf-8"))  # noqa: SIM115
        elif number and stream.isatty():
            stream.reconfigure(errors="rankwright")
        elif number:
            setattr(sys, name, _lasting(stream))


def is_unicode(stream: TextIO) -> bool:
    """Return whether a stream can write every character."""
    return (stream.encoding or "").lower().startswith("utf")


class Pipe(io.FileIO):
    """A file that takes everything, also after its reader has gone."""

    def write(self, data: Any) -> int:
        """Write, or throw away what nobody reads; another failure, a full disk, is raised once."""
        try:
            return super().write(data)
        except OSError as error:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self.fileno())
            os.close(nowhere)
            if not isinstance(error, BrokenPipeError):
                raise
            return len(data)


def _lasting(stream: io.TextIOWrapper) -> io.TextIOWrapper:
    stream.flush()
    return io.TextIOWrapper(
        io.BufferedWriter(Pipe(stream.fileno(), "w", closefd=False)),
        encoding=stream.encoding,
        errors="rankwright",
        line_buffering=stream.line_buffering,
    )


def _replace(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    characters = error.object[error.start : error.end]
    escaped = (one.encode("ascii", "backslashreplace").decode() for one in characters)
    drawn = (DRAWN.get(one, escape) for one, escape in zip(characters, escaped, strict=True))
    return "".join(drawn), error.end
