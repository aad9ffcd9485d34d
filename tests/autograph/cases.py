"""Functions with control flow on tensors whose results are TensorFlow's.

Each case is a function of the module `tf` that returns a Python function and the arguments to call
it with. `CASES` makes of each a call inside `tf.function`, with gradients and what is printed.
`python tests/recorded/record.py autograph` runs them with TensorFlow and writes `recorded.json`.
"""

import contextlib
import io

import numpy as np

CASES = {}
FUNCTIONS = {}  # the same, as (Python function, calls)


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
        numbers = [f"{x:.4g}" for x in array.reshape(-1).tolist()]
    else:
        numbers = [repr(x) for x in array.reshape(-1).tolist()]
    return [array.dtype.name, list(array.shape), numbers]


def case(function):
    assert function.__name__ not in FUNCTIONS
    FUNCTIONS[function.__name__] = function
    CASES[function.__name__] = lambda tf, folder: results(tf, *function(tf))
    return function


def results(tf, function, *calls, **options):
    """What a function gives for each call, its gradients for float arguments, and what it prints.

    Of a `tf.function` with these options.
    """
    traced = tf.function(function, **options)
    actual = []
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        for args in calls:
            args = [x if isinstance(x, (bool, str)) else tf.constant(x) for x in args]
            sources = [x for x in args if hasattr(x, "dtype") and x.dtype.is_floating]
            with tf.GradientTape() as tape:
                tape.watch(sources)
                result = traced(*args)
            actual.append(result)
            targets = [
                y for y in tf.nest.flatten(result) if hasattr(y, "dtype") and y.dtype.is_floating
            ]
            if targets and sources:
                actual.append(tape.gradient(targets, sources))
    return actual, printed.getvalue(), traced.experimental_get_tracing_count()


# --- if ------------------------------------------------------------------------------------------


@case
def if_else(tf):
    def f(x):
        if x > 0.0:
            y = x * x
        else:
            y = -x
        return y

    return f, (3.0,), (-2.0,)


@case
def if_without_else(tf):
    def f(x):
        if x > 0.0:
            x = x * 3.0
        return x

    return f, (3.0,), (-2.0,)


@case
def if_elif_else(tf):
    def f(x):
        if x > 1.0:
            y = x
        elif x > 0.0:
            y = x * x
        elif x > -1.0:
            y = tf.sin(x)
        else:
            y = 0.0 * x + 7.0
        return y

    return f, (3.0,), (0.5,), (-0.5,), (-2.0,)


@case
def if_returns(tf):
    def f(x):
        if x > 0.0:
            return x * x
        return -x

    return f, (3.0,), (-2.0,)


@case
def if_returns_in_both(tf):
    def f(x):
        if x > 0.0:
            return x * x
        else:
            return tf.exp(x)

    return f, (3.0,), (-2.0,)


@case
def nested_returns(tf):
    def f(x, y):
        if x > 0.0:
            if y > 0.0:
                return x * y
            return x
        if y > 0.0:
            return y
        return x - y

    return f, (1.0, 2.0), (1.0, -2.0), (-1.0, 2.0), (-1.0, -2.0)


@case
def several_names(tf):
    def f(x):
        a, b = x, 2.0 * x
        if tf.reduce_sum(x) > 0.0:
            a, b = b, a
            c = a + b
        else:
            c = a - b
        return a, b, c

    return f, ([1.0, 2.0],), ([-1.0, -2.0],)


@case
def python_condition_inside(tf):
    def f(x, flag):
        if flag:
            if x > 0.0:
                return x
            return -x
        return x * 10.0

    return f, (2.0, True), (-2.0, True), (2.0, False)


@case
def number_becomes_tensor(tf):
    def f(x):
        n = 1
        if x > 0.0:
            n = 2
        return n

    return f, (2.0,), (-2.0,)


@case
def undefined_in_one_branch(tf):
    def f(x):
        if x > 0.0:
            y = x
        return y

    return f, (2.0,)


@case
def undefined_but_unused(tf):
    def f(x):
        if x > 0.0:
            y = x
            x = y * 2.0
        return x

    return f, (2.0,), (-2.0,)


@case
def return_missing_in_one_branch(tf):
    def f(x):
        if x > 0.0:
            return x

    return f, (2.0,)


@case
def none_in_one_branch(tf):
    def f(x):
        y = None
        if x > 0.0:
            y = x
        return y

    return f, (2.0,)


@case
def different_dtypes(tf):
    def f(x):
        if x > 0.0:
            y = 1
        else:
            y = 2.0
        return y

    return f, (2.0,)


@case
def different_structures(tf):
    def f(x):
        if x > 0.0:
            y = (x, x)
        else:
            y = x
        return y

    return f, (2.0,)


@case
def dict_in_branches(tf):
    def f(x):
        if x > 0.0:
            d = {"a": x, "b": x * 2.0}
        else:
            d = {"a": -x, "b": x}
        return d["a"] + 3.0 * d["b"]

    return f, (2.0,), (-2.0,)


@case
def list_in_branches(tf):
    def f(x):
        parts = [x, x + 1.0]
        if x > 0.0:
            parts = [parts[1], parts[0]]
        return parts[0] - 2.0 * parts[1]

    return f, (2.0,), (-2.0,)


@case
def element_of_dict_is_set(tf):
    def f(x):
        d = {"a": x}
        if x > 0.0:
            d["a"] = x * 5.0
        return d["a"]

    return f, (2.0,), (-2.0,)


@case
def conditional_expression(tf):
    def f(x):
        return x * 2.0 if x > 0.0 else x * x

    return f, (2.0,), (-3.0,)


@case
def nested_conditional_expression(tf):
    def f(x):
        return 1.0 if x > 1.0 else (x if x > 0.0 else -x)

    return f, (2.0,), (0.5,), (-3.0,)


@case
def logical_operators(tf):
    def f(x, y):
        r = 0.0
        if x > 0.0 and y > 0.0:
            r = x + y
        if x > 0.0 or y > 0.0:
            r += 10.0
        if not x > 0.0:
            r -= 100.0
        return r

    return f, (1.0, 2.0), (1.0, -2.0), (-1.0, 2.0), (-1.0, -2.0)


@case
def chained_comparison(tf):
    def f(x):
        if 0.0 < x < 1.0:
            return x * 2.0
        return x

    return f, (0.5,), (1.5,), (-0.5,)


@case
def and_is_lazy_in_python(tf):
    def f(x, flag):
        if flag and x > 0.0:
            return x * 2.0
        return x

    return f, (0.5, True), (0.5, False), (-0.5, True)


@case
def logical_value(tf):
    def f(x, y):
        return (x > 0.0 and y > 0.0), (x > 0.0 or y > 0.0), not (x > y)

    return f, (1.0, 2.0), (-1.0, 2.0), (-1.0, -2.0)


@case
def printing_happens_while_tracing(tf):
    def f(x):
        if x > 0.0:
            print("one branch")
            y = x
        else:
            print("the other")
            y = -x
        print("after")
        return y

    return f, (1.0,), (-1.0,)


@case
def raising_in_a_branch(tf):
    def f(x):
        if x > 0.0:
            y = x
        else:
            raise ValueError("no")
        return y

    return f, (1.0,)


@case
def tensors_of_ints(tf):
    def f(n):
        if n % 2 == 0:
            return n // 2
        return 3 * n + 1

    return f, (6,), (7,)


@case
def branch_on_a_reduction(tf):
    def f(x):
        if tf.reduce_any(x > 2.0):
            x = x / tf.reduce_max(x)
        return x

    return f, ([1.0, 4.0],), ([1.0, 2.0],)


@case
def functions_called_in_branches(tf):
    def double(x):
        if x > 10.0:
            return x
        return x * 2.0

    def f(x):
        if x > 0.0:
            y = double(x)
        else:
            y = double(-x) + 1.0
        return double(y)

    return f, (2.0,), (20.0,), (-2.0,), (-12.0,)


@case
def methods(tf):
    class Model:
        def __init__(self):
            self.scale = 3.0

        def activate(self, x):
            if x > 0.0:
                return x * self.scale
            return x

        def __call__(self, x):
            y = self.activate(x)
            if y > 5.0:
                y = y - 1.0
            return y

    model = Model()

    def f(x):
        return model(x)

    return f, (1.0,), (2.0,), (-2.0,)


@case
def attribute_is_set(tf):
    class Box:
        value = None

    box = Box()

    def f(x):
        box.value = x
        if x > 0.0:
            box.value = x * 2.0
        return box.value

    return f, (1.0,), (-1.0,)


@case
def lambdas(tf):
    choose = lambda x: x * 2.0 if x > 0.0 else -x

    def f(x):
        return choose(x) + choose(-x)

    return f, (1.0,), (-3.0,)


@case
def default_and_keyword_arguments(tf):
    def inner(x, limit=1.0, *, factor=2.0):
        if x > limit:
            x = x * factor
        return x

    def f(x):
        return inner(x) + inner(x, 5.0) + inner(x, factor=3.0) + inner(x, limit=0.0, factor=4.0)

    return f, (0.5,), (2.0,), (6.0,)


@case
def star_arguments(tf):
    def inner(*args, **kwargs):
        total = 0.0
        for x in args:
            if x > 0.0:
                total += x
        for name in sorted(kwargs):
            total += kwargs[name]
        return total

    def f(x, y):
        return inner(x, y, -x, a=x, b=y)

    return f, (1.0, 2.0), (-1.0, 2.0)


# --- while ---------------------------------------------------------------------------------------


@case
def while_loop(tf):
    def f(x):
        while tf.reduce_sum(x) > 1.0:
            x = x / 2.0
        return x

    return f, ([3.0, 4.0],), ([0.1, 0.2],)


@case
def while_counts(tf):
    def f(n):
        i = 0
        total = 0
        while i < n:
            total += i
            i += 1
        return total, i

    return f, (5,), (0,)


@case
def while_with_break(tf):
    def f(x):
        i = 0
        while i < 100:
            x = x * 1.5
            if x > 20.0:
                break
            i += 1
        return x, i

    return f, (1.0,), (30.0,)


@case
def while_tensor_with_break(tf):
    def f(x, n):
        i = tf.constant(0)
        while i < n:
            if x > 20.0:
                break
            x = x * 2.0
            i += 1
        return x, i

    return f, (1.0, 3), (1.0, 30)


@case
def while_with_continue(tf):
    def f(n):
        i, total = 0, 0
        while i < n:
            i += 1
            if i % 2 == 0:
                continue
            total += i
        return total

    return f, (7,), (0,)


@case
def while_true_with_break(tf):
    def f(x):
        while True:
            x = x * 2.0
            if x > 10.0:
                break
        return x

    return f, (1.0,)


@case
def nested_while(tf):
    def f(n):
        total = 0
        i = 0
        while i < n:
            j = 0
            while j < i:
                total += j
                j += 1
            i += 1
        return total

    return f, (5,), (1,)


@case
def collatz(tf):
    def f(n):
        steps = 0
        while n > 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            steps += 1
        return steps

    return f, (6,), (27,), (1,)


@case
def newton_square_root(tf):
    def f(x):
        guess = x
        while tf.abs(guess * guess - x) > 1e-4:
            guess = 0.5 * (guess + x / guess)
        return guess

    return f, (2.0,), (9.0,)


@case
def while_with_logical_condition(tf):
    def f(x, n):
        i = 0
        while i < n and x < 100.0:
            x = x * 2.0
            i += 1
        return x, i

    return f, (1.0, 3), (1.0, 50)


@case
def while_changes_dtype(tf):
    def f(n):
        x = 0
        i = 0
        while i < n:
            x = x + 0.5
            i += 1
        return x

    return f, (3,)


@case
def while_python(tf):
    def f(x):
        i = 0
        while i < 3:
            print("round", i)
            x = x * 2.0
            i += 1
        return x

    return f, (1.0,)


@case
def while_prints_once(tf):
    def f(n):
        i = 0
        while i < n:
            print("body")
            i += 1
        return i

    return f, (3,)


@case
def while_carries_structure(tf):
    def f(n):
        state = {"a": 1.0, "b": (0.0, 2.0)}
        i = 0
        while i < n:
            state = {"a": state["a"] * 2.0, "b": (state["b"][0] + 1.0, state["b"][1])}
            i += 1
        return state

    return f, (3,)


@case
def defined_in_the_loop(tf):
    def f(n):
        i = 0
        while i < n:
            last = i * 10
            i += 1
        return last

    return f, (3,)


@case
def else_of_while(tf):
    def f(x):
        while x < 10.0:
            x = x * 2.0
        else:
            x = x + 0.5
        return x

    return f, (1.0,)


# --- for -----------------------------------------------------------------------------------------


@case
def for_range_tensor(tf):
    def f(x, n):
        for i in tf.range(n):
            x = x + tf.cast(i, tf.float32)
        return x

    return f, (1.0, 4), (1.0, 0)


@case
def for_range_of_python(tf):
    def f(x, n):
        for i in range(n):
            x = x * 2.0
        return x

    return f, (1.0, 4), (3.0, 0)


@case
def for_range_constant(tf):
    def f(x):
        for i in tf.range(5):
            x = x * 1.5 + tf.cast(i, tf.float32)
        return x

    return f, (1.0,), (2.0,)


@case
def for_range_with_start_and_step(tf):
    def f(n):
        total = 0
        for i in tf.range(2, n, 3):
            total += i
        for i in tf.range(n, 0, -2):
            total += 100 * i
        return total

    return f, (11,), (2,)


@case
def for_rows(tf):
    def f(x):
        total = tf.zeros((2,))
        for row in x:
            total = total * 2.0 + row
        return total

    return f, ([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]],)


@case
def for_with_if(tf):
    def f(x):
        total = 0.0
        for value in x:
            if value > 0.0:
                total += value
            else:
                total -= 2.0 * value
        return total

    return f, ([1.0, -2.0, 3.0],), ([-1.0, -2.0, -3.0],)


@case
def for_with_break(tf):
    def f(x):
        total = 0.0
        for value in x:
            if value < 0.0:
                break
            total += value
        return total

    return f, ([1.0, 2.0, -3.0, 4.0],), ([-1.0, 2.0, 3.0, 4.0],), ([1.0, 2.0, 3.0, 4.0],)


@case
def for_with_continue(tf):
    def f(x):
        total = 0.0
        for value in x:
            if value < 0.0:
                continue
            total += value
        return total

    return f, ([1.0, 2.0, -3.0, 4.0],), ([-1.0, -2.0, -3.0, -4.0],)


@case
def for_with_break_and_continue(tf):
    def f(n):
        total = 0
        for i in tf.range(n):
            if i % 3 == 0:
                continue
            if i > 7:
                break
            total += i
        return total

    return f, (5,), (20,)


@case
def for_with_return(tf):
    def f(x):
        for value in x:
            if value > 2.0:
                return value
        return -1.0

    return f, ([1.0, 3.0, 4.0],), ([1.0, 2.0, 0.0],)


@case
def for_prints_once(tf):
    def f(x):
        for i in tf.range(3):
            print("body")
            x = x * 2.0
        return x

    return f, (1.0,)


@case
def for_python_range_prints_each_time(tf):
    def f(x):
        for i in range(3):
            print("body", i)
            x = x * 2.0
        return x

    return f, (1.0,)


@case
def for_over_python_list(tf):
    def f(x):
        for factor in [1.0, 2.0, 3.0]:
            if x > 3.0:
                x = x - factor
            else:
                x = x * factor
        return x

    return f, (1.0,), (4.0,)


@case
def nested_for(tf):
    def f(x):
        total = 0.0
        for row in x:
            for value in row:
                if value > 0.0:
                    total += value * value
        return total

    return f, ([[1.0, -2.0], [3.0, 4.0]],)


@case
def nested_for_with_break(tf):
    def f(n):
        total = 0
        for i in tf.range(n):
            for j in tf.range(n):
                if j > i:
                    break
                total += j
        return total

    return f, (4,), (0,)


@case
def enumerate_rows(tf):
    def f(x):
        total = 0.0
        for i, value in enumerate(x):
            total += tf.cast(i, tf.float32) * value
        return total

    return f, ([1.0, 2.0, 3.0],)


@case
def zip_rows(tf):
    def f(x, y):
        total = 0.0
        for a, b in zip(x, y):
            if a > b:
                total += a * b
        return total

    return f, ([1.0, 5.0, 3.0], [2.0, 4.0, 1.0])


@case
def enumerate_and_zip_beside_a_branch(tf):
    def f(x, y):
        total = 0.0
        if x[0] > 0.0:
            total = 1.0
        for i, value in enumerate([x, y]):
            if value[0] > 0.0:
                total += float(i) * tf.reduce_sum(value)
        for a, b in zip([x, y], [y, x]):
            total += tf.reduce_sum(a * b)
        return total

    return f, ([1.0, 5.0], [2.0, 4.0]), ([-1.0, 5.0], [2.0, 4.0])


@case
def fibonacci(tf):
    def f(n):
        a, b = 0, 1
        for _ in tf.range(n):
            a, b = b, a + b
        return a

    return f, (10,), (0,), (1,)


@case
def recurrence(tf):
    def f(x, w):
        h = tf.zeros((2,))
        for t in tf.range(tf.shape(x)[0]):
            h = tf.tanh(tf.linalg.matvec(w, h) + x[t])
        return h

    return f, ([[0.1, 0.2], [0.3, -0.4], [0.5, 0.6]], [[0.5, -0.1], [0.2, 0.3]])


@case
def loop_index_after_the_loop(tf):
    def f(n):
        i = -1
        for i in tf.range(n):
            pass
        return i

    return f, (4,), (0,)


@case
def variable_in_a_loop(tf):
    v = tf.Variable(0.0)

    def f(x):
        for value in x:
            v.assign_add(value)
        return v.read_value()

    return f, ([1.0, 2.0, 3.0],), ([10.0, 20.0, 30.0],)


@case
def variable_in_a_branch(tf):
    v = tf.Variable(0.0)

    def f(x):
        if x > 0.0:
            v.assign_add(x)
        else:
            v.assign(100.0)
        return v.read_value()

    return f, (1.0,), (2.0,), (-1.0,), (5.0,)


@case
def variable_as_condition(tf):
    v = tf.Variable(3)

    def f(x):
        while v > 0:
            v.assign_sub(1)
            x = x * 2.0
        return x

    return f, (1.0,), (1.0,)


@case
def recursion(tf):
    def power(x, n):
        if n == 0:
            return 1.0
        return x * power(x, n - 1)

    def f(x):
        if x > 0.0:
            return power(x, 3)
        return power(-x, 2)

    return f, (2.0,), (-3.0,)


@case
def bisection(tf):
    def f(target):
        low, high = 0.0, 10.0
        for _ in tf.range(30):
            middle = (low + high) / 2.0
            if middle * middle < target:
                low = middle
            else:
                high = middle
        return low

    return f, (2.0,), (49.0,)


@case
def clipping_by_norm(tf):
    def f(g, limit):
        norm = tf.norm(g)
        if norm > limit:
            g = g * limit / norm
        return g

    return f, ([3.0, 4.0], 1.0), ([0.3, 0.4], 1.0)


@case
def early_stopping(tf):
    def f(losses):
        best = float("inf")
        wait = 0
        stopped = -1
        for i in tf.range(tf.size(losses)):
            if losses[i] < best:
                best = losses[i]
                wait = 0
            else:
                wait += 1
            if wait >= 2:
                stopped = i
                break
        return best, stopped

    return f, ([3.0, 2.0, 2.5, 2.6, 1.0],), ([3.0, 2.0, 1.0],)


@case
def bubble_pass(tf):
    def f(x):
        for i in tf.range(tf.size(x) - 1):
            if x[i] > x[i + 1]:
                a, b = x[i], x[i + 1]
                x = tf.tensor_scatter_nd_update(x, [[i], [i + 1]], [b, a])
        return x

    return f, ([3.0, 1.0, 2.0],)


@case
def gradient_descent(tf):
    def f(x):
        for _ in tf.range(20):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = (x - 3.0) ** 2
            x = x - 0.1 * tape.gradient(y, x)
        return x

    return f, (0.0,)


@case
def tensor_array(tf):
    def f(x):
        parts = tf.TensorArray(tf.float32, size=3)
        for i in tf.range(3):
            parts = parts.write(i, x * tf.cast(i, tf.float32))
        return parts.stack()

    return f, ([1.0, 2.0],)


@case
def tensor_array_by_rows(tf):
    def f(x):
        n = x.shape[0]
        out = tf.TensorArray(tf.float32, size=n)
        total = 0.0
        for i in tf.range(n):
            total += x[i]
            out = out.write(i, total)
        return out.stack()

    return f, ([1.0, 2.0, 3.0, 4.0],)


@case
def max_and_min_of_python(tf):
    def f(x, y):
        return max(x, y), min(x, y)

    return f, (1.0, 2.0)


@case
def int_and_float_of_python(tf):
    def f(x):
        return int(x), float(int(x))

    return f, (2.7,)


@case
def assertion(tf):
    def f(x):
        assert x > 0.0, "positive"
        return x * 2.0

    return f, (1.0,)


@case
def shape_in_a_condition(tf):
    def f(x):
        if x.shape[0] > 2:
            return tf.reduce_sum(x)
        return tf.reduce_max(x)

    return f, ([1.0, 2.0, 3.0],), ([1.0, 2.0],)


@case
def dynamic_shape_in_a_condition(tf):
    def f(x):
        if tf.shape(x)[0] > 2:
            y = tf.reduce_sum(x)
        else:
            y = tf.reduce_max(x)
        return y

    return f, ([1.0, 2.0, 3.0],), ([1.0, 2.0],)


@case
def nested_function_with_loop(tf):
    @tf.function
    def inner(x, n):
        for _ in tf.range(n):
            x = x * 2.0
        return x

    def f(x, n):
        if n > 2:
            return inner(x, n)
        return inner(x, n) + 1.0

    return f, (1.0, 2), (1.0, 4)


@case
def map_of_a_function_with_if(tf):
    def choose(x):
        if x > 0.0:
            return x
        return x * 0.1

    def f(x):
        return tf.map_fn(choose, x)

    return f, ([1.0, -2.0, 3.0],)


# --- nestings ------------------------------------------------------------------------------------


@case
def if_in_while_in_for(tf):
    def f(x, n):
        for i in tf.range(n):
            y = x
            while y > 1.0:
                if i % 2 == 0:
                    y = y / 2.0
                else:
                    y = y / 3.0
            x = x + y
        return x

    return f, (5.0, 4), (9.0, 3)


@case
def for_in_if_in_for(tf):
    def f(x):
        total = 0.0
        for row in x:
            if tf.reduce_sum(row) > 2.0:
                for value in row:
                    total += value * value
            else:
                total -= 1.0
        return total

    return f, ([[1.0, 2.0], [0.5, 0.5], [3.0, 1.0]],)


@case
def while_in_while_in_while(tf):
    def f(n):
        count = 0
        i = 0
        while i < n:
            j = 0
            while j < i:
                k = 0
                while k < j:
                    count += 1
                    k += 1
                j += 1
            i += 1
        return count

    return f, (4,), (6,)


@case
def break_of_an_inner_loop_only(tf):
    def f(x, n):
        for _ in tf.range(n):
            for j in tf.range(10):
                if j > 2:
                    break
                x = x + 1.0
            x = x * 2.0
        return x

    return f, (1.0, 3)


@case
def continue_of_an_inner_loop_only(tf):
    def f(x, n):
        for i in tf.range(n):
            for j in tf.range(5):
                if (i + j) % 2 == 0:
                    continue
                x = x + tf.cast(j, tf.float32)
        return x

    return f, (1.0, 3)


@case
def break_from_two_loops(tf):
    def f(x):
        done = False
        for i in tf.range(10):
            for j in tf.range(10):
                x = x + 1.0
                if x > 23.5:
                    done = True
                    break
            if done:
                break
        return x, i, j

    return f, (0.0,)


@case
def if_in_if_in_if(tf):
    def f(x):
        if x > 0.0:
            if x > 1.0:
                if x > 2.0:
                    y = x * 4.0
                else:
                    y = x * 3.0
            else:
                y = x * 2.0
        else:
            y = x
        return y

    return f, (3.0,), (1.5,), (0.5,), (-1.0,)


@case
def loop_in_both_branches(tf):
    def f(x, n):
        if x > 0.0:
            for _ in tf.range(n):
                x = x * 2.0
        else:
            while x < 0.0:
                x = x + 1.5
        return x

    return f, (1.0, 3), (-4.0, 3)


@case
def conditional_expression_in_a_loop(tf):
    def f(x, n):
        for i in tf.range(n):
            x = x * 2.0 if i % 2 == 0 else x + 1.0
        return x

    return f, (1.0, 5)


@case
def logical_operators_in_a_loop(tf):
    def f(x, y, n):
        count = 0
        for _ in tf.range(n):
            if x > 0.0 and not y > 5.0:
                x = x - 1.0
                y = y + 2.0
                count += 1
        return x, y, count

    return f, (4.0, 0.0, 10)


@case
def python_loop_around_a_tensor_loop(tf):
    def f(x, n):
        for factor in [1.0, 2.0, 3.0]:
            for _ in tf.range(n):
                x = x + factor
        return x

    return f, (0.0, 2), (0.0, 3)


@case
def tensor_loop_around_a_python_loop(tf):
    def f(x, n):
        for _ in tf.range(n):
            for factor in [1.0, 2.0, 3.0]:
                if x < 30.0:
                    x = x + factor
        return x

    return f, (0.0, 2), (0.0, 9)


@case
def function_with_a_loop_in_a_loop(tf):
    def power(x, n):
        y = tf.ones_like(x)
        for _ in tf.range(n):
            y = y * x
        return y

    def f(x, n):
        total = 0.0
        for i in tf.range(n):
            total += power(x, i)
        return total

    return f, (2.0, 5)


@case
def with_statement_in_a_branch(tf):
    def f(x):
        if x > 0.0:
            with tf.name_scope("inner"):
                y = x * 2.0
        else:
            y = x
        return y

    return f, (1.0,), (-1.0,)


@case
def try_around_a_branch(tf):
    def f(x):
        try:
            if x > 0.0:
                x = x * 2.0
        finally:
            x = x + 1.0
        return x

    return f, (1.0,), (-1.0,)


# --- early exits ---------------------------------------------------------------------------------


@case
def returns_in_elif(tf):
    def f(x):
        if x > 2.0:
            return x
        elif x > 1.0:
            return x * 10.0
        elif x > 0.0:
            return x * 100.0
        return -x

    return f, (3.0,), (1.5,), (0.5,), (-1.0,)


@case
def return_after_a_loop_with_break(tf):
    def f(x):
        i = 0
        while i < 10:
            if x > 100.0:
                break
            x = x * 3.0
            i += 1
        if i == 10:
            return -x
        return x

    return f, (1.0,), (0.001,)


@case
def return_of_a_tuple(tf):
    def f(x):
        if x > 0.0:
            return x, x * 2.0
        return -x, x * 3.0

    return f, (1.0,), (-1.0,)


@case
def return_of_a_dict(tf):
    def f(x):
        if x > 0.0:
            return {"a": x, "b": 1}
        return {"a": -x, "b": 2}

    return f, (1.0,), (-1.0,)


@case
def return_of_numbers(tf):
    def f(x):
        if x > 0.0:
            return 1
        return -1

    return f, (1.0,), (-1.0,)


@case
def return_of_different_dtypes(tf):
    def f(x):
        if x > 0.0:
            return 1
        return 2.5

    return f, (1.0,)


@case
def bare_return(tf):
    def f(x, v):
        if x > 0.0:
            return
        return

    return f, (1.0, 2.0)


@case
def return_in_a_while_loop(tf):
    def f(x):
        while x < 100.0:
            x = x * 2.0
            if x > 50.0:
                return x
        return -x

    return f, (1.0,)


@case
def early_return_from_a_called_function(tf):
    def sign(x):
        if x > 0.0:
            return 1.0
        if x < 0.0:
            return -1.0
        return 0.0

    def f(x):
        return sign(x) * x + sign(-x)

    return f, (3.0,), (-2.0,), (0.0,)


@case
def break_at_the_end(tf):
    def f(x, n):
        for _ in tf.range(n):
            x = x + 1.0
            break
        return x

    return f, (1.0, 3), (1.0, 0)


@case
def continue_at_the_start(tf):
    def f(x, n):
        for i in tf.range(n):
            if i < 2:
                continue
            x = x * 2.0
        return x

    return f, (1.0, 5)


@case
def break_with_an_index(tf):
    def f(x, value):
        actual = -1
        for i in tf.range(tf.shape(x)[0]):
            if x[i] == value:
                actual = i
                break
        return actual

    return f, ([1, 5, 7], 5), ([1, 5, 7], 2)


# --- names that may be undefined -----------------------------------------------------------------


@case
def undefined_after_a_loop(tf):
    def f(x, n):
        for i in tf.range(n):
            last = x * tf.cast(i, tf.float32)
        return last

    return f, (2.0, 3)


@case
def undefined_in_the_else_branch(tf):
    def f(x):
        if x > 0.0:
            y = x
            z = x
        else:
            y = -x
        return y + z

    return f, (1.0,)


@case
def defined_in_both_branches(tf):
    def f(x):
        if x > 0.0:
            y, z = x, 1
        else:
            y, z = -x, 2
        return y, z

    return f, (1.0,), (-1.0,)


@case
def deleted_name(tf):
    def f(x):
        y = x * 2.0
        if x > 0.0:
            x = x + y
        del y
        return x

    return f, (1.0,), (-1.0,)


@case
def name_of_the_function_around(tf):
    def f(x):
        scale = 2.0

        def inner(y):
            if y > 0.0:
                return y * scale
            return y

        return inner(x) + inner(-x)

    return f, (1.0,), (-3.0,)


@case
def nonlocal_name(tf):
    def f(x):
        total = x

        def add(y):
            nonlocal total
            if y > 0.0:
                total = total + y

        add(x)
        add(-x)
        return total

    return f, (1.0,), (-3.0,)


@case
def loop_variable_is_shadowed(tf):
    def f(x, n):
        i = 100
        for i in tf.range(n):
            x = x + tf.cast(i, tf.float32)
        return x, i

    return f, (0.0, 4)


@case
def none_before_the_loop(tf):
    def f(x, n):
        y = None
        for _ in tf.range(n):
            y = x
        return y

    return f, (1.0, 2)


@case
def structure_changes_in_the_loop(tf):
    def f(x, n):
        y = (x,)
        for _ in tf.range(n):
            y = (x, x)
        return y

    return f, (1.0, 2)


@case
def int_becomes_float_in_the_loop(tf):
    def f(n):
        total = 0
        for _ in tf.range(n):
            total = total + 0.5
        return total

    return f, (3,)


# --- shapes that change --------------------------------------------------------------------------


@case
def shape_grows_in_the_loop(tf):
    def f(x, n):
        for _ in tf.range(n):
            x = tf.concat([x, x], 0)
        return x

    return f, ([1.0], 2)


@case
def shapes_differ_between_branches(tf):
    def f(x, flag):
        if flag > 0:
            y = x
        else:
            y = x[:1]
        return tf.reduce_sum(y)

    return f, ([1.0, 2.0], 1), ([1.0, 2.0], 0)


@case
def slices_of_unknown_position(tf):
    def f(x, n):
        total = 0.0
        for i in tf.range(n):
            total += tf.reduce_sum(x[i : i + 2])
        return total

    return f, ([1.0, 2.0, 3.0, 4.0], 3)


@case
def reshaped_in_a_branch(tf):
    def f(x):
        if tf.reduce_sum(x) > 0.0:
            y = tf.reshape(x, (2, 2))
        else:
            y = tf.reshape(-x, (2, 2))
        return tf.matmul(y, y)

    return f, ([1.0, 2.0, 3.0, 4.0],), ([-1.0, -2.0, -3.0, -4.0],)


# --- TensorArray ---------------------------------------------------------------------------------


@case
def array_of_dynamic_size(tf):
    def f(x, n):
        parts = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
        for i in tf.range(n):
            parts = parts.write(i, x * tf.cast(i, tf.float32))
        return parts.stack()

    return f, (2.0, 3), (2.0, 5), (2.0, 3)


@case
def array_and_break(tf):
    def f(x, limit):
        parts = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
        for i in tf.range(50):
            x = x * 1.5
            parts = parts.write(i, x)
            if x > limit:
                break
        return parts.stack()

    return f, (1.0, 3.0), (1.0, 10.0)


@case
def array_in_a_while_loop(tf):
    def f(x):
        parts = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
        i = 0
        while x < 20.0:
            parts = parts.write(i, x)
            x = x * 2.0
            i += 1
        return parts.stack(), parts.size()

    return f, (1.0,), (6.0,)


@case
def array_of_a_long_while_loop(tf):
    def f(n):
        parts = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
        while n != 1:
            parts = parts.write(parts.size(), n)
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
        return tf.reduce_max(parts.stack()), parts.size()

    return f, (27,), (6,)


@case
def array_written_in_a_branch(tf):
    def f(x):
        parts = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
        for value in x:
            if value > 0.0:
                parts = parts.write(parts.size(), value)
        return parts.stack()

    return f, ([1.0, -2.0, 3.0, -4.0, 5.0],), ([-1.0, -2.0, 3.0, -4.0, -5.0],)


@case
def array_read_in_a_loop(tf):
    def f(x, n):
        parts = tf.TensorArray(tf.float32, size=n + 1, clear_after_read=False)
        parts = parts.write(0, x)
        for i in tf.range(n):
            parts = parts.write(i + 1, parts.read(i) * 2.0)
        return parts.stack()

    return f, (1.0, 4), (1.0, 6)


@case
def array_of_vectors(tf):
    def f(x, n):
        parts = tf.TensorArray(tf.float32, size=0, dynamic_size=True, element_shape=[2])
        for i in tf.range(n):
            parts = parts.write(i, x + tf.cast(i, tf.float32))
        return parts.concat()

    return f, ([1.0, 2.0], 3), ([1.0, 2.0], 4)


@case
def array_of_unstacked_rows(tf):
    def f(x):
        parts = tf.TensorArray(tf.float32, size=3).unstack(x)
        total = 0.0
        for i in tf.range(3):
            total = total + parts.read(i) * tf.cast(i, tf.float32)
        return total

    return f, ([1.0, 2.0, 3.0],)


@case
def two_arrays(tf):
    def f(x, n):
        sums = tf.TensorArray(tf.float32, size=n)
        counts = tf.TensorArray(tf.int32, size=n)
        total = 0.0
        for i in tf.range(n):
            total += x
            sums = sums.write(i, total)
            counts = counts.write(i, i * i)
        return sums.stack(), counts.stack()

    return f, (2.0, 3), (2.0, 40)


@case
def array_in_a_nested_loop(tf):
    def f(x):
        parts = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
        for i in tf.range(3):
            for j in tf.range(2):
                parts = parts.write(i * 2 + j, x * tf.cast(i + j, tf.float32))
        return parts.stack()

    return f, (2.0,)


@case
def discounted_returns(tf):
    def f(rewards):
        n = tf.shape(rewards)[0]
        returns = tf.TensorArray(dtype=tf.float32, size=n)
        rewards = rewards[::-1]
        total = tf.constant(0.0)
        for i in tf.range(n):
            total = rewards[i] + 0.9 * total
            returns = returns.write(i, total)
        return returns.stack()[::-1]

    return f, ([1.0, 2.0, 3.0],), ([1.0, 0.0, 2.0, 5.0],)


# --- datasets ------------------------------------------------------------------------------------


def numbers(tf, count=10):
    return tf.data.Dataset.range(count).map(lambda i: tf.cast(i, tf.float32))


@case
def dataset_sum(tf):
    data = numbers(tf)

    def f(x):
        total = 0.0
        for value in data:
            total += value * x
        return total

    return f, (2.0,), (3.0,)


@case
def dataset_of_batches(tf):
    data = numbers(tf).batch(4)

    def f(x):
        total = 0.0
        count = 0
        for batch in data:
            total += tf.reduce_sum(batch) * x
            count += tf.size(batch)
        return total, count

    return f, (2.0,), (3.0,)


@case
def dataset_with_break(tf):
    data = numbers(tf)

    def f(limit):
        total = 0.0
        for value in data:
            if total > limit:
                break
            total += value
        return total

    return f, (5.0,), (100.0,)


@case
def dataset_with_continue(tf):
    data = numbers(tf)

    def f(x):
        for value in data:
            if value < 5.0:
                continue
            x += value
        return x

    return f, (0.5,)


@case
def dataset_of_tuples(tf):
    data = tf.data.Dataset.zip((numbers(tf), numbers(tf).map(lambda x: x * x)))

    def f(w):
        loss = 0.0
        for x, y in data:
            loss += (w * x - y) ** 2
        return loss

    return f, (2.0,)


@case
def dataset_of_dicts(tf):
    data = numbers(tf, 4).map(lambda x: {"a": x, "b": x + 1.0})

    def f(w):
        total = 0.0
        for row in data:
            total += w * row["a"] * row["b"]
        return total

    return f, (2.0,)


@case
def dataset_in_epochs(tf):
    data = numbers(tf, 4)

    def f(w, epochs):
        for _ in tf.range(epochs):
            for x in data:
                w = w + 0.1 * (x - w)
        return w

    return f, (1.0, 3), (1.0, 0)


@case
def dataset_enumerated(tf):
    data = numbers(tf, 4)

    def f(x):
        total = 0.0
        for i, value in enumerate(data):
            total += x * value * tf.cast(i, tf.float32)
        return total

    return f, (2.0,)


@case
def dataset_empty(tf):
    data = numbers(tf).filter(lambda x: x > 100.0)

    def f(x):
        for value in data:
            x += value
        return x

    return f, (2.0,)


@case
def dataset_into_an_array(tf):
    data = numbers(tf, 5)

    def f(x):
        parts = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
        for value in data:
            parts = parts.write(parts.size(), x * value)
        return parts.stack()

    return f, (2.0,)


@case
def dataset_training(tf):
    data = tf.data.Dataset.from_tensor_slices(([1.0, 2.0, 3.0], [2.0, 4.0, 6.0])).batch(2)
    w = tf.Variable(0.5)

    def f(rate):
        for x, y in data:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((w * x - y) ** 2)
            w.assign_sub(rate * tape.gradient(loss, w))
        return w.read_value()

    return f, (0.05,), (0.05,)


@case
def next_of_an_iterator(tf):
    iterator = iter(numbers(tf))

    def f(x):
        return x * next(iterator)

    return f, (1.0,), (2.0,), (3.0,)


# --- strings, Python functions and others --------------------------------------------------------


@case
def string_in_a_condition(tf):
    def f(name):
        if name == "yes":
            return 1
        return 0

    return f, (b"yes",), (b"no",)


@case
def strings_from_branches(tf):
    def f(x):
        if x > 0.0:
            word = tf.constant("positive")
        else:
            word = tf.constant("negative")
        return tf.strings.join([word, "number"], " ")

    return f, (1.0,), (-1.0,)


@case
def string_of_python_from_branches(tf):
    def f(x):
        if x > 0.0:
            word = "positive"
        else:
            word = "negative"
        return word

    return f, (1.0,), (-1.0,)


@case
def string_grows_in_a_loop(tf):
    def f(n):
        text = tf.constant("")
        for _ in tf.range(n):
            text = tf.strings.join([text, "ab"])
        return text

    return f, (3,), (0,)


@case
def numpy_function_in_a_branch(tf):
    def f(x):
        y = tf.numpy_function(lambda a: a * np.float32(2.0), [x], tf.float32)
        y.set_shape(())
        if y > 3.0:
            return y + x
        return y - x

    return f, (1.0,), (2.0,)


@case
def py_function_with_its_gradient(tf):
    def f(x):
        y = tf.py_function(lambda a: a * a, [x], tf.float32)
        return tf.reshape(y, ()) * x

    return f, (3.0,), (-2.0,)


@case
def numpy_function_in_a_loop(tf):
    def f(n):
        total = 0
        for i in tf.range(n):
            y = tf.numpy_function(lambda a: a * a, [i], tf.int32)
            total += tf.reshape(y, ())
        return total

    return f, (4,), (6,)


@case
def printing_a_tensor_of_python(tf):
    def f(x, n):
        print("traced")
        for _ in tf.range(n):
            print("body")
            x = x + 1.0
        return x

    return f, (1.0, 2), (1.0, 3)


@case
def list_append_in_a_python_loop(tf):
    def f(x):
        parts = []
        for factor in range(3):
            if x > 0.0:
                y = x * factor
            else:
                y = -x
            parts.append(y)
        return tf.stack(parts)

    return f, (2.0,), (-2.0,)


@case
def list_comprehension_beside_a_branch(tf):
    def f(x):
        parts = [x * i for i in range(3)]
        if x > 0.0:
            parts = [p + 1.0 for p in parts]
        return tf.stack(parts)

    return f, (2.0,), (-2.0,)


@case
def length_of_a_tensor(tf):
    def f(x):
        total = 0.0
        for i in range(len(x)):
            if x[i] > 0.0:
                total += x[i]
        return total / len(x)

    return f, ([1.0, -2.0, 3.0],)


@case
def augmented_assignments(tf):
    def f(x, n):
        y = x
        for _ in tf.range(n):
            y += 1.0
            y *= 2.0
            y -= 0.5
            y /= 3.0
            y **= 2.0
        return y

    return f, (1.0, 2)


@case
def custom_gradient_in_a_loop(tf):
    @tf.custom_gradient
    def double(x):
        return x * 2.0, lambda g: g * 10.0

    def f(x, n):
        for _ in tf.range(n):
            x = double(x)
        return x

    return f, (1.0, 3)


@case
def stop_gradient_in_a_branch(tf):
    def f(x):
        if x > 0.0:
            y = tf.stop_gradient(x) * x
        else:
            y = x
        return y

    return f, (2.0,), (-2.0,)


@case
def maximum_iterations(tf):
    def f(x):
        while x < 1000.0:
            tf.autograph.experimental.set_loop_options(maximum_iterations=3)
            x = x * tf.constant(2.0)
        return x

    return f, (1.0,), (900.0,)


@case
def maximum_iterations_of_for(tf):
    def f(x, n):
        for _ in tf.range(n):
            tf.autograph.experimental.set_loop_options(maximum_iterations=3)
            x = x * tf.constant(2.0)
        return x

    return f, (1.0, 2), (1.0, 10)


@case
def while_loop_and_map_fn(tf):
    def f(x):
        def grow(v):
            while v < 10.0:
                v = v * 3.0
            return v

        return tf.map_fn(grow, x)

    return f, ([1.0, 4.0, 20.0],)


@case
def softmax_cross_entropy_by_loops(tf):
    def f(logits, labels):
        loss = 0.0
        for i in tf.range(tf.shape(labels)[0]):
            row = logits[i]
            largest = tf.reduce_max(row)
            total = 0.0
            for value in row:
                total += tf.exp(value - largest)
            loss += tf.math.log(total) + largest - row[labels[i]]
        return loss

    return f, ([[1.0, 2.0, 0.5], [0.1, 0.2, 0.3]], [1, 2])


@case
def power_iteration(tf):
    def f(a):
        v = tf.ones((2, 1))
        old = 0.0
        value = 1.0
        while tf.abs(value - old) > 1e-3:
            old = value
            w = tf.matmul(a, v)
            value = tf.norm(w)
            v = w / value
        return value

    return f, ([[2.0, 1.0], [1.0, 3.0]],)
