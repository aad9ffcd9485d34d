"""Programs written for TensorFlow 2 run with nothing but their import line changed.

They are the examples of five explanations of how TensorFlow computes gradients. Where an
explanation gives a wrong number, the test has the right one, and says so.
"""

import contextlib
import io
import math

import numpy as np
import pytest

SCALAR = """
import tensorflow as tf

x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = x**2
dy_dx = tape.gradient(y, x)
print(f"dy/dx: {dy_dx.numpy()}")
"""

SEVERAL_VARIABLES = """
import tensorflow as tf

x = tf.Variable(2.0)
y = tf.Variable(3.0)
with tf.GradientTape() as tape:
    z = x**2 + y**3
dz_dx, dz_dy = tape.gradient(z, [x, y])
print(f"dz/dx: {dz_dx.numpy()}, dz/dy: {dz_dy.numpy()}")
"""

CUSTOM_GRADIENT = """
import tensorflow as tf

@tf.custom_gradient
def my_complex_op(x):
    y = tf.math.sin(x) * tf.math.exp(x)

    def grad(dy):
        return dy * (tf.math.cos(x) * tf.math.exp(x) + tf.math.sin(x) * tf.math.exp(x))

    return y, grad

x = tf.Variable(1.0)
with tf.GradientTape() as tape:
    z = my_complex_op(x)

dz_dx = tape.gradient(z, x)
print(f"dz/dx: {dz_dx.numpy()}")
"""

SCALAR_PRINTED = """
import tensorflow as tf

x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = x**2

dy_dx = tape.gradient(y, x)
print(dy_dx)
"""

SEVERAL_VARIABLES_PRINTED = """
import tensorflow as tf

x = tf.Variable(3.0)
y = tf.Variable(2.0)
with tf.GradientTape() as tape:
    z = x**2 + y**3

dz_dx, dz_dy = tape.gradient(z, [x, y])
print(dz_dx)
print(dz_dy)
"""

PERSISTENT = """
import tensorflow as tf

x = tf.Variable(3.0)
with tf.GradientTape(persistent=True) as tape:
    y = x**2
    z = y**2

dy_dx = tape.gradient(y, x)
dz_dx = tape.gradient(z, x)
del tape

print(dy_dx)
print(dz_dx)
"""

LINEAR_REGRESSION = """
import tensorflow as tf

w = tf.Variable(2.0)
b = tf.Variable(1.0)
x = tf.constant([1.0, 2.0, 3.0, 4.0])
y = tf.constant([3.0, 5.0, 7.0, 9.0])

with tf.GradientTape() as tape:
    y_hat = w * x + b
    loss = tf.reduce_mean(tf.square(y_hat - y))

gradients = tape.gradient(loss, [w, b])

print(f"Gradient with respect to w: {gradients[0].numpy()}")
print(f"Gradient with respect to b: {gradients[1].numpy()}")
"""

INTERMEDIATE = """
import tensorflow as tf

x = tf.Variable(2.0)

with tf.GradientTape() as tape:
    y = x**2
    z = y + x

grad_x = tape.gradient(z, x)
print(f"Gradient of z with respect to x: {grad_x.numpy()}")
"""

WATCHED_CONSTANT = """
import tensorflow as tf

x = tf.constant(2.0)

with tf.GradientTape() as tape:
    tape.watch(x)
    y = x**2

grad_x = tape.gradient(y, x)

print(f"Gradient of y with respect to x: {grad_x.numpy()}")
"""

NAMED_VARIABLES = """
import tensorflow as tf

x = tf.Variable(3.0, name='x', dtype=tf.float32)
y = tf.Variable(2.0, name='y', dtype=tf.float32)

with tf.GradientTape() as tape:
  z = x**2 + y*x - 3*y

gradients = tape.gradient(z, [x, y])

print(f"Gradient of z with respect to x: {gradients[0]}")
print(f"Gradient of z with respect to y: {gradients[1]}")
"""

KERAS_TRAINING_STEP = """
import tensorflow as tf

model = tf.keras.models.Sequential([
  tf.keras.layers.Dense(units=10, activation='relu', input_shape=(5,)),
  tf.keras.layers.Dense(units=2)
])

input_data = tf.random.normal((32, 5))
labels = tf.random.normal((32, 2))

loss_function = tf.keras.losses.MeanSquaredError()

with tf.GradientTape() as tape:
    predictions = model(input_data)
    loss = loss_function(labels, predictions)

gradients = tape.gradient(loss, model.trainable_variables)

optimizer = tf.keras.optimizers.Adam(learning_rate=0.001)
optimizer.apply_gradients(zip(gradients, model.trainable_variables))

for g in gradients[:3]:
   print(g)
"""

CUSTOM_RELU = """
import tensorflow as tf

@tf.custom_gradient
def custom_relu(x):
    def grad(dy):
        return dy * tf.cast(x > 0, tf.float32) * 2
    return tf.nn.relu(x), grad


x = tf.Variable(tf.random.normal((3,)))

with tf.GradientTape() as tape:
  y = custom_relu(x)
  z = tf.reduce_sum(y)

gradients = tape.gradient(z, x)

print(f"Gradient of z with respect to x:\\n {gradients}")
"""

LINEAR_LAYER = """
import tensorflow as tf

W = tf.Variable(tf.random.normal([2, 1]))
b = tf.Variable(tf.zeros([1]))
x = tf.constant([[1.0, 2.0]])

with tf.GradientTape() as tape:
  y = tf.matmul(x, W) + b
  loss = tf.reduce_mean(tf.square(y - tf.constant([[3.0]])))

dW, db = tape.gradient(loss, [W, b])
print(dW)
print(db)
"""

KERAS_SGD = """
import tensorflow as tf
from tensorflow import keras

model = keras.Sequential([
    keras.layers.Dense(1, input_shape=(2,), activation='linear')
])
optimizer = tf.keras.optimizers.SGD(learning_rate=0.01)
x_train = tf.constant([[1.0, 2.0], [3.0, 4.0]])
y_train = tf.constant([[3.0], [7.0]])

with tf.GradientTape() as tape:
    predictions = model(x_train)
    loss = tf.keras.losses.mean_squared_error(y_train, predictions)

gradients = tape.gradient(loss, model.trainable_variables)
optimizer.apply_gradients(zip(gradients, model.trainable_variables))
"""


@pytest.fixture
def run(tf):
    """Run a program on the module under test; its names, and what it printed."""

    def run_program(text):
        imports = {
            "import tensorflow as tf": f"import {tf.__name__} as tf",
            "from tensorflow import keras": f"from {tf.__name__} import keras",
        }
        for original, changed in imports.items():
            text = text.replace(original, changed)
        names, printed = {}, io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(text, "program", "exec"), names)
        return names, printed.getvalue()

    return run_program


@pytest.fixture
def keras(tf):
    if not hasattr(tf, "keras"):
        pytest.skip("gradtape.keras, the Keras backend, is not part of this version")
    return tf.keras


# The first document


def test_scalar(run):
    assert run(SCALAR)[1] == "dy/dx: 6.0\n"


def test_several_variables(run):
    assert run(SEVERAL_VARIABLES)[1] == "dz/dx: 4.0, dz/dy: 27.0\n"


def test_custom_gradient(run):
    names, printed = run(CUSTOM_GRADIENT)
    expected = math.e * (math.cos(1.0) + math.sin(1.0))
    np.testing.assert_allclose(names["dz_dx"].numpy(), expected, rtol=1e-6)
    assert printed == f"dz/dx: {names['dz_dx'].numpy()}\n"


# The second document


def test_scalar_printed(run):
    assert run(SCALAR_PRINTED)[1] == "tf.Tensor(6.0, shape=(), dtype=float32)\n"


def test_several_variables_printed(run):
    assert run(SEVERAL_VARIABLES_PRINTED)[1] == (
        "tf.Tensor(6.0, shape=(), dtype=float32)\ntf.Tensor(12.0, shape=(), dtype=float32)\n"
    )


def test_persistent_tape(run):
    # The document says 36 for the second; z is x⁴, so it is 4 · 3³.
    assert run(PERSISTENT)[1] == (
        "tf.Tensor(6.0, shape=(), dtype=float32)\ntf.Tensor(108.0, shape=(), dtype=float32)\n"
    )


# The third document


def test_linear_regression(run):
    # The document says 19 and 4; but the data lie on the line, so the loss is least there.
    assert run(LINEAR_REGRESSION)[1] == (
        "Gradient with respect to w: 0.0\nGradient with respect to b: 0.0\n"
    )


def test_intermediate_operation(run):
    assert run(INTERMEDIATE)[1] == "Gradient of z with respect to x: 5.0\n"


def test_watched_constant(run):
    assert run(WATCHED_CONSTANT)[1] == "Gradient of y with respect to x: 4.0\n"


# The fourth document


def test_named_variables(run):
    # The document says -1 for y; the derivative is x - 3, and x is 3.
    names, printed = run(NAMED_VARIABLES)
    assert printed == (
        "Gradient of z with respect to x: 8.0\nGradient of z with respect to y: 0.0\n"
    )
    assert names["x"].name == "x:0"


def test_custom_relu(run):
    names, printed = run(CUSTOM_RELU)
    expected = np.where(names["x"].numpy() > 0, 2.0, 0.0)
    np.testing.assert_array_equal(names["gradients"].numpy(), expected)
    assert printed == f"Gradient of z with respect to x:\n {names['gradients'].numpy()}\n"


@pytest.mark.keras
@pytest.mark.filterwarnings("ignore:Do not pass an `input_shape`:UserWarning")
def test_keras_training_step(run, keras):
    names, printed = run(KERAS_TRAINING_STEP)
    # The first step of Adam goes against the gradient, by the learning rate, whatever its size;
    # going back gives the weights that the gradients were taken at.
    first, first_bias, second, second_bias = (
        variable.numpy() + 0.001 * gradient.numpy() / (np.abs(gradient.numpy()) + 1e-7)
        for variable, gradient in zip(
            names["model"].trainable_variables, names["gradients"], strict=True
        )
    )
    x, labels = names["input_data"].numpy(), names["labels"].numpy()
    hidden = x @ first + first_bias
    active = np.maximum(hidden, 0.0)
    error = 2.0 * (active @ second + second_bias - labels) / labels.size
    by_hidden = (error @ second.T) * (hidden > 0)
    expected = [x.T @ by_hidden, by_hidden.sum(0), active.T @ error, error.sum(0)]
    for gradient, value in zip(names["gradients"], expected, strict=True):
        np.testing.assert_allclose(gradient.numpy(), value, rtol=1e-3, atol=1e-5)
    assert printed.count("tf.Tensor(") == 3


# The fifth document


def test_linear_layer(run):
    names, printed = run(LINEAR_LAYER)
    error = 2.0 * (names["W"].numpy()[0, 0] + 2.0 * names["W"].numpy()[1, 0] - 3.0)
    np.testing.assert_allclose(names["dW"].numpy(), [[error], [2.0 * error]], rtol=1e-5)
    np.testing.assert_allclose(names["db"].numpy(), [error], rtol=1e-5)
    assert printed == f"{names['dW']!s}\n{names['db']!s}\n"


@pytest.mark.keras
@pytest.mark.filterwarnings("ignore:Do not pass an `input_shape`:UserWarning")
def test_keras_with_sgd(run, keras):
    if not hasattr(keras.losses, "mean_squared_error"):
        pytest.skip("Keras 3 by itself no longer has losses.mean_squared_error")
    # The loss has one value for each row, so the tape differentiates their sum.
    names, _ = run(KERAS_SGD)
    by_weights, by_bias = (gradient.numpy() for gradient in names["gradients"])
    weights, bias = (variable.numpy() for variable in names["model"].trainable_variables)
    x, y = names["x_train"].numpy(), names["y_train"].numpy()
    error = 2.0 * (x @ (weights + 0.01 * by_weights) + (bias + 0.01 * by_bias) - y)
    np.testing.assert_allclose(by_weights, x.T @ error, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(by_bias, error.sum(0), rtol=1e-4, atol=1e-4)
