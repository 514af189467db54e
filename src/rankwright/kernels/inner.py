"""Functions that only kernels call, compiled once, with the kernel that calls them.

numba makes a library of every compiled function: it is optimised, turned into machine code and
given a way to be called from Python, and then its code is copied into each caller and optimised
again, at every level. Of a function that only kernels call all but the last is wasted; for the
kernels of rating formulas that was nearly half of the time that compiling took.
"""

from collections.abc import Callable
from typing import Any

from numba.core import config
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import LoweringPass, register_pass
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import AnnotateTypes, NativeLowering

__all__ = ["InnerFunction", "inner", "inner_allocating"]


class _Ingredient(JITCodeLibrary):
    """Code that waits for the kernel it becomes part of."""

    def finalize(self) -> None:
        """Gather the code of what is called, and leave it as it is."""
        for library in dict.fromkeys(self._linking_libraries):
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True


@register_pass(mutates_CFG=False, analysis_only=False)
class _MakeIngredient(LoweringPass):
    """Put what is lowered next into such a library, without machine code."""

    _name = "make_ingredient"

    def __init__(self) -> None:
        """Hold nothing: numba asks every pass to say so."""

    def run_pass(self, state: Any) -> bool:
        state.library = _Ingredient(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        return True


@register_pass(mutates_CFG=False, analysis_only=False)
class _OfferIngredient(LoweringPass):
    """Let callers find the code by a key, which for other functions is their machine code."""

    _name = "offer_ingredient"

    def __init__(self) -> None:
        """Hold nothing."""

    def run_pass(self, state: Any) -> bool:
        key = object()
        state.targetctx.insert_user_function(key, state.cr.fndesc, [state.library])
        state.cr = state.cr._replace(cfunc=key)
        return True


class _Compiler(CompilerBase):
    def define_pipelines(self) -> list[Any]:
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(_MakeIngredient, AnnotateTypes)
        passes.add_pass_after(_OfferIngredient, NativeLowering)
        passes.finalize()
        return [passes]


class InnerFunction(CPUDispatcher):
    """A compiled function that has no way in from Python: there it is the plain function."""

    def __call__(self, *arguments: Any) -> Any:
        """Run the plain function."""
        return self.py_func(*arguments)

    def add_overload(self, result: Any) -> None:
        """Keep what was compiled for callers alone."""
        self.overloads[tuple(result.signature.args)] = result


def _compiler(**options: Any) -> Callable[[Any], Any]:
    options |= {"nopython": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}

    def compiled(function: Any) -> Any:
        if config.DISABLE_JIT:
            return function
        return InnerFunction(function, targetoptions=options, pipeline_class=_Compiler)

    return compiled


# Compiled together with the kernels that call it. It makes no arrays: without counting who uses its
# arrays there is less to compile.
inner = _compiler(_nrt=False)

# The same for a function that makes arrays; else it would inherit from callers that make none.
inner_allocating = _compiler(_nrt=True)
