"""The command line: parse, one call, render.

Nothing heavy is imported before a command runs, so that ``rankwright --help`` answers at once.
"""

__all__ = ["main"]


def main() -> None:
    """Run the command line.

    Ctrl-C after its end, while Python puts itself away, ends the process without a word: shells
    call that 130 as well.
    """
    import signal
    import sys

    try:
        from rankwright.cli.app import app
        from rankwright.cli.streams import open_streams

        open_streams()
        app(prog_name="rankwright")
    except KeyboardInterrupt:  # while the program itself is loaded; commands deal with their own
        print("Stopped before the command began.", file=sys.stderr)
        sys.exit(130)
    except OSError as error:  # --help on a full disk; commands deal with their own
        sys.exit(f"Error: {error}")
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        # An interrupt that passed through code compiled from a text (dataclasses and numba do that)
        # stays noted as nobody's, and `python -m` would end itself by the signal instead of with
        # the exit code; the next such code clears the note.
        exec("")  # noqa: S102, there is nothing in it
