"""`tf.compat.v1`, as far as it works without graphs: old spellings of functions that exist.

A name in one of the tables of `v1_tables` is adapted; the functions below are its own;
any other name is the one of the same spelling outside of `compat.v1`. The other modules `v1_*` have
optimizers, losses, variables by name, and what is left of sessions.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
from contextlib import nullcontext

from gradtape import ops
from gradtape.api.compat.v1_tables import OLD_NAMES, OLD_PARAMETERS, PRESENT
from gradtape.api.export import PUBLIC, export, lookup
from gradtape.api.sparse.tensor import SparseTensorValue
from gradtape.core.tensor import Tensor
from gradtape.engine.indexed_slices import IndexedSlices
from gradtape.engine.variable import Variable

# Modules that parse command lines: not TensorFlow's own there, either.
_FOREIGN = {"flags": "absl.flags", "app": "absl.app", "app.flags": "absl.flags"}


def present_name(name: str) -> str | None:
    """Return the name outside of `compat.v1` of what `tf.compat.v1.name` is, if it has one."""
    present = PRESENT.get(name, OLD_NAMES.get(name, name))
    return present if present in PUBLIC else None


def is_namespace(name: str) -> bool:
    """Return whether `compat.v1` has old names below this one."""
    return any(old.startswith((f"{name}.", f"compat.v1.{name}.")) for old in (*OLD_NAMES, *PUBLIC))


def resolve(name: str):
    """Return the object behind `tf.compat.v1.name`, or None if it is not implemented."""
    if name in _FOREIGN:
        return _foreign(name)
    if name in OLD_PARAMETERS:
        present = PRESENT.get(name, name)
        return _adapt(name, present) if present in PUBLIC else None
    present = OLD_NAMES.get(name, name)
    return lookup(present) if present in PUBLIC else None


def _foreign(name: str):
    try:
        return importlib.import_module(_FOREIGN[name])
    except ModuleNotFoundError:
        raise AttributeError(
            f"tf.compat.v1.{name} is {_FOREIGN[name]}, which is not installed: pip install absl-py"
        ) from None


def _adapt(name: str, present: str):
    """Wrap a current function so that it takes the parameters of TensorFlow 1."""
    function = lookup(present)
    parameters = []
    for word in OLD_PARAMETERS[name].split():
        old, _, new = word.partition("=")
        parameters.append((old.rstrip("-"), None if old.endswith("-") else new or old))
    renamed = dict(parameters)

    @functools.wraps(function, updated=())
    def call(*args, **kwargs):
        if len(args) > len(parameters):
            raise TypeError(
                f"{name}: {len(args)} arguments were given, at most {len(parameters)} fit"
            )
        given: dict = {}
        for old, value in [
            *zip((old for old, _ in parameters), args, strict=False),
            *kwargs.items(),
        ]:
            new = renamed.get(old, old)
            if new is None or (value is None and new in ("keepdims", *given)):
                continue
            if new in given:
                raise ValueError(f"Cannot specify both '{old}' and '{new}'.")
            given[new] = value
        return function(**given)

    return call


# --- functions that only the old names have ------------------------------------------------------


def _cast_to(dtype: str):
    def to_dtype(x, name=None) -> Tensor:
        return ops.cast(x, dtype)

    to_dtype.__doc__ = f"Return x as {dtype}."
    return to_dtype


for _old, _dtype in (
    ("to_float", "float32"),
    ("to_double", "float64"),
    ("to_int32", "int32"),
    ("to_int64", "int64"),
    ("to_bfloat16", "bfloat16"),
    ("to_complex64", "complex64"),
    ("to_complex128", "complex128"),
):
    export(f"compat.v1.{_old}")(_cast_to(_dtype))


@export("compat.v1.assign")
def assign(ref, value, validate_shape=None, use_locking=None, name=None) -> Variable:
    """Set a variable."""
    return ref.assign(value)


@export("compat.v1.assign_add")
def assign_add(ref, value, use_locking=None, name=None):
    """Add to a variable."""
    return ref.assign_add(value)


def _scatter(kind: str):
    def function(ref, indices, updates, use_locking=True, name=None) -> Variable:
        method = getattr(ref, f"scatter_{kind}", None)
        if method is None:
            raise TypeError(f"scatter_{kind}: ref must be a variable, not {type(ref).__name__}")
        return method(IndexedSlices(updates, indices))

    function.__name__ = function.__qualname__ = f"scatter_{kind}"
    function.__doc__ = "Change rows of a variable."
    return function


for _kind in ("add", "div", "max", "min", "mul", "sub", "update"):
    export(f"compat.v1.scatter_{_kind}")(_scatter(_kind))


@export("compat.v1.assign_sub")
def assign_sub(ref, value, use_locking=None, name=None):
    """Subtract from a variable."""
    return ref.assign_sub(value)


@export("compat.v1.Print")
def print_and_return(input_, data, message=None, first_n=None, summarize=None, name=None):
    """Print tensors, and return the first argument."""
    lookup("print")(*(() if message is None else (message,)), *data, summarize=summarize or 3)
    return ops.identity(ops.to_tensor(input_))


@export("compat.v1.colocate_with")
def colocate_with(op, ignore_existing=False) -> nullcontext[None]:
    """Return a context manager that changes nothing: ops run where their inputs are."""
    return contextlib.nullcontext()


export("compat.v1.SparseTensorValue")(SparseTensorValue)


@export("compat.v1.make_template")
def make_template(name_, func_, create_scope_now_=False, unique_name_=None, **kwargs):
    """Return the function with some of its arguments given."""
    return functools.partial(func_, **kwargs)


@export("compat.v1.nn.xw_plus_b")
def xw_plus_b(x, weights, biases, name=None) -> Tensor:
    """Return x @ weights + biases."""
    return ops.to_tensor(x) @ ops.to_tensor(weights) + ops.to_tensor(biases)


@export("compat.v1.data.make_one_shot_iterator", "compat.v1.data.make_initializable_iterator")
def make_one_shot_iterator(dataset, shared_name=None):
    """Return an iterator over a dataset: `get_next` returns its next element."""
    return iter(dataset)


def _define_no_op(doc: str):
    def function(*args, **kwargs) -> None:
        return None

    function.__doc__ = doc
    return function


_ALREADY = "Do nothing: this is how gradtape always works."
for _old in (
    "enable_eager_execution",
    "enable_v2_behavior",
    "enable_resource_variables",
    "enable_tensor_equality",
    "enable_control_flow_v2",
    "enable_v2_tensorshape",
    "reset_default_graph",
):
    export(f"compat.v1.{_old}")(_define_no_op(_ALREADY))
for _old in (
    "global_variables_initializer",
    "local_variables_initializer",
    "tables_initializer",
    "initialize_all_variables",
    "variables_initializer",
    "initialize_variables",
    "initialize_local_variables",
    "initialize_all_tables",
):
    export(f"compat.v1.{_old}")(
        _define_no_op("Do nothing: a variable has its value from the start.")
    )


@export("compat.v1.executing_eagerly_outside_functions")
def executing_eagerly_outside_functions() -> bool:
    """Return True."""
    return True


@export(
    "compat.v1.resource_variables_enabled",
    "compat.v1.control_flow_v2_enabled",
    "__internal__.tf2.enabled",
)
def resource_variables_enabled() -> bool:
    """Return True."""
    return True


def _no_graphs(name: str):
    def function(*args, **kwargs):
        raise RuntimeError(
            f"tf.compat.v1.{name}: outside of tf.function, ops run at once and build no graphs. "
            "Write the program for TensorFlow 2: tensors have values, and "
            "tf.GradientTape differentiates."
        )

    function.__doc__ = "Raise: there are no graphs."
    return function


for _old in ("disable_eager_execution", "disable_v2_behavior"):
    export(f"compat.v1.{_old}")(_no_graphs(_old))


@export("compat.v1.where")
def where(condition, x=None, y=None, name=None) -> Tensor:
    """Return x where the condition holds, else y; a vector as the condition chooses whole rows."""
    condition = ops.to_tensor(condition)
    if x is not None and len(condition.shape) == 1:
        x = ops.to_tensor(x)
        condition = ops.reshape(condition, (-1, *[1] * (len(x.shape) - 1)))
    return lookup("where")(condition, x, y)
