"""Functions in onnxruntime (`make test-onnx`), for several sizes of their open axes."""

import pytest

from tests.exporting.functions import FUNCTIONS
from tests.exporting.running import compare

pytest.importorskip("onnxruntime", reason="runs models; `make test-onnx` has it")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_function(name):
    function, specs, sizes = FUNCTIONS[name]
    has_integers = any(spec.dtype.is_integer for spec in specs)
    bounds = {"low": 0.0, "high": 4.0} if has_integers else {}
    compare(function, specs, sizes, **bounds)
