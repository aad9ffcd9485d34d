"""`tf.compat.v1.get_variable`, variable scopes and the global step, as TensorFlow 2 has them.

There, variables are not stored by name: each call of `get_variable` makes one.
"""

from __future__ import annotations

import contextlib
import enum
from collections.abc import Generator
from contextvars import ContextVar

from gradtape.api.compat.scopes import name_scope
from gradtape.api.compat.v1_sessions import GraphKeys, add_to_collection, get_collection
from gradtape.api.export import export, lookup
from gradtape.core import dtypes, scope
from gradtape.core.convert import static_int
from gradtape.core.shape import TensorShape
from gradtape.core.state import setting
from gradtape.engine.variable import Variable


@export("compat.v1.name_scope")
class NameScope(name_scope):
    """A scope of names, which has a default one for functions whose callers give none."""

    def __init__(self, name, default_name=None, values=None) -> None:
        if name is None and default_name is None and values is not None:
            raise ValueError(
                "At least one of name (None) and default_name (None) should be provided."
            )
        super().__init__((default_name or "") if name is None else name)


class _ReuseMode(enum.Enum):
    AUTO_REUSE = 1


AUTO_REUSE = export("compat.v1.AUTO_REUSE")(_ReuseMode.AUTO_REUSE)


@export("compat.v1.VariableScope")
class VariableScope:
    """A prefix of variables' names, and what `get_variable` takes where it is given nothing."""

    def __init__(self, reuse, name="", initializer=None, dtype=dtypes.float32) -> None:
        self.reuse, self.name, self.initializer, self.dtype = reuse, name, initializer, dtype
        self.original_name_scope = f"{name}/" if name else ""

    # Where variables are read is decided by their device alone.
    caching_device = partitioner = regularizer = constraint = custom_getter = None
    use_resource = True

    def set_caching_device(self, caching_device) -> None:
        """Do nothing: variables are read where they are."""

    def reuse_variables(self) -> None:
        """Do nothing: variables are not stored by name."""


_OUTERMOST = VariableScope(False)
_current: ContextVar[VariableScope] = ContextVar("variable_scope", default=_OUTERMOST)


@export("compat.v1.get_variable_scope")
def get_variable_scope() -> VariableScope:
    """Return the innermost variable scope."""
    return _current.get()


@export("compat.v1.variable_scope")
@contextlib.contextmanager
def variable_scope(
    name_or_scope,
    default_name=None,
    values=None,
    initializer=None,
    regularizer=None,
    caching_device=None,
    partitioner=None,
    custom_getter=None,
    reuse=None,
    dtype=None,
    use_resource=None,
    constraint=None,
    auxiliary_name_scope=True,
) -> Generator[VariableScope]:
    """Open a block in which the names of variables begin with the scope's."""
    above = get_variable_scope()
    if isinstance(name_or_scope, VariableScope):
        name = name_or_scope.name
    else:
        own = default_name if name_or_scope is None else name_or_scope
        if own is None:
            raise TypeError("If default_name is None then name_or_scope is required")
        name = f"{above.name}/{own}" if above.name else str(own)
    opened = VariableScope(
        above.reuse if reuse is None else reuse,
        name,
        above.initializer if initializer is None else initializer,
        above.dtype if dtype is None else dtypes.as_dtype(dtype),
    )
    with setting(_current, opened), scope.named(opened.original_name_scope):
        yield opened


@export("compat.v1.get_variable")
def get_variable(
    name,
    shape=None,
    dtype=None,
    initializer=None,
    regularizer=None,
    trainable=None,
    collections=None,
    caching_device=None,
    partitioner=None,
    validate_shape=True,
    use_resource=None,
    custom_getter=None,
    constraint=None,
    synchronization=None,
    aggregation=None,
) -> Variable:
    """Return a new variable: as in TensorFlow 2, none is found again by its name."""
    around = get_variable_scope()
    kind = around.dtype if dtype is None else dtypes.as_dtype(dtype)
    initializer = around.initializer if initializer is None else initializer
    if shape is None and (initializer is None or callable(initializer)):
        if initializer is None:
            raise ValueError(
                f"Variable {name} did not get an initializer, so its `shape` argument must be "
                "specified."
            )
        value = initializer()
    elif initializer is None or callable(initializer):
        value = _initial(initializer, TensorShape(shape).as_list(), kind)
    else:
        value = lookup("convert_to_tensor")(initializer, dtype=None if dtype is None else kind)
    prefix = f"{around.name}/" if around.name else ""
    with scope.named(prefix):
        return Variable(value, trainable=trainable is not False, name=name, constraint=constraint)


def _initial(initializer, shape, kind):
    if initializer is None and not kind.is_floating:
        return lookup("zeros")(shape, kind)
    if initializer is None:
        from gradtape.api.compat.v1_initializers import glorot_uniform_initializer

        initializer = glorot_uniform_initializer()
    if isinstance(initializer, type):
        initializer = initializer()
    return initializer(shape, dtype=kind)


@export("compat.v1.get_local_variable")
def get_local_variable(name, shape=None, dtype=None, initializer=None, **options) -> Variable:
    """Return a new variable that is not trainable."""
    return get_variable(name, shape, dtype, initializer, trainable=False)


# --- the global step -----------------------------------------------------------------------------


@export("compat.v1.train.get_global_step")
def get_global_step(graph=None) -> Variable | None:
    """Return the global step of this process; None if there is none yet."""
    steps = get_collection(GraphKeys.GLOBAL_STEP)
    return steps[0] if steps else None


@export("compat.v1.train.create_global_step")
def create_global_step(graph=None):
    """Make the global step of this process."""
    if get_global_step() is not None:
        raise ValueError('"global_step" already exists.')
    step = Variable(lookup("zeros")([], dtypes.int64), trainable=False, name="global_step")
    add_to_collection(GraphKeys.GLOBAL_STEP, step)
    return step


@export("compat.v1.train.get_or_create_global_step")
def get_or_create_global_step(graph=None) -> Variable:
    """Return the global step of this process, which is made by the first call."""
    step = get_global_step()
    return create_global_step() if step is None else step


@export("compat.v1.train.global_step")
def global_step(sess, global_step_tensor) -> int:
    """Return the value of a step's variable."""
    return static_int(global_step_tensor, "global_step: global_step_tensor")
