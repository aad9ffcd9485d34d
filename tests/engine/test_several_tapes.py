"""Several tapes: at once, nested for higher order, in threads, tasks and generators."""

import asyncio
import threading

import numpy as np

# Several tapes


def test_two_tapes_at_once_record_the_same_operations(tf):
    x = tf.Variable(3.0)
    with tf.GradientTape() as first, tf.GradientTape() as second:
        y = x * x
    assert first.gradient(y, x).numpy() == 6.0
    assert second.gradient(y, x).numpy() == 6.0


def test_two_tapes_at_once_for_two_losses(tf):
    generator, critic = tf.Variable(2.0), tf.Variable(5.0)
    with tf.GradientTape() as for_generator, tf.GradientTape() as for_critic:
        score = critic * generator * generator
        generator_loss, critic_loss = -score, score * score
    assert for_generator.gradient(generator_loss, generator).numpy() == -20.0
    assert for_critic.gradient(critic_loss, critic).numpy() == 160.0


def test_interleaved_exits(tf):
    x = tf.Variable(3.0)
    first, second = tf.GradientTape(), tf.GradientTape()
    first.__enter__()
    second.__enter__()
    y = x * x
    first.__exit__(None, None, None)
    z = y * x
    second.__exit__(None, None, None)
    assert first.gradient([y, z], x).numpy() == 6.0
    assert second.gradient(z, x).numpy() == 27.0


def test_third_derivative_through_nested_tapes(tf):
    x = tf.Variable(2.0)
    with tf.GradientTape() as third:
        with tf.GradientTape() as second:
            with tf.GradientTape() as first:
                y = x**4
            dy = first.gradient(y, x)
        d2y = second.gradient(dy, x)
    d3y = third.gradient(d2y, x)
    assert (dy.numpy(), d2y.numpy(), d3y.numpy()) == (32.0, 48.0, 48.0)


def test_derivatives_of_sine_to_fourth_order(tf):
    x = tf.constant(0.7, tf.float64)

    def derivative(function):
        def differentiated(value):
            with tf.GradientTape() as tape:
                tape.watch(value)
                result = function(value)
            return tape.gradient(result, value)

        return differentiated

    function = tf.sin
    for expected in (np.cos(0.7), -np.sin(0.7), -np.cos(0.7), np.sin(0.7)):
        function = derivative(function)
        np.testing.assert_allclose(function(x).numpy(), expected, rtol=1e-12)


def test_mixed_second_derivative(tf):
    x, y = tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            z = x * x * y
        dx = inner.gradient(z, x)
    by_x, by_y = outer.gradient(dx, [x, y])
    assert by_x.numpy() == 6.0
    assert by_y.numpy() == 4.0


def test_second_derivative_of_a_linear_function_is_none(tf):
    x = tf.Variable(2.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = 3.0 * x
        dx = inner.gradient(y, x)
    assert dx.numpy() == 3.0
    assert outer.gradient(dx, x) is None


def test_inner_gradient_outside_the_outer_tape_is_a_constant(tf):
    x = tf.Variable(3.0)
    with tf.GradientTape() as outer, tf.GradientTape() as inner:
        y = x * x
    dx = inner.gradient(y, x)
    assert outer.gradient(dx, x) is None


def test_gradient_penalty(tf):
    weight = tf.Variable([[1.0], [2.0]])
    x = tf.constant([[3.0, 4.0]])
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.matmul(x, weight) ** 2
        dx = inner.gradient(y, x)
        penalty = tf.reduce_sum(dx * dx)
    # dx = 2 (x·w) w, so the penalty is 4 (x·w)² |w|².
    dot, squared = 11.0, 5.0
    expected = 8 * dot * squared * np.array([[3.0], [4.0]])
    expected += 8 * dot**2 * np.array([[1.0], [2.0]])
    np.testing.assert_allclose(outer.gradient(penalty, weight).numpy(), expected, rtol=1e-6)


# Threads, tasks, generators


def test_thread_does_not_record_on_the_tape_of_another(tf):
    x = tf.Variable(3.0)
    results = []
    with tf.GradientTape() as tape:
        thread = threading.Thread(target=lambda: results.append(x * x))
        thread.start()
        thread.join()
    assert tape.watched_variables() == ()
    assert tape.gradient(results[0], x) is None


def test_threads_have_a_stack_of_tapes_each(tf):
    barrier = threading.Barrier(4)
    results = {}

    def work(number):
        x = tf.Variable(float(number))
        with tf.GradientTape() as tape:
            barrier.wait()
            y = x * x
            barrier.wait()
            z = y * x
        barrier.wait()
        results[number] = (tape.gradient(z, x).numpy(), len(tape.watched_variables()))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {number: (3.0 * number**2, 1) for number in range(1, 5)}


def test_gradient_may_be_taken_in_another_thread(tf):
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    results = []
    thread = threading.Thread(target=lambda: results.append(tape.gradient(y, x).numpy()))
    thread.start()
    thread.join()
    assert results == [6.0]


def test_generator_that_uses_a_whole_tape_at_each_step(tf):
    x = tf.Variable(3.0)

    def gradients():
        for power in (1, 2, 3):
            with tf.GradientTape() as tape:
                y = x**power
            yield tape.gradient(y, x).numpy()

    assert list(gradients()) == [1.0, 6.0, 27.0]


def test_generator_consumed_under_a_tape_is_recorded(tf):
    x = tf.Variable(3.0)

    def powers():
        y = x * 1.0
        for _ in range(3):
            y = y * x
            yield y

    with tf.GradientTape() as tape:
        total = tf.add_n(list(powers()))
    assert tape.gradient(total, x).numpy() == 2 * 3.0 + 3 * 9.0 + 4 * 27.0


def test_asyncio_tasks_with_a_tape_each(tf):
    async def work(number):
        x = tf.Variable(float(number))
        with tf.GradientTape() as tape:
            y = x * x
        await asyncio.sleep(0)
        return tape.gradient(y, x).numpy()

    async def run():
        return await asyncio.gather(*(work(number) for number in range(4)))

    assert asyncio.run(run()) == [0.0, 2.0, 4.0, 6.0]


def test_tape_held_open_across_awaits(tf):
    async def run():
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = x * x
            await asyncio.sleep(0)
            z = y * x
        return tape.gradient(z, x).numpy()

    assert asyncio.run(run()) == 27.0
