"""Programs with control flow on tensors inside of other things, whose results are TensorFlow's.

Datasets, layers, strategies, transformations, nested loops and nested functions: each case is a
function of the module `tf` that runs a small program and returns what it computed.
`python tests/recorded/record.py autograph/everywhere` runs them with TensorFlow and writes
`recorded.json`.
"""

import contextlib
import functools
import io

import numpy as np

CASES = {}


def plain(value):
    """A result as JSON can hold it."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, dict):
        return {key: plain(value[key]) for key in value}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    array = np.asarray(value)
    if array.dtype.kind == "f":
        return [array.dtype.name, list(array.shape), [f"{x:.4g}" for x in array.reshape(-1)]]
    return [array.dtype.name, list(array.shape), [repr(x) for x in array.reshape(-1).tolist()]]


def case(function):
    assert function.__name__ not in CASES
    CASES[function.__name__] = lambda tf, folder: function(tf)
    return function


def orders(tf, function, *args):
    """The value of a function of a number, and its first and second derivative."""
    x = tf.constant(args[0])
    rest = [tf.constant(a) for a in args[1:]]
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x, *rest)
        slope = tape.gradient(y, x)
    return y, slope, outer.gradient(slope, x)


# --- datasets ------------------------------------------------------------------------------------


def collatz(tf, x):
    count = tf.constant(0, tf.int64)
    while x != 1:
        if x % 2 == 0:
            x = x // 2
        else:
            x = 3 * x + 1
        count += 1
    return count


@case
def dataset_map(tf):
    data = tf.data.Dataset.range(1, 9).map(lambda x: collatz(tf, x))
    return [x.numpy() for x in data]


@case
def dataset_map_with_if(tf):
    def clip(x):
        if x > 4:
            x = tf.constant(4, tf.int64)
        elif x < 2:
            x = x - 10
        return x

    return [x.numpy() for x in tf.data.Dataset.range(8).map(clip)]


@case
def dataset_map_with_break(tf):
    def first_above(x, limit):
        actual = tf.constant(-1.0)
        for value in x:
            if value > limit:
                actual = value
                break
        return actual

    rows = np.array([[1.0, 5.0, 2.0], [4.0, 1.0, 9.0], [0.0, 0.0, 0.0]], np.float32)
    data = tf.data.Dataset.from_tensor_slices((rows, np.array([3.0, 5.0, 1.0], np.float32)))
    return [x.numpy() for x in data.map(first_above)]


@case
def dataset_filter(tf):
    def is_prime(n):
        result = n > 1
        d = tf.constant(2, tf.int64)
        while d * d <= n:
            if n % d == 0:
                result = False
                break
            d += 1
        return result

    return [x.numpy() for x in tf.data.Dataset.range(30).filter(is_prime)]


@case
def dataset_scan(tf):
    def step(state, x):
        if x > 0.0:
            state = state + x
        else:
            state = state * 0.5
        return state, state

    data = tf.data.Dataset.from_tensor_slices(np.array([1.0, 2.0, -1.0, 4.0], np.float32))
    return [x.numpy() for x in data.scan(tf.constant(0.0), step)]


@case
def dataset_reduce(tf):
    def longest(best, x):
        steps = collatz(tf, x)
        if steps > best:
            best = steps
        return best

    return tf.data.Dataset.range(1, 20).reduce(tf.constant(0, tf.int64), longest)


@case
def dataset_take_while(tf):
    def small(x):
        if x % 2 == 0:
            return x < 6
        return x < 100

    return [x.numpy() for x in tf.data.Dataset.range(20).take_while(small)]


@case
def dataset_flat_map(tf):
    def repeated(x):
        if x > 2:
            x = -x
        return tf.data.Dataset.from_tensors(x).repeat(2)

    return [x.numpy() for x in tf.data.Dataset.range(5).flat_map(repeated)]


@case
def dataset_in_a_function_with_map(tf):
    @tf.function
    def total(n):
        result = tf.constant(0, tf.int64)
        for x in tf.data.Dataset.range(10).map(lambda x: x * x).filter(lambda x: x % 2 == 0):
            if x > n:
                break
            result += x
        return result

    return [total(tf.constant(n, tf.int64)) for n in (5, 40, 1000)]


@case
def dataset_reduce_in_a_function(tf):
    @tf.function
    def total(n):
        return tf.data.Dataset.range(6).reduce(n, lambda a, x: a + x if x % 2 == 0 else a)

    return [total(tf.constant(n, tf.int64)) for n in (0, 100)]


@case
def two_datasets_zipped(tf):
    a = tf.data.Dataset.range(5)
    b = tf.data.Dataset.range(10, 15)

    @tf.function
    def total():
        result = tf.constant(0, tf.int64)
        for x, y in tf.data.Dataset.zip((a, b)):
            if x != 2:
                result += x * y
        return result

    return total()


@case
def iterator_with_get_next(tf):
    data = tf.data.Dataset.range(10)

    @tf.function
    def total(n):
        iterator = iter(data)
        result = tf.constant(0, tf.int64)
        for _ in tf.range(n):
            result += iterator.get_next()
        return result

    return [total(tf.constant(n)) for n in (3, 5)]


# --- Keras ---------------------------------------------------------------------------------------


def linear(tf, **options):
    """A model with fixed weights, compiled."""
    model = tf.keras.Sequential([tf.keras.layers.Input((2,)), tf.keras.layers.Dense(1)])
    model.set_weights([np.array([[0.5], [-0.25]], np.float32), np.zeros(1, np.float32)])
    return model


@case
def layer_with_a_loop_op(tf):
    class Repeat(tf.keras.layers.Layer):
        def call(self, x):
            def body(i, y):
                return i + 1, tf.cond(tf.reduce_sum(y) > 3.0, lambda: y * 0.5, lambda: y * 2.0)

            return tf.while_loop(lambda i, y: i < 4, body, (0, x))[1]

    layer = Repeat()

    @tf.function
    def f(x):
        return layer(x)

    x = tf.constant([[1.0, 2.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return y, tape.gradient(y, x)


@case
def layer_converted_by_hand(tf):
    class Clip(tf.keras.layers.Layer):
        @tf.function
        def call(self, x):
            if tf.reduce_max(x) > 1.0:
                x = x / tf.reduce_max(x)
            return x

    inputs = tf.keras.layers.Input((3,))
    model = tf.keras.Model(inputs, Clip()(inputs))
    return [model(np.array([row], np.float32)) for row in ([1.0, 2.0, 4.0], [0.1, 0.2, 0.3])]


@case
def fit_with_a_train_step_of_ops(tf):
    class Model(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = tf.keras.layers.Dense(1, kernel_initializer="ones")

        def call(self, x):
            return self.dense(x)

        def train_step(self, data):
            x, y = data
            with tf.GradientTape() as tape:
                error = self(x, training=True) - y
                loss = tf.reduce_mean(tf.square(error))
            (gradients) = tape.gradient(loss, self.trainable_variables)
            norm = tf.linalg.global_norm(gradients)
            scale = tf.cond(norm > 1.0, lambda: 1.0 / norm, lambda: tf.constant(1.0))
            self.optimizer.apply_gradients(
                [(g * scale, v) for g, v in zip(gradients, self.trainable_variables, strict=True)]
            )
            return {"loss": loss}

    model = Model()
    model.compile(optimizer=tf.keras.optimizers.SGD(0.1))
    x = np.arange(12, dtype=np.float32).reshape(6, 2) / 10
    y = x.sum(1, keepdims=True) * 2.0
    history = model.fit(x, y, batch_size=3, epochs=2, shuffle=False, verbose=0)
    return [f"{loss:.4f}" for loss in history.history["loss"]], model.get_weights()


@case
def custom_training_loop(tf):
    model = linear(tf)
    optimizer = tf.keras.optimizers.SGD(0.1)
    x = np.arange(16, dtype=np.float32).reshape(8, 2) / 10
    y = x.sum(1, keepdims=True)
    data = tf.data.Dataset.from_tensor_slices((x, y)).batch(3)

    @tf.function
    def epoch(limit):
        steps, total = 0, 0.0
        for features, labels in data:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(model(features) - labels))
            if loss < limit:
                break
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
            steps += 1
            total += loss
        return steps, total

    return [epoch(tf.constant(limit)) for limit in (0.0, 0.3, 10.0)], model.get_weights()


@case
def early_stopping_by_a_variable(tf):
    model = linear(tf)
    best, waited = tf.Variable(np.inf, dtype=tf.float32), tf.Variable(0)

    @tf.function
    def watch(x):
        loss = tf.reduce_mean(model(x))
        if loss < best:
            best.assign(loss)
            waited.assign(0)
        else:
            waited.assign_add(1)
        return waited >= 2

    actual = [watch(np.full((2, 2), k, np.float32)) for k in (3.0, 1.0, 2.0, 4.0)]
    return actual, best.numpy(), waited.numpy()


# --- strategies ----------------------------------------------------------------------------------


@case
def strategy_run(tf):
    strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
    with strategy.scope():
        v = tf.Variable(1.0)

    def replica(x):
        total = 0.0
        for value in x:
            if value > 2.0:
                total += value
        v.assign_add(total)
        return total

    @tf.function
    def step(x):
        return strategy.reduce("SUM", strategy.run(replica, args=(x,)), axis=None)

    return [step(tf.constant([1.0, 3.0, 5.0])), step(tf.constant([1.0, 2.0, 2.5])), v.numpy()]


@case
def strategy_run_in_a_loop(tf):
    strategy = tf.distribute.OneDeviceStrategy("/cpu:0")

    @tf.function
    def train(n):
        total = 0.0
        for i in tf.range(n):
            total += strategy.run(lambda k: tf.cast(k, tf.float32) ** 2, args=(i,))
        return total

    return [train(tf.constant(n)) for n in (2, 5)]


# --- transformations -----------------------------------------------------------------------------


def signed_root(tf):
    def f(x):
        if x >= 0.0:
            return tf.sqrt(x + 1.0)
        return -tf.sqrt(1.0 - x)

    return f


@case
def vectorized_map_of_cond(tf):
    def f(x):
        return tf.cond(x >= 0.0, lambda: tf.sqrt(x + 1.0), lambda: -tf.sqrt(1.0 - x))

    return tf.vectorized_map(f, tf.constant([3.0, -3.0, 0.0]))


@case
def vectorized_map_in_a_loop(tf):
    @tf.function
    def f(x, n):
        for _ in tf.range(n):
            x = tf.vectorized_map(lambda row: row * tf.reduce_sum(row), x)
        return x

    x = tf.constant([[0.5, 1.0], [1.0, -0.5]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x, tf.constant(3))
    return y, tape.gradient(y, x)


@case
def map_fn_of_a_function_with_a_loop(tf):
    def power(x):
        y = 1.0
        for _ in tf.range(3):
            if x > 0.0:
                y *= x
        return y

    @tf.function
    def f(x):
        return tf.map_fn(power, x)

    x = tf.constant([2.0, -1.0, 0.5])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return y, tape.gradient(y, x)


@case
def forward_accumulator(tf):
    @tf.function
    def f(x, n):
        for _ in tf.range(n):
            if x < 10.0:
                x = x * x
            else:
                x = x + 1.0
        return x

    x = tf.constant(1.5)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as accumulator:
        y = f(x, tf.constant(4))
    return y, accumulator.jvp(y)


@case
def forward_accumulator_inside(tf):
    @tf.function
    def f(x):
        with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as accumulator:
            y = x
            while y < 50.0:
                y = y * x
        return y, accumulator.jvp(y)

    return f(tf.constant(2.0))


@case
def recompute_grad(tf):
    @tf.recompute_grad
    def block(x):
        for _ in tf.range(3):
            x = tf.sin(x) * 2.0
        return x

    @tf.function
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = block(x)
        return y, tape.gradient(y, x)

    return f(tf.constant([0.3, 0.7]))


@case
def custom_gradient_with_control_flow(tf):
    @tf.custom_gradient
    def clipped(x):
        def grad(upstream):
            if tf.abs(upstream) > 1.0:
                upstream = tf.sign(upstream)
            return upstream

        return x * 1.0, grad

    @tf.function
    def f(x, factor):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = clipped(x) * factor
        return tape.gradient(y, x)

    return [f(tf.constant(3.0), tf.constant(k)) for k in (0.5, 7.0, -2.0)]


@case
def jacobian_of_a_loop(tf):
    @tf.function
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for i in tf.range(3):
                if i == 1:
                    y = y * x
                else:
                    y = y + tf.reverse(y, [0])
        return tape.jacobian(y, x)

    return f(tf.constant([1.0, 2.0]))


@case
def tape_in_a_loop(tf):
    @tf.function
    def newton(x):
        for _ in tf.range(6):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = x * x - 2.0
            x = x - y / tape.gradient(y, x)
        return x

    return newton(tf.constant(1.0))


@case
def tape_in_a_branch(tf):
    @tf.function
    def f(x):
        if x > 0.0:
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = x**3
            g = tape.gradient(y, x)
        else:
            g = x * 0.0
        return g

    return [f(tf.constant(v)) for v in (2.0, -1.0)]


@case
def persistent_tape_around_a_loop(tf):
    @tf.function
    def f(x, n):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            a, b = x, x
            for _ in tf.range(n):
                a, b = a * x, a + b
        return tape.gradient(a, x), tape.gradient(b, x)

    return [f(tf.constant(1.5), tf.constant(n)) for n in (1, 3)]


@case
def second_order_through_a_while(tf):
    @tf.function
    def f(x, limit):
        y = x
        while y < limit:
            y = y * x + 0.1
        return y

    return orders(tf, f, 1.5, 20.0)


@case
def gradient_of_a_captured_variable(tf):
    v = tf.Variable(2.0)

    @tf.function
    def f(n):
        with tf.GradientTape() as tape:
            y = 1.0
            for i in tf.range(n):
                if i % 2 == 0:
                    y *= v
                else:
                    y += v
        return y, tape.gradient(y, v)

    return [f(tf.constant(n)) for n in (1, 4)]


# --- tf.gradients --------------------------------------------------------------------------------


@case
def gradients_in_a_function(tf):
    @tf.function
    def f(x):
        y = x * x * x
        return tf.gradients(y, x)

    return f(tf.constant(2.0))


@case
def gradients_of_a_function_called(tf):
    @tf.function
    def inner(x):
        return tf.sin(x) * x

    @tf.function
    def f(x):
        return tf.gradients(inner(x), x)

    return f(tf.constant(2.0))


@case
def gradients_in_a_function_called_by_a_function(tf):
    @tf.function
    def slope(x):
        return tf.gradients(x**3, x)[0]

    @tf.function
    def middle(x):
        return slope(x) * x

    @tf.function
    def f(x):
        y = middle(x)
        return y, tf.gradients(y, x)[0]

    return f(tf.constant(2.0))


@case
def gradients_by_what_a_function_around_has_made(tf):
    @tf.function
    def f(x):
        z = x * 2.0

        @tf.function
        def inner(y):
            return y * z

        w = inner(x)
        return tf.gradients(w, [x, z])

    return f(tf.constant(3.0))


@case
def gradients_three_levels_deep(tf):
    @tf.function
    def third(x):
        return tf.gradients(x**4, x)[0]

    @tf.function
    def second(x):
        return tf.gradients(third(x), x)[0]

    @tf.function
    def first(x):
        return tf.gradients(second(x), x)[0]

    return first(tf.constant(1.5))


@case
def gradients_by_a_variable(tf):
    v = tf.Variable(3.0)

    @tf.function
    def inner(x):
        return x * v * v

    @tf.function
    def f(x):
        return tf.gradients(inner(x), [x, v])

    return f(tf.constant(2.0))


@case
def gradients_unconnected(tf):
    @tf.function
    def f(x, y):
        a = tf.gradients(x * 2.0, y)[0]
        b = tf.gradients(x * 2.0, y, unconnected_gradients="zero")[0]
        return a is None, b

    return f(tf.constant(2.0), tf.constant(1.0))


@case
def gradients_with_stop_gradients_and_grad_ys(tf):
    @tf.function
    def f(x):
        y = x * 2.0
        z = y * x
        return tf.gradients(z, x, grad_ys=tf.constant(10.0), stop_gradients=[y])

    return f(tf.constant(3.0))


@case
def gradients_of_a_loop(tf):
    @tf.function
    def f(x, n):
        y = x
        for _ in tf.range(n):
            y = y * x
        return tf.gradients(y, x)[0]

    return [f(tf.constant(2.0), tf.constant(n)) for n in (1, 3)]


@case
def gradients_of_a_branch_in_a_function(tf):
    @tf.function
    def inner(x):
        if x > 0.0:
            return x * x
        return -x

    @tf.function
    def f(x):
        return tf.gradients(inner(x), x)[0]

    return [f(tf.constant(x)) for x in (3.0, -3.0)]


@case
def hessians_of_a_function(tf):
    @tf.function
    def inner(x):
        return tf.reduce_sum(x**3) + x[0] * x[1]

    @tf.function
    def f(x):
        return tf.hessians(inner(x), x)

    return f(tf.constant([1.0, 2.0]))


@case
def gradients_and_a_tape(tf):
    @tf.function
    def inner(x):
        return tf.gradients(x**3, x)[0]

    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = inner(x)
    return y, tape.gradient(y, x)


# --- nested loops --------------------------------------------------------------------------------


@case
def while_loops_three_deep(tf):
    @tf.function
    def f(x, n):
        def inner(i, y):
            return i + 1, y * tf.cos(x)

        def middle(i, y):
            return i + 1, tf.while_loop(lambda j, z: j < n, inner, (0, y))[1] + x

        def outer(i, y):
            return i + 1, tf.while_loop(lambda j, z: j < n, middle, (0, y))[1] * 0.9

        return tf.while_loop(lambda i, y: i < n, outer, (0, x))[1]

    return [orders(tf, f, 0.6, n) for n in (1, 4, 5)]


@case
def loops_three_deep(tf):
    @tf.function
    def f(x, n):
        y = x
        for i in tf.range(n):
            for j in tf.range(i + 2):
                k = 0
                while k < j:
                    y = y + 0.1 * tf.sin(y * x)
                    k += 1
        return y

    return [orders(tf, f, 0.7, n) for n in (2, 5)]


@case
def scan_of_map_fn_of_foldl(tf):
    rows = np.linspace(0.1, 0.9, 40).astype(np.float32).reshape(5, 4, 2)

    @tf.function
    def f(x):
        def per_block(total, block):
            folded = tf.map_fn(
                lambda row: tf.foldl(lambda a, b: a * b + x, row, initializer=x), block
            )
            return tf.reduce_sum(folded) * 0.3 + total * x

        return tf.reduce_sum(tf.scan(per_block, rows, initializer=tf.constant(0.5)))

    return orders(tf, f, 0.8)


@case
def foldl_of_scan_of_while_loop(tf):
    rows = np.linspace(-0.5, 0.5, 24).astype(np.float32).reshape(6, 4)

    @tf.function
    def f(x, n):
        def grow(state, value):
            step = lambda i, y: (i + 1, tf.tanh(y * x + value))
            return tf.while_loop(lambda i, y: i < n, step, (0, state))[1]

        def per_row(total, row):
            return total + tf.reduce_sum(tf.scan(grow, row, initializer=x))

        return tf.foldl(per_row, rows, initializer=tf.constant(0.0))

    return [orders(tf, f, 0.9, n) for n in (1, 4)]


@case
def map_fn_of_while_loop_of_scan(tf):
    @tf.function
    def f(x, n):
        def row(value):
            def step(i, y):
                every = tf.scan(lambda a, b: a * 0.5 + b * x, tf.stack([y, value, y * value, x]))
                return i + 1, tf.reduce_mean(every)

            return tf.while_loop(lambda i, y: i < n, step, (0, x))[1]

        return tf.reduce_sum(tf.map_fn(row, tf.constant([0.2, 0.4, 0.6, 0.8, 1.0])))

    return [orders(tf, f, 0.7, n) for n in (2, 5)]


@case
def loop_options(tf):
    @tf.function
    def f(x, n):
        i = 0
        while i < n:
            tf.autograph.experimental.set_loop_options(
                maximum_iterations=4, parallel_iterations=2, swap_memory=True
            )
            x = tf.multiply(x, 2.0)
            i += 1
        return x, i

    return [f(tf.constant(1.0), tf.constant(n)) for n in (2, 9)]


@case
def shape_invariants(tf):
    @tf.function
    def f(x, n):
        for i in tf.range(n):
            tf.autograph.experimental.set_loop_options(
                shape_invariants=[(x, tf.TensorShape([None]))]
            )
            x = tf.concat([x, [tf.cast(i, tf.float32)]], 0)
        return x

    return [f(tf.constant([7.0]), tf.constant(n)) for n in (0, 3, 1, 5)]


@case
def shape_invariants_of_a_while(tf):
    @tf.function
    def f(x, n):
        while tf.size(x) < n:
            tf.autograph.experimental.set_loop_options(
                shape_invariants=[(x, tf.TensorShape([None]))]
            )
            x = tf.concat([x, x], 0)
        return tf.reduce_sum(x)

    x = tf.constant([1.0, 2.0])
    actual = []
    for n in (1, 7, 3):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x, tf.constant(n))
        actual.append((y, tape.gradient(y, x)))
    return actual


@case
def while_loop_with_shape_invariants(tf):
    @tf.function
    def f(n):
        return tf.while_loop(
            lambda i, x: i < n,
            lambda i, x: (i + 1, tf.concat([x, [i]], 0)),
            (tf.constant(0), tf.constant([9])),
            shape_invariants=(tf.TensorShape([]), tf.TensorShape([None])),
        )[1]

    return [f(tf.constant(n)) for n in (0, 4, 2)]


@case
def switch_case_in_a_loop(tf):
    @tf.function
    def f(x, n):
        for i in tf.range(n):
            x = tf.switch_case(i % 3, [lambda: x + 1.0, lambda: x * 2.0, lambda: x * x])
        return x

    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x, tf.constant(5))
    return y, tape.gradient(y, x)


@case
def case_in_a_loop(tf):
    @tf.function
    def f(x, n):
        for _ in tf.range(n):
            x = tf.case(
                [(x < 2.0, lambda: x * 3.0), (x < 10.0, lambda: x + 0.5)],
                default=lambda: x - 7.0,
            )
        return x

    return [f(tf.constant(1.0), tf.constant(n)) for n in (1, 3, 20)]


# --- Python's own statements ---------------------------------------------------------------------


@case
def list_append_in_a_graph_loop(tf):
    @tf.function
    def f(n):
        actual = []
        for i in tf.range(n):
            actual.append(i)
        return tf.stack(actual)

    return f(tf.constant(3))


@case
def list_append_that_nobody_reads(tf):
    seen = []

    @tf.function
    def f(n):
        total = 0
        for i in tf.range(n):
            seen.append(i)
            total += i
        return total

    return [f(tf.constant(n)) for n in (3, 5)], len(seen)


@case
def list_append_in_a_python_loop_around_a_graph_loop(tf):
    @tf.function
    def f(x, n):
        actual = []
        for k in range(3):
            y = x
            for _ in tf.range(n):
                y = y * x + k
            actual.append(y)
        return tf.stack(actual)

    return f(tf.constant(2.0), tf.constant(2))


@case
def list_of_tensors_that_changes_elements(tf):
    @tf.function
    def f(x, n):
        pair = [x, x * 0.0]
        for i in tf.range(n):
            if i % 2 == 0:
                pair[0] = pair[0] + pair[1] + 1.0
            else:
                pair[1] = pair[0] * 2.0
        return pair

    return [f(tf.constant(1.0), tf.constant(n)) for n in (0, 1, 4)]


@case
def dict_that_changes_elements(tf):
    @tf.function
    def f(x, n):
        state = {"a": x, "b": tf.constant(0)}
        for i in tf.range(n):
            if i % 2 == 0:
                state["a"] = state["a"] * 2.0
            state["b"] = state["b"] + i
        return state

    return f(tf.constant(1.5), tf.constant(5))


@case
def trace_prints_while_tracing(tf):
    printed = io.StringIO()

    @tf.function
    def f(x, n):
        for _ in tf.range(n):
            tf.autograph.trace("traced")
            x = x + 1.0
        return x

    with contextlib.redirect_stdout(printed):
        results = [f(tf.constant(1.0), tf.constant(n)) for n in (4, 2)]
    return results, printed.getvalue().count("traced") > 0


@case
def partial_function(tf):
    def scale(factor, x):
        if x > 1.0:
            x = x * factor
        return x

    f = tf.function(functools.partial(scale, 3.0))
    return [f(tf.constant(x)) for x in (0.5, 2.0)]


@case
def decorated_function(tf):
    def doubled(function):
        @functools.wraps(function)
        def call(x):
            return function(function(x))

        return call

    @tf.function
    @doubled
    def f(x):
        if x < 5.0:
            return x * 3.0
        return x - 1.0

    return [f(tf.constant(x)) for x in (1.0, 2.0, 9.0)]


@case
def static_and_class_methods(tf):
    class Tools:
        limit = 2.0

        @staticmethod
        def grow(x):
            while x < 8.0:
                x = x * 2.0
            return x

        @classmethod
        def cut(cls, x):
            if x > cls.limit:
                x = tf.constant(cls.limit)
            return x

    @tf.function
    def f(x):
        return Tools.grow(x), Tools.cut(x)

    return [f(tf.constant(x)) for x in (1.0, 3.0)]


@case
def property_with_control_flow(tf):
    class Box:
        def __init__(self, x):
            self.x = x

        @property
        def size(self):
            return tf.cond(self.x > 0.0, lambda: self.x, lambda: -self.x)

    @tf.function
    def f(x):
        if Box(x).size > 2.0:
            return x * 10.0
        return x

    return [f(tf.constant(x)) for x in (1.0, -3.0)]


@case
def match_statement(tf):
    @tf.function
    def f(x, mode):
        match mode:
            case "double":
                y = x * 2.0
            case "clip":
                y = tf.minimum(x, 1.0)
            case _:
                y = x
        if y > 3.0:
            y = y - 3.0
        return y

    return [f(tf.constant(2.0), mode) for mode in ("double", "clip", "other")]


@case
def assignment_expression(tf):
    @tf.function
    def f(x):
        if (y := x * 2.0) > 3.0:
            return y
        return y + 100.0

    return [f(tf.constant(x)) for x in (1.0, 2.0)]


@case
def comprehension_with_a_condition(tf):
    @tf.function
    def f(x):
        parts = [x * k for k in range(4) if k % 2 == 0]
        if tf.reduce_sum(x) > 0.0:
            parts = [p + 1.0 for p in parts]
        return tf.add_n(parts)

    return [f(tf.constant([x])) for x in (1.0, -1.0)]


@case
def try_and_finally(tf):
    seen = []

    @tf.function
    def f(x):
        try:
            if x > 0.0:
                x = x * 2.0
        finally:
            seen.append("done")
        return x

    return [f(tf.constant(x)) for x in (1.0, -1.0)], seen


@case
def raise_under_a_python_condition(tf):
    @tf.function
    def f(x, strict):
        if strict and x.shape.rank != 1:
            raise ValueError("a vector is needed")
        if tf.reduce_sum(x) > 0.0:
            x = -x
        return x

    actual = [f(tf.constant([1.0]), True)]
    try:
        f(tf.constant(1.0), True)
    except ValueError as error:
        actual.append("vector" in str(error))
    return actual


@case
def generator_in_a_python_loop(tf):
    def parts(x):
        yield x
        yield x * 2.0

    @tf.function
    def f(x):
        total = 0.0
        for part in parts(x):
            if part > 1.0:
                total += part
        return total

    return [f(tf.constant(x)) for x in (0.4, 0.8, 3.0)]


@case
def nested_functions_that_share_names(tf):
    @tf.function
    def f(x, n):
        total = x

        def add(k):
            return total * k

        for i in tf.range(n):
            total = total + add(tf.cast(i, tf.float32))
        return total

    return [f(tf.constant(1.0), tf.constant(n)) for n in (1, 3)]


@case
def recursion_over_python_depth(tf):
    def tree(x, depth):
        if depth == 0:
            return x
        if x > 1.0:
            x = x - 0.3
        return tree(x, depth - 1) + tree(x * 0.5, depth - 1)

    @tf.function
    def f(x):
        return tree(x, 3)

    return orders(tf, f, 2.0)


@case
def while_with_else_of_python(tf):
    @tf.function
    def f(x):
        count = 0
        while count < 3:
            count += 1
            x = x + 1.0
        else:
            x = x * 10.0
        if x > 35.0:
            x = x + 0.5
        return x

    return [f(tf.constant(x)) for x in (0.0, 1.0)]


@case
def slices_that_depend_on_the_loop(tf):
    @tf.function
    def f(x, n):
        total = 0.0
        for i in tf.range(n):
            part = tf.slice(x, [i], [2])
            total += tf.reduce_prod(part)
        return total

    x = tf.constant([1.0, 2.0, 3.0, 4.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x, tf.constant(3))
    return y, tape.gradient(y, x)


@case
def strings_in_a_loop(tf):
    @tf.function
    def f(words):
        longest = tf.constant("")
        for word in words:
            if tf.strings.length(word) > tf.strings.length(longest):
                longest = word
        return longest

    return f(tf.constant(["a", "ccc", "bb"])).numpy().decode()


@case
def variables_in_a_list(tf):
    weights = [tf.Variable(float(k)) for k in range(3)]

    @tf.function
    def f(x):
        for w in weights:
            if w < x:
                w.assign_add(10.0)
        return tf.add_n([w.read_value() for w in weights])

    return [f(tf.constant(1.5)), f(tf.constant(11.0)), [w.numpy() for w in weights]]


@case
def numpy_function_in_nested_loops(tf):
    @tf.function
    def f(n):
        total = 0
        for i in tf.range(n):
            for j in tf.range(i):
                if (i + j) % 2 == 0:
                    part = tf.numpy_function(lambda a, b: a * b + 1, [i, j], tf.int32)
                    part.set_shape(())
                    total += part
        return total

    return [f(tf.constant(n)) for n in (2, 6, 1)]


@case
def py_function_in_a_loop_with_its_gradient(tf):
    @tf.function
    def f(x, n):
        for _ in tf.range(n):
            x = tf.py_function(lambda a: a * a, [x], tf.float32)
            x.set_shape(())
        return x

    x = tf.constant(1.1)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x, tf.constant(3))
    return y, tape.gradient(y, x)


@case
def assertion_op_in_a_loop(tf):
    @tf.function
    def f(x, n):
        for _ in tf.range(n):
            tf.debugging.assert_less(x, 10.0)
            x = x * 2.0
        return x

    actual = [f(tf.constant(1.0), tf.constant(3))]
    try:
        f(tf.constant(1.0), tf.constant(9))
    except tf.errors.InvalidArgumentError:
        actual.append("refused")
    return actual


# --- mixtures ------------------------------------------------------------------------------------


V = np.array([3.0, -1.0, 4.0, 1.0, -5.0, 9.0], np.float32)


def grads(tf, f, *args):
    args = [tf.constant(a) for a in args]
    src = [a for a in args if a.dtype.is_floating]
    with tf.GradientTape() as outer:
        outer.watch(src)
        with tf.GradientTape() as tape:
            tape.watch(src)
            y = f(*args)
        g = tape.gradient(y, src)
    h = outer.gradient([a for a in g if a is not None], src)
    return y, g, h


@case
def second_order_for_if(tf):
    @tf.function
    def f(x, n):
        y = x
        for i in tf.range(n):
            if i % 2 == 0:
                y = y * x
            else:
                y = tf.sin(y)
        return y

    return grads(tf, f, 0.7, 3), grads(tf, f, 0.7, 6)


@case
def second_order_while_break(tf):
    @tf.function
    def f(x):
        y = x
        i = tf.constant(0)
        while i < 100:
            y = y * x + 0.1
            if y > 20.0:
                break
            i += 1
        return y * y

    return grads(tf, f, 1.3)


@case
def second_order_nested(tf):
    @tf.function
    def f(x, n):
        s = 0.0 * x
        for i in tf.range(n):
            t = x
            j = tf.constant(0)
            while j < i:
                t = t * x
                j += 1
            s += t
        return s

    return grads(tf, f, 1.1, 4)


@case
def third_order(tf):
    @tf.function
    def f(x, n):
        y = x
        for _ in tf.range(n):
            y = y * x
        return y

    x = tf.constant(2.0)
    with tf.GradientTape() as a:
        a.watch(x)
        with tf.GradientTape() as b:
            b.watch(x)
            with tf.GradientTape() as c:
                c.watch(x)
                y = f(x, tf.constant(3))
            d1 = c.gradient(y, x)
        d2 = b.gradient(d1, x)
    return d1, d2, a.gradient(d2, x)


@case
def second_order_all_inside(tf):
    @tf.function
    def f(x, n):
        with tf.GradientTape() as a:
            a.watch(x)
            with tf.GradientTape() as b:
                b.watch(x)
                y = x
                for _ in tf.range(n):
                    if y < 10.0:
                        y = y * x
            d = b.gradient(y, x)
        return y, d, a.gradient(d, x)

    return f(tf.constant(1.5), tf.constant(4))


@case
def jvp_through_loop_if(tf):
    @tf.function
    def f(x, n):
        for i in tf.range(n):
            if x < 1.0:
                x = x * 1.7
            else:
                x = tf.sqrt(x)
        return x

    out = []
    for n in (0, 1, 5):
        x = tf.constant(0.6)
        with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
            y = f(x, tf.constant(n))
        out.append((y, acc.jvp(y)))
    return out


@case
def forward_over_reverse(tf):
    @tf.function
    def f(x, n):
        y = x
        for _ in tf.range(n):
            y = tf.sin(y) * x
        return y

    x = tf.constant(0.6)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x, tf.constant(3))
        g = tape.gradient(y, x)
    return g, acc.jvp(g)


@case
def jacobian_through_while(tf):
    @tf.function
    def f(x):
        while tf.reduce_sum(x) < 10.0:
            x = x * x + 1.0
        return x

    x = tf.constant([0.5, 1.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.jacobian(y, x)


@case
def jacobian_inside_function(tf):
    @tf.function
    def f(x, n):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for i in tf.range(n):
                y = y * tf.reverse(x, [0])
        return tape.jacobian(y, x)

    return f(tf.constant([1.0, 2.0, 3.0]), tf.constant(2))


@case
def batch_jacobian_if(tf):
    @tf.function
    def f(x):
        if tf.reduce_max(x) > 1.0:
            return x * x
        return tf.sin(x)

    x = tf.constant([[0.5, 1.0], [2.0, 0.1]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.batch_jacobian(y, x)


@case
def hessian_of_loss_loop(tf):
    w = tf.Variable([1.0, -0.5])

    @tf.function
    def loss(x):
        s = 0.0
        for row in x:
            z = tf.reduce_sum(row * w)
            if z > 0.0:
                s += z**3
            else:
                s += tf.exp(z)
        return s

    x = tf.constant([[1.0, 2.0], [-1.0, 0.5], [0.3, 0.1]])
    with tf.GradientTape(persistent=True) as a:
        with tf.GradientTape() as b:
            y = loss(x)
        g = b.gradient(y, w)
    return g, a.jacobian(g, w)


@case
def custom_gradient_inside_converted_loop(tf):
    @tf.custom_gradient
    def clip(x):
        def grad(g):
            return tf.clip_by_value(g, -1.0, 1.0)

        return x * 3.0, grad

    @tf.function
    def f(x, n):
        for _ in tf.range(n):
            if x < 100.0:
                x = clip(x)
        return x

    return [grads(tf, f, 1.0, n)[:2] for n in (0, 2, 9)]


@case
def custom_gradient_if_in_grad(tf):
    @tf.custom_gradient
    def op(x):
        y = x * x

        def grad(g):
            return tf.where(y > 1.0, g * 10.0, g)

        return y, grad

    @tf.function
    def f(x):
        if x > 0.0:
            return op(x)
        return op(-x) * 2.0

    return [grads(tf, f, v)[:2] for v in (0.5, 2.0, -2.0)]


@case
def recompute_grad_loop(tf):
    @tf.recompute_grad
    def block(x):
        return tf.tanh(x) * 1.5

    @tf.function
    def f(x, n):
        for _ in tf.range(n):
            x = block(x)
        return x

    return [grads(tf, f, 0.5, n)[:2] for n in (1, 4)]


@case
def stop_gradient_loop(tf):
    @tf.function
    def f(x, n):
        for i in tf.range(n):
            if i % 2 == 0:
                x = x * tf.stop_gradient(x)
            else:
                x = x + 1.0
        return x

    return grads(tf, f, 1.5, 4)


@case
def vectorized_map_if(tf):
    def g(x):
        return tf.cond(x > 0.0, lambda: x * x, lambda: -x)

    @tf.function
    def f(v):
        if tf.reduce_sum(v) > 0.0:
            return tf.vectorized_map(g, v)
        return v

    return f(tf.constant(V)), f(tf.constant(-V))


@case
def map_fn_converted(tf):
    @tf.function
    def f(v):
        def g(x):
            if x > 2.0:
                return x * 10.0
            elif x > 0.0:
                return x
            return 0.0 * x

        return (
            tf.map_fn(g, v),
            tf.scan(lambda a, b: a + b if b > 0.0 else a, v),
            tf.foldl(lambda a, b: a * 0.5 + g(b), v),
        )

    x = tf.constant(V)
    with tf.GradientTape() as t:
        t.watch(x)
        y = f(x)
    return y, t.gradient(y, x)


@case
def tf_cond_with_converted_lambdas(tf):
    @tf.function
    def f(x):
        def yes():
            y = x
            while y < 10.0:
                y = y * 2.0
            return y

        return tf.cond(x > 0.0, yes, lambda: x if x > -1.0 else -x)

    return [grads(tf, f, v)[:2] for v in (1.0, -0.5, -3.0)]


@case
def while_loop_op_with_converted_body(tf):
    @tf.function
    def f(x):
        def body(i, v):
            if i % 2 == 0:
                v = v + 1.0
            else:
                v = v * 2.0
            return i + 1, v

        return tf.while_loop(
            lambda i, v: i < 5,
            body,
            (tf.constant(0), x),
            maximum_iterations=4,
            parallel_iterations=2,
            swap_memory=True,
        )

    x = tf.constant(1.0)
    with tf.GradientTape() as t:
        t.watch(x)
        i, v = f(x)
    return i, v, t.gradient(v, x)


@case
def while_loop_shape_invariants(tf):
    @tf.function
    def f(n):
        _, m = tf.while_loop(
            lambda i, m: i < n,
            lambda i, m: (i + 1, tf.concat([m, m[-1:] * 2.0], 0)),
            [tf.constant(0), tf.ones([1])],
            shape_invariants=[tf.TensorShape([]), tf.TensorShape([None])],
        )
        return m

    return f(tf.constant(3)), f(tf.constant(5))


@case
def dataset_map_while(tf):
    def digits(n):
        c = 0
        while n > 0:
            n = n // 10
            c += 1
        return c

    return list(tf.data.Dataset.from_tensor_slices([5, 12, 123, 0]).map(digits).as_numpy_iterator())


@case
def dataset_map_tuple_if(tf):
    def aug(x, y):
        if y == 1:
            x = tf.reverse(x, [0])
        for i in tf.range(y):
            x = x + 1.0
        return x, y

    d = (
        tf.data.Dataset.from_tensor_slices((tf.ones([3, 2]) * [1.0, 2.0], [0, 1, 2]))
        .map(aug)
        .batch(2)
    )
    return [[a.numpy(), b.numpy()] for a, b in d]


@case
def dataset_filter_for(tf):
    def keep(x):
        s = tf.constant(0, tf.int64)
        for i in tf.range(x):
            s += i
        return s % 2 == 0

    return list(tf.data.Dataset.range(10).filter(keep).as_numpy_iterator())


@case
def dataset_scan_break(tf):
    def step(s, x):
        while s > 10:
            s -= 7
            if s == 5:
                break
        return s + x, s

    return list(tf.data.Dataset.range(10).scan(tf.constant(0, tf.int64), step).as_numpy_iterator())


@case
def dataset_reduce_structure(tf):
    def red(s, x):
        lo, hi = s
        if x < lo:
            lo = x
        if x > hi:
            hi = x
        return lo, hi

    d = tf.data.Dataset.from_tensor_slices(V)
    return d.reduce((np.float32(np.inf), np.float32(-np.inf)), red)


@case
def dataset_interleave_if(tf):
    def g(x):
        if x > 1:
            x = x * 10
        return tf.data.Dataset.from_tensors(x).repeat(2)

    return list(tf.data.Dataset.range(4).interleave(g, cycle_length=2).as_numpy_iterator())


@case
def dataset_as_argument(tf):
    @tf.function
    def f(d, w):
        s = 0.0
        for x in d:
            if x > 2.0:
                s += x * w
        return s

    d = tf.data.Dataset.from_tensor_slices(V)
    return f(d, tf.constant(2.0)), f(d.skip(2), tf.constant(3.0))


@case
def iterator_as_argument(tf):
    @tf.function
    def f(it, n):
        s = tf.constant(0, tf.int64)
        for _ in tf.range(n):
            s += next(it)
        return s

    it = iter(tf.data.Dataset.range(10))
    return f(it, tf.constant(3)), f(it, tf.constant(2))


@case
def iterator_loop(tf):
    @tf.function
    def f(it):
        s = tf.constant(0, tf.int64)
        for x in it:
            if x > 4:
                break
            s += x
        return s

    it = iter(tf.data.Dataset.range(10))
    return f(it), f(it)


@case
def distributed_loop(tf):
    s = tf.distribute.get_strategy()
    with s.scope():
        v = tf.Variable(1.0)

    @tf.function
    def f(d):
        total = 0.0
        for x in d:

            def step(x):
                if tf.reduce_sum(x) > 3.0:
                    v.assign_add(1.0)
                return tf.reduce_sum(x) * v

            total += s.reduce("SUM", s.run(step, (x,)), axis=None)
        return total

    d = s.experimental_distribute_dataset(
        tf.data.Dataset.from_tensor_slices([1.0, 2.0, 3.0, 4.0]).batch(2)
    )
    return f(d), v


@case
def exec_function(tf):
    ns = {"tf": tf}
    exec("def f(x):\n    y = x * 2.0\n    return y + 1.0\n", ns)
    return tf.function(ns["f"])(tf.constant(1.0))


@case
def eval_lambda(tf):
    return tf.function(eval("lambda x: x * 2.0"))(tf.constant(1.0))


@case
def to_code_runs(tf):
    def f(x):
        if x > 0:
            x = -x
        return x

    code = tf.autograph.to_code(f)
    return "if_stmt" in code, "def tf__f(x)" in code, "get_state" in code, code.startswith("def")


@case
def to_graph_eager(tf):
    def f(x):
        s = 0
        while x > 0:
            s += x
            x -= 1
        return s

    g = tf.autograph.to_graph(f)
    return g(4), g(tf.constant(5)), tf.function(g)(tf.constant(6))


@case
def to_graph_lambda(tf):
    g = tf.autograph.to_graph(lambda x: x if x > 0 else -x)
    return tf.function(g)(tf.constant(-3))


@case
def do_not_convert_python(tf):
    @tf.autograph.experimental.do_not_convert
    def inner(x):
        return x * 2.0

    @tf.function
    def f(x):
        if x > 0.0:
            x = inner(x)
        return x

    return f(tf.constant(1.0)), f(tf.constant(-1.0))


@case
def autograph_false(tf):
    @tf.function(autograph=False)
    def f(x):
        for i in range(3):
            x = x * 2.0
        return x

    return f(tf.constant(1.0))


@case
def experimental_autograph_options(tf):
    @tf.function(
        experimental_autograph_options=tf.autograph.experimental.Feature.EQUALITY_OPERATORS
    )
    def f(x):
        if x == 2.0:
            return x * 5.0
        return x

    return f(tf.constant(2.0)), f(tf.constant(3.0))


@case
def tf_gradients_in_loop(tf):
    @tf.function
    def f(x, n):
        for _ in tf.range(n):
            y = x**3
            x = x - 0.1 * tf.gradients(y, x)[0]
        return x

    return f(tf.constant(1.0), tf.constant(3))


@case
def tf_gradients_of_if(tf):
    @tf.function
    def f(x):
        if x > 0.0:
            y = x * x
        else:
            y = tf.exp(x)
        g = tf.gradients(y, x)[0]
        return g, tf.gradients(g, x)[0]

    return f(tf.constant(2.0)), f(tf.constant(-1.0))


@case
def tf_gradients_nested_function_loop(tf):
    @tf.function
    def inner(x, n):
        y = x
        for _ in tf.range(n):
            y = y * x
        return tf.gradients(y, x)[0]

    @tf.function
    def outer(x, n):
        g = inner(x, n)
        return g, tf.gradients(g, x)[0]

    return outer(tf.constant(2.0), tf.constant(2))


@case
def py_function_in_if(tf):
    @tf.function
    def f(x):
        if x > 0.0:
            y = tf.py_function(lambda v: v * 3.0, [x], tf.float32)
        else:
            y = x
        return y

    return [grads(tf, f, v)[:2] for v in (2.0, -1.0)]


@case
def numpy_function_in_while(tf):
    @tf.function
    def f(x):
        n = 0
        while x > 1.0:
            x = tf.numpy_function(lambda v: np.float32(v * 0.4), [x], tf.float32)
            x.set_shape([])
            n += 1
        return x, n

    return f(tf.constant(10.0))


@case
def numpy_function_env_step(tf):
    calls = []

    def env(a):
        calls.append(int(a))
        return np.array([a, a + 1], np.float32), np.float32(-a), np.array(a > 3, np.int32)

    @tf.function
    def episode(s, n):
        rewards = tf.TensorArray(tf.float32, 0, dynamic_size=True)
        shape = s.shape
        for t in tf.range(n):
            s, r, done = tf.numpy_function(
                env, [tf.cast(s[0], tf.int32) + 1], [tf.float32, tf.float32, tf.int32]
            )
            s.set_shape(shape)
            rewards = rewards.write(t, r)
            if tf.cast(done, tf.bool):
                break
        return rewards.stack()

    return episode(tf.constant([0.0, 0.0]), tf.constant(10)), len(calls)


@case
def tensor_array_returned_from_called(tf):
    def collect(x, n):
        ta = tf.TensorArray(tf.float32, size=n)
        for i in tf.range(n):
            ta = ta.write(i, x ** tf.cast(i, tf.float32))
        return ta

    @tf.function
    def f(x, n):
        return tf.reduce_sum(collect(x, n).stack())

    return grads(tf, f, 2.0, 3)[:2]


@case
def input_signature_none(tf):
    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def f(x):
        s = 0.0
        for v in x:
            if v > 0.0:
                s += v
        return s, tf.shape(x)[0]

    return f(tf.constant(V)), f(tf.constant([1.0])), f.experimental_get_tracing_count()


@case
def input_signature_while_size(tf):
    @tf.function(
        input_signature=[tf.TensorSpec([None, 2], tf.float32), tf.TensorSpec([], tf.int32)]
    )
    def f(x, n):
        i = 0
        acc = tf.zeros([2])
        while i < tf.shape(x)[0] and i < n:
            acc += x[i]
            i += 1
        return acc

    return f(tf.ones([3, 2]), 2), f(tf.ones([5, 2]), 10)


@case
def get_concrete_function(tf):
    @tf.function
    def f(x):
        while x < 10.0:
            x = x * 2.0
        return x

    c = f.get_concrete_function(tf.TensorSpec([], tf.float32))
    return c(tf.constant(3.0)), c(tf.constant(20.0))


@case
def python_argument_retrace(tf):
    traces = []

    @tf.function
    def f(x, n):
        traces.append(n)
        for _ in range(n):
            if x > 0.0:
                x = x - 1.0
        return x

    r = [f(tf.constant(2.5), k) for k in (1, 3, 1, 5)]
    return r, traces


@case
def variable_created_once_loop(tf):
    class M(tf.Module):
        def __init__(self):
            self.v = None

        @tf.function
        def __call__(self, x, n):
            if self.v is None:
                self.v = tf.Variable(1.0)
            for _ in tf.range(n):
                self.v.assign_add(x)
            return self.v * 1.0

    m = M()
    return m(tf.constant(2.0), tf.constant(2)), m(tf.constant(1.0), tf.constant(3))


@case
def module_method_polynomial(tf):
    class P(tf.Module):
        def __init__(self):
            self.c = tf.Variable([1.0, 2.0, 3.0])

        @tf.function
        def horner(self, x):
            y = 0.0
            for c in tf.reverse(self.c, [0]):
                y = y * x + c
            return y

    p = P()
    x = tf.constant(2.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = p.horner(x)
    return y, t.gradient(y, [x, p.c])


@case
def gather_gradient_loop(tf):
    e = tf.Variable(np.arange(12, dtype=np.float32).reshape(4, 3))

    @tf.function
    def f(ids):
        s = 0.0
        for i in ids:
            if i > 0:
                s += tf.reduce_sum(tf.gather(e, i) ** 2)
        return s

    with tf.GradientTape() as t:
        y = f(tf.constant([0, 1, 3, 1]))
    return y, tf.convert_to_tensor(t.gradient(y, e))


@case
def beam_like(tf):
    @tf.function
    def f(scores, steps):
        seqs = tf.zeros([2, 3], tf.int32)
        total = tf.zeros([2])
        for t in tf.range(steps):
            best = tf.argmax(scores[t], -1, output_type=tf.int32)
            idx = tf.stack([tf.range(2), tf.fill([2], t)], 1)
            seqs = tf.tensor_scatter_nd_update(seqs, idx, best)
            total += tf.reduce_max(scores[t], -1)
            if tf.reduce_all(best == 0):
                break
        return seqs, total

    s = np.array(
        [[[1, 2, 0], [0, 1, 5]], [[9, 1, 0], [8, 0, 2]], [[1, 2, 0], [0, 1, 5]]], np.float32
    )
    return f(tf.constant(s), tf.constant(3))


@case
def lstm_by_hand(tf):
    w = tf.Variable(np.linspace(-1, 1, 12).reshape(3, 4).astype(np.float32))

    @tf.function
    def f(x, n):
        h = tf.zeros([2, 1])
        c = tf.zeros([2, 1])
        for t in tf.range(n):
            z = tf.concat([x[:, t], h], 1) @ w
            i, fg, g, o = tf.split(z, 4, axis=1)
            c = tf.sigmoid(fg) * c + tf.sigmoid(i) * tf.tanh(g)
            h = tf.sigmoid(o) * tf.tanh(c)
        return tf.reduce_sum(h)

    x = np.arange(16, dtype=np.float32).reshape(2, 4, 2) / 10
    with tf.GradientTape() as t:
        y = f(tf.constant(x), tf.constant(4))
    return y, t.gradient(y, w)


@case
def ode_rk4(tf):
    @tf.function
    def f(y, n):
        t = 0.0
        h = 0.1
        for _ in tf.range(n):
            k1 = -y + t
            k2 = -(y + h / 2 * k1) + t + h / 2
            k3 = -(y + h / 2 * k2) + t + h / 2
            k4 = -(y + h * k3) + t + h
            y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
            t += h
        return y

    return grads(tf, f, 1.0, 10)[:2]


@case
def conjugate_gradient(tf):
    @tf.function
    def cg(a, b):
        x = tf.zeros_like(b)
        r = b
        p = r
        rs = tf.reduce_sum(r * r)
        for _ in tf.range(10):
            ap = tf.linalg.matvec(a, p)
            alpha = rs / tf.reduce_sum(p * ap)
            x += alpha * p
            r -= alpha * ap
            new = tf.reduce_sum(r * r)
            if new < 1e-8:
                break
            p = r + new / rs * p
            rs = new
        return x

    a = tf.constant([[4.0, 1.0], [1.0, 3.0]])
    b = tf.constant([1.0, 2.0])
    with tf.GradientTape() as t:
        t.watch(b)
        x = cg(a, b)
    return x, t.gradient(x, b)


@case
def early_stop_variable(tf):
    best = tf.Variable(np.inf, dtype=tf.float32)
    wait = tf.Variable(0)

    @tf.function
    def step(loss):
        stop = False
        if loss < best:
            best.assign(loss)
            wait.assign(0)
        else:
            wait.assign_add(1)
            if wait >= 2:
                stop = True
        return stop

    return [step(tf.constant(v)) for v in (3.0, 2.0, 2.5, 2.4, 1.0)], best, wait


@case
def ragged_row_loop(tf):
    @tf.function
    def f(r):
        s = 0
        for row in r:
            s = s * 10 + tf.reduce_sum(row)
        return s

    return f(tf.ragged.constant([[1, 2], [3], []]))


@case
def sparse_in_branch(tf):
    @tf.function
    def f(x):
        if x > 0.0:
            return tf.sparse.to_dense(tf.sparse.SparseTensor([[0, 1]], [1.0], [2, 2])) * x
        return tf.zeros([2, 2])

    return f(tf.constant(2.0))


@case
def indexed_slices_in_branch(tf):
    e = tf.Variable(np.ones((4, 2), np.float32))

    @tf.function
    def f(i):
        with tf.GradientTape() as t:
            y = tf.reduce_sum(tf.gather(e, i) ** 2)
        g = t.gradient(y, e)
        if y > 1.0:
            e.assign_sub(tf.convert_to_tensor(g) * 0.5)
        return y

    return f(tf.constant([1, 1])), e


@case
def exception_loop_undefined_var(tf):
    @tf.function
    def f(x):
        while x > 0.0:
            z = y + 1.0  # noqa: F821 (what it raises is the point)
            y = z  # noqa: F841
            x = x - 1.0
        return x

    try:
        return f(tf.constant(1.0))
    except Exception as e:
        return type(e).__name__


@case
def unbound_in_python_branch(tf):
    @tf.function
    def f(x, flag):
        if flag:
            y = x
        return y

    try:
        return f(tf.constant(1.0), False)
    except Exception as e:
        return type(e).__name__


@case
def class_with_call_and_state(tf):
    class Counter(tf.Module):
        def __init__(self):
            self.n = tf.Variable(0)
            self.log = []

        def __call__(self, x):
            self.log.append("t")
            if x > 0.0:
                self.n.assign_add(1)
            return self.n.read_value()

    c = Counter()
    f = tf.function(c)
    return [f(tf.constant(v)) for v in (1.0, -1.0, 2.0)], c.log


@case
def generator_function_called(tf):
    def pairs(x):
        yield x
        yield x * 2.0

    @tf.function
    def f(x):
        s = 0.0
        for v in pairs(x):
            if v > 1.0:
                s += v
        return s

    return f(tf.constant(0.7)), f(tf.constant(2.0))


@case
def decorated_with_wraps(tf):
    def doubled(fn):
        @functools.wraps(fn)
        def inner(x):
            return fn(fn(x))

        return inner

    @tf.function
    @doubled
    def f(x):
        if x > 1.0:
            return x / 2.0
        return x * 3.0

    return f(tf.constant(1.5)), f(tf.constant(0.2))


@case
def functools_partial(tf):
    def g(a, b, k=2.0):
        if a > b:
            return a * k
        return b * k

    f = tf.function(functools.partial(g, tf.constant(1.0), k=3.0))
    return f(tf.constant(2.0)), f(tf.constant(0.5))


@case
def async_and_lambda_default(tf):
    fs = [lambda x, k=k: x + k if x > k else x - k for k in (1.0, 2.0)]

    @tf.function
    def f(x):
        return [g(x) for g in fs]

    return f(tf.constant(1.5))


@case
def nested_def_with_nonlocal(tf):
    @tf.function
    def f(x):
        total = 0.0

        def add(v):
            nonlocal total
            total = total + v

        add(x)
        if x > 0.0:
            x = x * 2.0
        add(x)
        return total

    return f(tf.constant(1.0))


@case
def try_finally_loop(tf):
    seen = []

    @tf.function
    def f(x, n):
        try:
            for _ in tf.range(n):
                x = x * 2.0
        finally:
            seen.append(1)
        return x

    return f(tf.constant(1.0), tf.constant(3)), seen


@case
def with_tape_in_loop_second(tf):
    @tf.function
    def f(x, n):
        s = 0.0
        for _ in tf.range(n):
            with tf.GradientTape() as t2:
                t2.watch(x)
                with tf.GradientTape() as t1:
                    t1.watch(x)
                    y = x**3
                g = t1.gradient(y, x)
            h = t2.gradient(g, x)
            s += h
            x = x - 0.1 * g / h
        return s, x

    return f(tf.constant(1.0), tf.constant(3))


@case
def nested_4_mixed_ops(tf):
    @tf.function
    def f(x, n):
        def body(i, acc):
            def g(v):
                return tf.foldl(lambda a, b: a + b * v, x, initializer=0.0)

            return i + 1, acc + tf.reduce_sum(tf.map_fn(g, x))

        return tf.while_loop(lambda i, a: i < n, body, (tf.constant(0), 0.0))[1]

    return grads(tf, f, [1.0, 2.0, 0.5], 3)


@case
def scan_of_scan(tf):
    @tf.function
    def f(x):
        return tf.scan(
            lambda a, row: a + tf.reduce_sum(tf.scan(lambda p, q: p * q, row)), x, initializer=0.0
        )

    x = np.array([[1.0, 2.0, 3.0], [0.5, 0.5, 2.0]], np.float32)
    return grads(tf, f, x)


@case
def case_switch_in_loop(tf):
    @tf.function
    def f(x, n):
        for i in tf.range(n):
            x = tf.switch_case(i % 3, [lambda: x + 1.0, lambda: x * 2.0, lambda: tf.sqrt(x)])
            x = tf.case([(x > 5.0, lambda: x - 4.0), (x > 3.0, lambda: x * 0.5)], default=lambda: x)
        return x

    return grads(tf, f, 1.0, 7)
