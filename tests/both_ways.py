"""Run a test of a kernel twice: compiled, and as plain Python."""

import pytest

from rankwright.kernels.compile import kernel
from rankwright.kernels.ingredient import InnerFunction

__all__ = ["both"]


def both(function):
    """Return a mark that gives a test the function compiled and plain, as ``run``.

    One that only kernels call becomes a kernel for this.
    """
    is_inner = isinstance(function, InnerFunction)
    compiled = kernel(function.py_func) if is_inner else function
    return pytest.mark.parametrize("run", [compiled, function.py_func], ids=["compiled", "python"])
