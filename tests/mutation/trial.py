"""Put a mutant in the place of the real module, in a process that is then thrown away."""

import functools
import gc
import math
import os
import resource
import signal
import sys
import time
from collections.abc import Callable
from enum import EnumType
from types import FunctionType, ModuleType
from typing import Any

from mutation.mutants import Mutant

__all__ = ["allow", "dies", "module_of"]

MEMORY = 6 * 2**30
SPARE_SECONDS, SLOWER = 3, 4  # a mutant may take so much longer than the tests do
# Seconds on the clock, since who waits spends no processor time: of a mutant on a machine
# that is busy with other things, and of a test without a mutant.
SLEEPING, TRYING = 300, 15
WRAPPERS = {property: "fget", classmethod: "__func__", staticmethod: "__func__"}
WRAPPERS[functools.cached_property] = "func"


def allow(seconds: float) -> None:
    """Let this process, which is thrown away, use so much more processor time, with some to spare.

    A mutant that hangs in its first test does not use up the time of the others.
    """
    used = math.ceil(time.process_time())
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    limit = used + SPARE_SECONDS + math.ceil(SLOWER * seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (min(limit, hard), hard))


def dies(mutant: Mutant | None, passes: Callable[[], bool], seconds: float) -> bool:
    """Return whether tests fail, crash or hang in a process of their own."""
    _caches()
    gc.freeze()  # the collector of the child would copy all that it looks at
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        limit = SPARE_SECONDS + int(SLOWER * seconds)
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        signal.alarm((TRYING if mutant is None else SLEEPING) + 10 * limit)
        try:
            if mutant is not None:
                install(mutant)
            survived = passes()
        except BaseException:
            survived = False
        os._exit(not survived)
    return os.waitpid(child, 0)[1] != 0


def install(mutant: Mutant) -> None:
    """Give the functions and values of the real module those of the mutant."""
    module = module_of(mutant)
    namespace = {"__name__": module.__name__, "__file__": module.__file__}
    exec(mutant.code, namespace)
    transplant(module, vars(module), namespace)
    for kept in _caches():
        kept.cache_clear()


@functools.cache
def _caches() -> list[Any]:
    """Return the caches of the package: what they keep came from the real functions."""
    kind = type(functools.cache(len))
    caches = [thing for thing in gc.get_objects() if isinstance(thing, kind)]
    return [cache for cache in caches if str(cache.__module__).startswith("rankwright")]


def module_of(mutant: Mutant) -> ModuleType:
    """Return the real module of a mutant."""
    path = str(mutant.file.resolve())
    return next(m for m in list(sys.modules.values()) if getattr(m, "__file__", None) == path)


def transplant(owner: Any, old: Any, new: Any) -> None:
    """Change what a module or a class holds into what its mutant holds."""
    for name, value in list(new.items()):
        before, after = _inside(old.get(name)), _inside(value)
        if isinstance(owner, EnumType) and isinstance(before, owner):
            before._value_ = after._value_  # the member stays: others compare with it by identity
        elif isinstance(after, FunctionType) and isinstance(before, FunctionType):
            if after.__module__ == before.__module__:
                before.__code__, before.__defaults__ = after.__code__, after.__defaults__
                before.__kwdefaults__ = after.__kwdefaults__
        elif isinstance(after, type) and isinstance(before, type):
            if after is not before:
                transplant(before, vars(before), vars(after))
        elif not name.startswith("_") and name in old and before is not after:
            _replace_value(owner, name, before, after)


def _inside(value: Any) -> Any:
    """Return the function inside a property, a cache or a context manager."""
    value = getattr(value, WRAPPERS.get(type(value), ""), value)
    return getattr(value, "__wrapped__", value)


def _replace_value(owner: Any, name: str, before: Any, after: Any) -> None:
    """Set a value where it is defined, and where it was imported from there."""
    holders = [owner]
    if isinstance(owner, ModuleType):
        holders = [m for m in sys.modules.values() if m.__name__.startswith("rankwright")]
    for holder in holders:
        if getattr(holder, name, None) is before:
            setattr(holder, name, after)
