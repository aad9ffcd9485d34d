"""The same seed gives the numbers that Keras on TensorFlow gives."""

from pathlib import Path

import numpy as np
import pytest

from tests.keras import models

FIXTURES = Path(__file__).parent / "fixtures"
with np.load(FIXTURES / "seeds.npz") as arrays:
    EXPECTED = dict(arrays)
SAMPLES = {
    "normal": lambda k, s: k.random.normal((3, 5), 1.0, 2.0, seed=s),
    "uniform": lambda k, s: k.random.uniform((3, 5), -1.0, 2.0, seed=s),
    "truncated_normal": lambda k, s: k.random.truncated_normal((3, 5), seed=s),
    "randint": lambda k, s: k.random.randint((3, 5), 2, 90, seed=s),
    "categorical": lambda k, s: k.random.categorical(np.zeros((3, 4), "float32"), 5, seed=s),
    "dropout": lambda k, s: k.random.dropout(np.ones((4, 6), "float32"), 0.4, seed=s),
    "shuffle": lambda k, s: k.random.shuffle(np.arange(12, dtype="float32"), seed=s),
    "gamma": lambda k, s: k.random.gamma((3, 5), 2.0, seed=s),
    "binomial": lambda k, s: k.random.binomial((3, 5), 9.0, 0.3, seed=s),
    "beta": lambda k, s: k.random.beta((3, 5), 2.0, 3.0, seed=s),
}


@pytest.mark.parametrize("name", models.INITIALIZERS)
def test_initializers(keras, name):
    keras.utils.set_random_seed(5)
    result = keras.initializers.get(name)((4, 4)).numpy()
    np.testing.assert_allclose(result, EXPECTED[f"initializer/{name}"], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", [name for name in models.INITIALIZERS if name != "identity"])
def test_initializers_with_a_seed(keras, name):
    initializer = keras.initializers.get(name)
    config = initializer.get_config()
    if "seed" in config:
        config["seed"] = 17
    result = initializer.__class__.from_config(config)((6, 3)).numpy()
    np.testing.assert_allclose(result, EXPECTED[f"seeded/{name}"], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    "name", ["dense", "convolution", "depthwise", "embedding", "lstm", "gru", "attention"]
)
def test_initial_weights(keras, name):
    layer, shape = models.layers_with_weights(keras)[name]
    keras.utils.set_random_seed(5)
    layer = layer.__class__.from_config(layer.get_config())
    layer.build(*shape) if isinstance(shape, list) else layer.build(shape)
    for i, weight in enumerate(layer.get_weights()):
        expected = EXPECTED[f"layer/{name}/{i}"]
        np.testing.assert_allclose(weight, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", SAMPLES)
def test_samples(keras, name):
    draw = SAMPLES[name]
    np.testing.assert_allclose(draw(keras, 123), EXPECTED[f"random/{name}"], rtol=1e-5, atol=1e-6)
    generator = keras.random.SeedGenerator(99)
    draw(keras, generator)
    result = draw(keras, generator)
    np.testing.assert_allclose(result, EXPECTED[f"second/{name}"], rtol=1e-5, atol=1e-6)


def test_samples_without_a_seed_follow_the_global_one(keras):
    keras.utils.set_random_seed(21)
    result = np.stack([keras.random.normal((4,)).numpy() for _ in range(3)])
    np.testing.assert_allclose(result, EXPECTED["global"], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", models.MODELS)
def test_models_start_and_train_on_the_same_numbers(keras, name):
    with np.load(FIXTURES / f"{name}.npz") as arrays:
        expected = dict(arrays)
    keras.utils.set_random_seed(11)
    model = models.compiled(models.MODELS[name](keras), keras)
    for i, weight in enumerate(model.get_weights()):
        np.testing.assert_allclose(weight, expected[f"initial_{i}"], rtol=1e-5, atol=1e-6)
    x, y = models.batch(name)
    losses = [model.train_on_batch(x, y)[0] for _ in expected["losses"]]
    np.testing.assert_allclose(losses, expected["losses"], rtol=2e-4)


def test_the_seed_is_gradtapes_too(keras):
    import gradtape

    result = []
    for _ in range(2):
        keras.utils.set_random_seed(4)
        result.append(gradtape.random.normal((3,)).numpy())
    np.testing.assert_array_equal(*result)
    gradtape.random.set_seed(4)
    np.testing.assert_array_equal(gradtape.random.normal((3,)).numpy(), result[0])
