"""Run a program under TensorFlow 2.15 as its author did: record.py starts it.

Names of TensorFlow 1 that the root of TensorFlow 2 lacks are those of `tf.compat.v1`, and
optimizers take `lr` and `decay`.
"""

from __future__ import annotations

import functools
import runpy
import sys
import types

import tensorflow as tf


def answer_with(module: types.ModuleType, old: types.ModuleType) -> None:
    """Let a module have the names of an old one that it lacks."""
    for name in dir(old):
        if not name.startswith("_") and not hasattr(module, name):
            setattr(module, name, getattr(old, name))


def take_old_arguments(optimizer: type) -> None:
    """Let an optimizer take `lr` and `decay`, which optimizers took until Keras 2.10."""
    initialize = optimizer.__init__

    @functools.wraps(initialize)
    def with_old_arguments(self, *args, lr=None, decay=0.0, **options):
        if lr is not None:
            options["learning_rate"] = lr
        if decay:
            rate, schedules = options["learning_rate"], tf.keras.optimizers.schedules
            options["learning_rate"] = schedules.InverseTimeDecay(rate, 1, decay)
        initialize(self, *args, **options)

    optimizer.__init__ = with_old_arguments


for part in ("train", "nn", "image", "math", "data"):
    if hasattr(tf, part):
        answer_with(getattr(tf, part), getattr(tf.compat.v1, part))
answer_with(tf, tf.compat.v1)
for optimizer in vars(tf.keras.optimizers).values():
    if isinstance(optimizer, type) and optimizer.__module__.startswith("keras."):
        take_old_arguments(optimizer)
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
