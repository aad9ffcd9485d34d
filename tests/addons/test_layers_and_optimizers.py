"""Layers and optimizers, beside the formulas of their papers in NumPy."""

import numpy as np
import pytest

import gradtape as tf
import gradtape.addons as tfa
from gradtape.addons import optimizers

pytestmark = pytest.mark.keras
IMAGES = np.random.default_rng(0).normal(2.0, 3.0, (2, 4, 5, 6)).astype("float32")


# --- layers --------------------------------------------------------------------------------------


def test_instance_normalization():
    layer = tfa.layers.InstanceNormalization(
        axis=-1, center=True, scale=True, beta_initializer="ones", gamma_initializer="ones"
    )
    mean, variance = (f(IMAGES, axis=(1, 2), keepdims=True) for f in (np.mean, np.var))
    expected = (IMAGES - mean) / np.sqrt(variance + 1e-3) + 1
    np.testing.assert_allclose(layer(IMAGES), expected, atol=1e-5)
    again = type(layer).from_config(layer.get_config())
    assert again(IMAGES).shape == IMAGES.shape


def test_group_normalization():
    grouped = IMAGES.reshape(2, 4, 5, 3, 2)
    mean, variance = (f(grouped, axis=(1, 2, 4), keepdims=True) for f in (np.mean, np.var))
    expected = ((grouped - mean) / np.sqrt(variance + 1e-3)).reshape(IMAGES.shape)
    result = tfa.layers.GroupNormalization(groups=3)(IMAGES)
    np.testing.assert_allclose(result, expected, atol=1e-5)


def test_weight_normalization_starts_from_the_first_batch():
    # Salimans and Kingma 2016, section 3: the outputs of the first batch have mean 0, variance 1.
    x = IMAGES.reshape(-1, 6)
    layer = tfa.layers.WeightNormalization(tf.keras.layers.Dense(4))
    first = layer(x).numpy()
    np.testing.assert_allclose(first.mean(0), 0, atol=1e-4)
    np.testing.assert_allclose(first.std(0), 1, atol=1e-3)
    np.testing.assert_allclose(layer(x), first, atol=1e-5)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(layer(x)[:, 0] ** 3)
    gradients = tape.gradient(loss, [layer.g, layer.v])
    assert np.flatnonzero(gradients[0]).tolist() == [0]
    # The direction's gradient is orthogonal to it (equation 3).
    product = np.sum(gradients[1].numpy() * layer.v.numpy(), axis=0)
    np.testing.assert_allclose(product / np.abs(gradients[1]).max(), 0, atol=1e-4)


def test_weight_normalization_without_data():
    dense = tf.keras.layers.Conv1D(3, 2, activation="tanh")
    layer = tfa.layers.WeightNormalization(dense, data_init=False)
    x = IMAGES[0]
    result = layer(x)
    np.testing.assert_allclose(result, dense(x), atol=1e-5)
    layer.g.assign(2 * layer.g)
    assert np.abs(layer(x) - dense(x)).max() > 0.01
    with pytest.raises(ValueError, match="must wrap a layer that contains a `kernel`"):
        tfa.layers.WeightNormalization(tf.keras.layers.Flatten()).build((2, 3))


def test_weight_normalization_in_a_model(tmp_path):
    model = tf.keras.Sequential(
        [tf.keras.Input((6,)), tfa.layers.WeightNormalization(tf.keras.layers.Dense(1))]
    )
    model.compile("sgd", "mse")
    x = IMAGES.reshape(-1, 6)
    model.fit(x, x[:, :1], epochs=2, verbose=0)
    model.save(tmp_path / "model.keras")
    loaded = tf.keras.models.load_model(tmp_path / "model.keras")
    np.testing.assert_allclose(loaded(x), model(x), atol=1e-6)


def test_spectral_normalization_and_others():
    layer = tfa.layers.SpectralNormalization(tf.keras.layers.Dense(5), power_iterations=50)
    layer(IMAGES.reshape(-1, 6), training=True)
    assert np.linalg.norm(layer.layer.kernel.numpy(), 2) == pytest.approx(1, abs=1e-3)
    pooled = tfa.layers.AdaptiveAveragePooling2D((2, 5))(IMAGES)
    np.testing.assert_allclose(pooled[:, 0], IMAGES[:, :2].mean(1), atol=1e-5)
    largest = tfa.layers.Maxout(3)(IMAGES)
    np.testing.assert_array_equal(largest, IMAGES.reshape(2, 4, 5, 2, 3).max(-2))
    with pytest.raises(ValueError, match="not a multiple of num_units"):
        tfa.layers.Maxout(4)(IMAGES)
    depth = tfa.layers.StochasticDepth(0.25)
    np.testing.assert_allclose(depth([IMAGES, IMAGES]), IMAGES * 1.25, rtol=1e-6)
    kept = depth([IMAGES, IMAGES], training=True).numpy() / IMAGES
    assert np.allclose(kept, 1) or np.allclose(kept, 2)


# --- optimizers ----------------------------------------------------------------------------------

START = np.array([1.0, -2.0, 0.5])
GRADIENTS = [np.array([0.3, -0.1, 2.0]), np.array([-0.2, 0.4, 1.0]), np.array([0.1, 0.1, -3.0])]


def adam_moments(step, m, v, g, beta_1=0.9, beta_2=0.999):
    m, v = beta_1 * m + (1 - beta_1) * g, beta_2 * v + (1 - beta_2) * g**2
    return m, v, m / (1 - beta_1**step), v / (1 - beta_2**step)


def lamb():
    w, m, v = START, 0, 0
    for t, g in enumerate(GRADIENTS, 1):
        m, v, mean, square = adam_moments(t, m, v, g)
        r = mean / (np.sqrt(square) + 1e-6) + 0.01 * w
        w = w - 0.1 * np.linalg.norm(w) / np.linalg.norm(r) * r
    return w


def adamw():
    w, m, v = START, 0, 0
    for t, g in enumerate(GRADIENTS, 1):
        m, v, mean, square = adam_moments(t, m, v, g)
        w = w - 0.05 * w
        w = w - 0.1 * mean / (np.sqrt(square) + 1e-7)
    return w


def sgdw():
    w, m = START, 0
    for g in GRADIENTS:
        m = 0.9 * m - 0.1 * g
        w = w - 0.05 * w + m
    return w


def novograd():
    w, m, v = START, 0, None
    for g in GRADIENTS:
        v = g @ g if v is None else 0.5 * v + 0.5 * (g @ g)
        m = 0.9 * m + g / (np.sqrt(v) + 1e-7) + 0.01 * w
        w = w - 0.1 * m
    return w


def rectified_adam():
    w, m, v = START, 0, 0
    for t, g in enumerate(GRADIENTS, 1):
        m, v, mean, square = adam_moments(t, m, v, g, beta_2=0.9)
        longest = 2 / 0.1 - 1
        length = longest - 2 * t * 0.9**t / (1 - 0.9**t)
        if length >= 1.5:
            r = (length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length)
            w = w - 0.1 * np.sqrt(max(r, 0)) * mean / (np.sqrt(square) + 1e-7)
        else:
            w = w - 0.1 * mean
    return w


def yogi():
    w, m, v = START, np.full(3, 1e-6), np.full(3, 1e-6)
    for t, g in enumerate(GRADIENTS, 1):
        m = 0.9 * m + 0.1 * g
        v = v - 0.001 * np.sign(v - g**2) * g**2
        rate = 0.1 * np.sqrt(1 - 0.999**t) / (1 - 0.9**t)
        w = w - rate * m / (np.sqrt(v) + 1e-3)
    return w


def lookahead():
    w, slow = START, START
    for t, g in enumerate(GRADIENTS, 1):
        w = w - 0.1 * g
        if t % 2 == 0:
            w = slow = slow + 0.25 * (w - slow)
    return w


STEPS = {
    "LAMB": (lambda: optimizers.LAMB(0.1, weight_decay=0.01), lamb),
    "AdamW": (lambda: optimizers.AdamW(0.05, learning_rate=0.1), adamw),
    "SGDW": (lambda: optimizers.SGDW(0.05, learning_rate=0.1, momentum=0.9), sgdw),
    "NovoGrad": (lambda: optimizers.NovoGrad(0.1, beta_2=0.5, weight_decay=0.01), novograd),
    "RectifiedAdam": (
        lambda: optimizers.RectifiedAdam(0.1, beta_2=0.9, sma_threshold=1.5),
        rectified_adam,
    ),
    "Yogi": (lambda: optimizers.Yogi(0.1), yogi),
    "Lookahead": (
        lambda: optimizers.Lookahead(tf.keras.optimizers.SGD(0.1), 2, 0.25),
        lookahead,
    ),
}


@pytest.mark.parametrize("traced", [False, True])
@pytest.mark.parametrize("name", STEPS)
def test_steps_by_the_formulas(name, traced):
    make, expected = STEPS[name]
    optimizer = make()
    variable = tf.keras.Variable(START, dtype="float64", name="w")
    optimizer.build([variable])

    def step(g):
        optimizer.apply_gradients([(g, variable)])

    step = tf.function(step) if traced else step
    for g in GRADIENTS:
        step(tf.constant(g))
    np.testing.assert_allclose(variable.numpy(), expected(), rtol=1e-5)
    again = type(optimizer).from_config(optimizer.get_config())
    assert again.get_config() == optimizer.get_config()


def test_averages_of_weights():
    ways = {
        "MovingAverage": optimizers.MovingAverage(tf.keras.optimizers.SGD(0.1), average_decay=0.5),
        "SWA": optimizers.SWA("sgd", start_averaging=0, average_period=1),
        "SWA from the second step on": optimizers.SWA("sgd", start_averaging=1, average_period=1),
    }
    for name, optimizer in ways.items():
        optimizer.learning_rate = 0.1
        variable = tf.keras.Variable(START, dtype="float64")
        weights, average = [START], START
        for g in GRADIENTS:
            optimizer.apply_gradients([(g, variable)])
            weights.append(weights[-1] - 0.1 * g)
            average = 0.5 * average + 0.5 * weights[-1]
        np.testing.assert_allclose(variable.numpy(), weights[-1], rtol=1e-6)
        optimizer.assign_average_vars([variable])
        first = {"SWA": 1, "SWA from the second step on": 2}.get(name)
        expected = average if first is None else np.mean(weights[first:], axis=0)
        np.testing.assert_allclose(variable.numpy(), expected, rtol=1e-6)
    with pytest.raises(ValueError, match="average_period must be at least 1"):
        optimizers.SWA("sgd", average_period=0)


# What tensorflow_addons 0.23 computes on TensorFlow 2.15: steps of 1, from 0.
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"start_step": 3}, 3.9049),
        ({"dynamic_decay": True}, 6.3),
        ({"start_step": 2, "dynamic_decay": True}, 6.5),
    ],
)
def test_moving_averages_that_start_late_or_fast(options, expected):
    variable = tf.Variable(0.0)
    optimizer = optimizers.MovingAverage(tf.keras.optimizers.SGD(1.0), average_decay=0.9, **options)
    for _ in range(7):
        optimizer.apply_gradients([(tf.constant(-1.0), variable)])
    optimizer.assign_average_vars([variable])
    np.testing.assert_allclose(float(variable), expected, rtol=1e-6)


def test_an_optimizer_extended_with_decay():
    optimizer = optimizers.extend_with_decoupled_weight_decay(tf.keras.optimizers.SGD)(
        weight_decay=0.5, learning_rate=0.1, exclude_from_weight_decay=["bias"]
    )
    kernel, bias = (tf.keras.Variable(START, name=name) for name in ("kernel", "bias"))
    zero = np.zeros(3)
    optimizer.apply_gradients([(zero, kernel), (zero, bias)])
    np.testing.assert_allclose(kernel.numpy(), START / 2)
    np.testing.assert_allclose(bias.numpy(), START)


def test_cyclical_rates():
    # Smith 2017: from 0.1 up to 0.5 in four steps, and down again.
    plain = optimizers.TriangularCyclicalLearningRate(0.1, 0.5, 4)
    halved = optimizers.Triangular2CyclicalLearningRate(0.1, 0.5, 4)
    falling = optimizers.ExponentialCyclicalLearningRate(0.1, 0.5, 4, "cycle", 0.9)
    given = optimizers.CyclicalLearningRate(0.1, 0.5, 4, lambda x: 0.25)
    result = [float(plain(step)) for step in (0, 2, 4, 6, 8, 12)]
    np.testing.assert_allclose(result, [0.1, 0.3, 0.5, 0.3, 0.1, 0.5], rtol=1e-6)
    np.testing.assert_allclose([float(halved(s)) for s in (4, 12)], [0.5, 0.3], rtol=1e-6)
    np.testing.assert_allclose(float(falling(12)), 0.1 + 0.4 * 0.81, rtol=1e-6)
    np.testing.assert_allclose(float(given(4)), 0.2, rtol=1e-6)
    again = type(falling).from_config(falling.get_config())
    assert float(again(12)) == float(falling(12))


@pytest.mark.parametrize(
    "make",
    [
        lambda: optimizers.NovoGrad(amsgrad=True),
        lambda: optimizers.RectifiedAdam(amsgrad=True),
        lambda: optimizers.Yogi(activation="tanh"),
    ],
)
def test_what_is_left_out_says_so(make):
    with pytest.raises(NotImplementedError, match="left out"):
        make()


def test_a_model_trains_with_each():
    for name in ("LAMB", "AdamW", "Lookahead"):
        model = tf.keras.Sequential([tf.keras.Input((6,)), tf.keras.layers.Dense(1)])
        optimizer = STEPS[name][0]()
        optimizer.learning_rate = 0.01
        model.compile(optimizer, "mse")
        x = IMAGES.reshape(-1, 6)
        losses = model.fit(x, x[:, :1], epochs=4, verbose=0).history["loss"]
        assert losses[-1] < losses[0]


def test_lamb_saves_which_layers_it_does_not_adapt():
    optimizer = optimizers.LAMB(exclude_from_layer_adaptation=["bias"])
    again = type(optimizer).from_config(optimizer.get_config())
    assert again.exclude_from_layer_adaptation == ["bias"]
