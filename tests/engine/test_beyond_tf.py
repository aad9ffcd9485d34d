"""What gradtape does beyond TensorFlow: Hessians, functional forms, very long tapes, memory."""

import gc
import time
import tracemalloc

import numpy as np
import pytest

# tape.hessian


def test_tape_hessian(tf):
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = x[0] ** 3 * x[1] ** 2
    np.testing.assert_allclose(tape.hessian(y, x).numpy(), [[24.0, 12.0], [12.0, 2.0]], rtol=1e-6)


def test_tape_hessian_of_a_scalar_source(tf):
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = x**4
    hessian = tape.hessian(y, x)
    assert hessian.shape == ()
    assert hessian.numpy() == 48.0


def test_tape_hessian_of_a_matrix_agrees_with_nested_tapes(tf):
    x = tf.constant(np.random.default_rng(0).normal(size=(2, 3)))

    def function():
        return tf.reduce_sum(tf.tanh(tf.matmul(x, x, transpose_b=True)) ** 2)

    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function()
    hessian = tape.hessian(y, x)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = function()
        gradient = inner.gradient(y, x)
    assert hessian.shape == (2, 3, 2, 3)
    np.testing.assert_allclose(hessian.numpy(), outer.jacobian(gradient, x).numpy(), rtol=1e-9)


def test_tape_hessian_of_several_sources_has_blocks(tf):
    a, b = tf.Variable([1.0, 2.0]), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(a**2) * b**2
    blocks = tape.hessian(y, {"a": a, "b": b})
    np.testing.assert_allclose(blocks["a"]["a"].numpy(), 18.0 * np.eye(2))
    np.testing.assert_allclose(blocks["a"]["b"].numpy(), [12.0, 24.0])
    np.testing.assert_allclose(blocks["b"]["a"].numpy(), [12.0, 24.0])
    np.testing.assert_allclose(blocks["b"]["b"].numpy(), 10.0)


def test_tape_hessian_needs_a_scalar(tf):
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = x * x
    with pytest.raises(ValueError, match="scalar"):
        tape.hessian(y, x)


# Functional forms


FUNCTIONAL = [
    "grad",
    "value_and_grad",
    "vjp",
    "jvp",
    "hvp",
    "jacobian",
    "hessian",
    "vmap",
    "per_example_gradients",
]


@pytest.mark.parametrize("name", FUNCTIONAL)
def test_functional_names_stand_at_the_top_and_in_functional(tf, name):
    assert getattr(tf, name) is getattr(tf.functional, name)
    assert getattr(tf, name).__doc__


def test_grad(tf):
    assert tf.grad(lambda x: x**3)(tf.constant(2.0)).numpy() == 12.0
    assert tf.grad(lambda x: x**3)(2.0).numpy() == 12.0


def test_grad_of_grad_of_grad(tf):
    third = tf.grad(tf.grad(tf.grad(lambda x: x**4)))
    assert third(tf.constant(2.0)).numpy() == 48.0


def test_grad_by_chosen_arguments(tf):
    def function(x, y, power=1):
        return (x * y) ** power

    x, y = tf.constant(2.0), tf.constant(3.0)
    assert tf.grad(function, argnums=1)(x, y).numpy() == 2.0
    dx, dy = tf.grad(function, argnums=(0, 1))(x, y, power=2)
    assert (dx.numpy(), dy.numpy()) == (36.0, 24.0)


def test_grad_of_nested_arguments(tf):
    def function(parameters):
        return tf.reduce_sum(parameters["w"] ** 2) + 3.0 * parameters["b"][0]

    gradients = tf.grad(function)({"w": tf.constant([1.0, 2.0]), "b": [tf.constant(1.0)]})
    np.testing.assert_array_equal(gradients["w"].numpy(), [2.0, 4.0])
    assert gradients["b"][0].numpy() == 3.0


def test_grad_of_an_argument_that_does_not_matter_is_zero(tf):
    np.testing.assert_array_equal(
        tf.grad(lambda x: tf.constant(5.0))(tf.constant([1.0, 2.0])).numpy(), [0.0, 0.0]
    )


def test_grad_needs_a_scalar(tf):
    with pytest.raises(ValueError, match="scalar"):
        tf.grad(lambda x: x * x)(tf.constant([1.0, 2.0]))


def test_value_and_grad(tf):
    value, gradient = tf.value_and_grad(lambda x: tf.reduce_sum(x**2))(tf.constant([1.0, 2.0]))
    assert value.numpy() == 5.0
    np.testing.assert_array_equal(gradient.numpy(), [2.0, 4.0])


def test_vjp(tf):
    x, y = tf.constant([1.0, 2.0]), tf.constant(3.0)
    value, pull = tf.vjp(lambda x, y: x * y, x, y)
    np.testing.assert_array_equal(value.numpy(), [3.0, 6.0])
    for _ in range(2):
        dx, dy = pull(tf.constant([1.0, 10.0]))
        np.testing.assert_array_equal(dx.numpy(), [3.0, 30.0])
        assert dy.numpy() == 21.0


def test_jvp(tf):
    x, y = tf.constant([1.0, 2.0]), tf.constant(3.0)
    value, tangent = tf.jvp(
        lambda x, y: x * y, (x, y), (tf.constant([1.0, 0.0]), tf.constant(10.0))
    )
    np.testing.assert_array_equal(value.numpy(), [3.0, 6.0])
    np.testing.assert_array_equal(tangent.numpy(), [13.0, 20.0])


def test_jvp_and_vjp_are_adjoint(tf):
    generator = np.random.default_rng(0)
    x, tangent, cotangent = (tf.constant(generator.normal(size=4)) for _ in range(3))

    def function(x):
        return tf.cumsum(tf.sin(x)) * tf.reduce_sum(x)

    _, moved = tf.jvp(function, (x,), (tangent,))
    (pulled,) = tf.vjp(function, x)[1](cotangent)
    np.testing.assert_allclose(
        np.dot(moved.numpy(), cotangent.numpy()), np.dot(pulled.numpy(), tangent.numpy())
    )


def test_hvp(tf):
    x, vector = tf.constant([1.0, 2.0]), tf.constant([2.0, -3.0])
    (product,) = tf.hvp(lambda x: x[0] ** 3 * x[1] ** 2, (x,), (vector,))
    np.testing.assert_allclose(product.numpy(), [24 * 2 - 12 * 3, 12 * 2 - 2 * 3], rtol=1e-6)


def test_hvp_agrees_with_the_hessian(tf):
    generator = np.random.default_rng(0)
    x, vector = tf.constant(generator.normal(size=5)), tf.constant(generator.normal(size=5))

    def function(x):
        return tf.reduce_sum(tf.exp(tf.sin(x))) * tf.reduce_prod(x)

    (product,) = tf.hvp(function, (x,), (vector,))
    expected = tf.hessian(function)(x).numpy() @ vector.numpy()
    np.testing.assert_allclose(product.numpy(), expected, rtol=1e-10)


@pytest.mark.parametrize("mode", ["auto", "forward", "reverse"])
@pytest.mark.parametrize("columns", [1, 3, 7])
def test_jacobian(tf, mode, columns):
    generator = np.random.default_rng(0)
    x = tf.constant(generator.normal(size=3))
    weights = generator.normal(size=(columns, 3))
    jacobian = tf.jacobian(lambda x: tf.tanh(tf.linalg.matvec(weights, x)), mode=mode)(x)
    slope = 1 - np.tanh(weights @ x.numpy()) ** 2
    np.testing.assert_allclose(jacobian.numpy(), slope[:, None] * weights, rtol=1e-12)


def test_hessian(tf):
    hessian = tf.hessian(lambda x: x[0] ** 3 * x[1] ** 2)(tf.constant([1.0, 2.0]))
    np.testing.assert_allclose(hessian.numpy(), [[24.0, 12.0], [12.0, 2.0]], rtol=1e-6)


def test_vmap(tf):
    matrix = tf.constant(np.arange(6.0).reshape(2, 3))
    np.testing.assert_array_equal(tf.vmap(tf.reduce_sum)(matrix).numpy(), [3.0, 12.0])


def test_vmap_over_chosen_axes(tf):
    matrix = tf.constant(np.arange(6.0).reshape(2, 3))
    vector = tf.constant([1.0, 10.0], tf.float64)
    result = tf.vmap(lambda column, v: tf.reduce_sum(column * v), in_axes=(1, None))(matrix, vector)
    np.testing.assert_array_equal(result.numpy(), [30.0, 41.0, 52.0])


def test_vmap_of_vmap(tf):
    x, y = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0, 5.0])
    outer = tf.vmap(tf.vmap(lambda a, b: a * b, in_axes=(None, 0)), in_axes=(0, None))
    np.testing.assert_array_equal(outer(x, y).numpy(), np.outer([1, 2], [3, 4, 5]))


def test_vmap_of_grad_and_grad_of_vmap(tf):
    x = tf.constant([1.0, 2.0, 3.0])
    slopes = tf.vmap(tf.grad(lambda v: v**3))(x)
    np.testing.assert_allclose(slopes.numpy(), [3.0, 12.0, 27.0])
    gradient = tf.grad(lambda x: tf.reduce_sum(tf.vmap(lambda v: v**3)(x)))(x)
    np.testing.assert_allclose(gradient.numpy(), [3.0, 12.0, 27.0])


def test_vmap_of_different_sizes(tf):
    with pytest.raises(ValueError, match="sizes"):
        tf.vmap(lambda a, b: a + b)(tf.ones(2), tf.ones(3))


def test_tensor_that_leaks_from_vmap(tf):
    leaked = []

    def function(x):
        leaked.append(x * 2.0)
        return x

    tf.vmap(function)(tf.constant([1.0, 2.0]))
    with pytest.raises(RuntimeError, match="vmap"):
        leaked[0] + 1.0
    with pytest.raises(RuntimeError, match="vmap"):
        leaked[0].numpy()


def test_python_branch_on_a_tensor_inside_vmap(tf):
    with pytest.raises(TypeError, match="vmap"):
        tf.vmap(lambda x: x if x > 0.0 else -x)(tf.constant([1.0, -2.0]))


def test_per_example_gradients(tf):
    generator = np.random.default_rng(0)
    weights, bias = tf.Variable(generator.normal(size=3)), tf.Variable(0.5, dtype=tf.float64)
    inputs, labels = tf.constant(generator.normal(size=(4, 3))), tf.constant(np.arange(4.0))

    def loss(x, label):
        return (tf.reduce_sum(weights * x) + bias - label) ** 2

    gradients = tf.per_example_gradients(loss, {"w": weights, "b": bias}, inputs, labels)
    assert gradients["w"].shape == (4, 3)
    assert gradients["b"].shape == (4,)
    for row in range(4):
        with tf.GradientTape() as tape:
            value = loss(inputs[row], labels[row])
        expected = tape.gradient(value, [weights, bias])
        np.testing.assert_allclose(gradients["w"][row].numpy(), expected[0].numpy())
        np.testing.assert_allclose(gradients["b"][row].numpy(), expected[1].numpy())


# What a tape holds on to


def traced_bytes():
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


@pytest.fixture
def traced():
    tracemalloc.start()
    try:
        yield
    finally:
        tracemalloc.stop()


MEGABYTE = 2**20


def long_chain(tf, x, length=20):
    y = x * 1.0
    for _ in range(length):
        y = tf.sin(y)
    return tf.reduce_sum(y)


@pytest.mark.on_host("counts Python's memory, and a device has its own")
def test_reset_outside_the_context_lets_go_of_the_record(tf, traced):
    x = tf.Variable(np.ones(2**17))
    before = traced_bytes()
    with tf.GradientTape(persistent=True) as tape:
        y = long_chain(tf, x)
    assert traced_bytes() - before > 15 * MEGABYTE
    tape.gradient(y, x)
    tape.reset()
    assert traced_bytes() - before < MEGABYTE


def test_tape_can_be_used_again_after_reset_outside_the_context(tf):
    x = tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as tape:
        y = x * x
    assert tape.gradient(y, x).numpy() == 6.0
    tape.reset()
    with tape:
        z = x * x * x
    assert tape.gradient(z, x).numpy() == 27.0
    assert tape.gradient(z, x).numpy() == 27.0


def test_reset_of_a_tape_never_entered_does_nothing(tf):
    tf.GradientTape().reset()


def test_gradient_lets_go_of_the_record_of_a_non_persistent_tape(tf, traced):
    x = tf.Variable(np.ones(2**17))
    before = traced_bytes()
    with tf.GradientTape() as tape:
        y = long_chain(tf, x)
    gradient = tape.gradient(y, x)
    assert traced_bytes() - before < 2 * MEGABYTE
    assert gradient.shape == (2**17,)


def test_tensor_kept_by_the_user_does_not_keep_a_dead_tape_alive(tf, traced):
    x = tf.Variable(np.ones(2**17))
    before = traced_bytes()
    with tf.GradientTape(persistent=True) as tape:
        y = long_chain(tf, x)
    del tape
    assert traced_bytes() - before < MEGABYTE
    assert np.isfinite(y.numpy())


def test_what_no_rule_needs_is_not_kept(tf, traced):
    x = tf.Variable(np.ones(2**17))
    before = traced_bytes()
    with tf.GradientTape() as tape:
        y = x + 0.0
        for _ in range(20):
            y = y + 1.0
        y = tf.reduce_sum(y)
    assert traced_bytes() - before < 3 * MEGABYTE
    assert tape.gradient(y, x).numpy()[0] == 1.0


def test_what_is_not_watched_is_not_kept(tf, traced):
    x, c = tf.Variable(3.0), tf.constant(np.ones(2**17))
    before = traced_bytes()
    with tf.GradientTape(persistent=True) as tape:
        z = long_chain(tf, c)
        y = x * x
    assert traced_bytes() - before < MEGABYTE
    assert tape.gradient(y, x).numpy() == 6.0
    assert tape.gradient(z, c) is None


def test_recompute_grad_frees_memory(tf, traced):
    x = tf.Variable(np.ones(2**17))
    recomputed = tf.recompute_grad(lambda x: long_chain(tf, x))
    before = traced_bytes()
    with tf.GradientTape() as tape:
        y = recomputed(x)
    assert traced_bytes() - before < 2 * MEGABYTE
    gradient = tape.gradient(y, x)
    with tf.GradientTape() as plain:
        y = long_chain(tf, x)
    np.testing.assert_allclose(gradient.numpy(), plain.gradient(y, x).numpy())


@pytest.mark.slow
def test_many_tapes_leave_memory_flat(tf, traced):
    x = tf.Variable([1.0, 2.0])

    def run(count):
        for _ in range(count):
            with tf.GradientTape() as tape:
                y = tf.reduce_sum(x * x)
            tape.gradient(y, x)

    run(100)
    before = traced_bytes()
    run(20_000)
    assert traced_bytes() - before < 100_000


# Length


def chain_seconds(tf, length):
    x = tf.Variable(1.0, dtype=tf.float64)
    begin = time.process_time()
    with tf.GradientTape() as tape:
        y = x * 1.0
        for _ in range(length):
            y = y * 0.999999
    gradient = tape.gradient(y, x)
    elapsed = time.process_time() - begin
    np.testing.assert_allclose(gradient.numpy(), 0.999999**length, rtol=1e-6)
    return elapsed


def test_tape_longer_than_the_recursion_limit(tf):
    chain_seconds(tf, 20_000)


@pytest.mark.slow
def test_million_operations_in_linear_time(tf):
    tenth = chain_seconds(tf, 100_000)
    whole = chain_seconds(tf, 1_000_000)
    assert whole < 30.0
    assert whole < 20.0 * tenth
