"""How numba is led to compile a function for its callers alone: without machine code of its own.

This reaches into numba, release by release; ``inner`` knows for which of them it was tried.
"""

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import LoweringPass, register_pass
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import AnnotateTypes, NativeLowering

__all__ = ["InnerFunction"]


class _Ingredient(JITCodeLibrary):
    """Code that waits for the kernel it becomes part of."""

    apart = False

    def add_ir_module(self, ir_module: Any) -> None:
        """Take code in, marked if it is to stay a function of its own in the kernel."""
        for function in ir_module.functions if self.apart else ():
            if not function.is_declaration:
                function.attributes.add("noinline")
        super().add_ir_module(ir_module)

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


@register_pass(mutates_CFG=False, analysis_only=False)
class _KeepApart(LoweringPass):
    """Let the code not be copied to where it is called."""

    _name = "keep_apart"

    def __init__(self) -> None:
        """Hold nothing."""

    def run_pass(self, state: Any) -> bool:
        state.library.apart = True
        return True


class _Compiler(CompilerBase):
    apart = False

    def define_pipelines(self) -> list[Any]:
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        if self.apart:
            passes.add_pass_after(_KeepApart, AnnotateTypes)
        passes.add_pass_after(_MakeIngredient, AnnotateTypes)
        passes.add_pass_after(_OfferIngredient, NativeLowering)
        passes.finalize()
        return [passes]


class _ApartCompiler(_Compiler):
    apart = True


class InnerFunction(CPUDispatcher):
    """A compiled function that has no way in from Python: there it is the plain function."""

    def __init__(self, function: Any, options: dict[str, Any], apart: bool) -> None:
        compiler = _ApartCompiler if apart else _Compiler
        super().__init__(function, targetoptions=options, pipeline_class=compiler)

    def __call__(self, *arguments: Any) -> Any:
        """Run the plain function."""
        return self.py_func(*arguments)

    def add_overload(self, result: Any) -> None:
        """Keep what was compiled for callers alone."""
        self.overloads[tuple(result.signature.args)] = result
