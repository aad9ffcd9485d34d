"""50 steps on eight devices give the parameters that 50 steps on one give, up to rounding."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import gradtape as tf
from tests.distribute.models import LAYOUTS, MODELS, fitted

keras = tf.keras
each_model = pytest.mark.parametrize("name", MODELS)


@functools.cache
def alone(name: str, **options) -> list:
    return fitted(keras, name, **options)


def assert_same(result: list, expected: list) -> None:
    assert len(result) == len(expected)
    assert result[0].dtype == np.float64
    for a, b in zip(result, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-8, atol=1e-10)


@each_model
def test_training_moves_the_parameters(name):
    """So that the comparisons below compare something."""
    from tests.distribute.models import made

    before = made(keras, name).get_weights()
    changes = [np.abs(a - b).max() for a, b in zip(alone(name), before, strict=False)]
    # The bias of an attention's keys changes nothing, as softmax is the same for shifted scores.
    assert sorted(changes)[1] > 1e-3


@each_model
def test_replicas(name):
    strategy = tf.distribute.MirroredStrategy()
    assert strategy.num_replicas_in_sync == 8
    with strategy.scope():
        result = fitted(keras, name)
    assert_same(result, alone(name))


@each_model
def test_data_parallel(name):
    with keras.distribution.DataParallel().scope():
        result = fitted(keras, name)
    assert_same(result, alone(name))


def model_parallel(name: str):
    devices = keras.distribution.list_devices()
    mesh = keras.distribution.DeviceMesh((2, 4), ["batch", "model"], devices)
    layouts = keras.distribution.LayoutMap(mesh)
    for path, axes in LAYOUTS[name].items():
        layouts[f".*{path}"] = axes
    return keras.distribution.ModelParallel(layout_map=layouts, batch_dim_name="batch")


@each_model
def test_model_parallel(name):
    with model_parallel(name).scope():
        result = fitted(keras, name)
    assert_same(result, alone(name))


def test_scaled_losses():
    """Of mixed precision: the scale falls in all replicas where the gradient of one overflows."""
    strategy = tf.distribute.MirroredStrategy()

    def scales(scope) -> tuple:
        with scope:
            model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
            model.set_weights([np.ones((1, 1)), np.zeros(1)])
            optimizer = keras.optimizers.LossScaleOptimizer(keras.optimizers.SGD(0.1))
            model.compile(optimizer, "mse")
        x = np.ones((32, 1), np.float32)
        x[5] = np.inf  # in the second replica, in the first step of two
        model.fit(x, np.zeros((32, 1), np.float32), batch_size=16, shuffle=False, verbose=0)
        return float(optimizer.dynamic_scale.numpy()), model.get_weights()

    scale, weights = scales(strategy.scope())
    expected_scale, expected = scales(tf.distribute.OneDeviceStrategy().scope())
    assert scale == expected_scale < 2.0**15
    assert_close(weights, expected)


def assert_close(result, expected):
    for a, b in zip(result, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5)


@pytest.mark.parametrize("kind", ["replicas", "model parallel"])
def test_gradient_accumulation(kind):
    options = {"gradient_accumulation_steps": 2}
    strategy = tf.distribute.MirroredStrategy()
    scope = strategy.scope() if kind == "replicas" else model_parallel("mlp").scope()
    with scope:
        result = fitted(keras, "mlp", **options)
    expected = fitted(keras, "mlp", **options)
    assert_same(result, expected)
    assert np.abs(expected[0] - alone("mlp")[0]).max() > 1e-3
