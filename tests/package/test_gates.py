"""What a tensor holds crosses to JAX and back in `backends/xla/runtime/transfer.py` alone.

Three rules, read off the syntax trees of the sources:

* the functions of JAX that take the host's memory, or give it, are named in the gate only;
* in a module that uses JAX, `x._data` is looked at (its shape, dtype, sharding, type…), stored, or
  handed to a gate. What is handed to anything else is listed below, with the reason;
* the public functions compute on the host with `x._host_data()`: `x._data` may be an array of JAX,
  whose methods and operators make 32 bits of 64.

`tests/backends/xla/test_deferred_values.py` has the programs that came to grief without the gates.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src"
GATE = "transfer.py"
IMPORTERS = {
    "device_put",
    "device_put_replicated",
    "device_put_sharded",
    "make_array_from_callback",
    "make_array_from_process_local_data",
    "make_array_from_single_device_arrays",
    "device_get",
    "from_dlpack",
}
GATES = {
    "argument",
    "arguments",
    "copied",
    "fetched",
    "filled",
    "gathered",
    "moved",
    "numbers",
    "put",
    "put_all",
    "materialize",
    "shown",
    "spread",
    "spread_part",
}
# Functions that ask what an array is, without a look at its values.
QUESTIONS = {
    "device_of",
    "getrefcount",
    "hasattr",
    "id",
    "is_differentiable",
    "is_on_mesh",
    "isinstance",
    "iter",
    "len",
    "local",
    "next",
    "type",
}
WRAPPERS = {"DeviceTensor", "Tensor", "tuple"}  # the payload stays a payload
# What every payload has, and is the same of each.
ATTRIBUTES = {"dtype", "nbytes", "ndim", "open_axes", "shape", "size"}

# By folder and name of the file.
ALLOWED_IMPORTERS = {
    "runtime/memory.py": "a zero of its own, to wait for the device",
    "api/tapes.py": "`tf.experimental.dlpack`, which hands on to the gate",
    "core/convert.py": "NumPy's from_dlpack",
    "runtime/tensor.py": "makes a tensor of what the gate's from_dlpack gives",
}
ALLOWED = {
    ("runtime/tensor.py", "process"): "`_beside` is the gate for inputs of one op",
    ("runtime/variable.py", "_run_over"): "the array of the variable is JAX's",
    ("strategy/replicas.py", "reduced"): "the stack of a PerReplica is JAX's",
    ("strategy/variables.py", "_array_for_all"): "`Replicas.repeated` goes through the gate",
    ("strategy/variables.py", "_place_initial_value"): "`Replicas.repeated` goes through the gate",
    ("strategy/variables.py", "_spread"): "`Replicas.repeated` goes through the gate",
    ("runtime/device_step.py", "_arguments"): "Program takes them by `arguments`",
    ("runtime/mesh_step.py", "_arguments"): "MeshProgram takes them by `spread`",
}


def where(path: Path) -> str:
    """A file by its folder and name."""
    return f"{path.parent.name}/{path.name}"


def files() -> list[Path]:
    return sorted(path.relative_to(SOURCE) for path in SOURCE.rglob("*.py"))


def name_of(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def uses_jax(tree: ast.AST) -> bool:
    """Whether a module imports JAX, or what is made of it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import) and any(a.name.split(".")[0] == "jax" for a in node.names):
            return True
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            known = {"jax", "xla", "DeviceTensor", "transfer"}
            if node.module.startswith("jax") or known & {a.name for a in node.names}:
                return True
    return False


def importers(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in IMPORTERS:
            yield node.attr
        elif isinstance(node, ast.ImportFrom):
            yield from (a.name for a in node.names if a.name in IMPORTERS)


def bypasses(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """(function, line) of every `._data` that goes somewhere else than to a gate."""

    def visit(node: ast.AST, function: str, leaves: bool) -> Iterator[tuple[str, int]]:
        """`leaves`: whether the value of this expression goes somewhere that we do not know."""
        if isinstance(node, ast.Attribute):
            if node.attr == "_data" and leaves and isinstance(node.ctx, ast.Load):
                yield function, node.lineno
            yield from visit(node.value, function, False)
            return
        if isinstance(node, ast.FunctionDef):
            function, leaves = node.name, False
        elif isinstance(node, (ast.Compare, ast.Assign, ast.Return, ast.BoolOp)):
            leaves = False
        elif isinstance(node, (ast.ListComp, ast.GeneratorExp, ast.List, ast.SetComp)):
            leaves = True  # collected, to be handed to somebody
        if isinstance(node, ast.Call):
            name = name_of(node.func)
            yield from visit(node.func, function, False)
            known = name in GATES | QUESTIONS | WRAPPERS
            for argument in (*node.args, *[k.value for k in node.keywords]):
                if known and isinstance(argument, (ast.List, ast.ListComp, ast.GeneratorExp)):
                    inner = [argument.elt] if not isinstance(argument, ast.List) else argument.elts
                    for each in inner:
                        yield from visit(each, function, False)
                else:
                    yield from visit(argument, function, not known)
            return
        for child in ast.iter_child_nodes(node):
            is_test = isinstance(node, (ast.IfExp, ast.If)) and child is node.test
            yield from visit(child, function, leaves and not is_test)

    return visit(tree, "", False)


def computations(tree: ast.AST) -> Iterator[int]:
    """The line of every `._data` that is computed with, or kept under a name for it."""
    by_value = (ast.Assign, ast.AnnAssign, ast.BinOp, ast.NamedExpr, ast.Subscript, ast.Tuple)
    for node in ast.walk(tree):
        is_computed = isinstance(node, (*by_value, ast.UnaryOp))
        if isinstance(node, ast.Attribute):
            is_computed = node.attr not in ATTRIBUTES
        elif isinstance(node, ast.Compare):
            is_computed = not isinstance(node.ops[0], (ast.Is, ast.IsNot))
        for child in ast.iter_child_nodes(node) if is_computed else ():
            is_data = isinstance(child, ast.Attribute) and child.attr == "_data"
            if is_data and isinstance(child.ctx, ast.Load):
                yield child.lineno


@pytest.mark.parametrize("path", files(), ids=str)
def test_only_the_gate_imports_and_exports(path):
    if path.name == GATE or where(path) in ALLOWED_IMPORTERS:
        return
    result = sorted(set(importers(ast.parse((SOURCE / path).read_text(encoding="utf-8")))))
    assert not result, f"{path} calls {result}: go through gradtape.backends.xla.runtime.transfer"


def test_no_value_bypasses_the_gates():
    result = {}
    for path in files():
        if path.name == GATE or "backends/xla/kernels" in str(path):  # kernels have JAX's
            continue
        tree = ast.parse((SOURCE / path).read_text(encoding="utf-8"))
        if uses_jax(tree):
            for function, line in bypasses(tree):
                result.setdefault((where(path), function), []).append(line)
    unknown = {position: lines for position, lines in result.items() if position not in ALLOWED}
    assert not unknown, (
        f"these hand `._data` to others than gradtape.backends.xla.runtime.transfer: {unknown}"
    )
    assert set(ALLOWED) <= set(result), f"not needed: {set(ALLOWED) - set(result)}"


def test_public_functions_compute_with_the_host_s_values():
    result = {}
    for path in files():
        tree = ast.parse((SOURCE / path).read_text(encoding="utf-8"))
        if path.parts[1] in ("api", "data") and not uses_jax(tree):
            result[str(path)] = list(computations(tree))
    assert len(result) > 100
    result = {path: lines for path, lines in result.items() if lines}
    assert not result, f"these compute with `._data`, not with `._host_data()`: {result}"


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("x._data.astype(np.int64)", 1),
        ("x._data[0]", 1),
        ("x._data < 0", 1),
        ("2 * x._data", 1),
        ("values, sizes = x._data, 3", 1),
        ("x._data.shape[0]", 0),
        ("x._data is y._data", 0),
        ("np.asarray(x._data)", 0),
        ("x._data = 3", 0),
        ("x._host_data().tolist()", 0),
    ],
)
def test_what_counts_as_computing(source, count):
    assert len(list(computations(ast.parse(source)))) == count


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("jax.numpy.sum(x._data)", 1),
        ("run(*[x._data for x in xs])", 1),
        ("arrays = [x._data for x in xs]", 1),
        ("np.asarray(x._data)", 1),
        ("transfer.put(x._data, device)", 0),
        ("arguments([x._data for x in xs])", 0),
        ("x._data.shape", 0),
        ("len(x._data.sharding.device_set) > 1", 0),
        ("run(x._data.shape)", 0),
    ],
)
def test_what_the_rule_finds(source, count):
    assert len(list(bypasses(ast.parse(source)))) == count
