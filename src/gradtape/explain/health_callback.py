"""A Keras callback that keeps a log of gradient health."""

from __future__ import annotations

import importlib
from typing import Any

from gradtape.explain.health import GradientLog, drawable


def keras_callback(log: GradientLog | None = None, every: int = 1, path=None) -> Any:
    """Return a Keras callback that records gradients while `model.fit` runs.

        health = tf.health.keras_callback(every=10, path="health.html")
        model.fit(x, y, callbacks=[health])
        print(health.log)

    Every so many steps it records what the optimizer receives and how far it moves the weights.
    The drawing is saved to `path`, if given, after each epoch. Steps run eagerly meanwhile.
    """
    if not isinstance(every, int) or every < 1:
        raise ValueError(
            f"keras_callback: every must be a whole number of 1 or more, got {every!r}"
        )
    if path is not None:
        drawable(path)  # rather now than at the end of the first epoch
    callbacks: Any = importlib.import_module("gradtape.keras").callbacks

    class GradientHealth(callbacks.Callback):
        def __init__(self) -> None:
            super().__init__()
            self.log = GradientLog() if log is None else log
            self._count = 0

        def on_train_begin(self, logs=None) -> None:
            optimizer = self.model.optimizer
            apply = optimizer.apply

            def recorded(grads, trainable_variables=None):
                grads = list(grads)
                variables = trainable_variables
                if variables is None:
                    variables = optimizer._trainable_variables
                self._count += 1
                if (self._count - 1) % every:
                    return apply(grads, trainable_variables)
                with self.log.step(variables, grads):
                    return apply(grads, trainable_variables)

            optimizer.apply = recorded
            self._was_eager = self.model.run_eagerly
            self.model.run_eagerly = True  # a traced step would not come by here

        def on_epoch_end(self, epoch, logs=None) -> None:
            if path is not None:
                self.log.save(path)

        def on_train_end(self, logs=None) -> None:
            vars(self.model.optimizer).pop("apply", None)
            self.model.run_eagerly = self._was_eager

    return GradientHealth()
