"""A switch: tests run as if they were the inside of a `tf.function`.

`pytest --traced tests/engine …` gives every tensor that a test makes no value, only a place in a
graph. Tapes, accumulators and vmaps work on such tensors. Where a test looks at a value, the graph
that leads to it is optimized, compiled and run, and the test sees the result.
"""

from __future__ import annotations

import weakref

import numpy as np
import pytest

from gradtape.core import placement
from gradtape.core.state import get_state, lifted
from gradtape.core.tensor import Tensor
from gradtape.engine.variable import Variable
from gradtape.graph.execute import numpy_executable
from gradtape.graph.graph import Graph
from gradtape.graph.traced import AbstractArray, TracedTensor
from gradtape.graph.tracing import Trace, trace_into

_LATER = "the op is only noted here, so that values are checked later"
_BOTH = "a function being traced looks at all branches of a condition"
_VALUE = "the test looks at values inside a gradient function, which is a graph of its own"
_EARLY = "gradient functions are traced with the call, and so say earlier what is wrong"
_MEMORY = "about memory and speed of eager code"
_THREAD = "another thread is outside of the function"
# Tests that are about something that differs inside a function, and why.
DIFFERENT = {
    "test_custom_gradient_of_another_shape": _EARLY,
    "test_reset_outside_the_context_lets_go_of_the_record": _MEMORY,
    "test_many_tapes_leave_memory_flat": _MEMORY,
    "test_million_operations_in_linear_time": _MEMORY,
    "test_cond_runs_one_branch_only": _BOTH,
    "test_a_branch_gives_anything_eagerly": "branches give tensors in a function",
    "test_branches_give_tensors_in_functions_that_are_not_traced": "the function would run eagerly",
    "test_a_derivative_that_is_0_because_the_value_left_says_so": "the function would run eagerly",
    "test_while_loop_that_never_runs": "its gradient is zero, as in TensorFlow's graphs",
    "test_while_loop_may_change_shapes": "the function would run eagerly",
    "test_output_that_is_not_used_has_a_gradient_of_zeros": _VALUE,
    "test_several_captured_variables": _VALUE,
    "test_too_few_gradients_of_variables": _EARLY,
    "test_wrong_number_of_gradients": _EARLY,
    "test_thread_is_not_seen": _THREAD,
    "test_threads_have_a_stack_of_tapes_each": _THREAD,
    "test_gradient_may_be_taken_in_another_thread": _THREAD,
    "test_index_out_of_range": _LATER,
    "test_case_default_and_errors": _LATER,
    "test_a_python_function_sees_and_changes_the_variables_of_a_step": (
        "the function would run eagerly"
    ),
    "test_scatter_index_out_of_range": _LATER,
    "test_powers": _LATER,
    "test_tensors_as_indices": "the function would run eagerly",
    "test_recompute_grad_runs_the_function_once_more": "the gradient function is traced at once",
    "test_exception_in_a_gradient_function_leaves_a_clean_stack": _EARLY,
}

_tensors: weakref.WeakValueDictionary = (
    weakref.WeakValueDictionary()
)  # by id of what stands for data


class LazyTrace(Trace):
    """A trace that can say what a value is."""

    def __init__(self, depth: int) -> None:
        super().__init__(depth)
        self.values: dict[int, tuple] = {}  # of inputs and of what has been asked for

    def given(self, tensor: Tensor) -> TracedTensor:
        traced = self.input(tensor._spec())
        self.values[id(traced._value)] = (traced._value, tensor._data)
        return traced

    def read(self, variable, marks=None):
        is_new = id(variable) not in self._current
        actual = super().read(variable, marks)
        if is_new:
            self.values[id(actual._value)] = (actual._value, variable._data)
        return actual

    def initial_value(self, tensor):
        return _known(tensor) if type(tensor) is TracedTensor else tensor

    def feed(self, make, spec):
        made = make()
        return self.given(made) if type(made) is Tensor else made

    def ask(self, tensor, read):
        return read(np.asarray(self.value(tensor)))

    def ask_sizes(self, tensor):
        return np.asarray(self.value(tensor)).tolist()

    def value(self, traced: TracedTensor):
        wanted = self.value_of(traced)
        if wanted.constant is not None:
            return wanted.constant._data
        if id(wanted) not in self.values:
            inputs = tuple(value for value, _ in self.values.values())
            arrays = [array for _, array in self.values.values()]
            with lifted():
                (actual,) = numpy_executable(Graph(inputs, list(self.nodes), (wanted,)))(*arrays)
            self.values[id(wanted)] = (wanted, actual)
        return self.values[id(wanted)][1]


def _is_lazy(x) -> bool:
    return isinstance(x._interpreter, LazyTrace)


def _known(x) -> Tensor:
    """A tensor with its value."""
    return Tensor(x._interpreter.value(x))


def _through(cls, name: str, original) -> None:
    def method(self, *args, **kwargs):
        if cls is Variable:
            trace = get_state().trace
            if not isinstance(trace, LazyTrace):
                return original(self, *args, **kwargs)
            tensor = trace.read(self)
        else:
            tensor = self
            if not _is_lazy(self):
                return original(self, *args, **kwargs)
        return getattr(_known(tensor), name)(*args, **kwargs)

    setattr(cls, name, method)


def install() -> None:
    """Teach traced tensors and variables to look into a lazy trace."""
    for name in (
        "numpy",
        "_values",
        "_single",
        "__array__",
        "__repr__",
        "__str__",
        "__format__",
        "__reduce__",
    ):
        _through(TracedTensor, name, getattr(TracedTensor, name))
    for name in ("numpy", "_values", "_single", "__array__"):
        _through(Variable, name, getattr(Variable, name))
    init = TracedTensor.__init__

    def registered(self, *args, **kwargs):
        init(self, *args, **kwargs)
        _tensors[id(self._data)] = self

    TracedTensor.__init__ = registered

    def array(self):
        tensor = _tensors.get(id(self))
        if tensor is None or not _is_lazy(tensor):
            self.trace.fail("the value of a tensor is needed here")
        return np.asarray(tensor._interpreter.value(tensor))

    def attribute(self, name: str):
        if name.startswith("__") and not name.startswith("__array"):
            raise AttributeError(name)
        return getattr(array(self), name)

    AbstractArray.__getattr__ = attribute
    AbstractArray.__array__ = lambda self, dtype=None, copy=None: np.asarray(array(self), dtype)
    for name in (
        "__bool__",
        "__int__",
        "__float__",
        "__complex__",
        "__index__",
        "__len__",
        "__iter__",
        "__getitem__",
        "__lt__",
        "__le__",
        "__gt__",
        "__ge__",
        "__ne__",
    ):
        setattr(
            AbstractArray, name, lambda self, *args, name=name: getattr(array(self), name)(*args)
        )


def put_into_trace(tensor: Tensor, lasting: bool):
    """New tensors belong to the trace, if one is running."""
    trace = get_state().trace
    if type(tensor) is Tensor and isinstance(trace, LazyTrace) and not lasting:
        if tensor._data.dtype.hasobject:
            return tensor
        return trace.given(tensor)
    return tensor


def run_traced(item):
    """The test function of an item, inside a lazy trace."""
    reason = DIFFERENT.get(getattr(item, "originalname", item.name))
    if reason is not None:
        pytest.skip(reason)
    placement.PLACERS[:] = [put_into_trace]
    with trace_into(LazyTrace(1)):
        yield
    placement.PLACERS.clear()
