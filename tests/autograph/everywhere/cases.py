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
        found = tf.constant(-1.0)
        for value in x:
            if value > limit:
                found = value
                break
        return found

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

    found = [watch(np.full((2, 2), k, np.float32)) for k in (3.0, 1.0, 2.0, 4.0)]
    return found, best.numpy(), waited.numpy()


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
    found = []
    for n in (1, 7, 3):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x, tf.constant(n))
        found.append((y, tape.gradient(y, x)))
    return found


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
        found = []
        for i in tf.range(n):
            found.append(i)
        return tf.stack(found)

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
        found = []
        for k in range(3):
            y = x
            for _ in tf.range(n):
                y = y * x + k
            found.append(y)
        return tf.stack(found)

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
    def twice(function):
        @functools.wraps(function)
        def call(x):
            return function(function(x))

        return call

    @tf.function
    @twice
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

    found = [f(tf.constant([1.0]), True)]
    try:
        f(tf.constant(1.0), True)
    except ValueError as error:
        found.append("vector" in str(error))
    return found


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

    found = [f(tf.constant(1.0), tf.constant(3))]
    try:
        f(tf.constant(1.0), tf.constant(9))
    except tf.errors.InvalidArgumentError:
        found.append("refused")
    return found
