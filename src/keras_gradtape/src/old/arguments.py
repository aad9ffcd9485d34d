"""Arguments that layers and optimizers took in Keras 2, and what they meant there."""

from __future__ import annotations

import functools
import inspect
from typing import Any

import numpy as np
from keras.src import ops
from keras.src.layers.core.dense import Dense
from keras.src.optimizers.base_optimizer import BaseOptimizer

from gradtape.api.compat.old_names import notice, old_names_work
from gradtape.core.tracebacks import filters_tracebacks
from keras_gradtape.src.optimizer import GradtapeOptimizer


def install() -> None:
    """Let constructors take the old arguments."""
    _take_units_of_numpy()
    _take_decay()


def _take_units_of_numpy() -> None:
    """Let `Dense(np.prod(shape))` work: Keras 2 made an int of any number."""
    initialize = Dense.__init__

    @functools.wraps(initialize)
    def dense_init(self, units, *args, **options):
        if isinstance(units, (float, np.integer, np.floating)) and old_names_work():
            notice(
                f"Dense with units of type {type(units).__name__} is a manner of Keras 2. "
                "Write int(units)."
            )
            units = int(units)
        initialize(self, units, *args, **options)

    wrapped: Any = filters_tracebacks(dense_init)
    # Keras reads from it what a layer's configuration must hold.
    wrapped.__signature__ = inspect.signature(initialize)
    Dense.__init__ = wrapped


def _take_decay() -> None:
    """Let `SGD(0.1, decay=0.01)` divide the rate by 1 + decay · iterations; `optimizer.lr` stays
    the rate that was given, which callbacks set. `Optimizer("name")` is one without a rate."""
    initialize, update = BaseOptimizer.__init__, GradtapeOptimizer._backend_update_step

    @functools.wraps(initialize)
    def optimizer_init(self, *args, **options):
        if args and isinstance(args[0], str) and old_names_work():
            # Keras 2's base class took a name alone; what derives from it has rates of its own.
            args, options = (0.0, *args[1:]), {"name": args[0], **options}
        decay = options.pop("decay", None) if old_names_work() else None
        initialize(self, *args, **options)
        if decay:
            self._old_decay = decay
            notice(
                f"{type(self).__name__}(decay={decay}) is a manner of Keras 2. Write "
                "learning_rate=tf.keras.optimizers.schedules.InverseTimeDecay(rate, 1, decay)."
            )

    @functools.wraps(update)
    def update_step(self, grads, trainable_variables, learning_rate):
        if self._old_decay:
            steps = ops.cast(self.iterations, "float32")
            learning_rate = learning_rate / (1.0 + self._old_decay * steps)
        update(self, grads, trainable_variables, learning_rate)

    base: Any = BaseOptimizer
    base._old_decay, base.__init__ = None, filters_tracebacks(optimizer_init)
    GradtapeOptimizer._backend_update_step = update_step
