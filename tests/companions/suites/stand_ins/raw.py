"""`ops.gen_*_ops`: the ops of `tf.raw_ops` with TensorFlow's names of functions."""

from __future__ import annotations

import inspect

import gradtape as tf

raw_ops = tf.raw_ops


def __getattr__(name: str):
    camel = "".join(part[:1].upper() + part[1:] for part in name.split("_"))
    for spelled in (camel, camel.replace("2d", "2D").replace("3d", "3D")):
        op = getattr(raw_ops, spelled, None)
        if op is not None and name[0].islower():
            return by_position(op)
    raise AttributeError(name)


def by_position(op):
    """Return an op that takes arguments without their names, too."""
    names = list(inspect.signature(op).parameters)

    def function(*args, **options):
        return op(**dict(zip(names, args, strict=False)), **options)

    return function
