"""Small changes to a source file, each of which some test should notice."""

import ast
import copy
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import CodeType

__all__ = ["Mutant", "mutants_of", "unchanged"]

BOUNDARY = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
OPPOSITE = {
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
ARITHMETIC = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
TWINS = {"min": "max", "any": "all", "minimum": "maximum", "floor": "ceil", "append": "clear"}
TWINS |= {other: one for one, other in TWINS.items() if other != "clear"}
DEFINITIONS = (ast.FunctionDef, ast.ClassDef)
LONGEST_SHOWN = 100
NOT_MUTATED = (ast.Raise, ast.JoinedStr, ast.Import, ast.ImportFrom)  # messages are for reading


@dataclass(frozen=True)
class Mutant:
    """A compiled module with one change, and the lines of which one has to run to notice it.

    There are no ``lines`` where the change is outside of functions.
    """

    file: Path
    place: str
    change: str
    lines: range | None
    code: CodeType

    def __str__(self) -> str:
        return f"{self.file.as_posix().removeprefix('src/rankwright/')} {self.place}: {self.change}"


def mutants_of(file: Path) -> Iterator[Mutant]:
    """Yield every mutant of a file, in the order of its source."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for spot in list(_spots(tree, Spot(tree, "", None, tree, (), None))):
        for other in _variants(spot.node):
            before = spot.shown()
            with spot.replaced(ast.copy_location(copy.copy(other), spot.node)):
                code = compile(ast.fix_missing_locations(tree), str(file.resolve()), "exec")
                change = f"{before} -> {spot.shown()}"
            yield Mutant(file, ".".join(spot.names), change, spot.lines(), code)


def unchanged(file: Path) -> Mutant:
    """Return a file as it is, which all tests have to pass."""
    code = compile(file.read_text(encoding="utf-8"), str(file.resolve()), "exec")
    return Mutant(file, "", "nothing", None, code)


@dataclass(frozen=True)
class Spot:
    """A node, where it hangs in the tree, and the statement and the definitions it is in."""

    parent: ast.AST
    field: str
    index: int | None
    node: ast.AST
    names: tuple[str, ...]
    statement: ast.stmt | None
    in_function: bool = False

    def shown(self) -> str:
        """Return the first line of what stands here, with the expression around it."""
        standing = getattr(self.parent, self.field)
        here = standing if self.index is None else standing[self.index]
        if isinstance(self.parent, ast.expr | ast.keyword | ast.comprehension):
            around = ast.unparse(self.parent)
            if len(around) <= LONGEST_SHOWN:
                return around
        return ast.unparse(here).partition("\n")[0]

    @contextmanager
    def replaced(self, other: ast.AST) -> Iterator[None]:
        """Put another node here for a while."""
        for node in (other, self.node):
            if self.index is None:
                setattr(self.parent, self.field, node)
            else:
                getattr(self.parent, self.field)[self.index] = node
            if node is other:
                yield

    def lines(self) -> range | None:
        """Return the lines of the statement; a definition runs when its body does."""
        if not self.in_function:
            return None
        body = [] if isinstance(self.statement, ast.FunctionDef) else _body(self.statement)
        end = body[0].lineno if body else self.statement.end_lineno + 1
        return range(self.statement.lineno, max(end, self.statement.lineno + 1))


def _body(statement: ast.stmt) -> list[ast.stmt]:
    return getattr(statement, "body", [])


def _spots(parent: ast.AST, around: Spot) -> Iterator[Spot]:
    """Yield all that may be changed below a node."""
    for field, value in ast.iter_fields(parent):
        for index, node in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(node, ast.AST) or _is_left_alone(parent, field, node):
                continue
            is_function = isinstance(node, ast.FunctionDef)
            spot = Spot(
                parent,
                field,
                index,
                node,
                around.names + ((node.name,) if isinstance(node, DEFINITIONS) else ()),
                node if isinstance(node, ast.stmt) else around.statement,
                around.in_function or is_function,
            )
            yield spot
            if not isinstance(node, NOT_MUTATED):
                yield from _spots(node, spot)


def _is_left_alone(parent: ast.AST, field: str, node: ast.AST) -> bool:
    is_type = field in ("annotation", "returns", "decorator_list")
    is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    is_public = isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    is_check = isinstance(node, ast.keyword) and node.arg == "strict"
    is_header = isinstance(parent, ast.ClassDef) and field != "body"
    is_typing = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
    return is_type or is_text or is_public or is_check or is_header or is_typing


def _variants(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what a node may be replaced by."""
    if type(node) in REMOVED:
        yield ast.Pass()
    elif type(node) in VARIANTS:
        yield from VARIANTS[type(node)](node)


def _compare(node: ast.Compare) -> Iterator[ast.AST]:
    for i, operator in enumerate(node.ops):
        for table in (BOUNDARY, OPPOSITE):
            if type(operator) in table:
                ops = [*node.ops[:i], table[type(operator)](), *node.ops[i + 1 :]]
                yield ast.Compare(node.left, ops, node.comparators)


def _calculate(node: ast.BinOp) -> Iterator[ast.AST]:
    if type(node.op) in ARITHMETIC:
        yield ast.BinOp(node.left, ARITHMETIC[type(node.op)](), node.right)


def _combine(node: ast.BoolOp) -> Iterator[ast.AST]:
    yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    for i in range(len(node.values)):
        rest = node.values[:i] + node.values[i + 1 :]
        yield rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)


def _drop_sign(node: ast.UnaryOp) -> Iterator[ast.AST]:
    if not isinstance(node.operand, ast.Constant):
        yield node.operand


def _constant(node: ast.Constant) -> Iterator[ast.AST]:
    match node.value:
        case bool(value):
            yield ast.Constant(not value)
        case int(value):
            yield ast.Constant(value + 1)
            yield ast.Constant(value - 1)
        case float(value):
            yield ast.Constant(2 * value + 1)
        case str(value) if " " not in value:  # with a space it is a message
            yield ast.Constant(value + "?")


def _name(node: ast.Name) -> Iterator[ast.AST]:
    if node.id in TWINS and isinstance(node.ctx, ast.Load):
        yield ast.Name(TWINS[node.id], node.ctx)


def _attribute(node: ast.Attribute) -> Iterator[ast.AST]:
    if node.attr in TWINS:
        yield ast.Attribute(node.value, TWINS[node.attr], node.ctx)


def _slice(node: ast.Slice) -> Iterator[ast.AST]:
    if node.step is None and (node.lower or node.upper):
        yield ast.Slice(node.lower, None) if node.upper else ast.Slice(None, None)


def _call(node: ast.Call) -> Iterator[ast.AST]:
    for i, keyword in enumerate(node.keywords):
        if keyword.arg not in (None, "strict"):
            yield ast.Call(node.func, node.args, node.keywords[:i] + node.keywords[i + 1 :])


def _negate(node: ast.If | ast.While) -> Iterator[ast.AST]:
    yield type(node)(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse)


def _unfilter(node: ast.comprehension) -> Iterator[ast.AST]:
    if node.ifs:
        yield ast.comprehension(node.target, node.iter, node.ifs[1:], node.is_async)


def _return(node: ast.Return) -> Iterator[ast.AST]:
    if node.value is not None and ast.unparse(node.value) != "None":
        yield ast.Return(ast.Constant(None))


def _assign(node: ast.Assign) -> Iterator[ast.AST]:
    if isinstance(node.targets[0], ast.Subscript | ast.Attribute):
        yield ast.Pass()


REMOVED = (ast.Expr, ast.AugAssign, ast.Raise, ast.Delete)
VARIANTS: dict[type[ast.AST], Callable[..., Iterable[ast.AST]]] = {
    ast.Assign: _assign,
    ast.Attribute: _attribute,
    ast.BinOp: _calculate,
    ast.BoolOp: _combine,
    ast.Break: lambda node: [ast.Continue()],
    ast.Call: _call,
    ast.Compare: _compare,
    ast.Constant: _constant,
    ast.Continue: lambda node: [ast.Break()],
    ast.If: _negate,
    ast.IfExp: lambda node: [node.body, node.orelse],
    ast.Name: _name,
    ast.Return: _return,
    ast.Slice: _slice,
    ast.UnaryOp: _drop_sign,
    ast.While: _negate,
    ast.comprehension: _unfilter,
}
