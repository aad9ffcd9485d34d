"""Random ops inside of vectorized functions: numbers for each example, as in TensorFlow."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf

ZEROS = tf.zeros(5)
DRAWS = {
    "normal": lambda a: a + tf.random.normal(()),
    "truncated_normal": lambda a: a + tf.random.truncated_normal((2,)),
    "uniform": lambda a: a + tf.random.uniform((3,)),
    "integers": lambda a: tf.random.uniform((), maxval=10**6, dtype=tf.int32),
    "dropout": lambda a: tf.nn.dropout(tf.ones(40) + a, 0.5),
    "shuffle": lambda a: tf.random.shuffle(tf.range(20.0) + a),
    "categorical": lambda a: tf.random.categorical(tf.ones((1, 50)) + a, 20),
    "gamma": lambda a: a + tf.random.gamma((2,), 1.0),
    "poisson": lambda a: tf.random.poisson((9,), 50.0),
}


@pytest.mark.parametrize("name", DRAWS)
@pytest.mark.parametrize("in_a_function", [False, True])
def test_each_example_draws_its_own(name, in_a_function):
    def call():
        return tf.vectorized_map(DRAWS[name], ZEROS)

    tf.random.set_seed(1)
    rows = (tf.function(call) if in_a_function else call)().numpy()
    assert len({row.tobytes() for row in rows}) == len(rows)


def test_numbers_are_tensorflows():
    """Those of TensorFlow 2.21, where an op seed decides them."""
    tf.random.set_seed(1)
    drawn = tf.vectorized_map(lambda a: a + tf.random.uniform((2,), seed=3), tf.zeros(3))
    np.testing.assert_array_equal(
        drawn,
        np.float32([[0.7787856, 0.80119777], [0.72437465, 0.23089433], [0.72714126, 0.18039072]]),
    )


@pytest.mark.parametrize("name", ["normal", "gamma"])
def test_in_nested_vmaps(name):
    rows = tf.vmap(lambda _: tf.vmap(DRAWS[name])(tf.zeros(4)))(tf.zeros(3)).numpy()
    assert rows.shape[:2] == (3, 4)
    assert len({row.tobytes() for row in rows.reshape(12, -1)}) == 12


def test_gradients_of_each_example_have_their_own_noise():
    v = tf.Variable(1.0)
    [gradients] = tf.per_example_gradients(lambda x: v * (x + tf.random.normal(())), [v], ZEROS)
    assert len(set(gradients.numpy().tolist())) == 5


def test_the_columns_of_a_jacobian_share_their_numbers():
    tf.random.set_seed(1)
    jacobian = tf.jacobian(lambda x: x * tf.random.normal((3,)), mode="forward")(tf.ones(3))
    tf.random.set_seed(1)
    np.testing.assert_allclose(jacobian, np.diag(tf.random.normal((3,))))


def test_after_a_mapped_function_has_failed_draws_are_those_of_one():
    def fails(x):
        raise KeyError("of the function")

    with pytest.raises(KeyError):
        tf.vmap(fails)(ZEROS)
    assert tf.random.normal((2,)).shape == (2,)


def test_a_loop_in_a_mapped_function():
    def walk(a):
        return tf.while_loop(
            lambda i, x: i < 3, lambda i, x: (i + 1, x + tf.random.normal(())), (0, a)
        )[1]

    assert np.isfinite(tf.vectorized_map(walk, ZEROS)).all()
    assert np.isfinite(tf.function(lambda: tf.vectorized_map(walk, ZEROS))()).all()
