"""What the parts of the engine expect of each other, written down.

| protocol | implemented by | called by |
|---|---|---|
| `Payload` | arrays, deferred values, JAX's arrays, specs | all that reads `Tensor._data` |
| `Listener` | tapes and accumulators, see below | `notify`, and variables when they are read |
| `Interpreter` | vmaps, traces, devices, see below | `bind` |
| `GraphBackend`, `GraphExecutor` | NumPy's kernels, XLA | a traced function, when called |

**Payloads.** What `Tensor._data` may be, and the conversions of it:

| payload | in which tensors | as NumPy's array | as JAX's array |
|---|---|---|---|
| `np.ndarray`; NumPy scalar at rank 0 | `Tensor`, `Variable` | itself | `transfer.put`, `spread` |
| `Deferred` of the extension | `Tensor`; `Variable` of a function | `materialize` | as above |
| `jax.Array` on one device | `DeviceTensor`, `DeviceVariable` | `transfer.fetched` | itself |
| `DeferredArray` on one device | the same | as above | `transfer.argument` |
| `jax.Array` on a mesh | `DeviceTensor`, `MeshVariable` | `transfer.fetched` | itself |
| `AbstractArray` (a `Spec`) | `TracedTensor` | never: ends the trace | never |
| `Spec` | `BatchedTensor` (see its `_physical`), Keras's symbols | never | never |

There is one gate for each crossing, and nothing else crosses (`tests/package/test_gates.py`):

* deferred → array: `core.native.materialize`, a call of C that returns anything else unchanged;
* any tensor that has a value → NumPy: `Tensor._host_data`;
* host → JAX: `backends.xla.runtime.transfer.argument` for arguments of programs, `put` and `spread`
  for arrays that stay on a device or a mesh;
* JAX → host: `transfer.fetched` (memory of its own) and `shown` (a view, read only).

Kernels of the host take arrays, scalars and deferred values alike, so `bind` passes `_data`
as it is: that is the fast path, and the reason for gates only where something leaves.

**Ownership of memory.** A tensor's array is never written to, except by the owner of the only
reference to it (`backends.numpy.is_unshared`). JAX may read NumPy's memory in place, on the CPU
for as long as its array lives, elsewhere until the transfer is done, and keeps a reference to the
array meanwhile. So a gate gives JAX the array itself, never a copy of its pointer: the reference
count then stops writers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

if TYPE_CHECKING:
    from gradtape.core.primitive import Primitive
    from gradtape.core.tensor import Tensor


@runtime_checkable
class Payload(Protocol):
    """Describes what `Tensor._data` may be, with all that may be used without a gate."""

    @property
    def shape(self) -> tuple[int, ...]: ...

    @property
    def dtype(self) -> np.dtype: ...

    @property
    def ndim(self) -> int: ...


class Listener(Protocol):
    """Sees every op after it has run, and every variable that is read.

    All of `State.tapes` and `State.accumulators` are listeners.
    """

    def record(
        self, prim: Primitive, inputs: tuple[Any, ...], params: dict[Any, Any], out: Any
    ) -> None:
        """Record an op: `out` is its result, or a tuple of them. `notify` calls it."""
        ...

    def read_mark(self, variable: Any, marks: tuple[Any, ...] | None) -> tuple[Any, ...] | None:
        """Return the marks of a variable's value just read, with this listener's mark prepended."""
        ...


class TapeListener(Listener, Protocol):
    """Sees, besides ops, where the paths that gradients flow along end.

    Implemented by `Recording` and its subclasses, `Paused`, and those of `engine.observer.Observer`
    (a trace's `ConcreteOpRecorder`, the `Watchdog` of `debug_nonfinite`). To a tape, `record` is
    called for differentiable ops alone.
    """

    key: object  # of its marks

    def slot_of(self, x: Any) -> int | None:
        """Return the slot of a tensor or variable; None if the tape does not know it."""
        ...

    def end_path(self, kind: str, prim: Primitive, inputs: tuple[Any, ...], out: Any) -> None:
        """Record an op without a derivative. `notify` calls it in place of `record`."""
        ...

    def leaves_engine(self, x: Any, how: str) -> None:
        """Record that a value is passed to Python or NumPy. Tensors call it."""
        ...

    def write(self, variable: Any, value: Any, how: str, adds: bool = False) -> None:
        """Record that a variable is written to. Variables call it."""
        ...

    def enter_scope(self, path: str) -> None:
        """Note the scope that the next ops are in. `core.scope` calls it."""
        ...


class AccumulatorListener(Listener, Protocol):
    """Computes tangents of results. Implemented by `engine.forward.ForwardAccumulator`."""

    def tangent(self, x: Any) -> Any:
        """Return the tangent of a tensor or variable; None if it does not depend on a primal."""
        ...

    def inherit(self, copies: list[Any], results: list[Any]) -> bool:
        """Copy the tangents of results to copies of them; return False if none has a tangent."""
        ...


class Interpreter(Protocol):
    """Takes over `bind` for the ops on its own kind of tensor.

    A tensor that is not exactly a `Tensor` has one, as `_interpreter`. Implemented by `Batch` (a
    vmap), `Trace` (a function being traced), `Eager` (tensors on a device), the recorder of
    `ops.rule_programs`, and Keras's symbolic calls. If the inputs of an op belong to several, the
    one with the largest `depth` is called, and binds in turn the ops that it maps the op to.
    """

    depth: int  # how many interpreters are below; 0 only for devices, whose tensors have values

    def process(self, prim: Primitive, inputs: tuple[Any, ...], params: dict[Any, Any]) -> Any:
        """Return the result (or the tuple of them) of an op. `bind` calls it."""
        ...


class GraphBackend(Protocol):
    """Runs graphs, and the routines (graphs with variables) made of them.

    Implemented by `graph.apply.NumpyBackend` and, in `backends.xla.runtime`, by `HostXla`,
    `DeviceXla`, `MeshXla` and `OpByOp`. `choose_backend` picks one for a routine, and `Routine`
    calls it. Graphs and routines are of a higher layer, hence `Any` here.
    """

    name: str

    def run(self, routine: Any, tensors: list[Any]) -> list[Tensor]:
        """Call a routine that no listener observes: its variables may be written in place."""
        ...

    def apply(self, graph: Any, tensors: list[Any]) -> list[Tensor]:
        """Return the outputs of a graph, observed by all listeners and interpreters."""
        ...


class GraphExecutor(Protocol):
    """Runs a graph as a whole, on the arrays of one kind of tensor.

    All backends but `OpByOp` are executors; `graph.apply.apply` calls them for the graph itself,
    and for those of its derivatives.
    """

    def executable(self, graph: Any) -> Callable[..., tuple[Any, ...]]:
        """Return the graph as a (cached) function from arrays to a tuple of arrays."""
        ...

    def wrap(self, data: Any) -> Tensor:
        """Return a tensor of an array that `executable` returned."""
        ...


@runtime_checkable
class Composite(Protocol):
    """Describes a value made of several tensors: sparse, ragged, IndexedSlices.

    Nests expand it, tapes watch its components, and functions take and return it by them.
    """

    def _component_tensors(self) -> tuple[Tensor, ...]:
        """Return the component tensors. `GradientTape.watch` watches each of them."""
        ...

    def _with_components(self, components: Sequence[Any]) -> Composite:
        """Return a value of the same kind that has other components."""
        ...

    def _static_parts(self) -> tuple[Any, ...] | None:
        """Return what else distinguishes the value, for the key of a trace.

        None: it cannot be made of traced tensors.
        """
        ...

    def _differentiable_component(self) -> Tensor | None:
        """Return the component that is meant where a gradient names the value; None: it cannot."""
        ...

    def _with_differentiable_component(self, component: Tensor) -> Composite:
        """Return the value with another such component: its gradient."""
        ...


# Questions about classes of higher layers, which are answered without importing their modules.


def is_composite(value: object) -> bool:
    """Return whether a value is a `Composite`: a faster question than isinstance."""
    return hasattr(type(value), "_with_components")


def is_ragged(value: object) -> bool:
    """Return whether a value is a ragged tensor."""
    return hasattr(type(value), "row_splits")


def is_ragged_spec(spec: object) -> bool:
    """Return whether a spec is one of ragged tensors."""
    return hasattr(type(spec), "ragged_rank") and not is_ragged(spec)


def is_linear_operator(value: object) -> bool:
    """Return whether a value is a `tf.linalg.LinearOperator`."""
    return hasattr(type(value), "_is_linear_operator")


def has_type_spec(value: object) -> bool:
    """Return whether a value has a spec of its own: a composite, a TensorArray, a dataset."""
    return hasattr(type(value), "_type_spec")


def gives_type_specs(kind: type) -> bool:
    """Return whether the objects of a class have specs of their own."""
    return hasattr(kind, "_type_spec")


def has_tensor_specs(spec: object) -> bool:
    """Return whether a spec is made of those of tensors: that of an extension type."""
    return hasattr(type(spec), "_map_tensor_specs")


def is_batchable_spec(spec: object) -> bool:
    """Return whether values of a spec can be batched."""
    return hasattr(type(spec), "_batch")
