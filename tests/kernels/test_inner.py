import gc

import numba
import numpy as np

from rankwright.kernels import inner as inner_module
from rankwright.kernels.compile import kernel
from rankwright.kernels.ingredient import InnerFunction
from rankwright.kernels.inner import inner, inner_allocating
from rankwright.kernels.roomy import compile_roomily


@inner
def twice(x):
    return 2 * x


@inner_allocating
def squares(n):
    values = np.empty(n, np.int64)
    for i in range(n):
        values[i] = twice(i) * i // 2
    return values


def test_an_inner_function_is_part_of_the_kernels_that_call_it():
    @kernel
    def total(n):
        return squares(n).sum() + twice(n)

    assert total(4) == 0 + 1 + 4 + 9 + 8
    assert len(twice.overloads) <= 1  # none if the kernel was compiled by an earlier run


def test_an_inner_function_called_from_python_is_the_plain_function():
    assert isinstance(twice, InnerFunction)
    assert twice("a") == "aa"


def test_with_a_release_of_numba_not_tried_functions_are_compiled_as_all_are(monkeypatch):
    monkeypatch.setattr(inner_module, "TRIED", ((0, 1), (0, 2)))
    thrice = inner_module._compiler(_nrt=False)(lambda x: 3 * x)
    assert not isinstance(thrice, InnerFunction)
    assert kernel(lambda x: thrice(x))(2) == 6


def test_garbage_is_collected_again_after_a_kernel_was_compiled():
    seen = []
    function = numba.njit(lambda x: x + 1)
    compile_for = function._compile_for_args
    function._compile_for_args = lambda *args: (seen.append(gc.isenabled()), compile_for(*args))[1]
    assert compile_roomily(function)(1) == 2
    assert (seen, gc.isenabled()) == ([False], True)
