# Written by `python -m tools.stubs`: change the source, and run it again.

from collections.abc import Callable
from contextlib import AbstractContextManager
from contextlib import nullcontext
from gradtape.api.compat.v1 import SparseTensorValue as SparseTensorValue
from gradtape.api.compat.v1_dimension import Dimension as Dimension
from gradtape.api.compat.v1_initializers import TruncatedNormal as _TruncatedNormal
from gradtape.api.compat.v1_initializers import VarianceScaling
from gradtape.api.compat.v1_initializers import VarianceScaling as _VarianceScaling
from gradtape.api.compat.v1_sessions import DefaultGraph
from gradtape.api.compat.v1_sessions import GraphKeys as GraphKeys
from gradtape.api.compat.v1_sessions import Session as Session
from gradtape.api.compat.v1_sessions import Session as _Session
from gradtape.api.compat.v1_variables import VariableScope as VariableScope
from gradtape.api.compat.v1_variables import _ReuseMode
from gradtape.compat.v1 import data as data
from gradtape.compat.v1 import initializers as initializers
from gradtape.compat.v1 import logging as logging
from gradtape.compat.v1 import losses as losses
from gradtape.compat.v1 import nn as nn
from gradtape.compat.v1 import train as train
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
    """Print tensors, and return the first argument."""

class RunOptions:
    """Options that change nothing here."""
    def __init__(self, **fields: Any) -> None: ...
    def __getattr__(self, name: str) -> Any: ...

def add_to_collection(name: str, value: TensorLike) -> None:
    """Append a value to a named collection of this process."""

def assign(
    ref: Any,
    value: TensorLike,
    validate_shape: Any = None,
    use_locking: Any = None,
    name: str | None = None,
) -> Variable:
    """Set a variable."""

def assign_add(
    ref: Any,
    value: TensorLike,
    use_locking: Any = None,
    name: str | None = None,
) -> Any:
    """Add to a variable."""

def assign_sub(
    ref: Any,
    value: TensorLike,
    use_locking: Any = None,
    name: str | None = None,
) -> Any:
    """Subtract from a variable."""

def clip_by_average_norm(t: TensorLike, clip_norm: TensorLike, name: str | None = None) -> Any:
    """Return t scaled so that its Euclidean norm per element is at most clip_norm."""

def colocate_with(op: Callable[..., Any], ignore_existing: bool = False) -> nullcontext[None]:
    """Return a context manager that changes nothing: ops run where their inputs are."""

def control_flow_v2_enabled() -> bool:
    """Return True."""

def disable_eager_execution(*args: Any, **kwargs: Any) -> Any:
    """Raise: there are no graphs."""

def disable_v2_behavior(*args: Any, **kwargs: Any) -> Any:
    """Raise: there are no graphs."""

def enable_control_flow_v2(*args: Any, **kwargs: Any) -> None:
    """Do nothing: this is how gradtape always works."""

def enable_eager_execution(*args: Any, **kwargs: Any) -> None:
    """Do nothing: this is how gradtape always works."""

def enable_resource_variables(*args: Any, **kwargs: Any) -> None:
    """Do nothing: this is how gradtape always works."""

def enable_tensor_equality(*args: Any, **kwargs: Any) -> None:
    """Do nothing: this is how gradtape always works."""

def enable_v2_behavior(*args: Any, **kwargs: Any) -> None:
    """Do nothing: this is how gradtape always works."""

def enable_v2_tensorshape(*args: Any, **kwargs: Any) -> None:
    """Do nothing: this is how gradtape always works."""

def executing_eagerly_outside_functions() -> bool:
    """Return True."""

def get_collection(key: Any, scope: str | None = None) -> list:
    """Return the values of a collection. Variables are in none, as in TensorFlow 2."""

def get_default_graph() -> DefaultGraph:
    """Return an object that stands for the graph that there is not."""

def get_local_variable(
    name: str,
    shape: ShapeLike = None,
    dtype: DTypeLike | None = None,
    initializer: Any = None,
    **options: Any,
) -> Variable:
    """Return a new variable that is not trainable."""

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
    """Return a new variable: as in TensorFlow 2, none is found again by its name."""

def get_variable_scope() -> VariableScope:
    """Return the innermost variable scope."""

def global_variables(scope: str | None = None) -> list:
    """Return []: variables live in objects, as in TensorFlow 2."""

def global_variables_initializer(*args: Any, **kwargs: Any) -> None:
    """Do nothing: a variable has its value from the start."""

def glorot_normal_initializer(seed: Any = None, dtype: DTypeLike = ...) -> VarianceScaling:
    """Return VarianceScaling(1.0, 'fan_avg', 'truncated_normal')."""

def glorot_uniform_initializer(seed: Any = None, dtype: DTypeLike = ...) -> VarianceScaling:
    """Return VarianceScaling(1.0, 'fan_avg', 'uniform')."""

def initialize_all_tables(*args: Any, **kwargs: Any) -> None:
    """Do nothing: a variable has its value from the start."""

def initialize_all_variables(*args: Any, **kwargs: Any) -> None:
    """Do nothing: a variable has its value from the start."""

def initialize_local_variables(*args: Any, **kwargs: Any) -> None:
    """Do nothing: a variable has its value from the start."""

def initialize_variables(*args: Any, **kwargs: Any) -> None:
    """Do nothing: a variable has its value from the start."""

def local_variables(scope: str | None = None) -> list:
    """Return []: variables live in objects, as in TensorFlow 2."""

def local_variables_initializer(*args: Any, **kwargs: Any) -> None:
    """Do nothing: a variable has its value from the start."""

def make_template(
    name_: Any,
    func_: Any,
    create_scope_now_: bool = False,
    unique_name_: Any = None,
    **kwargs: Any,
) -> Any:
    """Return the function with some of its arguments given."""

def model_variables(scope: str | None = None) -> list:
    """Return []: variables live in objects, as in TensorFlow 2."""

def moving_average_variables(scope: str | None = None) -> list:
    """Return []: variables live in objects, as in TensorFlow 2."""

def placeholder(*args: Any, **kwargs: Any) -> NoReturn:
    """Raise: there are no graphs to feed."""

def placeholder_with_default(
    input: TensorLike,
    shape: ShapeLike,
    name: str | None = None,
) -> Tensor:
    """Return the tensor: nothing can be fed in its place."""

def reset_default_graph(*args: Any, **kwargs: Any) -> None:
    """Do nothing: this is how gradtape always works."""

def scatter_add(
    ref: Any,
    indices: TensorLike,
    updates: TensorLike,
    use_locking: bool = True,
    name: str | None = None,
) -> Variable:
    """Change rows of a variable."""

def scatter_div(
    ref: Any,
    indices: TensorLike,
    updates: TensorLike,
    use_locking: bool = True,
    name: str | None = None,
) -> Variable:
    """Change rows of a variable."""

def scatter_max(
    ref: Any,
    indices: TensorLike,
    updates: TensorLike,
    use_locking: bool = True,
    name: str | None = None,
) -> Variable:
    """Change rows of a variable."""

def scatter_min(
    ref: Any,
    indices: TensorLike,
    updates: TensorLike,
    use_locking: bool = True,
    name: str | None = None,
) -> Variable:
    """Change rows of a variable."""

def scatter_mul(
    ref: Any,
    indices: TensorLike,
    updates: TensorLike,
    use_locking: bool = True,
    name: str | None = None,
) -> Variable:
    """Change rows of a variable."""

def scatter_sub(
    ref: Any,
    indices: TensorLike,
    updates: TensorLike,
    use_locking: bool = True,
    name: str | None = None,
) -> Variable:
    """Change rows of a variable."""

def scatter_update(
    ref: Any,
    indices: TensorLike,
    updates: TensorLike,
    use_locking: bool = True,
    name: str | None = None,
) -> Variable:
    """Change rows of a variable."""

def sparse_placeholder(*args: Any, **kwargs: Any) -> NoReturn:
    """Raise: there are no graphs to feed."""

def tables_initializer(*args: Any, **kwargs: Any) -> None:
    """Do nothing: a variable has its value from the start."""

def to_bfloat16(x: TensorLike, name: str | None = None) -> Tensor:
    """Return x as bfloat16."""

def to_complex128(x: TensorLike, name: str | None = None) -> Tensor:
    """Return x as complex128."""

def to_complex64(x: TensorLike, name: str | None = None) -> Tensor:
    """Return x as complex64."""

def to_double(x: TensorLike, name: str | None = None) -> Tensor:
    """Return x as float64."""

def to_float(x: TensorLike, name: str | None = None) -> Tensor:
    """Return x as float32."""

def to_int32(x: TensorLike, name: str | None = None) -> Tensor:
    """Return x as int32."""

def to_int64(x: TensorLike, name: str | None = None) -> Tensor:
    """Return x as int64."""

def trainable_variables(scope: str | None = None) -> list:
    """Return []: variables live in objects, as in TensorFlow 2."""

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
    """Open a block in which the names of variables begin with the scope's."""

def variables_initializer(*args: Any, **kwargs: Any) -> None:
    """Do nothing: a variable has its value from the start."""

InteractiveSession = _Session
resource_variables_enabled = control_flow_v2_enabled
truncated_normal_initializer = _TruncatedNormal
variance_scaling_initializer = _VarianceScaling
