"""How the reference reads the package: an extension of Griffe, which mkdocs.yml names."""

import re
from contextlib import suppress
from typing import Any

from griffe import Alias, AliasResolutionError, Extension, GriffeLoader, Module, Object

# Entries that share a line and a description: "first, second : type".
SHARED = re.compile(r"^(\w+(?:, \w+)+)( ?:.*)?\n((?: +.*(?:\n|$))+)", re.MULTILINE)
CHOICES = re.compile(r'^(\w+ : )(\{.*|(?!.*default).*".*)$', re.MULTILINE)
ROLE = re.compile(r":(?:attr|class|func|meth|mod):`")


def rewritten(text: str) -> str:
    r"""Return a docstring as Griffe understands it: what it guesses is written out.

    Of entries that share a line it shows the type and the default of the first for all, of choices
    it takes the first for the default, strings for types, and it knows no roles of Sphinx.

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

    return ROLE.sub("`", CHOICES.sub(quoted, SHARED.sub(apart, text))).rstrip("\n")


def rewrite(obj: Object) -> None:
    """Rewrite the docstrings of an object and of all that is defined in it."""
    if obj.docstring is not None:
        obj.docstring.value = rewritten(obj.docstring.value)
    for member in obj.members.values():
        if not isinstance(member, Alias):
            rewrite(member)


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
