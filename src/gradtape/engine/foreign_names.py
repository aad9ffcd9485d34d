"""What PyTorch's tensors have and those here do not: errors that say what to write instead."""

from __future__ import annotations

from typing import Any, NoReturn

INSTEAD = {
    "backward": "record with `with tf.GradientTape() as tape:`, then tape.gradient(y, x)",
    "grad": "gradients are what tape.gradient(y, x) returns",
    "requires_grad": "a tf.Variable is watched by tapes; for a tensor, tape.watch(x)",
    "requires_grad_": "make a tf.Variable(x), or tape.watch(x) inside of the tape",
    "detach": "tf.stop_gradient(x)",
    "item": "float(x) or int(x), or x.numpy()",
    "cuda": 'where there is a GPU, tensors are made there; else tf.to_device(x, "GPU:0")',
    "to": 'tf.cast(x, dtype) for another dtype, tf.to_device(x, "GPU:0") for another device',
    "view": "tf.reshape(x, shape)",
    "permute": "tf.transpose(x, axes)",
    "unsqueeze": "tf.expand_dims(x, axis)",
}


class _Foreign:
    """An attribute that is not there. It has no `__set__`: programs may set one of that name."""

    def __init__(self, name: str, instead: str) -> None:
        self._name, self._instead = name, instead

    def __get__(self, instance: Any, owner: type) -> NoReturn:
        kind = "Variable" if owner.__name__.endswith("Variable") else "Tensor"
        raise AttributeError(
            f"'{kind}' object has no attribute '{self._name}', which is PyTorch's. Here: "
            f"{self._instead}.",
            name=self._name,
        )


def add_hints(*classes: type) -> None:
    """Let classes of tensors raise these errors for PyTorch's names."""
    for name, instead in INSTEAD.items():
        for cls in classes:
            setattr(cls, name, _Foreign(name, instead))
