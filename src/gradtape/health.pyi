# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.explain.health import GradientLog as GradientLog
from typing import Any

def keras_callback(log: GradientLog | None = None, every: int = 1, path: Any = None) -> Any:
    """Return a Keras callback that records gradients while `model.fit` runs.

        health = tf.health.keras_callback(every=10, path="health.html")
        model.fit(x, y, callbacks=[health])
        print(health.log)

    Every so many steps it records what the optimizer receives and how far it moves the weights.
    The drawing is saved to `path`, if given, after each epoch. Steps run eagerly meanwhile.

    Args:
        log: a `GradientLog` to write to.
        every: after how many steps to look.
        path: a path, as text or as a path object.

    Raises:
        TypeError if `path` has a type that it does not take.
        ValueError if `every` has a type that it does not take.
    """
