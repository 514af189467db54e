"""Damaged model files with right checksums: ``load`` refuses them, or the model can be used.

A process of its own damages the file of every kind of model in many ways, loads what comes out,
predicts with it and exports it to ONNX, or asks a leaderboard for what it tells. Allowed are
``ModelFileError`` from ``load`` and, after it, results or exceptions; a crash of the interpreter,
another error of ``load``, a lack of memory in it or a case of over a minute is a failure, and the
message says how to repeat it. Files with models of other packages are damaged anywhere and loaded
by somebody who trusts none of them; and around these models by somebody who trusts their packages,
whose own code may do anything with a model of its own that is damaged.

``RANKWRIGHT_FUZZ_CASES`` sets the cases for each kind of model (25 by default; 100,000 take hours),
``RANKWRIGHT_FUZZ_SEED`` their seed (0). By hand, one kind, and one case of it::

    python tests/fuzz/test_model_files.py --seed 0 --cases 1000 --kind OrdinalForest
    python tests/fuzz/test_model_files.py --seed 0 --kind OrdinalForest --only 17
"""

import argparse
import copy
import faulthandler
import json
import os
import re
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[2]
SECONDS_FOR_A_CASE = 60
MOST_MEMORY = 8 * 2**30  # addresses, of which most are never used
NUMBERS = [-(2**63), -(2**31), -1000, -2, -1, 0, 1, 2, 7, 255, 256, 1000, 2**31 - 1, 2**63 - 1]
FLOATS = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1e308, 5e-324, -1.0]
TEXTS = ["null", "true", "-1", "1e400", "NaN", '"x"', "[[]]", "{}", "9" * 5000, "", "\u0000"]
ASKING = ["{feature_name:>100000000}", "{feature_name}" * 1000, "__class__.__mro__", "fit"]
CLASSES = [
    ("ObjectNode", "rankwright.persistence.atomic", "write_atomically"),
    ("ObjectNode", "rankwright.linear.pairwise", "PairwiseRanker"),
    ("ObjectNode", "rankwright.trees.ordinal.nodes", "Tree"),
    ("ObjectNode", "sklearn.pipeline", "Pipeline"),
    ("ObjectNode", "sklearn.tree._classes", "DecisionTreeRegressor"),
    ("ConstructorFromReduceNode", "pathlib", "Path"),
    ("FunctionNode", "os", "system"),
    ("FunctionNode", "numpy", "add"),
    ("MethodNode", "builtins", "str"),
    ("PartialNode", "functools", "partial"),
    ("TypeNode", "builtins", "eval"),
    ("TypeNode", "numpy", "float64"),
    ("DictNode", "builtins", "dict"),
    ("ListNode", "builtins", "list"),
    ("TupleNode", "builtins", "tuple"),
    ("NdArrayNode", "numpy", "ndarray"),
    ("TreeNode", "sklearn.tree._tree", "Tree"),
    ("RandomStateNode", "numpy.random.mtrand", "RandomState"),
]


def test_damaged_model_files_are_refused_or_predict(tmp_path):
    cases = os.environ.get("RANKWRIGHT_FUZZ_CASES", "25")
    seed = os.environ.get("RANKWRIGHT_FUZZ_SEED", "0")
    command = [sys.executable, __file__, "--seed", seed, "--cases", cases, "--folder", tmp_path]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    last = (tmp_path / "last").read_text() if (tmp_path / "last").exists() else "no case"
    assert run.returncode == 0, f"{last}\n{run.stdout[-2000:]}\n{run.stderr[-4000:]}"
    outcomes = json.loads(run.stdout.splitlines()[-1])
    assert outcomes["refused"] > 0
    assert outcomes["used"] > 0


def damage(parts: Any, rng: np.random.Generator) -> bytes:
    """Return a damaged file."""
    from model_files.crafted import seal

    way = rng.choice(["bytes", "array", *sorted(WAYS)])
    if way == "bytes":
        body = bytearray(parts.pack().split(b"\n", 1)[1])
        start = int(rng.integers(len(body)))
        if rng.random() < 0.5:  # among the names and sizes at the end
            start = max(0, len(body) - 1 - int(rng.integers(400)))
        for place in range(start, min(start + int(rng.integers(1, 9)), len(body))):
            body[place] = rng.integers(256)
        if rng.random() < 0.2:
            del body[start : start + int(rng.integers(1, 50))]
        return seal(bytes(body))
    # What is repeated already would be again, and again.
    for _ in range(1 if way == "repeated" else int(rng.integers(1, 4))):
        WAYS[way](parts, rng)
    return bytes(parts.pack())


def _damage_schema(parts: Any, rng: np.random.Generator) -> None:
    nodes = parts.nodes()
    if not nodes:
        return
    node, other = nodes[rng.integers(len(nodes))], copy.deepcopy(nodes[rng.integers(len(nodes))])
    match int(rng.integers(7)):
        case 0:
            kind, module, name = CLASSES[rng.integers(len(CLASSES))]
            node |= {"__loader__": kind, "__module__": module, "__class__": name}
        case 1:
            node.clear()
            node |= other
        case 2:
            node.pop(list(node)[rng.integers(len(node))])
        case 3:
            node["__id__"] = other.get("__id__")
        case 4 if "content" in node and isinstance(node["content"], str):
            node["content"] = str(rng.choice([*TEXTS, *map(str, NUMBERS)]))
        case 5 if isinstance(node.get("content"), dict) and node["content"]:
            name = list(node["content"])[rng.integers(len(node["content"]))]
            node["content"][name] = other
        case _:
            field = list(node)[rng.integers(len(node))]
            node[field] = [None, -1, "x", [], {}, other][rng.integers(6)]


def _damage_array(parts: Any, rng: np.random.Generator) -> None:
    from model_files.crafted import array_bytes

    node = _array_node(parts, rng)
    if node is None:
        return
    try:
        array = parts.array(node).copy()
    except (ValueError, KeyError, TypeError, EOFError, SyntaxError):
        return  # damaged before
    if array.size and rng.random() < 0.9:
        _damage_values(array, rng)
    elif array.ndim:
        changes = [array[:0], array[:1], array.T, np.concatenate([array, array])]
        if not array.dtype.names and array.dtype.kind in "biuf":
            changes.append(np.nan_to_num(array).astype(np.int16))
        array = changes[rng.integers(len(changes))]
    parts.members[node["file"]] = array_bytes(array)


def _array_node(parts: Any, rng: np.random.Generator) -> Any:
    """Return the node of an array, those of the nodes of trees more often than others."""
    nodes = [node for node in parts.nodes("NdArrayNode") if str(node.get("file")) in parts.members]
    trees = [node for node in nodes if b"'descr': [" in parts.members[node["file"]][:40]]
    drawn = trees if trees and rng.random() < 0.4 else nodes
    return drawn[rng.integers(len(drawn))] if drawn else None


def _damage_values(array: Any, rng: np.random.Generator) -> None:
    """Change one value, or all that are equal to it, such as the features of all leaves."""
    field = array
    if array.dtype.names:
        field = array[array.dtype.names[rng.integers(len(array.dtype.names))]]
    place = np.unravel_index(rng.integers(field.size), field.shape)
    if rng.random() < 0.5:
        place = field == field[place]
    if field.dtype.kind == "f":
        field[place] = rng.choice(FLOATS)
    elif field.dtype.kind in "iu":
        near = [int(rng.integers(-3, 50)), int(rng.integers(-3, 300))]
        limits = np.iinfo(field.dtype)
        drawn = int(rng.choice(np.array(NUMBERS + near, dtype=object)))
        field[place] = min(max(drawn, limits.min), limits.max)
    elif field.dtype.kind == "b":
        field[place] = ~field[place]


def _damage_masked(parts: Any, rng: np.random.Generator) -> None:
    """Put a masked array in the place of an array, with a wrong value under its mask."""
    node = _array_node(parts, rng)
    if node is None:
        return
    data = parts.array(node).copy()
    mask = np.zeros(data.shape, dtype=np.bool_)
    if data.size:
        place = np.unravel_index(rng.integers(data.size), data.shape)
        mask[place] = True
        for name in data.dtype.names or [None]:
            field = data if name is None else data[name]
            if field.dtype.kind in "iu":
                field[place] = min(10**8, np.iinfo(field.dtype).max)
    number = node.get("__id__")
    node.clear()
    node |= parts.masked(data, mask) | {"__id__": number}


def _damage_by_sharing(parts: Any, rng: np.random.Generator) -> None:
    """Let a node hold another one more often than there is memory, level by level."""
    from model_files.crafted import doubled, items, listed, node_of, value

    kinds = {
        "array": lambda held: node_of(
            "NdArrayNode", "numpy.ndarray", type="json", content=[held],
            shape=items(*[value(2)] * 40),
        ),
        "list": lambda held: held,
        "set": lambda held: node_of("SetNode", "builtins.set", content=[held]),
    }  # fmt: skip
    nodes = parts.nodes()
    node = nodes[rng.integers(len(nodes))]
    leaf = value(0) if rng.random() < 0.5 else copy.deepcopy(node)
    held = doubled(leaf, 40, items if rng.random() < 0.5 else listed)
    made = kinds[rng.choice(list(kinds))](held)
    node.clear()
    node |= made


def _damage_sizes(parts: Any, rng: np.random.Generator) -> None:
    """Change a number, or two so that their sum stays, of what was derived from other numbers."""
    from model_files.crafted import value

    numbers = [node for node in parts.nodes("JsonNode") if _is_whole(node)]
    lists = [node["content"] for node in parts.nodes("ListNode")]
    lists = [held for held in lists if len(held) > 1 and all(map(_is_whole, held))]
    much = int(rng.choice([-(10**9), -4, -1, 1, 4, 10**6, 10**9]))
    if lists and rng.random() < 0.5:
        held = lists[rng.integers(len(lists))]
        first, last = json.loads(held[0]["content"]), json.loads(held[-1]["content"])
        held[0], held[-1] = value(first + much), value(last - much)
    elif numbers:
        node = numbers[rng.integers(len(numbers))]
        node["content"] = json.dumps(json.loads(node["content"]) + much)
        node.pop("__id__", None)  # which it may share with all others of its value


def _damage_axes(parts: Any, rng: np.random.Generator) -> None:
    """Give arrays other axes: long ones beside one of no length, which cost a file nothing.

    Two arrays at once, as often as not: the last axis of one is the first of the other in products.
    """
    from model_files.crafted import array_bytes

    long = int(rng.choice([20_000, 900_000_000]))
    shapes = [((0,), (long, 0)), ((long, 0), (0,)), ((3, 0), (0, long)), ((long, 1, 1), (1,))]
    for shape in shapes[rng.integers(len(shapes))][: int(rng.integers(1, 3))]:
        node = _array_node(parts, rng)
        if node is not None and np.prod(shape) < 10**6:
            parts.members[node["file"]] = array_bytes(np.zeros(shape))


def _damage_by_exchange(parts: Any, rng: np.random.Generator) -> None:
    """Exchange what two objects hold: the values of attributes, or whole objects."""
    states = [node["content"]["content"] for node in parts.nodes("ObjectNode") if _has_state(node)]
    if not states:
        return
    one, other = (states[rng.integers(len(states))] for _ in range(2))
    name = list(one)[rng.integers(len(one))]
    shared = [known for known in one if known in other]
    if shared and rng.random() < 0.5:
        name = shared[rng.integers(len(shared))]
        one[name], other[name] = other[name], one[name]
    else:
        one[name] = copy.deepcopy(other[list(other)[rng.integers(len(other))]])


def _damage_inside(parts: Any, rng: np.random.Generator) -> None:
    """Put an estimator of another kind in the place of one that its holder fitted."""
    held = [
        state[name]
        for state in (
            node["content"]["content"] for node in parts.nodes("ObjectNode") if _has_state(node)
        )
        for name in state
        if state[name].get("__loader__") == "ObjectNode" and (name[0] == "_" or name[-1] == "_")
    ]
    steps = [
        step["content"][1]
        for node in parts.nodes("TupleNode")
        for step in [node]
        if len(node.get("content", ())) >= 2
        and node["content"][1].get("__loader__") == "ObjectNode"
    ]
    if held + steps:
        (held + steps)[rng.integers(len(held + steps))].update(_stranger(parts, rng))


def _stranger(parts: Any, rng: np.random.Generator) -> Any:
    """Return the node of an estimator that scikit-learn would not have put there."""
    from model_files.crafted import taken_apart, unchecked
    from model_files.strangers import STRANGERS

    stranger = taken_apart(unchecked(STRANGERS[rng.integers(len(STRANGERS))]()))
    number = int(rng.integers(10**9, 10**12))
    for node in stranger.nodes():
        if "__id__" in node:
            node["__id__"] = f"{number}-{node['__id__']}"
        if "file" in node:
            node["file"] = f"{number}-{node['file']}"
    parts.members |= {f"{number}-{name}": held for name, held in stranger.members.items()}
    stranger.schema.pop("protocol", None)
    return stranger.schema


def _damage_by_repeating(parts: Any, rng: np.random.Generator) -> None:
    """Hold what a list holds a thousand times more, and count with it."""
    from model_files.crafted import value

    lists = [node["content"] for node in parts.nodes("ListNode") if node.get("content")]
    plain = {"NdArrayNode", "JsonNode"}
    lists = [held for held in lists if {node["__loader__"] for node in held} <= plain]
    if not lists:
        return
    held = lists[rng.integers(len(lists))]
    place, much = int(rng.integers(len(held))), int(rng.choice([10, 1000, 20_000]))
    for other in lists:  # of the same length: those of the layers of a network
        if len(other) == len(held):
            other[place : place + 1] = [other[place]] * much
    for node in parts.nodes("JsonNode"):
        if _is_whole(node) and json.loads(node["content"]) == len(held) - much + 2:
            node |= value(len(held) + 1) | {"__id__": None}


def _damage_numbers(parts: Any, rng: np.random.Generator) -> None:
    """Put numbers of any length in the place of two whole ones."""
    numbers = [node for node in parts.nodes("JsonNode") if _is_whole(node)]
    for _ in range(2):
        if numbers:
            node = numbers[rng.integers(len(numbers))]
            node["content"] = json.dumps(10 ** int(rng.choice([3, 9, 18, 4000])))
            node.pop("__id__", None)


def _damage_texts(parts: Any, rng: np.random.Generator) -> None:
    """Put a text that asks for more than it says in the place of a parameter."""
    nodes = [node for node in parts.nodes("JsonNode") if str(node.get("content"))[:1] in 'tf"']
    if nodes:
        node = nodes[rng.integers(len(nodes))]
        node["content"] = json.dumps(ASKING[rng.integers(len(ASKING))])
        node.pop("__id__", None)


def _has_state(node: Any) -> bool:
    state = node.get("content")
    return (
        isinstance(state, dict)
        and isinstance(state.get("content"), dict)
        and bool(state["content"])
    )


def _is_whole(node: Any) -> bool:
    content = node.get("content") if node["__loader__"] == "JsonNode" else None
    return isinstance(content, str) and re.fullmatch(r"-?\d{1,9}", content) is not None


def _damage_header(parts: Any, rng: np.random.Generator) -> None:
    names = [name for name in parts.members if name.endswith(".npy")]
    if not names:
        return
    name = names[rng.integers(len(names))]
    content = parts.members[name]
    size = str(NUMBERS[rng.integers(len(NUMBERS))]).encode()
    replacements = [
        (rb"'shape': \(\d*", b"'shape': (" + size),
        (rb"'descr': '[^']*'", b"'descr': '|O'"),
        (rb"'descr': '[^']*'", b"'descr': '<U0'"),
        (rb"'descr': '[^']*'", b"'descr': '|V1000000000'"),
        (rb"'fortran_order': False", b"'fortran_order': True"),
        (rb"'fortran_order': False", b"'fortran_order': " + b"(" * 90),
    ]
    pattern, replacement = replacements[rng.integers(len(replacements))]
    changed = re.sub(pattern, replacement, content[:128], count=1)
    # The header keeps its length, so that it is read to its end.
    parts.members[name] = changed.replace(b" " * max(0, len(changed) - 128), b"", 1) + content[128:]


WAYS = {
    "array": _damage_array,
    "axes": _damage_axes,
    "exchanged": _damage_by_exchange,
    "header": _damage_header,
    "inside": _damage_inside,
    "masked": _damage_masked,
    "numbers": _damage_numbers,
    "repeated": _damage_by_repeating,
    "schema": _damage_schema,
    "shared": _damage_by_sharing,
    "sizes": _damage_sizes,
    "texts": _damage_texts,
}


def damage_around(parts: Any, rng: np.random.Generator) -> bytes:
    """Return a file that is damaged, but for the model of another package in it."""
    attributes = parts.attributes("AdaptedRanker")
    foreign = {name: attributes.pop(name) for name in ("model", "model_")}
    for _ in range(int(rng.integers(1, 4))):
        WAYS[rng.choice(["array", "schema"])](parts, rng)
    attributes |= foreign
    return bytes(parts.pack())


def run_case(path: Path, trusted: tuple[str, ...] = ()) -> str:
    """Load a file and use the model; return what happened."""
    import rankwright as rw

    try:
        model = rw.load(path, trusted=trusted)
    except rw.ModelFileError as error:
        if isinstance(error.__cause__, MemoryError):
            raise
        return "refused"
    try:
        (_ask if isinstance(model, rw.Leaderboard) else _predict)(model)
    except Exception:  # what a damaged model says of itself, as long as the interpreter lives
        return "raised"
    return "used"


def _ask(board: Any) -> None:
    from rankwright.report.bundle import leaderboard_bundle

    board.table()
    board.effect_table()
    board.quasi_standard_errors()
    board.next_pairs(3)
    for other in board.items[1:]:
        board.probability(board.items[0], other)
        board.comparisons_needed(board.items[0], other)
    leaderboard_bundle(board, "damaged")


def _predict(model: Any) -> None:
    import rankwright as rw
    from model_files.fitted import X, rows_for

    rows = rows_for(model)
    if rows is X:  # first: a stranger in it may know whole numbers alone, and refuse others
        model.predict(0.0 * rows)
    model.predict(rows)
    for use in ("certificate", "feature_importances_"):
        result = getattr(model, use, None)
        if callable(result):
            result()
    for parameter in model.get_params().values():
        if isinstance(parameter, np.random.RandomState):
            parameter.randint(10, size=700)
    follow = getattr(getattr(model, "model_", None), "decision_path", None)
    if follow is not None:
        follow(rows)
    rw.to_onnx(model)


def _is_installed(kind: str) -> bool:
    from importlib.util import find_spec

    return find_spec(kind.split()[-1].lower()) is not None


def _limit_memory() -> None:
    """Let a model that asks for all memory be told, where the system can."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def main() -> None:
    """Run the cases."""
    sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]
    from model_files.crafted import parts_of
    from model_files.fitted import BOARDS, FOREIGN, MODELS, TRUSTED, fitted

    kinds = [*sorted(MODELS), *sorted(BOARDS), *(kind for kind in FOREIGN if _is_installed(kind))]
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--kind", choices=kinds)
    parser.add_argument("--only", type=int)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()))
    asked = parser.parse_args()
    faulthandler.enable()
    _limit_memory()
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    outcomes: Counter[str] = Counter()
    for place, kind in enumerate(kinds):
        if asked.kind not in {None, kind}:
            continue
        parts = parts_of(fitted(kind))
        cases = range(asked.cases) if asked.only is None else [asked.only]
        for case in cases:
            trusted = TRUSTED.get(kind, ()) if case % 2 else ()
            way = damage_around if trusted else damage
            rng = np.random.default_rng([asked.seed, place, case])
            path = asked.folder / "damaged.rw"
            path.write_bytes(way(copy.deepcopy(parts), rng))
            repeat = f"--seed {asked.seed} --kind '{kind}' --only {case}"
            (asked.folder / "last").write_text(repeat)
            faulthandler.dump_traceback_later(SECONDS_FOR_A_CASE, exit=True)
            outcomes[run_case(path, trusted)] += 1
            faulthandler.cancel_dump_traceback_later()
    print(json.dumps(outcomes))


if __name__ == "__main__":
    main()
