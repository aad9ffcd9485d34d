"""Small whole programs with loops and branches on tensors, in the styles of public TensorFlow code.

As in `mixed/cases.py`; `PYTHONPATH=. python tests/recorded/record.py autograph/programs` runs them
with TensorFlow and writes `recorded.json`.
"""

import functools

import numpy as np

from tests.autograph.mixed.cases import plain, results

__all__ = ["CASES", "FUNCTIONS", "plain", "results"]

CASES = {}
FUNCTIONS = {}  # the same, as (Python function, calls)


def case(function):
    assert function.__name__ not in FUNCTIONS
    FUNCTIONS[function.__name__] = function
    CASES[function.__name__] = lambda tf, folder: results(tf, *function(tf))
    return function


V = [3.0, -1.0, 4.0, 1.0, -5.0, 9.0]
M = [[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 5.0]]


# --- iterations until something holds -------------------------------------------------------------


@case
def newton_square_root(tf):
    def f(a):
        x = a
        while tf.abs(x * x - a) > 1e-4:
            x = 0.5 * (x + a / x)
        return x

    return f, (2.0,), (9.0,), (0.25,)


@case
def bisection(tf):
    def f(c):
        low, high = tf.constant(0.0), tf.constant(4.0)
        for _ in tf.range(20):
            middle = (low + high) / 2.0
            if middle**3 + middle > c:
                high = middle
            else:
                low = middle
        return low * c

    return f, (3.0,), (10.0,)


@case
def power_iteration(tf):
    def f(a):
        v = tf.ones([3])
        value = tf.constant(0.0)
        change = tf.constant(1.0)
        while change > 1e-3:
            w = tf.linalg.matvec(a, v)
            new = tf.norm(w)
            change = tf.abs(new - value)
            value = new
            v = w / new
        return value

    return f, (M,)


@case
def conjugate_gradient(tf):
    def f(a, b):
        x = tf.zeros_like(b)
        r = b - tf.linalg.matvec(a, x)
        p = r
        rs = tf.reduce_sum(r * r)
        i = tf.constant(0)
        while tf.logical_and(i < 10, rs > 1e-6):
            ap = tf.linalg.matvec(a, p)
            alpha = rs / tf.reduce_sum(p * ap)
            x += alpha * p
            r -= alpha * ap
            new = tf.reduce_sum(r * r)
            p = r + (new / rs) * p
            rs = new
            i += 1
        return tf.reduce_sum(x), i

    return f, (M, [1.0, 2.0, 3.0])


@case
def collatz(tf):
    def f(n):
        steps = 0
        while n != 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            steps += 1
        return steps

    return f, (6,), (7,), (1,)


@case
def euclid(tf):
    def f(a, b):
        while b != 0:
            a, b = b, a % b
        return a

    return f, (48, 18), (7, 3)


@case
def mandelbrot(tf):
    def f(re, im):
        zr, zi = tf.zeros_like(re), tf.zeros_like(im)
        count = tf.zeros_like(re, tf.int32)
        for _ in tf.range(15):
            zr, zi = zr * zr - zi * zi + re, 2.0 * zr * zi + im
            inside = zr * zr + zi * zi < 4.0
            count += tf.cast(inside, tf.int32)
            zr = tf.where(inside, zr, 0.0)
            zi = tf.where(inside, zi, 0.0)
            if not tf.reduce_any(inside):
                break
        return count

    return f, ([0.0, -1.0, 0.3, 2.0], [0.0, 0.1, 0.6, 1.0])


@case
def line_search(tf):
    def f(x):
        step = tf.constant(1.0)

        def loss(y):
            return tf.reduce_sum(y**4 - 3.0 * y)

        gradient = 4.0 * x**3 - 3.0
        while loss(x - step * gradient) > loss(x) - 0.1 * step * tf.reduce_sum(gradient**2):
            step *= 0.5
            if step < 1e-3:
                break
        return step, x - step * gradient

    return f, ([2.0, 1.0],), ([0.1, 0.2],)


@case
def gradient_descent_in_a_function(tf):
    def f(x):
        for _ in tf.range(5):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = tf.reduce_sum(tf.square(x - 1.0) * x)
            g = tape.gradient(y, x)
            x = x - 0.1 * tf.clip_by_norm(g, 1.0)
        return x

    return f, ([2.0, 0.5],)


@case
def newton_with_hessian(tf):
    def f(x):
        i = 0
        while i < 4:
            with tf.GradientTape() as outer:
                outer.watch(x)
                with tf.GradientTape() as inner:
                    inner.watch(x)
                    y = x**4 - 2.0 * x * x + x
                g = inner.gradient(y, x)
            h = outer.gradient(g, x)
            x = x - g / h
            i += 1
        return x

    return f, (2.0,), (-3.0,)


@case
def fixed_point_with_tolerance_argument(tf):
    def f(x, tolerance=1e-2, limit=50):
        previous = x + 2.0 * tolerance
        i = 0
        while abs(x - previous) > tolerance and i < limit:
            previous = x
            x = tf.cos(x)
            i += 1
        return x, i

    return f, (1.0,), (0.2,)


# --- recurrences ----------------------------------------------------------------------------------


@case
def runge_kutta(tf):
    def f(y, k):
        def slope(t, u):
            return -k * u + tf.sin(t)

        t = tf.constant(0.0)
        h = 0.1
        while t < 0.95:
            k1 = slope(t, y)
            k2 = slope(t + h / 2.0, y + h / 2.0 * k1)
            k3 = slope(t + h / 2.0, y + h / 2.0 * k2)
            k4 = slope(t + h, y + h * k3)
            y = y + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
            t = t + h
        return y

    return f, ([1.0, 2.0], 0.7)


@case
def kalman_filter(tf):
    def f(observed):
        mean, variance = tf.constant(0.0), tf.constant(1.0)
        means = tf.TensorArray(tf.float32, size=tf.shape(observed)[0])
        for t in tf.range(tf.shape(observed)[0]):
            variance = variance + 0.1
            gain = variance / (variance + 0.5)
            mean = mean + gain * (observed[t] - mean)
            variance = (1.0 - gain) * variance
            means = means.write(t, mean)
        return means.stack()

    return f, (V,)


@case
def hidden_markov_forward(tf):
    def f(transitions, emissions):
        alpha = emissions[0] * 0.5
        total = 0.0
        for e in emissions[1:]:
            alpha = tf.linalg.matvec(transitions, alpha, transpose_a=True) * e
            scale = tf.reduce_sum(alpha)
            alpha /= scale
            total += tf.math.log(scale)
        return total

    return f, ([[0.9, 0.1], [0.2, 0.8]], [[0.5, 0.1], [0.4, 0.3], [0.1, 0.9], [0.2, 0.7]])


@case
def viterbi(tf):
    def f(scores, transitions):
        n = tf.shape(scores)[0]
        best = scores[0]
        back = tf.TensorArray(tf.int32, size=n)
        for t in tf.range(1, n):
            options = best[:, None] + transitions
            back = back.write(t, tf.argmax(options, 0, output_type=tf.int32))
            best = tf.reduce_max(options, 0) + scores[t]
        path = tf.TensorArray(tf.int32, size=n)
        state = tf.argmax(best, output_type=tf.int32)
        path = path.write(n - 1, state)
        for t in tf.range(n - 1, 0, -1):
            state = back.read(t)[state]
            path = path.write(t - 1, state)
        return path.stack(), tf.reduce_max(best)

    return f, ([[1.0, 0.2], [0.1, 0.9], [0.5, 0.4], [0.3, 2.0]], [[0.5, -0.5], [-0.4, 0.6]])


@case
def edit_distance(tf):
    def f(a, b):
        row = tf.range(tf.shape(b)[0] + 1)
        for i in tf.range(tf.shape(a)[0]):
            new = tf.TensorArray(tf.int32, size=tf.shape(b)[0] + 1)
            last = i + 1
            new = new.write(0, last)
            for j in tf.range(tf.shape(b)[0]):
                cost = tf.cast(a[i] != b[j], tf.int32)
                last = tf.minimum(tf.minimum(row[j + 1] + 1, last + 1), row[j] + cost)
                new = new.write(j + 1, last)
            row = new.stack()
        return row[-1]

    return f, ([1, 2, 3, 4], [2, 3, 5]), ([1, 1, 2, 4], [1, 2, 4])


@case
def time_warping(tf):
    def f(a, b):
        big = 1e3
        before = tf.concat([[0.0], tf.fill([tf.size(b)], big)], 0)
        for x in a:
            here = tf.constant([big])
            for j in range(3):
                d = (x - b[j]) ** 2
                least = tf.reduce_min(tf.stack([before[j], before[j + 1], here[j]]))
                here = tf.concat([here, [d + least]], 0)
            before = here
        return before[-1]

    return f, ([1.0, 2.0, 4.0], [1.5, 2.0, 3.0])


@case
def online_softmax(tf):
    def f(x):
        largest, total = tf.constant(-np.inf), tf.constant(0.0)
        for v in x:
            new = tf.maximum(largest, v)
            total = total * tf.exp(largest - new) + tf.exp(v - new)
            largest = new
        return largest + tf.math.log(total)

    return f, (V,)


@case
def manual_lstm(tf):
    def f(xs, w):
        h, c = tf.zeros([2]), tf.zeros([2])
        outputs = []
        for x in tf.unstack(xs):
            gates = tf.linalg.matvec(w, tf.concat([x, h], 0), transpose_a=True)
            i, g, o, k = tf.split(gates, 4)
            c = tf.sigmoid(g) * c + tf.sigmoid(i) * tf.tanh(k)
            h = tf.sigmoid(o) * tf.tanh(c)
            outputs.append(h)
        return tf.stack(outputs)

    rng = np.random.default_rng(0)
    return f, (
        rng.normal(size=(3, 2)).astype(np.float32),
        rng.normal(size=(4, 8)).astype(np.float32),
    )


@case
def greedy_decoding(tf):
    def f(table, start):
        token = start
        tokens = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
        i = tf.constant(0)
        while True:
            tokens = tokens.write(i, token)
            i += 1
            token = tf.argmax(table[token], output_type=tf.int32)
            if token == 0 or i >= 8:
                break
        return tokens.stack(), i

    return f, ([[1.0, 0.0, 0.0], [0.0, 0.0, 2.0], [3.0, 0.0, 1.0]], 1)


@case
def discounted_returns(tf):
    def f(rewards, gamma):
        n = tf.shape(rewards)[0]
        returns = tf.TensorArray(dtype=tf.float32, size=n)
        rewards = rewards[::-1]
        total = tf.constant(0.0)
        shape = total.shape
        for i in tf.range(n):
            total = rewards[i] + gamma * total
            total.set_shape(shape)
            returns = returns.write(i, total)
        returns = returns.stack()[::-1]
        deviation = tf.math.reduce_std(returns) + 1e-6
        return tf.square((returns - tf.math.reduce_mean(returns)) / deviation)[:3]

    return f, (V, 0.9)


@case
def exponential_average_with_restart(tf):
    def f(x):
        average = tf.zeros([])
        restarts = 0
        for i in tf.range(tf.size(x)):
            v = tf.gather(x, i)
            if tf.abs(v - average) > 5.0:
                average = v
                restarts += 1
                continue
            average = 0.8 * average + 0.2 * v
        return average, restarts

    return f, (V,)


# --- searches and sorts ---------------------------------------------------------------------------


@case
def binary_search(tf):
    def f(x, wanted):
        low, high = 0, tf.size(x)
        while low < high:
            middle = (low + high) // 2
            if x[middle] < wanted:
                low = middle + 1
            else:
                high = middle
        return low

    return f, ([1, 3, 5, 7, 9], 5), ([1, 3, 5, 7, 9], 8)


@case
def bubble_sort(tf):
    def f(x):
        n = tf.size(x)
        for i in tf.range(n):
            for j in tf.range(n - i - 1):
                a, b = x[j], x[j + 1]
                if a > b:
                    x = tf.tensor_scatter_nd_update(x, [[j], [j + 1]], [b, a])
        return x

    return f, (V,)


@case
def sieve(tf):
    def f(n):
        prime = tf.concat([[False, False], tf.fill([n - 2], True)], 0)
        i = 2
        while i * i < n:
            if prime[i]:
                multiples = tf.range(i * i, n, i)
                prime = tf.tensor_scatter_nd_update(
                    prime, multiples[:, None], tf.zeros_like(multiples, tf.bool)
                )
            i += 1
        return tf.where(prime)[:, 0]

    return f, (20,), (30,)


@case
def first_index_where(tf):
    def f(x, limit):
        result = -1
        for i in tf.range(tf.size(x)):
            if x[i] > limit:
                result = i
                break
        return result

    return f, (V, 3.5), (V, 100.0)


@case
def longest_run(tf):
    def f(x):
        best = run = 0
        previous = tf.constant(-1)
        for v in x:
            if v == previous:
                run += 1
            else:
                run = 1
            if run > best:
                best = run
            previous = v
        return best

    return f, ([1, 1, 2, 2, 2, 3],), ([4],)


@case
def non_maximum_suppression(tf):
    def f(starts, ends, scores):
        alive = tf.ones_like(scores, tf.bool)
        kept = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
        count = 0
        while tf.reduce_any(alive):
            best = tf.argmax(tf.where(alive, scores, -1.0), output_type=tf.int32)
            kept = kept.write(count, best)
            count += 1
            overlap = tf.minimum(ends, ends[best]) - tf.maximum(starts, starts[best])
            alive = tf.logical_and(alive, overlap <= 0.5)
            alive = tf.tensor_scatter_nd_update(alive, [[best]], [False])
        return kept.stack()

    return f, ([0.0, 0.2, 2.0, 5.0], [1.0, 1.3, 3.0, 6.0], [0.5, 0.9, 0.3, 0.7])


@case
def k_means(tf):
    def f(points):
        centers = tf.gather(points, [0, 3])
        for _ in tf.range(4):
            d = tf.abs(points[:, None] - centers[None, :])
            owner = tf.argmin(d, 1)
            new = tf.math.unsorted_segment_mean(points, owner, 2)
            if tf.reduce_max(tf.abs(new - centers)) < 1e-4:
                break
            centers = new
        return centers

    return f, ([1.0, 1.5, 0.5, 5.0, 6.0, 5.5],)


@case
def top_words_until_full(tf):
    def f(scores, budget):
        order = tf.argsort(scores, direction="DESCENDING")
        taken = tf.zeros_like(scores)
        used = 0.0
        for index in order:
            if used + scores[index] > budget:
                continue
            used += scores[index]
            taken = tf.tensor_scatter_nd_add(taken, [[index]], [1.0])
        return taken, used

    return f, ([3.0, 2.0, 5.0, 1.0], 6.5)


# --- sizes that depend on values ------------------------------------------------------------------


@case
def shrinking_by_masks(tf):
    def f(x):
        rounds = 0
        x = tf.boolean_mask(x, x > 0.0)
        total = tf.reduce_sum(x)
        if tf.size(x) > 2:
            rounds += 1
        return total, rounds, x * 2.0

    return f, (V,), ([-1.0, 2.0, -3.0, -4.0, 5.0, -6.0],)


@case
def masks_in_a_loop(tf):
    def f(x):
        total = 0.0
        for limit in tf.range(3):
            above = tf.boolean_mask(x, x > tf.cast(limit, tf.float32))
            total += tf.reduce_mean(above) * tf.cast(tf.size(above), tf.float32)
        return total

    return f, (V,)


@case
def groups_by_unique_values(tf):
    def f(labels, x):
        names, index, counts = tf.unique_with_counts(labels)
        sums = tf.math.unsorted_segment_sum(x, index, tf.size(names))
        means = sums / tf.cast(counts, tf.float32)
        best = tf.argmax(means)
        return names[best], means

    return f, ([3, 1, 3, 2, 1, 3], V), ([1, 1, 1, 1, 1, 2], V)


@case
def partition_and_stitch(tf):
    def f(x):
        parts = tf.cast(x > 0.0, tf.int32)
        low, high = tf.dynamic_partition(x, parts, 2)
        where = tf.dynamic_partition(tf.range(tf.size(x)), parts, 2)
        return tf.dynamic_stitch(where, [low * 10.0, high + 1.0])

    return f, (V,), ([1.0, -2.0, 3.0],)


@case
def repeat_by_counts(tf):
    def f(x, counts):
        y = tf.repeat(x, counts)
        total = 0.0
        for v in y:
            total = total * 0.5 + v
        return total, tf.size(y)

    return f, ([1.0, 2.0, 3.0], [2, 0, 3]), ([1.0, 2.0, 3.0], [1, 1, 1])


@case
def padded_to_a_computed_length(tf):
    def f(x, n):
        missing = tf.maximum(n - tf.size(x), 0)
        x = tf.pad(x, [[0, missing]], constant_values=-1.0)
        return x[:n], tf.ones([n, 2])

    return f, (V, 8), (V, 3)


@case
def windows_of_unknown_size(tf):
    def f(x, k):
        best = -1e9
        for i in tf.range(tf.size(x) - k + 1):
            s = tf.reduce_sum(x[i : i + k])
            if s > best:
                best = s
        return best

    return f, (V, 2), (V, 3)


@case
def mask_of_lengths(tf):
    def f(lengths, x):
        mask = tf.sequence_mask(lengths, dtype=tf.float32)
        total = 0.0
        for row in mask:
            total += tf.reduce_sum(row * x[: tf.shape(mask)[1]])
        return total, tf.shape(mask)

    return f, ([1, 3, 2], V), ([2, 0, 1], V)


@case
def words_of_lines(tf):
    def f(lines):
        words = tf.strings.split(lines)
        lengths = words.row_lengths()
        longest = b""
        for w in words.values:
            if tf.strings.length(w) > tf.strings.length(longest):
                longest = w
        return longest, lengths

    return f, (np.array(["a quick fox", "jumps", "over the dog"]),)


@case
def text_that_changes(tf):
    def f(x):
        word = "first"
        while x > 0.0:
            word = "another"
            x = x - 1.0
        return word, x

    return f, (2.0,), (-1.0,)


@case
def random_rows_of_unknown_number(tf):
    def f(n):
        x = tf.random.stateless_uniform([n, 2], seed=[1, 2])
        best = tf.zeros([2])
        for row in x:
            if row[0] > best[0]:
                best = row
        return best, tf.shape(x)

    return f, (4,), (6,)


# --- states of other kinds ------------------------------------------------------------------------


@case
def dictionary_carried(tf):
    def f(x):
        state = {"a": x, "b": tf.zeros_like(x)}
        for i in tf.range(3):
            state = {"a": state["a"] * 0.5, "b": state["b"] + state["a"]}
            if tf.cast(i, tf.float32) > x:
                state["b"] = -state["b"]
        return state

    return f, (1.0,), (-4.0,)


@case
def function_chosen_by_a_tensor(tf):
    def f(x, which):
        functions = [tf.sin, tf.cos, lambda v: v * v]
        for i in tf.range(3):
            x = tf.switch_case((which + i) % 3, [functools.partial(g, x) for g in functions])
        return x

    return f, (0.5, 0), (0.5, 1)


@case
def cases_in_a_loop(tf):
    def f(x):
        for _ in tf.range(4):
            x = tf.case(
                [(x > 4.0, lambda: x / 2.0), (x < 0.0, lambda: -x)], default=lambda: x + 1.5
            )
        return x

    return f, (5.0,), (-3.0,), (1.0,)


@case
def loop_in_a_method(tf):
    class Counter(tf.Module):
        def __init__(self):
            super().__init__()
            self.total = tf.Variable(0.0)
            self.steps = 0

        def add(self, x):
            self.total.assign_add(x)
            if self.total > 5.0:
                self.total.assign(0.0)
            return self.total.read_value()

        def run(self, x):
            last = x
            for _ in tf.range(4):
                last = self.add(x)
            return last

    return Counter().run, (1.0,), (2.0,)


@case
def variables_swapped(tf):
    a, b = tf.Variable(1.0), tf.Variable(2.0)

    def f(x):
        while a < x:
            kept = b + 0.0
            b.assign(a * 2.0)
            a.assign(kept + 1.0)
        return a + b

    return f, (5.0,), (9.0,)


@case
def decorated_helpers(tf):
    def double(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            return function(*args, **kwargs) + function(*args, **kwargs)

        return wrapper

    @double
    def absolute(x, *, scale=1.0):
        if x < 0.0:
            return -x * scale
        return x * scale

    def f(x):
        return absolute(x) + absolute(-2.0 * x, scale=0.5)

    return f, (3.0,), (-3.0,)


@case
def star_arguments(tf):
    def largest(*values, default=0.0):
        best = default
        for v in values:
            if v > best:
                best = v
        return best

    def f(x):
        return largest(*tf.unstack(x), default=1.0)

    return f, (V,), ([-1.0, -2.0],)


@case
def recursion_on_python_numbers(tf):
    def power(x, n):
        if n == 0:
            return tf.ones_like(x)
        half = power(x, n // 2)
        if n % 2 == 1:
            half = half * half * x
        else:
            half = half * half
        if half > 100.0:
            half = half / 10.0
        return half

    def f(x):
        return power(x, 7)

    return f, (1.5,), (3.0,)


@case
def lambda_with_a_condition(tf):
    leaky = lambda x, slope=0.1: x if x > 0.0 else x * slope

    def f(x):
        return tf.map_fn(leaky, x)

    return f, (V,)


@case
def closures_in_loops(tf):
    def f(x):
        def scaled(k):
            def inner(y):
                if y > k:
                    return y - k
                return y

            return inner

        for k in [1.0, 2.0]:
            g = scaled(k)
            x = tf.vectorized_map(lambda v: v * 1.0, g(tf.reduce_sum(x)) + x)
        return x

    return f, (V,)


# --- loops of ops inside of loops -----------------------------------------------------------------


@case
def scan_in_a_loop_in_a_branch(tf):
    def f(x):
        if tf.reduce_sum(x) > 0.0:
            for _ in tf.range(2):
                x = tf.scan(lambda a, v: a * 0.5 + v, x)
        else:
            x = tf.foldl(lambda a, v: a + v * v, x) * x
        return x

    return f, (V,), ([-1.0, -2.0, 0.5],)


@case
def while_in_map_in_fold(tf):
    def root(v):
        x = tf.maximum(v, 1.0)
        while x * x > v + 1e-3:
            x = 0.5 * (x + v / x)
        return x

    def f(x):
        def step(total, row):
            return total + tf.reduce_sum(tf.map_fn(root, row))

        return tf.foldl(step, x, initializer=0.0)

    return f, ([[4.0, 9.0], [2.0, 3.0]],)


@case
def second_order_through_a_while_loop(tf):
    def f(x):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = x
                i = tf.constant(0)
                while i < 3:
                    y = tf.sin(y) * x
                    i += 1
            g = inner.gradient(y, x)
        return outer.gradient(g, x)

    return f, (0.7,)


@case
def custom_gradient_in_a_loop(tf):
    @tf.custom_gradient
    def clipped(x):
        def grad(g):
            return tf.clip_by_value(g, -0.5, 0.5)

        return x * 2.0, grad

    def f(x):
        for i in tf.range(3):
            if i % 2 == 0:
                x = clipped(x)
            else:
                x = x + 1.0
        return x

    return f, (1.0,)


@case
def stopped_gradient_in_a_loop(tf):
    def f(x):
        y = x
        for _ in tf.range(3):
            y = y * x + tf.stop_gradient(y)
        return y

    return f, (1.5,)


@case
def jacobian_of_a_loop(tf):
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for i in tf.range(3):
                y = y * tf.reverse(x, [0]) if i < 2 else y + x
        return tape.jacobian(y, x, experimental_use_pfor=False)

    return f, ([1.0, 2.0],)


@case
def forward_mode_through_a_loop(tf):
    def f(x):
        with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as accumulator:
            y = x
            for _ in tf.range(3):
                y = tf.sin(y) + x
        return accumulator.jvp(y)

    return f, ([0.5, 1.0],)


@case
def function_in_a_loop_of_a_function(tf):
    @tf.function
    def step(x, k):
        if x > k:
            x -= k
        return x * 1.5

    def f(x):
        for k in tf.range(1.0, 4.0):
            x = step(x, k)
        return x

    return f, (2.0,), (0.1,)


@case
def printed_in_nested_loops(tf):
    def f(n):
        print("traced")
        for i in tf.range(n):
            print("outer")
            for j in tf.range(i):
                print("inner")
                if i * j == 2:
                    print("branch")
        return n

    return f, (3,), (4,)


@case
def assertions_in_loops(tf):
    def f(x):
        for v in x:
            tf.debugging.assert_less(v, 100.0)
            assert v > -100.0, "small"
        return tf.reduce_sum(x)

    return f, (V,)


@case
def datasets_of_arguments(tf):
    def f(x, y):
        total = 0.0
        for a, b in tf.data.Dataset.from_tensor_slices((x, y)).batch(2):
            if tf.reduce_sum(a) > 0.0:
                total += tf.reduce_sum(a * b)
        return total

    return f, (V, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0])


@case
def reduced_dataset_of_an_argument(tf):
    def f(x):
        data = tf.data.Dataset.from_tensor_slices(x).filter(lambda v: v > 0.0)
        return data.reduce(0.0, lambda total, v: total * 0.5 + v)

    return f, (V,)


@case
def element_of_an_argument(tf):
    def f(x):
        total = 0.0
        for row in tf.data.Dataset.from_tensors(x).repeat(2):
            total += tf.reduce_max(row)
        return total

    return f, (V,)
