"""The reference of all commands; ``python -m rankwright.cli.reference`` prints it."""

from typing import Any

from typer.main import get_command

from rankwright.cli.app import COMMANDS, app
from rankwright.cli.commands import Exit

__all__ = ["reference"]

INTRODUCTION = """# The command line

<!-- Written by `python -m rankwright.cli.reference > docs/cli.md`; a test compares. -->

`rankwright --help` lists the commands, `rankwright COMMAND --help` explains one, and
`rankwright --version` says which version this is. Tables may be CSV or TSV files as spreadsheets
write them, Excel or ODS workbooks, JSON or Parquet files (see [reading files](reading-files.md)).
Columns that are not named are guessed, and the guesses are printed; at a terminal you are asked
whether they are right. Nothing is overwritten without `--force`, and files are written at once: an
interrupted run leaves the old file or none. Names are text everywhere: markup, mathematics and
control characters in them are shown, never obeyed.

Results go to standard output, notes and progress to standard error. `--json` prints one JSON object
instead, `--quiet` nothing but errors. What a stream can't encode is printed as escapes, and after
`| head` the rest of the work is still done. In CSV files that are written, an apostrophe keeps a
spreadsheet from running names that begin with `=`, `+`, `-` or `@`.
`rankwright --install-completion` teaches your shell to complete commands, options, rankers, metrics
and methods.

| exit code | meaning |
| --- | --- |
"""


def reference() -> str:
    """Return the reference of all commands as Markdown."""
    commands: dict[str, Any] = get_command(app).commands  # type: ignore[attr-defined]
    codes = "".join(f"| {code.value} | {code.meaning} |\n" for code in Exit)
    parts = [INTRODUCTION + codes]
    for panel, functions in COMMANDS.items():
        parts.append(f"## {panel}\n")
        parts += [_command(name, commands[name]) for name in map(_name, functions)]
    return "\n".join(parts)


def _name(function: Any) -> str:
    return str(function.__name__).replace("_", "-")


def _command(name: str, command: Any) -> str:
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    options = [p for p in command.params if p.param_type_name == "option" and p.name != "help"]
    usage = " ".join(["rankwright", name, *map(_argument, arguments), "[OPTIONS]"])
    lines = [f"### `{name}`\n", f"{_help(command)}\n", f"```\n{usage}\n```\n"]
    if arguments or options:
        lines += ["| | |", "| --- | --- |"]
    lines += [f"| `{_argument(argument)}` | {_help(argument)} |" for argument in arguments]
    lines += [f"| `{_option(option)}` | {_help(option)}{_default(option)} |" for option in options]
    return "\n".join(lines) + "\n"


def _argument(argument: Any) -> str:
    return str(argument.name).removesuffix("_file").upper()


def _option(option: Any) -> str:
    metavar = "" if option.is_flag else f" {option.metavar}"
    return ", ".join(option.opts + option.secondary_opts) + metavar


def _default(option: Any) -> str:
    if option.is_flag or option.default in (None, (), []):
        return ""
    return f" Default: `{option.default}`."


def _help(documented: Any) -> str:
    """Return the help in one line; everything has to have one."""
    if not documented.help:
        raise ValueError(f"{documented.name} has no help; write one")
    return " ".join(str(documented.help).split())


if __name__ == "__main__":
    print(reference(), end="")
