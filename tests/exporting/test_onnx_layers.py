"""Every layer of Keras in onnxruntime (`make test-onnx`), for several sizes of its open axes."""

import inspect

import numpy as np
import pytest

import gradtape as tf
from tests.exporting.layers import CASES, LEFT_OUT, layers
from tests.exporting.running import compare

pytest.importorskip("onnxruntime", reason="runs models; `make test-onnx` has it")

# Sizes of the open axes of each input: batch, and time or height and width.
SIZES = [(3, 5, 7), (1, 9, 4), (2, 20, 11)]


def of_the_public_list() -> dict[str, type]:
    """The classes in keras.layers, without second names."""
    result: dict[str, type] = {}
    for name in dir(layers):
        value = getattr(layers, name)
        if inspect.isclass(value) and (name in CASES or value not in result.values()):
            result = (
                {n: v for n, v in result.items() if v is not value} if name in CASES else result
            )
            result[name] = value
    return result


def test_every_layer_has_a_case_or_a_reason():
    assert set(CASES) | set(LEFT_OUT) == set(of_the_public_list())
    assert not set(CASES) & set(LEFT_OUT)


@pytest.mark.keras
@pytest.mark.parametrize("name", sorted(CASES))
def test_layer(name):
    case = CASES[name]
    layer = case.make()
    takes_list = "inputs" in inspect.signature(layer.call).parameters or name in (
        "AdditiveAttention",
        "Attention",
    )

    def call(*args):
        given = [list(args)] if takes_list and len(args) > 1 else args
        return layer(*given, training=False)

    specs = [tf.TensorSpec(shape, case.dtype) for shape in case.shapes]
    small = [np.zeros([4 if n is None else n for n in s], case.dtype) for s in case.shapes]
    call(*map(tf.constant, small))
    random = np.random.default_rng(1)
    for weight in layer.weights:
        if "float" in str(weight.dtype):
            weight.assign(random.uniform(0.1, 0.6, weight.shape))
    compare(call, specs, SIZES, case.tolerance, low=case.low, high=case.high)
