"""A step of an optimizer that is interrupted has changed a variable and its state, or neither.

Exceptions are raised at lines that a step runs, one after the other, as a signal handler would.
"""

from __future__ import annotations

import contextlib
import itertools
import sys

import numpy as np
import pytest

import gradtape as tf
from gradtape.core.scope import op_scope
from tests import racing
from tests.racing import in_threads, interrupt_at_line

keras = tf.keras
SHAPE = (3, 4)
MOMENTS = 40  # of the lines of a step, evenly spread
STEPS_BEFORE = 24  # ops that repeat become one program on a device
# There, a step that is interrupted can be followed by one op by op, which rounds otherwise.
ROUNDING = 1e-6 if tf.constant(0.0)._is_on_device else 0.0


def _loss_scaling():
    return keras.optimizers.LossScaleOptimizer(keras.optimizers.Adamax(0.1), initial_scale=2.0)


OPTIMIZERS = {
    "SGD": lambda: keras.optimizers.SGD(0.1),
    "SGD, momentum": lambda: keras.optimizers.SGD(0.1, momentum=0.5),
    "SGD, nesterov": lambda: keras.optimizers.SGD(0.1, momentum=0.5, nesterov=True),
    "RMSprop": lambda: keras.optimizers.RMSprop(0.1),
    "RMSprop, centered": lambda: keras.optimizers.RMSprop(0.1, momentum=0.5, centered=True),
    "Adam": lambda: keras.optimizers.Adam(0.1),
    "Adam, amsgrad": lambda: keras.optimizers.Adam(0.1, amsgrad=True),
    "AdamW": lambda: keras.optimizers.AdamW(0.1),
    "Adadelta": lambda: keras.optimizers.Adadelta(0.1),
    "Adafactor": lambda: keras.optimizers.Adafactor(0.1),
    "Adagrad": lambda: keras.optimizers.Adagrad(0.1),
    "Adamax": lambda: keras.optimizers.Adamax(0.1),
    "Ftrl": lambda: keras.optimizers.Ftrl(0.1),
    "Lamb": lambda: keras.optimizers.Lamb(0.1),
    "Lion": lambda: keras.optimizers.Lion(0.1),
    "LossScaleOptimizer": _loss_scaling,
    "Muon": lambda: keras.optimizers.Muon(0.1),
    "Nadam": lambda: keras.optimizers.Nadam(0.1),
    "weight decay": lambda: keras.optimizers.Adamax(0.1, weight_decay=0.1),
    "fused, weight decay": lambda: keras.optimizers.Adam(0.1, weight_decay=0.1),
    "clipping": lambda: keras.optimizers.Adamax(0.1, global_clipnorm=0.5),
    "accumulation": lambda: keras.optimizers.Adamax(0.1, gradient_accumulation_steps=2),
}
GRADIENTS = {
    "dense": lambda: tf.constant(np.arange(1, 13, dtype="float32").reshape(SHAPE)),
    "rows": lambda: tf.IndexedSlices(tf.ones([3, 4]), tf.constant([0, 2, 2]), SHAPE),
}


@pytest.mark.parametrize("kind", GRADIENTS)
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_a_variable_and_its_state_change_together(name, kind):
    gradient, v = GRADIENTS[kind](), keras.Variable(np.ones(SHAPE, "float32"), name="v")
    optimizer = OPTIMIZERS[name]()

    def step():
        optimizer.apply_gradients([(gradient, v)])

    def state() -> list:
        variables = [x for x in optimizer.variables if "gradient_accumulator" not in x.name]
        variables = [x for x in variables if x.dtype == "float32" and len(x.shape)]
        return [np.array(x) for x in (v, *variables)]

    step()
    variables = [v, *optimizer.variables]
    if name == "Nadam":
        variables.append(optimizer._u_product)  # which Keras does not list
    values = [np.array(x) for x in variables]

    def restart():
        for variable, value in zip(variables, values, strict=True):
            variable.assign(value)

    for _ in range(STEPS_BEFORE):  # what is traced, compiled or cached is there then
        restart()
        step()
    restart()
    before = state()
    total = interrupt_at_line(step, None)
    after = state()
    assert any((x != y).any() for x, y in zip(before, after, strict=True))
    decayed = [np.array(x) for x in before]  # Keras decays all weights before the first step
    if optimizer.weight_decay:
        decayed[0] -= decayed[0] * np.float32(optimizer.weight_decay) * np.float32(0.1)
    states = {"before": before, "decayed": decayed, "after": after}
    seen = set()
    # On a device a step after an interrupted one runs op by op, which takes more lines.
    for line in itertools.count(1, max(1, total // MOMENTS)):
        restart()
        reached = interrupt_at_line(step, line)
        result = state()
        kinds = {
            word
            for word, expected in states.items()
            if all(np.abs(x - y).max() <= ROUNDING for x, y in zip(result, expected, strict=True))
        }
        assert kinds, f"{name}: torn at line {line} of {total}"
        seen |= kinds
        if reached < line:
            break
    assert {"before", "after"} <= seen
    in_threads(lambda: v.assign(np.ones(SHAPE, "float32")))  # no transaction is left open
    changes = sys.modules["keras_gradtape.src.optimizer"]._changes
    assert changes.get() is None  # nor is what later assignments replace kept


def test_scopes_end_with_the_one_around_them(monkeypatch):
    """Whatever line of one is interrupted: else later variables would have its name in theirs."""
    from keras.src.backend.common.name_scope import current_path

    monkeypatch.setattr(racing, "no_scope_left_open", contextlib.nullcontext)
    layer = keras.layers.Identity()

    def use():
        with keras.name_scope("inner", caller=layer):
            assert current_path() == "outer/inner"

    with keras.name_scope("outer"):
        total = interrupt_at_line(use, None)
    assert total > 15
    for line in range(1, total + 1):
        with keras.name_scope("outer"):
            interrupt_at_line(use, line)
        assert (current_path(), op_scope()) == ("", ""), f"left open at line {line} of {total}"
