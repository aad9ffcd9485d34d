# Written by `python -m tools.stubs`: change the source, and run it again.

from collections.abc import Callable
from contextlib import AbstractContextManager
from contextlib import nullcontext
from gradtape.api.compat.v1_initializers import TruncatedNormal as _TruncatedNormal
from gradtape.api.compat.v1_initializers import VarianceScaling
from gradtape.api.compat.v1_initializers import VarianceScaling as _VarianceScaling
from gradtape.api.compat.v1_sessions import GraphKeys as GraphKeys
from gradtape.api.compat.v1_sessions import Session as Session
from gradtape.api.compat.v1_sessions import Session as _Session
from gradtape.api.compat.v1_variables import NameScope as _NameScope
from gradtape.api.compat.v1_variables import VariableScope as VariableScope
from gradtape.api.compat.v1_variables import _ReuseMode
from gradtape.api.sparse.tensor import SparseTensorValue as SparseTensorValue
from gradtape.compat.v1 import data as data
from gradtape.compat.v1 import image as image
from gradtape.compat.v1 import initializers as initializers
from gradtape.compat.v1 import io as io
from gradtape.compat.v1 import logging as logging
from gradtape.compat.v1 import losses as losses
from gradtape.compat.v1 import nn as nn
from gradtape.compat.v1 import python_io as python_io
from gradtape.compat.v1 import train as train
from gradtape.core.default_graph import DefaultGraph
from gradtape.core.shape import Dimension as Dimension
from gradtape.core.tensor import Tensor
from gradtape.core.typing import DTypeLike
from gradtape.core.typing import ShapeLike
from gradtape.core.typing import TensorLike
from gradtape.engine.variable import Variable
from typing import Any
from typing import NoReturn

def __getattr__(name: str) -> Any: ...  # pyright: ignore[reportIncompleteStub] (most names of TensorFlow 2 are there, too)

AUTO_REUSE: _ReuseMode
class ConfigProto:
    """Options that change nothing here."""
    def __init__(self, **fields: Any) -> None: ...
    def __getattr__(self, name: str) -> Any: ...

class GPUOptions:
    """Options that change nothing here."""
    def __init__(self, **fields: Any) -> None: ...
    def __getattr__(self, name: str) -> Any: ...

class GraphOptions:
    """Options that change nothing here."""
    def __init__(self, **fields: Any) -> None: ...
    def __getattr__(self, name: str) -> Any: ...

class OptimizerOptions:
    """Options that change nothing here."""
    def __init__(self, **fields: Any) -> None: ...
    def __getattr__(self, name: str) -> Any: ...

def Print(
    input_: TensorLike,
    data: TensorLike,
    message: str | None = None,
    first_n: Any = None,
    summarize: Any = None,
    name: str | None = None,
) -> Any:
    """Print tensors, and return the first argument.

    Args:
        input_: a tensor, or what converts to one.
        data: a tensor, or what converts to one.
        message: text that the error begins with.
        first_n: how often to print at most.
        summarize: how many elements of each tensor an error shows.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        The first argument.

    Raises:
        ValueError if `input_` cannot be converted to a tensor.
    """

class RunOptions:
    """Options that change nothing here."""
    def __init__(self, **fields: Any) -> None: ...
    def __getattr__(self, name: str) -> Any: ...

def add_to_collection(name: str, value: TensorLike) -> None:
    """Append a value to a named collection of this process.

    Args:
        name: a label, as in TensorFlow; it does not change the result.
        value: a tensor, or what converts to one.

    Returns:
        Nothing.
    """

def assign(
    ref: Any,
    value: TensorLike,
    validate_shape: Any = None,
    use_locking: Any = None,
    name: str | None = None,
) -> Variable:
    """Set a variable.

    Args:
        ref: a variable.
        value: a tensor, or what converts to one.
        validate_shape: whether the shape must stay.
        use_locking: has no effect; there for compatibility.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A variable.

    Raises:
        ValueError if `value` has a dtype that it does not take, or the shape of `value` does not
            fit.
    """

def assign_add(
    ref: Any,
    value: TensorLike,
    use_locking: Any = None,
    name: str | None = None,
) -> Any:
    """Add to a variable.

    Args:
        ref: a variable.
        value: a tensor, or what converts to one.
        use_locking: has no effect; there for compatibility.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        The variable.

    Raises:
        ValueError if `value` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `value` does not fit.
    """

def assign_sub(
    ref: Any,
    value: TensorLike,
    use_locking: Any = None,
    name: str | None = None,
) -> Any:
    """Subtract from a variable.

    Args:
        ref: a variable.
        value: a tensor, or what converts to one.
        use_locking: has no effect; there for compatibility.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        The variable.

    Raises:
        ValueError if `value` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `value` does not fit.
    """

def clip_by_average_norm(t: TensorLike, clip_norm: TensorLike, name: str | None = None) -> Any:
    """Return t scaled so that its Euclidean norm per element is at most clip_norm.

    Args:
        t: a tensor, or what converts to one.
        clip_norm: the largest norm allowed.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `t` or `clip_norm` has a dtype that it does not take, or
            the dtypes of `t` and `clip_norm` differ.
    """

def colocate_with(op: Callable[..., Any], ignore_existing: bool = False) -> nullcontext[None]:
    """Return a context manager that changes nothing: ops run where their inputs are.

    Args:
        op: a function, called with the tensor.
        ignore_existing: has no effect; there for compatibility.
    """

def control_flow_v2_enabled() -> bool:
    """Return True."""

def disable_eager_execution(*args: Any, **kwargs: Any) -> Any:
    """Raise: there are no graphs.

    Args:
        *args: positional arguments.
        **kwargs: keyword arguments.

    Returns:
        Nothing: it always raises an error.

    Raises:
        RuntimeError, always: ops run at once.
    """

def disable_v2_behavior(*args: Any, **kwargs: Any) -> Any:
    """Raise: there are no graphs.

    Args:
        *args: positional arguments.
        **kwargs: keyword arguments.

    Returns:
        Nothing: it always raises an error.

    Raises:
        RuntimeError, always: ops run at once.
    """

def enable_control_flow_v2(*args: Any, **kwargs: Any) -> None:
    """Do nothing: this is how gradtape always works.

    Args:
        *args: positional arguments.
        **kwargs: keyword arguments.

    Returns:
        Nothing.
    """

def enable_eager_execution(*args: Any, **kwargs: Any) -> None:
    """Do nothing: this is how gradtape always works.

    Args:
        *args: positional arguments.
        **kwargs: keyword arguments.

    Returns:
        Nothing.
    """

def enable_resource_variables(*args: Any, **kwargs: Any) -> None:
    """Do nothing: this is how gradtape always works.

    Args:
        *args: positional arguments.
        **kwargs: keyword arguments.

    Returns:
        Nothing.
    """

def enable_tensor_equality(*args: Any, **kwargs: Any) -> None:
    """Do nothing: this is how gradtape always works.

    Args:
        *args: positional arguments.
        **kwargs: keyword arguments.

    Returns:
        Nothing.
    """

def enable_v2_behavior(*args: Any, **kwargs: Any) -> None:
    """Do nothing: this is how gradtape always works.

    Args:
        *args: positional arguments.
        **kwargs: keyword arguments.

    Returns:
        Nothing.
    """

def enable_v2_tensorshape(*args: Any, **kwargs: Any) -> None:
    """Do nothing: this is how gradtape always works.

    Args:
        *args: positional arguments.
        **kwargs: keyword arguments.

    Returns:
        Nothing.
    """

def executing_eagerly_outside_functions() -> bool:
    """Return True."""

def get_collection(key: Any, scope: str | None = None) -> list:
    """Return the values of a collection. Variables are in none, as in TensorFlow 2.

    Args:
        key: two integers, the key of the hash.
        scope: has no effect; there for compatibility.
    """

def get_default_graph() -> DefaultGraph:
    """Return an object that stands for the graph of the function being traced, or for none."""

def get_local_variable(
    name: str,
    shape: ShapeLike = None,
    dtype: DTypeLike | None = None,
    initializer: Any = None,
    **options: Any,
) -> Variable:
    """Return a new variable that is not trainable.

    Args:
        name: a label, as in TensorFlow; it does not change the result.
        shape: the shape of the result: a list of sizes, or a tensor of them.
        dtype: the dtype of the result.
        initializer: the first value.
        **options: settings, as in TensorFlow.

    Raises:
        ValueError if `shape` has a negative size.
    """

def get_variable(
    name: str,
    shape: ShapeLike = None,
    dtype: DTypeLike | None = None,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: Any = None,
    collections: Any = None,
    caching_device: Any = None,
    partitioner: Any = None,
    validate_shape: bool = True,
    use_resource: Any = None,
    custom_getter: Any = None,
    constraint: Any = None,
    synchronization: Any = None,
    aggregation: Any = None,
) -> Variable:
    """Return a new variable: as in TensorFlow 2, none is found again by its name.

    Args:
        name: a label, as in TensorFlow; it does not change the result.
        shape: the shape of the result: a list of sizes, or a tensor of them.
        dtype: the dtype of the result.
        initializer: the first value.
        regularizer: a function of the variable, which returns a loss.
        trainable: whether optimizers change it.
        collections: has no effect; there for compatibility.
        caching_device: has no effect; there for compatibility.
        partitioner: must be None.
        validate_shape: whether the shape must stay.
        use_resource: has no effect; there for compatibility.
        custom_getter: a function that makes the variables.
        constraint: a function that is applied after each update.
        synchronization: how replicas keep it.
        aggregation: how updates of replicas are combined.

    Raises:
        ValueError if `shape` has a negative size.
    """

def get_variable_scope() -> VariableScope:
    """Return the innermost variable scope."""

def global_variables(scope: str | None = None) -> list:
    """Return []: variables live in objects, as in TensorFlow 2.

    Args:
        scope: has no effect; there for compatibility.
    """

def global_variables_initializer(*args: Any, **kwargs: Any) -> None:
    """Do nothing: a variable has its value from the start.

    Args:
        *args: positional arguments.
        **kwargs: keyword arguments.

    Returns:
        Nothing.
    """

def glorot_normal_initializer(seed: Any = None, dtype: DTypeLike = ...) -> VarianceScaling:
    """Return VarianceScaling(1.0, 'fan_avg', 'truncated_normal').

    Args:
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        dtype: the dtype of the result.
    """

def glorot_uniform_initializer(seed: Any = None, dtype: DTypeLike = ...) -> VarianceScaling:
    """Return VarianceScaling(1.0, 'fan_avg', 'uniform').

    Args:
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        dtype: the dtype of the result.
    """

def initialize_all_tables(*args: Any, **kwargs: Any) -> None:
    """Do nothing: a variable has its value from the start.

    Args:
        *args: positional arguments.
        **kwargs: keyword arguments.

    Returns:
        Nothing.
    """

def initialize_all_variables(*args: Any, **kwargs: Any) -> None:
    """Do nothing: a variable has its value from the start.

    Args:
        *args: positional arguments.
        **kwargs: keyword arguments.

    Returns:
        Nothing.
    """

def initialize_local_variables(*args: Any, **kwargs: Any) -> None:
    """Do nothing: a variable has its value from the start.

    Args:
        *args: positional arguments.
        **kwargs: keyword arguments.

    Returns:
        Nothing.
    """

def initialize_variables(*args: Any, **kwargs: Any) -> None:
    """Do nothing: a variable has its value from the start.

    Args:
        *args: positional arguments.
        **kwargs: keyword arguments.

    Returns:
        Nothing.
    """

def local_variables(scope: str | None = None) -> list:
    """Return []: variables live in objects, as in TensorFlow 2.

    Args:
        scope: has no effect; there for compatibility.
    """

def local_variables_initializer(*args: Any, **kwargs: Any) -> None:
    """Do nothing: a variable has its value from the start.

    Args:
        *args: positional arguments.
        **kwargs: keyword arguments.

    Returns:
        Nothing.
    """

def make_template(
    name_: Any,
    func_: Any,
    create_scope_now_: bool = False,
    unique_name_: Any = None,
    **kwargs: Any,
) -> Any:
    """Return the function with some of its arguments given.

    Args:
        name_: the name of the template.
        func_: the function.
        create_scope_now_: has no effect; there for compatibility.
        unique_name_: the name of the scope.
        **kwargs: keyword arguments.

    Raises:
        TypeError if `func_` is not callable.
    """

def model_variables(scope: str | None = None) -> list:
    """Return []: variables live in objects, as in TensorFlow 2.

    Args:
        scope: has no effect; there for compatibility.
    """

def moving_average_variables(scope: str | None = None) -> list:
    """Return []: variables live in objects, as in TensorFlow 2.

    Args:
        scope: has no effect; there for compatibility.
    """

def placeholder(*args: Any, **kwargs: Any) -> NoReturn:
    """Raise: there are no graphs to feed.

    Args:
        *args: positional arguments.
        **kwargs: keyword arguments.

    Returns:
        Nothing: it always raises an error.

    Raises:
        RuntimeError, always: there is no graph to feed.
    """

def placeholder_with_default(
    input: TensorLike,
    shape: ShapeLike,
    name: str | None = None,
) -> Tensor:
    """Return the tensor: nothing can be fed in its place.

    Args:
        input: a tensor, or what converts to one.
        shape: the shape of the result: a list of sizes, or a tensor of them.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `input` cannot be converted to a tensor.
    """

def reset_default_graph(*args: Any, **kwargs: Any) -> None:
    """Do nothing: this is how gradtape always works.

    Args:
        *args: positional arguments.
        **kwargs: keyword arguments.

    Returns:
        Nothing.
    """

def scatter_add(
    ref: Any,
    indices: TensorLike,
    updates: TensorLike,
    use_locking: bool = True,
    name: str | None = None,
) -> Variable:
    """Change rows of a variable.

    Args:
        ref: a variable.
        indices: indices, as integers.
        updates: what to put (or add) at the indices.
        use_locking: has no effect; there for compatibility.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A variable.

    Raises:
        TypeError if `ref` has a type that it does not take.
        ValueError if `indices` or `updates` has a type that it does not take.
    """

def scatter_div(
    ref: Any,
    indices: TensorLike,
    updates: TensorLike,
    use_locking: bool = True,
    name: str | None = None,
) -> Variable:
    """Change rows of a variable.

    Args:
        ref: a variable.
        indices: indices, as integers.
        updates: what to put (or add) at the indices.
        use_locking: has no effect; there for compatibility.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A variable.

    Raises:
        ValueError if `updates` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if `indices` has a dtype that it does not take, the shape of
            `indices` does not fit, the shapes of `indices` and `updates` do not fit together, or
            `indices` has an index that is out of range.
    """

def scatter_max(
    ref: Any,
    indices: TensorLike,
    updates: TensorLike,
    use_locking: bool = True,
    name: str | None = None,
) -> Variable:
    """Change rows of a variable.

    Args:
        ref: a variable.
        indices: indices, as integers.
        updates: what to put (or add) at the indices.
        use_locking: has no effect; there for compatibility.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A variable.

    Raises:
        ValueError if `updates` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if `indices` has a dtype that it does not take, the shape of
            `indices` does not fit, the shapes of `indices` and `updates` do not fit together, or
            `indices` has an index that is out of range.
    """

def scatter_min(
    ref: Any,
    indices: TensorLike,
    updates: TensorLike,
    use_locking: bool = True,
    name: str | None = None,
) -> Variable:
    """Change rows of a variable.

    Args:
        ref: a variable.
        indices: indices, as integers.
        updates: what to put (or add) at the indices.
        use_locking: has no effect; there for compatibility.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A variable.

    Raises:
        ValueError if `updates` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if `indices` has a dtype that it does not take, the shape of
            `indices` does not fit, the shapes of `indices` and `updates` do not fit together, or
            `indices` has an index that is out of range.
    """

def scatter_mul(
    ref: Any,
    indices: TensorLike,
    updates: TensorLike,
    use_locking: bool = True,
    name: str | None = None,
) -> Variable:
    """Change rows of a variable.

    Args:
        ref: a variable.
        indices: indices, as integers.
        updates: what to put (or add) at the indices.
        use_locking: has no effect; there for compatibility.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A variable.

    Raises:
        TypeError if `ref` has a type that it does not take.
        ValueError if `indices` or `updates` has a type that it does not take.
    """

def scatter_sub(
    ref: Any,
    indices: TensorLike,
    updates: TensorLike,
    use_locking: bool = True,
    name: str | None = None,
) -> Variable:
    """Change rows of a variable.

    Args:
        ref: a variable.
        indices: indices, as integers.
        updates: what to put (or add) at the indices.
        use_locking: has no effect; there for compatibility.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A variable.

    Raises:
        ValueError if `updates` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if `indices` has a dtype that it does not take, the shape of
            `indices` does not fit, the shapes of `indices` and `updates` do not fit together, or
            `indices` has an index that is out of range.
    """

def scatter_update(
    ref: Any,
    indices: TensorLike,
    updates: TensorLike,
    use_locking: bool = True,
    name: str | None = None,
) -> Variable:
    """Change rows of a variable.

    Args:
        ref: a variable.
        indices: indices, as integers.
        updates: what to put (or add) at the indices.
        use_locking: has no effect; there for compatibility.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A variable.

    Raises:
        TypeError if `ref` has a type that it does not take.
        ValueError if `indices` or `updates` has a type that it does not take.
    """

def sparse_placeholder(*args: Any, **kwargs: Any) -> NoReturn:
    """Raise: there are no graphs to feed.

    Args:
        *args: positional arguments.
        **kwargs: keyword arguments.

    Returns:
        Nothing: it always raises an error.

    Raises:
        RuntimeError, always: there is no graph to feed.
    """

def tables_initializer(*args: Any, **kwargs: Any) -> None:
    """Do nothing: a variable has its value from the start.

    Args:
        *args: positional arguments.
        **kwargs: keyword arguments.

    Returns:
        Nothing.
    """

def to_bfloat16(x: TensorLike, name: str | None = None) -> Tensor:
    """Return x as bfloat16.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.UnimplementedError if `x` has a dtype that it does not take.
    """

def to_complex128(x: TensorLike, name: str | None = None) -> Tensor:
    """Return x as complex128.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.UnimplementedError if `x` has a dtype that it does not take.
    """

def to_complex64(x: TensorLike, name: str | None = None) -> Tensor:
    """Return x as complex64.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.UnimplementedError if `x` has a dtype that it does not take.
    """

def to_double(x: TensorLike, name: str | None = None) -> Tensor:
    """Return x as float64.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.UnimplementedError if `x` has a dtype that it does not take.
    """

def to_float(x: TensorLike, name: str | None = None) -> Tensor:
    """Return x as float32.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.UnimplementedError if `x` has a dtype that it does not take.
    """

def to_int32(x: TensorLike, name: str | None = None) -> Tensor:
    """Return x as int32.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.UnimplementedError if `x` has a dtype that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def to_int64(x: TensorLike, name: str | None = None) -> Tensor:
    """Return x as int64.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.UnimplementedError if `x` has a dtype that it does not take.
    """

def trainable_variables(scope: str | None = None) -> list:
    """Return []: variables live in objects, as in TensorFlow 2.

    Args:
        scope: has no effect; there for compatibility.
    """

def variable_scope(
    name_or_scope: Any,
    default_name: str | None = None,
    values: Any = None,
    initializer: Any = None,
    regularizer: Any = None,
    caching_device: Any = None,
    partitioner: Any = None,
    custom_getter: Any = None,
    reuse: Any = None,
    dtype: DTypeLike | None = None,
    use_resource: Any = None,
    constraint: Any = None,
    auxiliary_name_scope: bool = True,
) -> AbstractContextManager[VariableScope]:
    """Open a block in which the names of variables begin with the scope's.

    Args:
        name_or_scope: the name of the scope, or a scope.
        default_name: the name if there is none.
        values: a list of tensors, or one tensor.
        initializer: the first value.
        regularizer: a function of the variable, which returns a loss.
        caching_device: has no effect; there for compatibility.
        partitioner: must be None.
        custom_getter: a function that makes the variables.
        reuse: whether variables that are there are used again.
        dtype: the dtype of the result.
        use_resource: has no effect; there for compatibility.
        constraint: a function that is applied after each update.
        auxiliary_name_scope: has no effect; there for compatibility.

    Returns:
        A context manager.
    """

def variables_initializer(*args: Any, **kwargs: Any) -> None:
    """Do nothing: a variable has its value from the start.

    Args:
        *args: positional arguments.
        **kwargs: keyword arguments.

    Returns:
        Nothing.
    """

def where(
    condition: TensorLike,
    x: TensorLike | None = None,
    y: TensorLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Return x where the condition holds, else y; a vector as the condition chooses whole rows.

    Args:
        condition: truth values: where to take x.
        x: a tensor, or what converts to one.
        y: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `condition`, `x` or `y` has a dtype that it does not take,
            the dtypes of `x` and `y` differ, or the shapes of `condition`, `x` and `y` do not fit
            together.
    """

InteractiveSession = _Session
name_scope = _NameScope
resource_variables_enabled = control_flow_v2_enabled
truncated_normal_initializer = _TruncatedNormal
variance_scaling_initializer = _VarianceScaling
