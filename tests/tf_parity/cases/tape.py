"""GradientTape itself: what is watched, what is returned, Jacobians, custom gradients."""

from __future__ import annotations

from ..case import CaseList
from ..inputs import integers, normal, positive

case = CaseList()

VECTOR = normal(3)


def add(name, **inputs):
    """Register a function of `tf` and inputs under a name, without an outer derivative."""
    return lambda function: case(name, function, wrt="", **inputs)


@add("nested_sources", x=VECTOR, y=VECTOR)
def _(tf, x, y):
    sources = {"a": x, "b": [y, (x,)]}
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        z = tf.reduce_sum(x * y * y)
    return tape.gradient(z, sources)


@add("several_targets", x=VECTOR)
def _(tf, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        targets = [x * 2.0, {"k": tf.sin(x)}]
    return tape.gradient(targets, x)


@add("persistent", x=VECTOR)
def _(tf, x):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        z = tf.exp(y)
    return tape.gradient(z, x), tape.gradient(z, y), tape.gradient(y, x)


@add("intermediate_source", x=VECTOR)
def _(tf, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        z = y * y
    return tape.gradient(z, y)


@add("target_is_source", x=VECTOR)
def _(tf, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
    return tape.gradient(x, x)


@add("target_and_source_among_others", x=VECTOR)
def _(tf, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * 3.0
    return tape.gradient([x, y], [x, y])


@add("unconnected_none", x=VECTOR, y=VECTOR)
def _(tf, x, y):
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        z = x * 2.0
    return tape.gradient(z, [x, y])


@add("unconnected_zero", x=VECTOR, y=normal(2, 2))
def _(tf, x, y):
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        z = x * 2.0
    return tape.gradient(z, [x, y], unconnected_gradients=tf.UnconnectedGradients.ZERO)


@add("unconnected_zero_by_name", x=VECTOR, y=VECTOR)
def _(tf, x, y):
    with tf.GradientTape() as tape:
        tape.watch(x)
        z = x * 2.0
    return tape.gradient(z, {"y": y}, unconnected_gradients="zero")


@add("not_watched_gives_none", x=VECTOR)
def _(tf, x):
    with tf.GradientTape() as tape:
        y = x * x
    return tape.gradient(y, x)


@add("output_gradients", x=VECTOR)
def _(tf, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    return tape.gradient(y, x, output_gradients=tf.constant([1.0, 10.0, 100.0]))


@add("stop_recording", x=VECTOR)
def _(tf, x):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        with tape.stop_recording():
            z = y * 2.0
        w = y * 3.0
    return tape.gradient(y, x), tape.gradient(z, x), tape.gradient(w, x)


@add("reset", x=VECTOR)
def _(tf, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        tape.reset()
        tape.watch(x)
        z = x * 5.0
    return tape.gradient([y, z], x)


@add("variables_are_watched", v=VECTOR, w=VECTOR)
def _(tf, v, w):
    first, second = tf.Variable(v), tf.Variable(w, trainable=False)
    with tf.GradientTape() as tape:
        y = first * second
    return tape.gradient(y, [first, second]), len(tape.watched_variables())


@add("variables_not_watched", v=VECTOR)
def _(tf, v):
    first, second = tf.Variable(v), tf.Variable(v)
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(first)
        y = first * second
    return tape.gradient(y, [first, second])


@add("gradient_inside_the_context", x=VECTOR)
def _(tf, x):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        g = tape.gradient(y, x)
        z = g * x
    return g, tape.gradient(z, x)


@add("nested_tapes", x=VECTOR)
def _(tf, x):
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x**3
        first = inner.gradient(y, x)
    return first, outer.gradient(first, x)


@add("third_derivative", x=VECTOR)
def _(tf, x):
    tapes = [tf.GradientTape() for _ in range(3)]
    with tapes[0]:
        tapes[0].watch(x)
        with tapes[1]:
            tapes[1].watch(x)
            with tapes[2]:
                tapes[2].watch(x)
                y = tf.sin(x) * x
            first = tapes[2].gradient(y, x)
        second = tapes[1].gradient(first, x)
    return first, second, tapes[0].gradient(second, x)


@add("two_tapes_at_once", x=VECTOR, y=VECTOR)
def _(tf, x, y):
    with tf.GradientTape() as left, tf.GradientTape() as right:
        left.watch(x)
        right.watch(y)
        z = tf.sin(x * y)
    return left.gradient(z, [x, y]), right.gradient(z, [x, y])


@add("inner_gradient_is_not_recorded", x=VECTOR)
def _(tf, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.stop_gradient(x * x) * x
    return tape.gradient(y, x)


@add("integer_source_gives_none", i=integers(3))
def _(tf, i):
    with tf.GradientTape() as tape:
        x = tf.cast(i, tf.float32)
        tape.watch(x)
        y = x * 2.0
    return tape.gradient(y, [x, i])


@add("fan_out", x=VECTOR)
def _(tf, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * 2.0
        z = y * y + tf.sin(y) + y
    return tape.gradient(z, [x, y])


@add("same_source_twice", x=VECTOR)
def _(tf, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    return tape.gradient(y, [x, x])


@add("jacobian", x=VECTOR)
def _(tf, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.stack([x[0] * x[1], x[2] ** 2])
    return tape.jacobian(y, x)


@add("jacobian_matrix_by_matrix", x=normal(2, 3))
def _(tf, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.matmul(x, x, transpose_b=True)
    return tape.jacobian(y, x)


@add("jacobian_nested", x=VECTOR, y=normal(2))
def _(tf, x, y):
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        z = x[:, None] * tf.exp(y)
    return tape.jacobian(z, {"x": x, "y": y})


@add("jacobian_of_scalar", x=VECTOR)
def _(tf, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(x**3)
    return tape.jacobian(y, x)


@add("jacobian_unconnected", x=VECTOR, y=VECTOR)
def _(tf, x, y):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, y])
        z = x * 2.0
    return tape.jacobian(z, [y]), tape.jacobian(z, [y], unconnected_gradients="zero")


@add("jacobian_loop", x=VECTOR)
def _(tf, x):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.sin(x) * tf.reduce_sum(x)
    return tape.jacobian(y, x, experimental_use_pfor=False)


@add("hessian_by_jacobian", x=VECTOR)
def _(tf, x):
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.reduce_sum(x**3) * x[0]
        gradient = inner.gradient(y, x)
    return outer.jacobian(gradient, x)


@add("batch_jacobian", x=normal(4, 3))
def _(tf, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.stack([x[:, 0] * x[:, 1], tf.exp(x[:, 2])], axis=1)
    return tape.batch_jacobian(y, x)


@add("batch_jacobian_of_layer", x=normal(3, 2), w=normal(2, 4))
def _(tf, x, w):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.tanh(x @ w)
    return tape.batch_jacobian(y, x)


@add("forward_accumulator", x=VECTOR, t=VECTOR)
def _(tf, x, t):
    with tf.autodiff.ForwardAccumulator(x, t) as forward:
        y = tf.sin(x) * x
        z = tf.reduce_sum(y)
    return forward.jvp(y), forward.jvp(z)


@add("forward_accumulator_unconnected", x=VECTOR, t=VECTOR, y=VECTOR)
def _(tf, x, t, y):
    with tf.autodiff.ForwardAccumulator(x, t) as forward:
        z = y * 2.0
    return forward.jvp(z), forward.jvp(z, unconnected_gradients=tf.UnconnectedGradients.ZERO)


@add("forward_accumulator_structure", x=VECTOR, y=VECTOR)
def _(tf, x, y):
    with tf.autodiff.ForwardAccumulator([x, y], [tf.ones(3), 2.0 * tf.ones(3)]) as forward:
        z = {"product": x * y, "sum": x + y}
    return forward.jvp(z)


@add("hessian_vector_product", x=VECTOR, t=VECTOR)
def _(tf, x, t):
    with tf.autodiff.ForwardAccumulator(x, t) as forward:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(tf.exp(x) * x**2)
        gradient = tape.gradient(y, x)
    return gradient, forward.jvp(gradient)


def _log1pexp(tf):
    @tf.custom_gradient
    def function(x):
        e = tf.exp(x)
        return tf.math.log(1 + e), lambda upstream: upstream * (1 - 1 / (1 + e))

    return function


def _two_outputs(tf):
    @tf.custom_gradient
    def function(x, y):
        def backward(first, second):
            return first * 10.0 + second, second * y

        return (x * y, x + y), backward

    return function


case("custom_gradient", lambda tf, x: _log1pexp(tf)(x), x=VECTOR)
case("custom_gradient_two", lambda tf, x, y: _two_outputs(tf)(x, y), x=VECTOR, y=VECTOR)
case("custom_gradient_in_chain", lambda tf, x: tf.sin(_log1pexp(tf)(x * x)), x=VECTOR)
case("recompute_grad", lambda tf, x: tf.recompute_grad(lambda a: tf.sin(a) * a)(x), x=VECTOR)
case(
    "recompute_grad_of_variable",
    lambda tf, v: tf.recompute_grad(lambda a: a * a * 2.0)(v * 1.0),
    variables="v",
    v=VECTOR,
)
case("second_derivative_through_custom", lambda tf, x: _gradient_of(tf, _log1pexp(tf), x), x=VECTOR)
case("gradient_as_function", lambda tf, x: _gradient_of(tf, lambda a: tf.exp(a) * a, x), x=VECTOR)
case(
    "gradient_penalty",
    lambda tf, x: tf.reduce_sum(_gradient_of(tf, lambda a: tf.tanh(a) ** 2, x) ** 2),
    x=VECTOR,
)
case(
    "log_of_gradient", lambda tf, x: tf.math.log(_gradient_of(tf, lambda a: a**4, x)), x=positive(3)
)


def _gradient_of(tf, function, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    return tape.gradient(y, x)


@add("custom_gradient_with_variable", x=VECTOR, w=VECTOR)
def _(tf, x, w):
    weight = tf.Variable(w)

    @tf.custom_gradient
    def function(x):
        def backward(upstream, variables=None):
            return upstream * 7.0, [upstream * 5.0 for _ in variables]

        return weight * x, backward

    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    return tape.gradient(y, [x, weight])


@add("indexed_slices", x=normal(4, 2))
def _(tf, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.gather(x, [2, 0, 2]) * 3.0
    gradient = tape.gradient(y, x)
    return gradient.values, gradient.indices, gradient.dense_shape, tf.convert_to_tensor(gradient)


@add("indexed_slices_of_two_reads", v=normal(4, 2))
def _(tf, v):
    table = tf.Variable(v)
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.gather(table, [0, 1])) + tf.reduce_sum(2.0 * tf.gather(table, [1]))
    gradient = tape.gradient(y, table)
    return isinstance(gradient, tf.IndexedSlices), tf.convert_to_tensor(gradient)
