"""Facts about functions of gradtape, NumPy and Python: what they do with a traced tensor."""

from __future__ import annotations

import inspect
import types
from typing import Any

from gradtape.graph.lookahead.values import Known

# Attributes of tensors that are known while tracing.
STATIC_ATTRIBUTES = frozenset(
    {
        "shape",
        "dtype",
        "ndim",
        "name",
        "device",
        "rank",
        "graph",
        "op",
        "trainable",
        "handle",
        "synchronization",
        "aggregation",
        "constraint",
        "initializer",
        "path",
    }
)
STATIC_METHODS = frozenset({"get_shape", "set_shape", "is_initialized", "experimental_ref", "ref"})
VALUE_METHODS = frozenset(
    {
        "numpy",
        "eval",
        "tolist",
        "item",
        "__bool__",
        "__int__",
        "__float__",
        "__index__",
        "__array__",
        "read_all",
        "_numpy",
    }
)

# Functions of gradtape whose result is known while tracing: no tensor, or one with a value.
STATIC_FUNCTIONS = frozenset(
    {
        "shape",
        "shape_n",
        "size",
        "rank",
        "is_tensor",
        "executing_eagerly",
        "inside_function",
        "get_static_value",
        "zeros_like",
        "ones_like",
        "device",
        "name_scope",
        "print",
        "constant",
        "group",
        "no_op",
        "control_dependencies",
        "init_scope",
        "stop_recording",
        "assert_same_structure",
        "is_nested",
        "is_symbolic_tensor",
        "broadcast_static_shape",
        "TensorShape",
        "TensorSpec",
        "as_dtype",
    }
)
# Functions that make tensors of Python's values: a loop over one, or until one, is an op.
CREATION_FUNCTIONS = frozenset(
    {"constant", "zeros", "ones", "zeros_like", "ones_like", "fill", "eye", "linspace"}
    | {"convert_to_tensor", "identity", "range"}
)
# Functions that call Python when the graph runs, and give tensors.
CALLBACKS = frozenset({"numpy_function", "py_function", "numpy_function_call"})
# Functions that always need the values of tensors.
VALUE_FUNCTIONS = {
    "read_file": "tf.io.read_file reads the file on each call",
}
# Functions that run a function for a batch of examples at once.
MAPPING_FUNCTIONS = frozenset({"vectorized_map", "vmap", "per_example_gradients"})
# Arguments that must have values, by index and name: sizes, axes, and what they depend on.
_ALL = None
_VALUE_ARGUMENTS: dict[str, tuple | None] = {
    "bincount": _ALL,
    "non_max_suppression": _ALL,
    "from_dense": _ALL,
}
_VALUE_ARGUMENT_PREFIXES: dict[str, tuple | None] = {
    "segment_": (1, "segment_ids"),
    "decode_": _ALL,
}

# Python's own functions that need a tensor's value.
BRANCHING_BUILTINS = frozenset({bool, any, all, sorted})
VALUE_BUILTINS = {
    int: "int() of a tensor",
    float: "float() of a tensor",
    complex: "complex() of a tensor",
    range: "range() asks for the value of a tensor",
}
# Those of Python's functions that converted code has ops for.
CONVERTED_BUILTINS = frozenset({int, float, max, min, any, all})
_NUMPY_STATIC = frozenset({"shape", "ndim", "size", "isscalar", "result_type", "iterable"})


def owner_of(function: Any) -> str:
    """Return the module that a function, class or object comes from."""
    module = getattr(function, "__module__", None)
    if module == "gradtape" and isinstance(function, types.FunctionType):
        # Its public name, by which pickle finds it.
        module = inspect.unwrap(function).__globals__["__name__"]
    if not isinstance(module, str):
        module = type(function).__module__
    return module


def name_of(function: Any) -> str:
    """Return the public name of a function: `range_` in gradtape's code is `range`."""
    name = getattr(function, "__name__", "")
    return name.rstrip("_") if isinstance(name, str) else ""


def is_ours(function: Any) -> bool:
    """Return whether a function belongs to gradtape or Keras."""
    return owner_of(function).split(".")[0] in ("gradtape", "keras", "keras_gradtape")


def is_tf_function(function: Any) -> bool:
    """Return whether it is `tf.function` itself, which returns an equivalent function."""
    name = name_of(function)
    return name == "function" and owner_of(function) == "gradtape.api.function.function"


def is_dataset(x: Any) -> bool:
    """Return whether it is a dataset or an iterator over one, with other elements on each call."""
    return type(x) is Known and type(x.value).__module__.startswith("gradtape.data")


def draws(function: Any) -> bool:
    """Return whether a function of gradtape returns random numbers."""
    name = name_of(function)
    return "random" in owner_of(function) and "seed" not in name and not isinstance(function, type)


def needs_value_of(function: Any, count: int, keywords: set[str]) -> tuple:
    """Return the indices and names of the arguments that a function of gradtape needs values of."""
    if not owner_of(function).startswith("gradtape.api."):
        return ()
    name = name_of(function)
    everything = (*range(count), *keywords)
    if name in _VALUE_ARGUMENTS:
        needed = _VALUE_ARGUMENTS[name]
        return everything if needed is None else needed
    for prefix, needed in _VALUE_ARGUMENT_PREFIXES.items():
        if name.startswith(prefix):
            return everything if needed is None else needed
    return ()


def is_numpy(function: Any) -> bool:
    """Return whether a function of NumPy or Python converts its arguments to arrays or numbers."""
    if name_of(function) in _NUMPY_STATIC:
        return False
    return owner_of(function).split(".")[0] in ("numpy", "math", "cmath", "random")
