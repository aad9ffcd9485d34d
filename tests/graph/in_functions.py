"""A switch for tests of Keras: what they call runs inside of `tf.function`s.

`pytest --traced tests/keras` traces, from the first call on,

* the steps of `fit`, `evaluate`, `predict` and their relatives for single batches;
* every call of a layer or a model from eager code, with the tapes of the test outside;
* every update by an optimizer from eager code.

`--traced-xla` has them compiled. The losses and masks that a call leaves with layers and tensors
are results of the function, as they would be in a program that needs them.
"""

from __future__ import annotations

import functools
import weakref

import pytest

import gradtape as tf
from gradtape.core.state import get_state
from gradtape.core.tensor import Tensor

# Tests that are about something that differs inside a function, and why.
DIFFERENT = {
    "test_the_way_does_not_depend_on_a_seed_or_a_clock": "about batches that are not traced",
    "test_a_step_that_needs_a_value_in_a_way_that_is_not_seen_is_still_applied_once": (
        "about the line that is named"
    ),
    "test_a_trace_that_fails_leaves_no_losses_of_its_own": "counts eager calls of a layer",
    "test_profiles_of_batches": "a profile names the layers of eager ops only",
    "test_an_optimizer_of_two_models": "makes variables in a later step, as no function may",
}
_functions: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()  # by layer or optimizer
_options: dict = {}  # of the functions


@functools.cache
def install(jit_compile: bool) -> None:
    """Let Keras run in functions."""
    assert tf.keras is not None  # Keras starts with this backend
    from keras.src.layers.layer import Layer

    from keras_gradtape.src.optimizer import GradtapeOptimizer

    _options["jit_compile"] = jit_compile or None
    Layer.__call__ = _traced_call(Layer.__call__)
    GradtapeOptimizer.apply = _traced_update(GradtapeOptimizer.apply)
    _trace_steps()


def _function_of(owner, body):
    """The tf.function of a method, which does not keep its owner alive."""
    function = _functions.get(owner)
    if function is None:
        held = weakref.ref(owner)
        function = tf.function(lambda *args: body(held(), *args), **_options)
        _functions[owner] = function
    return function


def _traced_call(original):
    from keras.src import backend, tree

    def body(layer, args, kwargs, masks):
        for x, mask in zip(tree.flatten((args, kwargs)), masks, strict=True):
            if mask is not None:
                backend.set_keras_mask(x, mask)
        result = original(layer, *args, **kwargs)
        made = [backend.get_keras_mask(y) for y in tree.flatten(result)]
        losses = [list(each._losses) for each in layer._flatten_layers()]
        return result, made, losses

    def call(self, *args, **kwargs):
        leaves = tree.flatten((args, kwargs))
        if _is_inside() or not _are_tensors(leaves):
            return original(self, *args, **kwargs)
        masks = [backend.get_keras_mask(x) if isinstance(x, Tensor) else None for x in leaves]
        result, made, losses = _function_of(self, body)(args, kwargs, masks)
        for y, mask in zip(tree.flatten(result), made, strict=True):
            if mask is not None:
                backend.set_keras_mask(y, mask)
        for each, values in zip(self._flatten_layers(), losses, strict=True):
            each._losses[:] = values
        return result

    return call


def _is_inside() -> bool:
    """Whether a function is being traced, or the state of layers is that of a scope of Keras."""
    from keras.src.backend.common.stateless_scope import in_stateless_scope

    return get_state().trace is not None or in_stateless_scope()


def _are_tensors(leaves: list) -> bool:
    """Whether a call is one with values, and none of them unlike what functions take."""
    plain = (Tensor, bool, int, float, str, type(None))
    return any(isinstance(x, Tensor) for x in leaves) and all(isinstance(x, plain) for x in leaves)


def _traced_update(original):
    def body(optimizer, gradients, variables):
        original(optimizer, gradients, variables)

    def apply(self, grads, trainable_variables=None):
        grads = list(grads)
        if trainable_variables is not None:
            trainable_variables = list(trainable_variables)
        is_plain = all(isinstance(g, Tensor) for g in grads)
        if _is_inside() or not is_plain or not grads:
            return original(self, grads, trainable_variables)
        return _function_of(self, body)(grads, trainable_variables)

    return apply


def _trace_steps() -> None:
    from keras_gradtape.src import step_function

    steps = step_function.StepFunction.__init__

    def made(self, model, name: str) -> None:
        steps(self, model, name)
        self._function = tf.function(self._function, **_options)

    step_function.StepFunction._starts_as_graph = lambda self, tensors: True
    step_function.StepFunction.__init__ = made


def run_traced(item):
    """The test of an item, unless it is about something else."""
    install(item.config.getoption("traced") == "xla")
    reason = DIFFERENT.get(getattr(item, "originalname", item.name))
    if reason is not None:
        pytest.skip(reason)
    yield
