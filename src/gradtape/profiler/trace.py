"""`tf.profiler.experimental.Trace`: a block of the program as an event of the running profile."""

from __future__ import annotations

from time import perf_counter_ns
from typing import Any

import numpy as np

from gradtape.core.state import get_state
from gradtape.core.tensor import Tensor
from gradtape.engine.variable import Variable
from gradtape.profiler.recorder import Event
from gradtape.profiler.session import running


class Trace:
    """Records a block of the program under a name, while a profile runs.

    Keyword arguments are shown with the block. `step_num` makes it a step, of which TensorBoard
    shows how long each took; `_r=1` says that it is one of training, and not inside another.

    ```python
    for step in range(steps):
        with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
            train_step(next(batches))
    ```
    """

    def __init__(self, name, **kwargs) -> None:
        session = running()
        self._recorder = None if session is None else session.recorder
        if self._recorder is None:
            return
        if not isinstance(name, (str, bytes)):
            raise TypeError(
                "tf.profiler.experimental.Trace: the name must be a string, got "
                f"{type(name).__name__}."
            )
        self._name = name.decode(errors="replace") if isinstance(name, bytes) else name
        self._facts = {key: _value(value) for key, value in kwargs.items()}
        self._begin = perf_counter_ns()  # as in TensorFlow, not only where the block begins

    def __enter__(self) -> Trace:
        return self

    def set_metadata(self, **kwargs) -> None:
        """Add values that are shown with the block."""
        if self._recorder is not None:
            self._facts |= {key: _value(value) for key, value in kwargs.items()}

    def __exit__(self, exc_type, exc_val, exc_tb) -> None:
        if self._recorder is not None:
            end = perf_counter_ns()
            self._recorder.add(Event(self._name, self._begin, end, facts=self._facts))
            self._recorder = None  # once only


def _value(value: Any) -> int | float | str:
    """Return a value as files can hold it: numbers stay numbers."""
    is_known = get_state().trace is None and isinstance(value, Variable)
    if is_known or (isinstance(value, Tensor) and value._has_value):
        value = value.numpy()
    if isinstance(value, (np.generic, np.ndarray)) and not value.ndim:
        value = value.item()
    if isinstance(value, int) and -(2**63) <= value < 2**63:
        return int(value)
    return value if isinstance(value, float) else str(value)
