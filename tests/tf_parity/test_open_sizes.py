"""Every case inside of a function with open sizes is as inside of one that knows all sizes.

The values are the same, and the Python of the case runs as often: no error, and no question for a
value, has the function traced again.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

import gradtape
from gradtape.core.tensor import Tensor

from . import storage
from .case import Case
from .cases import MODULES
from .compare import compare
from .runner import Record, run


def record(case: Case, is_open: bool) -> tuple[Record | Exception, int]:
    """What a function of the case's inputs gives, and how often its Python ran."""
    runs = []

    def function(tf: Any, **given: Any) -> Any:
        tensors = {name: x for name, x in given.items() if isinstance(x, Tensor)}

        def body(*values: Any) -> Any:
            runs.append(values)
            return case.function(tf, **{**given, **dict(zip(tensors, values, strict=True))})

        sizes = {True: lambda x: [None] * len(x.shape), False: lambda x: x.shape}[is_open]
        signature = [tf.TensorSpec(sizes(x), x.dtype) for x in tensors.values()]
        return tf.function(body, input_signature=signature)(*tensors.values())

    gradtape.random.set_seed(7)
    try:
        made = run(gradtape, dataclasses.replace(case, function=function))
    except Exception as error:  # some cases are not for functions, whatever their sizes
        return error, len(runs)
    return made, len(runs)


@pytest.mark.parametrize("module", MODULES)
def test_cases_are_as_with_known_sizes(module: str) -> None:
    for case in MODULES[module]:
        made, runs = record(case, is_open=True)
        expected, expected_runs = record(case, is_open=False)
        if isinstance(expected, Exception):
            assert type(made) is type(expected), case.name
        else:
            assert isinstance(made, Record), (case.name, made)
            compare(made, storage.decode(storage.encode(expected, case.exact)), case)
        assert runs == expected_runs, case.name
