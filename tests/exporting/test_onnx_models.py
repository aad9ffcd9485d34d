"""Models that Keras exports, in onnxruntime (`make test-onnx`), for several sizes."""

import numpy as np
import pytest

import gradtape as tf
from tests.exporting.models import MODELS
from tests.exporting.running import TOLERANCE, draw, session

pytest.importorskip("onnxruntime", reason="runs models; `make test-onnx` has it")


@pytest.mark.keras
@pytest.mark.parametrize("name", MODELS)
def test_model(name, tmp_path):
    make, every_size = MODELS[name]
    tf.keras.utils.set_random_seed(3)
    model = make()
    path = tmp_path / "model.onnx"
    model.export(path, format="onnx", verbose=False)
    running = session(path.read_bytes())
    names = [each.name for each in running.get_inputs()]
    specs = [tf.TensorSpec(x.shape, x.dtype) for x in model.inputs]
    for seed, (batch, *rest) in enumerate(every_size):
        many = len(specs) > 1 and len(rest) > 1  # the inputs have open sizes of their own
        arrays = [
            draw([spec], [batch, *(rest[i : i + 1] if many else rest)], seed, low=0.0, high=2.0)[0]
            for i, spec in enumerate(specs)
        ]
        wanted = tf.nest.flatten(model(arrays if arrays[1:] else arrays[0], training=False))
        got = running.run(None, dict(zip(names, arrays, strict=True)))
        for x, y in zip(wanted, got, strict=True):
            x = x.numpy()
            assert x.shape == y.shape
            assert np.max(np.abs(x - y) / (1 + np.abs(x))) < TOLERANCE
