"""How the reference reads the package: an extension of Griffe, which mkdocs.yml names."""

import re
from contextlib import suppress
from typing import Any

from griffe import (
    Alias,
    AliasResolutionError,
    Attribute,
    ExprName,
    Extension,
    Function,
    GriffeLoader,
    Module,
    Object,
)

# Entries that share a line and a description: "first, second : type".
SHARED = re.compile(r"^(\w+(?:, \w+)+)( ?:.*)?\n((?: +.*(?:\n|$))+)", re.MULTILINE)
CHOICES = re.compile(r'^(\w+ : )(\{.*|(?!.*default).*".*)$', re.MULTILINE)
ROLE = re.compile(r":(?:attr|class|func|meth|mod):`")
KINDS = re.compile(r"^(\w+ : )((?:\w+, )+\w+ or \w+)$", re.MULTILINE)
# What these entries say is the same everywhere, so that most docstrings do not.
CUSTOMARY = {
    "X : ": "One row for each item, one column for each feature.",
    "ax : ": "Where to draw; a new figure unless given.",
    "n_features_in_ : ": "The number of columns of `X`.",
    "title : str, optional": "The title of the picture.",
}
BARE = re.compile(rf"^({'|'.join(CUSTOMARY)})(.*)\n(?! )", re.MULTILINE)


def rewritten(text: str) -> str:
    r"""Return a docstring as Griffe understands it: what it guesses is written out.

    Of entries that share a line it shows the type and the default of the first for all, of choices
    it takes the first for the default, strings for types, of kinds with a comma a tuple, and it
    knows no roles of Sphinx. Entries that need no words among scikit-learn's users get theirs.

    Examples
    --------
    >>> print(rewritten('low, high : {"a", "b"}\n    As in :meth:`fit`.'))
    low : one of "a", "b"
        As in `fit`.
    high : one of "a", "b"
        As in `fit`.
    """

    def apart(shared: re.Match[str]) -> str:
        names, kind, description = shared.groups()
        kind = "" if kind == ":" else kind or ""
        return "".join(f"{name}{kind}\n{description.rstrip()}\n" for name in names.split(", "))

    def quoted(entry: re.Match[str]) -> str:
        kind = entry[2].replace("{", "").replace("}", "")
        return f"{entry[1]}{'one of' if ',' in kind else 'either'} {kind}"

    text = CHOICES.sub(quoted, SHARED.sub(apart, text))
    text = KINDS.sub(lambda entry: entry[1] + entry[2].replace(", ", " or "), text)
    text = BARE.sub(lambda entry: f"{entry[0]}    {CUSTOMARY[entry[1]]}\n", text + "\n")
    return ROLE.sub("`", text).rstrip("\n")


def rewrite(obj: Object) -> None:
    """Rewrite the docstrings of an object and of all that is defined in it."""
    if obj.docstring is not None:
        obj.docstring.value = rewritten(obj.docstring.value)
    if isinstance(obj, Function):
        write_out_constants(obj)
    for member in obj.members.values():
        if not isinstance(member, Alias):
            rewrite(member)


def write_out_constants(function: Function) -> None:
    """Show the values of defaults, where the module gives them a name."""
    for parameter in function.parameters:
        if isinstance(parameter.default, ExprName):
            constant = function.module.members.get(parameter.default.name)
            if isinstance(constant, Attribute) and constant.value is not None:
                parameter.default = constant.value


def put_names_before_modules(package: Module, loader: GriffeLoader) -> None:
    """Put what a package imports in place of the module that has the same name."""
    loader.resolve_aliases(implicit=True, external=False)  # afterwards modules can't be passed
    for place in (*package.modules.values(), package):
        for name in place.imports.keys() & place.members.keys():
            with suppress(AliasResolutionError, KeyError):  # other packages are not loaded
                imported = loader.modules_collection[place.imports[name]]
                if place.members[name].is_module and not imported.is_module:
                    place.members[name] = Alias(name, imported, parent=place)


class Docstrings(Extension):
    """Write out what Griffe would guess, and show functions that are named as their module."""

    def on_package(self, *, pkg: Module, loader: GriffeLoader, **kwargs: Any) -> None:
        """Do both once everything is read."""
        rewrite(pkg)
        put_names_before_modules(pkg, loader)
