"""gradtape and TensorFlow: the same code for both; only the imported module differs."""

from __future__ import annotations

import importlib

import numpy as np

EPSILON = 1e-5


class Library:
    """The operations in TensorFlow's terms."""

    def __init__(self, name: str, form: str) -> None:
        self.name, self.form = name, form
        self.tf = tf = importlib.import_module(name)
        self.version = tf.__version__
        self.compiled = {
            "function": tf.function,
            "xla": lambda f: tf.function(f, jit_compile=True),
        }.get(form, lambda f: f)
        # Bound here, so that a call costs what it costs a program.
        self.sin, self.exp, self.tanh, self.sigmoid = tf.sin, tf.exp, tf.tanh, tf.sigmoid
        self.relu, self.softplus, self.softmax = tf.nn.relu, tf.nn.softplus, tf.nn.softmax
        self.sum, self.mean, self.square = tf.reduce_sum, tf.reduce_mean, tf.square
        self.reshape, self.transpose, self.take = tf.reshape, tf.transpose, tf.gather
        self.matmul = tf.matmul
        self._lstm_layer = None

    # --- values ------------------------------------------------------------------------------

    def constant(self, array: np.ndarray):
        return self.tf.constant(array)

    image = constant

    def parameter(self, array: np.ndarray):
        return self.tf.Variable(array)

    kernel = image_parameter = parameter

    def numpy(self, x) -> np.ndarray:
        return np.asarray(x)

    # --- operations --------------------------------------------------------------------------

    def gelu(self, x):
        return self.tf.nn.gelu(x, approximate=True)

    def cross_entropy(self, logits, labels):
        losses = self.tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
        return self.tf.reduce_mean(losses)

    def layer_norm(self, x, scale, shift):
        tf = self.tf
        mean, variance = tf.nn.moments(x, -1, keepdims=True)
        return tf.nn.batch_normalization(x, mean, variance, shift, scale, EPSILON)

    def batch_norm(self, x, scale, shift):
        tf = self.tf
        if self.name == "tensorflow":  # one kernel there
            return tf.compat.v1.nn.fused_batch_norm(x, scale, shift, epsilon=EPSILON)[0]
        mean, variance = tf.nn.moments(x, [0, 1, 2])
        return tf.nn.batch_normalization(x, mean, variance, shift, scale, EPSILON)

    def conv(self, x, kernel, padding: str):
        return self.tf.nn.conv2d(x, kernel, 1, padding)

    def max_pool(self, x):
        return self.tf.nn.max_pool2d(x, 2, 2, "VALID")

    def flat(self, x):
        return self.tf.reshape(x, (x.shape[0], -1))

    def attention(self, q, k, v, causal: bool):
        tf = self.tf
        scores = tf.matmul(q, k, transpose_b=True) * (1 / np.sqrt(q.shape[-1]))
        if causal:
            length = q.shape[-2]
            mask = np.triu(np.full((length, length), -1e9, np.float32), 1)
            scores = scores + mask
        return tf.nn.softmax(scores) @ v

    def lstm(self, x, kernel, recurrent, bias):
        """The last state of a layer over (batch, time, features).

        gradtape computes it by Keras's layer, TensorFlow by a Python loop of plain ops.
        """
        tf = self.tf
        if self.name == "gradtape":
            return self._keras_lstm(x, kernel, recurrent, bias)
        h = c = tf.zeros((x.shape[0], recurrent.shape[0]))
        inputs = tf.unstack(tf.transpose(x @ kernel + bias, (1, 0, 2)))
        for step in inputs:
            i, f, g, o = tf.split(step + h @ recurrent, 4, axis=1)
            c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
            h = tf.sigmoid(o) * tf.tanh(c)
        return h

    def _keras_lstm(self, x, *weights):
        if self._lstm_layer is None:
            self._lstm_layer = self.tf.keras.layers.LSTM(weights[1].shape[0])
            self._lstm_layer.build(x.shape)
        layer = self._lstm_layer
        given = [self.tf.identity(each) for each in weights]
        return layer.stateless_call(given, layer.non_trainable_variables, x)[0]

    # --- gradients ---------------------------------------------------------------------------

    def gradients(self, function, parameters, *data):
        """A step that gives the gradients of `function(parameters, *data)`."""
        tf = self.tf

        @self.compiled
        def step():
            with tf.GradientTape() as tape:
                value = function(parameters, *data)
            return tape.gradient(value, parameters)

        return step

    def train(self, loss, parameters, rate: float, *data):
        """A step of plain gradient descent, which gives the loss."""
        tf = self.tf

        @self.compiled
        def step():
            with tf.GradientTape() as tape:
                value = loss(parameters, *data)
            for variable, gradient in zip(
                parameters, tape.gradient(value, parameters), strict=True
            ):
                self._descend(variable, gradient, rate)
            return value

        return step

    def _descend(self, variable, gradient, rate: float) -> None:
        if isinstance(gradient, self.tf.IndexedSlices):  # some rows of a table
            rows = self.tf.IndexedSlices(rate * gradient.values, gradient.indices)
            variable.scatter_sub(rows)
        else:
            variable.assign_sub(rate * gradient)

    def scalar(self, function, at: float):
        """A step that gives the derivative of a function of one number."""
        tf = self.tf
        x = tf.Variable(at)

        @self.compiled
        def step():
            with tf.GradientTape() as tape:
                y = function(x)
            return tape.gradient(y, x)

        return step

    def loop(self, body, count: int):
        """y = body(y, x), so many times: a Python loop, which AutoGraph makes a loop of its own."""
        tf = self.tf
        if self.form in ("eager", "no extension"):
            return lambda x: _python_loop(body, x, count)

        def run(x):
            y = tf.identity(x)
            for _ in tf.range(count):
                y = body(y, x)
            return y

        return run

    def sparse_train(self, loss, table, rate: float, indices, *data):
        """A step of gradient descent on the rows of a table that were looked up."""
        tf = self.tf

        @self.compiled
        def step():
            with tf.GradientTape() as tape:
                value = loss(tf.gather(table, indices), *data)
            self._descend(table, tape.gradient(value, table), rate)
            return value

        return step

    def adam(self, parameters, gradients, rate: float):
        """A step of Adam with given gradients."""
        optimizer = self.tf.keras.optimizers.Adam(rate)
        optimizer.build(parameters)
        pairs = list(zip(gradients, parameters, strict=True))

        @self.compiled
        def step():
            optimizer.apply_gradients(pairs)
            return parameters[0]

        return step

    def jacobian(self, function, at: np.ndarray):
        tf = self.tf
        x = tf.Variable(at)

        @self.compiled
        def step():
            with tf.GradientTape() as tape:
                y = function(x)
            return tape.jacobian(y, x)

        return step

    def hessian(self, function, at: np.ndarray):
        tf = self.tf
        x = tf.Variable(at)

        @self.compiled
        def step():
            with tf.GradientTape() as outer:
                with tf.GradientTape() as inner:
                    y = function(x)
                gradient = inner.gradient(y, x)
            return outer.jacobian(gradient, x)

        return step


def _python_loop(body, x, count: int):
    y = x
    for _ in range(count):
        y = body(y, x)
    return y
