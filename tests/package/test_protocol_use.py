"""What `core/protocols.py` promises holds in the sources.

* primitives are made by one function, `core.primitive.primitive`, which demands their rules;
* in core, ops and engine an object is asked for an attribute only if it may be a stranger's: our
  own classes answer by their protocol, or by a question in `core/protocols.py`;
* in all other rooms it is asked for private attributes only where this says why;
* listeners are notified in one function.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src"
FILES = sorted(path.relative_to(SOURCE) for path in SOURCE.rglob("*.py"))
FACTORY = "gradtape/core/primitive.py"
WITH_PROTOCOLS = tuple(f"gradtape/{room}/" for room in ("core", "ops", "engine"))
# Questions about objects that are not ours: (file, attribute) -> whose they are.
STRANGERS = {
    ("gradtape/core/brief.py", "shape"): "any object that an error message describes",
    ("gradtape/core/brief.py", "dtype"): "any object that an error message describes",
    ("gradtape/core/brief.py", "name"): "any object that an error message describes",
    ("gradtape/core/convert.py", "__array__"): "arrays of other libraries",
    ("gradtape/core/convert.py", "__array_interface__"): "arrays of other libraries",
    ("gradtape/core/convert.py", "__dlpack__"): "arrays of other libraries",
    ("gradtape/core/convert.py", "__tf_tensor__"): "TensorFlow's protocol, for any class",
    ("gradtape/core/dtypes.py", "as_numpy_dtype"): "dtypes of TensorFlow",
    ("gradtape/core/sequences.py", "__array__"): "arrays of other libraries",
    ("gradtape/core/sequences.py", "__array_interface__"): "arrays of other libraries",
    ("gradtape/core/sequences.py", "__dlpack__"): "arrays of other libraries",
    ("gradtape/core/sequences.py", "__getitem__"): "sequences of any kind",
    ("gradtape/core/sequences.py", "__len__"): "sequences of any kind",
    ("gradtape/core/sequences.py", "__tf_tensor__"): "TensorFlow's protocol, for any class",
    ("gradtape/core/native.py", "connect"): "an extension built from older sources",
    ("gradtape/core/nest.py", "_fields"): "Python's named tuples",
    ("gradtape/core/primitive.py", "unclocked"): "a kernel is a function or object of any kind",
    ("gradtape/core/primitive.py", "parameters"): "a rule may be any function",
    ("gradtape/core/protocols.py", "_is_linear_operator"): "a class of a layer above",
    ("gradtape/core/protocols.py", "_batch"): "classes of programs, and of the layers above",
    ("gradtape/core/protocols.py", "_map_tensor_specs"): "a class of a layer above",
    ("gradtape/core/protocols.py", "_type_spec"): "classes of programs, and of the layers above",
    ("gradtape/core/protocols.py", "_with_components"): "classes of the layers above",
    ("gradtape/core/protocols.py", "ragged_rank"): "a class of a layer above",
    ("gradtape/core/protocols.py", "row_splits"): "a class of a layer above, or TensorFlow's",
    ("gradtape/core/tensor.py", "_origin"): "a slot that only parts of variables fill",
    ("gradtape/core/tensor.py", "dtype"): "what a program calls Tensor() with",
    ("gradtape/engine/custom_gradient.py", "__name__"): "a function of the program",
    ("gradtape/engine/references.py", "__dict__"): "the object of a program's method",
    ("gradtape/engine/references.py", "variables"): "modules, layers and optimizers of any kind",
    ("gradtape/engine/transaction.py", "register_at_fork"): "not on every system",
    ("gradtape/engine/variable.py", "_gradtape_variable"): "Keras's variables",
    ("gradtape/engine/assignment.py", "add_into"): "there may be no extension",
    ("gradtape/engine/assignment.py", "subtract_from"): "there may be no extension",
    ("gradtape/ops/einsum.py", "tolist"): "axes as NumPy's array or a list",
}

# The same for private attributes, in the other rooms.
PRIVATE = {
    ("gradtape/api/debugging/test_tools.py", "_folder"): "of a test that may not have made one",
    ("gradtape/api/function/function.py", "_is_converted"): "any function of the program",
    ("gradtape/api/io/record_writer.py", "_file"): "the constructor may have raised",
    ("gradtape/backends/numpy/__init__.py", "_is_gil_enabled"): "not in every Python",
    ("gradtape/backends/xla/runtime/graph_program.py", "_call"): "JAX's compiled programs",
    ("gradtape/cli/outputs.py", "_repr_mimebundle_"): "a protocol of notebooks, for any class",
    ("gradtape/data/transforms.py", "_node"): "what a function of the program returned",
    ("gradtape/graph/lookahead/values.py", "_gradtape_variable"): "Keras's variables",
    ("gradtape/graph/signature.py", "_node"): "datasets, which are of a layer above",
    ("gradtape/profiler/device.py", "_backends"): "JAX's module, of which others may lack it",
    ("gradtape/saved_model/reading/load.py", "_create_resource"): "only some files have it",
    ("gradtape/saved_model/reading/load.py", "_initialize"): "only some files have it",
    (
        "gradtape/saved_model/writing/save.py",
        "_default_save_signature",
    ): "TensorFlow's protocol, for any class",
    ("gradtape/saved_model/structures.py", "_fields"): "a named tuple, as pyright does not see",
    ("gradtape/train/tensorflow_names.py", "_named_children"): "any object of the program",
    ("gradtape/train/trackables.py", "_checkpoint_state"): "any object of the program",
    ("gradtape/train/trackables.py", "_trackable_children"): "TensorFlow's protocol, for any class",
    ("keras_gradtape/src/export.py", "_trackable_children"): "TensorFlow's protocol, for any class",
    ("keras_gradtape/src/legacy.py", "_batch_input_shape_arg"): "Keras's layers",
    (
        "keras_gradtape/src/old/manners.py",
        "_call_signature",
    ): "Keras's layers, before they are made",
    ("keras_gradtape/src/ops/nn/losses.py", "_keras_logits"): "Keras's mark on a tensor",
    ("keras_gradtape/src/step_function.py", "_value"): "Keras's variables",
    ("keras_gradtape/src/updates.py", "_gradtape_variable"): "Keras's variables",
}


def questions(tree: ast.AST) -> Iterator[str]:
    """The attributes that `hasattr`, or `getattr` with a default, asks for by a constant name."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(
                func=ast.Name(id="hasattr" | "getattr"),
                args=[_, ast.Constant(value=str(name)), *_],
            ):
                yield name


def calls(tree: ast.AST, name: str) -> Iterator[ast.Call]:
    """The calls of something of this name, or of that name with something in front."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = node.func
            text = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            if text.endswith(name):
                yield node


def parsed(path: Path) -> ast.AST:
    return ast.parse((SOURCE / path).read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", FILES, ids=str)
def test_primitives_are_made_by_one_function(path):
    made = list(calls(parsed(path), "Primitive"))
    assert len(made) == (path.as_posix() == FACTORY), [node.lineno for node in made]


def test_only_strangers_are_asked_for_attributes():
    asked = {
        (path.as_posix(), name)
        for path in FILES
        if path.as_posix().startswith(WITH_PROTOCOLS)
        for name in questions(parsed(path))
    }
    assert asked == set(STRANGERS)


def test_private_attributes_are_asked_for_only_where_it_is_said_why():
    asked = {
        (path.as_posix(), name)
        for path in FILES
        if not path.as_posix().startswith(WITH_PROTOCOLS)
        for name in questions(parsed(path))
        if name.startswith("_") and not name.startswith("__")
    }
    assert asked == set(PRIVATE)


def walks_over_listeners(tree: ast.AST) -> Iterator[str]:
    """The methods that are called in loops over the tapes or the accumulators of a state."""
    for loop in ast.walk(tree):
        match loop:
            case ast.For(iter=ast.Attribute(attr="tapes" | "accumulators")):
                for node in ast.walk(loop):
                    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                        yield node.func.attr


@pytest.mark.parametrize("method", ["record", "end_path"])
def test_listeners_are_notified_in_one_function(method):
    walking = [path.as_posix() for path in FILES if method in walks_over_listeners(parsed(path))]
    assert walking == ["gradtape/core/bind.py"]


def test_what_is_looked_for_would_be_found():
    text = """
def elsewhere(state, x):
    for tape in state.tapes:
        tape.record(x)
    if hasattr(x, "_secret") or getattr(x, "_other", None):
        return EffectPrimitive()
"""
    tree = ast.parse(text)
    assert list(walks_over_listeners(tree)) == ["record"]
    assert list(questions(tree)) == ["_secret", "_other"]
    assert len(list(calls(tree, "Primitive"))) == 1
