"""The options that a command was given, written for the shell once more."""

import shlex
from collections.abc import Collection, Mapping
from typing import Any

import typer

__all__ = ["given_options"]


def given_options(
    context: typer.Context,
    *,
    only: Mapping[str, str] | None = None,
    without: Collection[str] = (),
) -> str:
    """Return the options that were given, each with a space before it.

    Parameters
    ----------
    context : typer.Context
    only : dict of str to str, optional
        The parameters to repeat and what another command calls them; by default all.
    without : collection of str
        Parameters that are not repeated.
    """
    words: list[str] = []
    for one in context.command.params:
        name = str(one.name)
        source = context.get_parameter_source(name)
        if one.param_type_name != "option" or source is None or source.name != "COMMANDLINE":
            continue
        if name in without or (only is not None and name not in only):
            continue
        option = one.opts[0] if only is None else only[name]
        words += _written(option, one.secondary_opts, context.params[name])
    return "".join(f" {shlex.quote(word)}" for word in words)


def _written(option: str, opposite: list[str], value: Any) -> list[str]:
    if isinstance(value, bool):
        return [option] if value else opposite[:1]
    values = value if isinstance(value, list | tuple) else [value]
    # A value that begins with a dash would be taken for an option.
    return [
        word
        for one in map(str, values)
        for word in ([f"{option}={one}"] if one.startswith("-") else [option, one])
    ]
