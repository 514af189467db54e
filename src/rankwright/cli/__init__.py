"""The command line: parse, one call, render.

Nothing heavy is imported before a command runs, so that ``rankwright --help`` answers at once.
"""

__all__ = ["main"]


def main() -> None:
    """Run the command line."""
    from rankwright.cli.app import app

    app(prog_name="rankwright")
