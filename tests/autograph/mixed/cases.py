"""Functions that mix statements, early exits, structures and types, as TensorFlow computes them.

Each case is a function of the module `tf` that returns a Python function and the arguments to call
it with. `python tests/recorded/record.py autograph/mixed` runs them with TensorFlow and writes
`recorded.json`.
"""

import collections
import contextlib
import functools
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


V = [3.0, -1.0, 4.0, 1.0, -5.0, 9.0]


@case
def del_in_branch(tf):
    def f(x):
        y = x
        if x > 0.0:
            y = y * 2.0
            z = y
            del z
        return y

    return f, (1.0,), (-1.0,)


@case
def walrus_in_while(tf):
    def f(x):
        n = 0
        while (y := x * 0.5) > 1.0:
            x = y
            n += 1
        return x, n

    return f, (33.0,)


@case
def tuple_unpack_in_branch(tf):
    def f(x):
        a, b = x, x * x
        if a > b:
            a, b = b, a
        return a - b

    return f, (0.5,), (3.0,)


@case
def star_unpack(tf):
    def f(x):
        first, *rest = tf.unstack(x)
        if first > 0.0:
            first, *rest = [*rest[::-1], first]
        return first, rest

    return f, (V,), ([-1.0, *V[1:]],)


@case
def gcd(tf):
    def f(a, b):
        while b != 0:
            a, b = b, a % b
        return a

    return f, (48, 36), (17, 5)


@case
def sorted_insertion(tf):
    def f(x):
        n = tf.shape(x)[0]
        for i in tf.range(1, n):
            j = i
            while j > 0 and x[j - 1] > x[j]:
                a, b = x[j - 1], x[j]
                x = tf.tensor_scatter_nd_update(x, [[j - 1], [j]], [b, a])
                j -= 1
        return x

    return f, (V,)


@case
def mandelbrot(tf):
    def f(re, im):
        zr, zi, n = re, im, 0
        while zr * zr + zi * zi < 4.0 and n < 30:
            zr, zi = zr * zr - zi * zi + re, 2.0 * zr * zi + im
            n += 1
        return n

    return f, (0.3, 0.5), (1.0, 1.0), (-1.2, 0.3)


@case
def while_not_and_or(tf):
    def f(x, n):
        i = 0
        while not (x < 1.0 or i >= n):
            x = x / 3.0
            i = i + 1
        return x, i

    return f, (100.0, 3), (10.0, 10)


@case
def best_so_far(tf):
    def f(x):
        best = tf.constant(-np.inf)
        where = tf.constant(-1)
        for i in tf.range(tf.size(x)):
            if x[i] > best:
                best = x[i]
                where = i
        return best, where

    return f, (V,)


@case
def three_breaks(tf):
    def f(x):
        total = 0.0
        for v in x:
            if v < -10.0:
                break
            if v < 0.0:
                continue
            total += v
            if total > 7.0:
                break
        return total

    return f, (V,), ([-11.0, 3.0],), ([1.0, 1.0],)


@case
def for_range_negative_step(tf):
    def f(n):
        s = 0
        for i in tf.range(n, 0, -2):
            s = s * 10 + i
        return s

    return f, (7,), (0,)


@case
def range_python_three_args(tf):
    def f(a, b, c):
        s = 0
        for i in range(a, b, c):
            s += i * i
        return s

    return f, (1, 10, 3), (10, 1, -2)


@case
def len_of_tensor_in_while(tf):
    def f(x):
        i = tf.constant(0)
        s = 0.0
        while i < len(x):
            s += x[i]
            i += 2
        return s

    return f, (V,)


@case
def undefined_then_used_in_same_branch(tf):
    def f(x):
        if x > 0.0:
            y = x * 2.0
            x = y + 1.0
        return x

    return f, (1.0,), (-1.0,)


@case
def undefined_in_elif(tf):
    def f(x):
        if x > 1.0:
            y = x
        elif x > 0.0:
            y = -x
        return y

    return f, (2.0,)


@case
def undefined_after_while(tf):
    def f(x):
        while x > 1.0:
            y = x
            x = x / 2.0
        return y

    return f, (5.0,)


@case
def undefined_loop_local_for(tf):
    def f(n):
        for i in tf.range(n):
            t = i * 2
        return t

    return f, (3,), (0,)


@case
def list_vs_tuple(tf):
    def f(x):
        if x > 0.0:
            y = [x, x]
        else:
            y = (x, -x)
        return y

    return f, (1.0,)


@case
def list_of_other_length(tf):
    def f(x):
        if x > 0.0:
            y = [x, x]
        else:
            y = [x]
        return y

    return f, (1.0,)


@case
def dict_other_keys(tf):
    def f(x):
        if x > 0.0:
            y = {"a": x}
        else:
            y = {"b": x}
        return y

    return f, (1.0,)


@case
def shape_changes_in_while(tf):
    def f(x):
        while tf.reduce_sum(x) < 10.0:
            x = tf.concat([x, x], 0)
        return x

    return f, ([1.0],)


@case
def dtype_changes_in_for(tf):
    def f(n):
        y = 0
        for i in tf.range(n):
            y = tf.cast(i, tf.float32)
        return y

    return f, (3,)


@case
def none_in_loop(tf):
    def f(n):
        y = None
        for i in tf.range(n):
            y = i
        return y

    return f, (3,)


@case
def becomes_none_in_loop(tf):
    def f(x):
        y = x
        while x > 0.0:
            x = x - 1.0
            y = None  # noqa: F841 (what it becomes is the point)
        return x

    return f, (3.0,)


@case
def return_in_one_branch_only(tf):
    def f(x):
        if x > 0.0:
            return x

    return f, (1.0,)


@case
def return_int_or_float(tf):
    def f(x):
        if x > 0.0:
            return 1
        return 2.5

    return f, (1.0,)


@case
def return_in_for(tf):
    def f(x):
        for v in x:
            if v > 3.0:
                return v * 10.0
        return tf.constant(-1.0)

    return f, (V,)


@case
def return_in_nested_for(tf):
    def f(x):
        for i in tf.range(3):
            for j in tf.range(3):
                if i * j > x:
                    return i * 10 + j
        return -1

    return f, (1,)


@case
def return_in_while_true(tf):
    def f(x):
        while True:
            x = x / 2.0
            if x < 1.0:
                return x

    return f, (9.0,)


@case
def return_in_dataset_loop(tf):
    def f(x):
        for v in tf.data.Dataset.range(10):
            if v > x:
                return v
        return tf.constant(-1, tf.int64)

    return f, (np.int64(4),)


@case
def deep_nest_4(tf):
    def f(n):
        s = 0
        for i in tf.range(n):
            for j in tf.range(i):
                for k in tf.range(j):
                    for m in tf.range(k):
                        if (i + j + k + m) % 2 == 0:
                            s += m
                        else:
                            s -= 1
        return s

    return f, (6,), (8,)


@case
def deep_gradient_3(tf):
    def f(x, n):
        y = x
        for i in tf.range(n):
            for j in tf.range(n):
                k = 0
                while k < n:
                    y = tf.sin(y) + x * 0.1
                    k += 1
        return y

    return f, (0.5, 2), (0.5, 5), (0.3, 7)


@case
def closures_in_branches(tf):
    def f(x):
        if x > 0.0:
            g = lambda t: t * 2.0
        else:
            g = lambda t: t - 1.0
        return g(x)

    return f, (1.0,), (-1.0,)


@case
def lambda_with_conditional(tf):
    def f(x):
        g = lambda t: t * t if t > 0.0 else -t
        return g(x) + g(-x)

    return f, (2.0,), (-3.0,)


@case
def lambda_directly(tf):
    return (lambda x: x * 2.0 if x > 0.0 else x * 3.0), (1.0,), (-1.0,)


@case
def closure_counter(tf):
    def f(x):
        def add(y):
            if y > 0.0:
                return x + y
            return x - y

        total = 0.0
        for i in tf.range(3):
            total += add(tf.cast(i, tf.float32) - 1.0)
        return total

    return f, (2.0,)


@case
def default_argument_closure(tf):
    def f(x):
        def g(t, k=x):
            while t < k:
                t = t * 2.0
            return t

        return g(1.0 + 0.0 * x), g(x, k=10.0)

    return f, (5.0,)


@case
def recursion_python_int(tf):
    def power(x, n):
        if n == 0:
            return tf.ones_like(x)
        if n % 2:
            return x * power(x, n - 1)
        h = power(x, n // 2)
        return h * h

    def f(x):
        return power(x, 11)

    return f, (1.5,)


@case
def mutual_recursion(tf):
    def even(n, x):
        return x if n == 0 else odd(n - 1, -x)

    def odd(n, x):
        return x * 3.0 if n == 0 else even(n - 1, x + 1.0)

    def f(x):
        if x > 0.0:
            return even(4, x)
        return odd(3, x)

    return f, (1.0,), (-1.0,)


@case
def generator_sum(tf):
    def squares(n):
        for i in range(n):
            yield i * i

    def f(x):
        for s in squares(4):
            if x > float(s):
                x = x - 1.0
        return x

    return f, (3.5,), (100.0,)


@case
def comprehension_of_calls(tf):
    def relu(v):
        if v > 0.0:
            return v
        return 0.0 * v

    def f(x):
        return tf.stack([relu(v) for v in tf.unstack(x)])

    return f, (V,)


@case
def dict_comprehension(tf):
    def f(x):
        d = {k: x * k for k in (1.0, 2.0, 3.0)}
        total = 0.0
        for value in d.values():
            if value > 2.0:
                total += value
        return total

    return f, (1.5,), (-1.0,)


@case
def dict_update_in_loop(tf):
    def f(x):
        d = {"a": x, "n": 0}
        while d["a"] > 1.0:
            d["a"] = d["a"] / 2.0
            d["n"] = d["n"] + 1
        return d["a"], d["n"]

    return f, (9.0,)


@case
def list_append_in_graph_for(tf):
    def f(n):
        rows = []
        for i in tf.range(n):
            rows.append(i)
        return tf.stack(rows)

    return f, (3,)


@case
def list_append_static_range(tf):
    def f(x):
        rows = []
        for i in range(3):
            if x > float(i):
                x = x - 1.0
            rows.append(x)
        return tf.stack(rows)

    return f, (2.5,), (-1.0,)


@case
def list_pop_python(tf):
    def f(x):
        rows = [x, 2.0 * x, 3.0 * x]
        y = rows.pop()
        if y > 1.0:
            y = y + rows.pop()
        return y

    return f, (1.0,), (-1.0,)


@case
def attribute_object_in_branch(tf):
    class Box:
        pass

    def f(x):
        b = Box()
        b.v = x
        b.n = 0
        while b.v > 1.0:
            b.v = b.v / 2.0
            b.n += 1
        if b.v > 0.6:
            b.v = -b.v
        return b.v, b.n

    return f, (9.0,), (10.0,)


@case
def namedtuple_carried(tf):
    P = collections.namedtuple("P", "a b")

    def f(x):
        p = P(x, x * 2.0)
        for i in tf.range(3):
            p = P(p.b, p.a + 1.0)
        if p.a > 3.0:
            p = p._replace(b=p.a)
        return tuple(p)

    return f, (1.0,), (5.0,)


@case
def nested_structure_carried(tf):
    def f(x):
        s = {"a": [x, (x * 2.0, x * 3.0)], "b": 0}
        i = 0
        while i < 3:
            s = {"a": [s["a"][1][0], (s["a"][1][1], s["a"][0])], "b": s["b"] + i}
            i += tf.constant(1)
        return s["a"][0], s["a"][1], s["b"]

    return f, (1.0,)


@case
def global_like_closure_read(tf):
    scale = 3.0

    def f(x):
        if x > scale:
            return x - scale
        return x * scale

    return f, (1.0,), (4.0,)


@case
def raise_in_tensor_branch(tf):
    def f(x):
        if x > 0.0:
            raise ValueError("positive")
        return x

    return f, (-1.0,)


@case
def try_except_in_loop(tf):
    def f(x):
        for i in tf.range(3):
            try:
                x = x * 2.0
            except ValueError:
                x = -x
        return x

    return f, (1.0,)


@case
def with_name_scope_loop(tf):
    def f(x):
        with tf.name_scope("a"):
            while x < 10.0:
                with tf.name_scope("b"):
                    x = x * 2.0
        return x

    return f, (1.0,)


@case
def string_equality(tf):
    def f(s):
        if s == "yes":
            r = 1
        elif s == "no":
            r = 0
        else:
            r = -1
        return r

    return f, (tf.constant("yes"),), (tf.constant("no"),), (tf.constant("x"),)


@case
def string_loop_join(tf):
    def f(n):
        s = tf.constant("")
        for i in tf.range(n):
            if i > 0:
                s = tf.strings.join([s, ","])
            s = s + tf.strings.as_string(i)
        return s, tf.strings.length(s)

    return f, (4,), (1,)


@case
def string_split_loop(tf):
    def f(s):
        words = tf.strings.split(s)
        n = 0
        for w in words:
            if tf.strings.length(w) > 2:
                n += 1
        return n

    return f, (tf.constant("a quick brown fox is up"),)


@case
def ta_dynamic_break(tf):
    def f(x):
        ta = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
        i = 0
        for v in x:
            if v < -2.0:
                break
            ta = ta.write(i, v * v)
            i += 1
        return ta.stack()

    return f, (V,), ([-3.0, *V[1:]],)


@case
def ta_in_branch_static(tf):
    def f(x):
        ta = tf.TensorArray(tf.float32, size=3)
        for i in tf.range(3):
            if x > 0.0:
                ta = ta.write(i, x * 2.0)
            else:
                ta = ta.write(i, x)
            x = x - 1.0
        return ta.stack(), ta.concat() if False else ta.read(1)

    return f, (1.5,)


@case
def ta_clear_after_read(tf):
    def f(x):
        ta = tf.TensorArray(tf.float32, size=4, clear_after_read=False)
        ta = ta.write(0, x)
        for i in tf.range(1, 4):
            ta = ta.write(i, ta.read(i - 1) * 2.0)
        return ta.stack(), ta.read(2)

    return f, (1.5,)


@case
def ta_fibonacci_dynamic(tf):
    def f(n):
        ta = tf.TensorArray(tf.int32, size=0, dynamic_size=True, clear_after_read=False)
        ta = ta.write(0, 1).write(1, 1)
        i = 2
        while i < n:
            ta = ta.write(i, ta.read(i - 1) + ta.read(i - 2))
            i += 1
        return ta.stack()

    return f, (10,), (2,), (40,)


@case
def ta_concat(tf):
    def f(x):
        ta = tf.TensorArray(tf.float32, size=3, infer_shape=False)
        for i in tf.range(3):
            ta = ta.write(i, tf.fill([2], x * tf.cast(i, tf.float32)))
        return ta.concat()

    return f, (1.5,)


@case
def ta_split_unstack(tf):
    def f(x):
        ta = tf.TensorArray(tf.float32, size=tf.shape(x)[0]).unstack(x)
        s = 0.0
        for i in tf.range(ta.size()):
            v = ta.read(i)
            if v > 0.0:
                s += v
        return s

    return f, (V,)


@case
def ta_gather_scatter(tf):
    def f(x):
        ta = tf.TensorArray(tf.float32, size=6, clear_after_read=False).scatter(
            [5, 4, 3, 2, 1, 0], x
        )
        return ta.gather([0, 2]) * 2.0, ta.stack()

    return f, (V,)


@case
def ta_list_of(tf):
    def f(x):
        tas = [tf.TensorArray(tf.float32, 3), tf.TensorArray(tf.float32, 3)]
        for i in tf.range(3):
            tas = [tas[0].write(i, x), tas[1].write(i, x * x)]
            x = x + 1.0
        return tas[0].stack(), tas[1].stack()

    return f, (1.0,)


@case
def size_of_tensor_input(tf):
    def f(x):
        n = tf.shape(x)[0]
        if n > 3:
            y = tf.reduce_sum(x)
        else:
            y = tf.reduce_prod(x)
        return y

    return f, (V,), ([1.0, 2.0],)


@case
def boolean_mask_loop(tf):
    def f(x):
        y = tf.boolean_mask(x, x > 0.0)
        s = 0.0
        for v in y:
            s += v
        return s, tf.size(y)

    return f, (V,)


@case
def where_indices_loop(tf):
    def f(x):
        s = 0.0
        for p in tf.where(x > 0.0):
            s = s * 2.0 + x[p[0]]
        return s

    return f, (V,)


@case
def slice_unknown(tf):
    def f(x, i):
        return tf.reduce_sum(x[i : i + 2]), x[:i]

    return f, (V, 1), (V, 5)


@case
def slice_in_loop(tf):
    def f(x):
        s = 0.0
        for i in tf.range(tf.shape(x)[0]):
            s += tf.reduce_max(x[i : i + 2])
        return s

    return f, (V,)


@case
def slice_grows_in_loop(tf):
    def f(x):
        s = 0.0
        for i in tf.range(1, tf.shape(x)[0] + 1):
            s += tf.reduce_prod(x[:i])
        return s

    return f, (V,)


@case
def concat_unknown_in_loop_invariants(tf):
    def f(n):
        y = tf.zeros([0])
        for i in tf.range(n):
            tf.autograph.experimental.set_loop_options(
                shape_invariants=[(y, tf.TensorShape([None]))]
            )
            y = tf.concat([y, [tf.cast(i, tf.float32)]], 0)
        return y

    return f, (3,), (0,)


@case
def parallel_and_swap(tf):
    def f(x):
        for i in tf.range(5):
            tf.autograph.experimental.set_loop_options(parallel_iterations=1, swap_memory=True)
            x = x * 1.5
        return x

    return f, (1.0,)


@case
def for_over_dict_and_zip_python(tf):
    def f(x):
        s = 0.0
        for (k, v), w in zip({"a": 1.0, "b": 2.0}.items(), [x, x * x]):
            if w > 1.0:
                s += v * w
        return s

    return f, (2.0,), (0.5,)


@case
def enumerate_list_of_tensors(tf):
    def f(x):
        s = 0.0
        for i, v in enumerate([x, x * 2.0, -x]):
            if v > 0.0:
                s += v * i
        return s

    return f, (2.0,), (-2.0,)


@case
def reversed_and_sorted_python(tf):
    def f(x):
        s = 0.0
        for k in sorted([3.0, 1.0, 2.0], reverse=True):
            if x > k:
                s = s * 10.0 + k
        return s + x * 0.0

    return f, (2.5,), (9.0,)


@case
def sum_of_python(tf):
    def f(x):
        return sum(tf.unstack(x)) if x[0] > 0.0 else tf.reduce_sum(x) * 2.0

    return f, (V,)


@case
def abs_of_python(tf):
    def f(x):
        if abs(x) > 1.0:
            x = abs(x) ** 0.5
        return x

    return f, (-4.0,), (0.5,)


@case
def pow_divmod(tf):
    def f(x, k):
        if k // 2 > 1:
            x = x**2
        return x / 3.0, k % 3, -k

    return f, (2.0, 5), (2.0, 1)


@case
def comparison_chain(tf):
    def f(x):
        if 0.0 < x < 1.0:
            y = 1
        elif 1.0 <= x <= 2.0:
            y = 2
        else:
            y = 3
        return y

    return f, (0.5,), (1.5,), (7.0,)


@case
def is_none_checks(tf):
    def g(x, y=None):
        if y is None:
            return x
        if x is not None and x > y:
            return x
        return y

    def f(x):
        return g(x), g(x, 2.0 + 0.0 * x)

    return f, (1.0,), (3.0,)


@case
def equality_of_vectors(tf):
    def f(x, y):
        if tf.reduce_all(x == y):
            return tf.reduce_sum(x)
        elif tf.reduce_any(x != y) and tf.reduce_sum(y) > 0.0:
            return tf.reduce_sum(y)
        return tf.constant(0.0)

    return f, ([1.0, 2.0], [1.0, 2.0]), ([1.0, 2.0], [1.0, 3.0]), ([1.0, 2.0], [-1.0, -3.0])


@case
def if_vector_condition(tf):
    def f(x):
        if x > 0.0:
            return x
        return -x

    return f, ([1.0, 2.0],)


@case
def if_int_condition(tf):
    def f(n):
        if n:
            return n * 2
        return n - 1

    return f, (3,), (0,)


@case
def while_int_condition(tf):
    def f(n):
        c = 0
        while n:
            n = n // 2
            c += 1
        return c

    return f, (37,)


@case
def not_int(tf):
    def f(n):
        return not n

    return f, (0,), (2,)


@case
def bool_and_python_bool(tf):
    def f(x, flag):
        if flag and x > 0.0:
            return x
        elif not flag or x < -5.0:
            return x * 2.0
        return x * 3.0

    return f, (1.0, True), (1.0, False), (-1.0, True)


@case
def or_returns(tf):
    def f(a, b):
        return a > 1 or b > 1, a > 1 and b > 1, not (a > b)

    return f, (1, 2), (2, 2), (0, 0)


@case
def simulated_annealing(tf):
    def f(x):
        t = 1.0
        step = 0
        while t > 0.1:
            cand = x - 0.3 * t * tf.sign(x)
            if cand * cand < x * x:
                x = cand
            elif step % 2 == 0:
                x = x * 0.9
            t = t * 0.7
            step += 1
        return x, step

    return f, (2.0,), (-0.05,)


@case
def gradient_inside_loop(tf):
    def f(x):
        for i in tf.range(5):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = x**4 - 3.0 * x
                if y < 0.0:
                    y = y * 2.0
            g = tape.gradient(y, x)
            x = x - 0.05 * g
        return x

    return f, (2.0,), (0.3,)


@case
def tf_while_in_python_if(tf):
    def f(x, flag):
        if flag:
            x = tf.while_loop(lambda v: v < 10.0, lambda v: [v * 2.0], [x])[0]
        return x

    return f, (1.0, True), (1.0, False)


@case
def unused_result_branch(tf):
    def f(x):
        if x > 0.0:
            x * 2.0
        else:
            pass
        return x

    return f, (1.0,)


@case
def else_of_for_python(tf):
    def f(x):
        for i in range(3):
            if i == 5:
                break
        else:
            x = x + 1.0
        return x

    return f, (1.0,)


@case
def else_of_for_tensor(tf):
    def f(x):
        for v in x:
            if v > 3.5:
                break
        else:
            v = tf.constant(-1.0)
        return v

    return f, (V,)


@case
def matrix_loops(tf):
    def f(x):
        s = 0.0
        for row in x:
            r = 0.0
            for v in row:
                if v < 0.0:
                    continue
                r += v
            if r > s:
                s = r
        return s

    return f, ([[1.0, -2.0], [3.0, 4.0], [0.0, 5.0]],)


@case
def cumulative_matrix_power(tf):
    def f(a, n):
        r = tf.eye(2)
        while n > 0:
            if n % 2 == 1:
                r = r @ a
            a = a @ a
            n = n // 2
        return r

    return f, ([[1.0, 1.0], [1.0, 0.0]], 10), ([[0.5, 0.1], [0.2, 0.3]], 3)


@case
def complex_carried(tf):
    def f(x):
        z = tf.complex(x, 1.0)
        for _ in tf.range(3):
            z = z * z * tf.complex(0.5, 0.1)
        return tf.abs(z)

    return f, (0.7,)


@case
def bool_carried(tf):
    def f(x):
        actual = False
        for v in x:
            if v > 5.0:
                actual = True
        return actual

    return f, (V,), ([1.0] * 6,)


@case
def int64_range(tf):
    def f(n):
        s = tf.constant(0, tf.int64)
        for i in tf.range(n):
            s += i
        return s

    return f, (np.int64(5),)


@case
def linspace_loop(tf):
    def f(x):
        s = 0.0
        for v in tf.linspace(0.0, 1.0, 5):
            s += tf.sin(v * x)
        return s

    return f, (2.0,)


@case
def overwritten_loop_var(tf):
    def f(n):
        s = 0
        for i in tf.range(n):
            i = i * 2
            if i > 4:
                i = 4
            s += i
        return s

    return f, (5,)


@case
def runtime_shape_reshape(tf):
    def f(x, n):
        y = tf.reshape(x, [n, -1])
        s = 0.0
        for row in y:
            s = s * 0.5 + tf.reduce_max(row)
        return s, tf.shape(y)

    return f, (V, 2), (V, 3)


@case
def runtime_zeros(tf):
    def f(n):
        y = tf.zeros([n])
        for i in tf.range(n):
            y = tf.tensor_scatter_nd_update(y, [[i]], [tf.cast(i * i, tf.float32)])
        return y

    return f, (4,), (1,)


@case
def runtime_fill_tile(tf):
    def f(x, n):
        y = tf.tile(tf.expand_dims(x, 0), [n, 1])
        if n > 2:
            y = y * 2.0
        return tf.reduce_sum(y), tf.fill([n], 1.0)

    return f, ([1.0, 2.0], 2), ([1.0, 2.0], 3)


@case
def unique_loop(tf):
    def f(x):
        y, idx = tf.unique(x)
        s = 0
        for v in y:
            s = s * 10 + v
        return s, idx

    return f, ([1, 2, 1, 3],)


@case
def random_stateless_in_loop(tf):
    def f(x):
        for i in tf.range(3):
            x = x + tf.random.stateless_normal([], seed=[i, 1])
            if x > 0.0:
                x = x * 0.5
        return x

    return f, (0.1,)


@case
def dataset_nested(tf):
    def f(x):
        s = x
        for a in tf.data.Dataset.range(3):
            for b in tf.data.Dataset.range(2):
                if a > b:
                    s += tf.cast(a * b, tf.float32)
        return s

    return f, (1.0,)


@case
def dataset_ragged_batches(tf):
    def f(x):
        n = 0
        for b in tf.data.Dataset.range(7).batch(3):
            n = n * 10 + tf.shape(b)[0]
            x = x + tf.cast(tf.reduce_sum(b), tf.float32)
        return x, n

    return f, (1.0,)


@case
def dataset_take_by_tensor(tf):
    def f(n):
        s = tf.constant(0, tf.int64)
        for b in tf.data.Dataset.range(100).take(n):
            s += b
        return s

    return f, (np.int64(5),), (np.int64(3),)


@case
def dataset_from_tensor_argument(tf):
    def f(x):
        s = 0.0
        for v in tf.data.Dataset.from_tensor_slices(x).map(lambda t: t * 2.0):
            if v > 0.0:
                s += v
        return s

    return f, (V,)


@case
def dataset_window_break_continue(tf):
    def f(x):
        s = x
        for i, v in tf.data.Dataset.range(10).enumerate():
            if i == 2:
                continue
            if v > 5:
                break
            s += tf.cast(v, tf.float32)
        return s

    return f, (0.0,)


@case
def variable_loop_assign(tf):
    v = tf.Variable(0.0)

    def f(x):
        v.assign(0.0)
        while v < x:
            v.assign_add(1.5)
            if v > 4.0:
                v.assign_sub(0.25)
        return v.read_value()

    return f, (4.2,), (9.0,)


@case
def variable_scatter_loop(tf):
    v = tf.Variable(tf.zeros([5]))

    def f(x):
        for i in tf.range(5):
            if i % 2 == 0:
                v[i].assign(x * tf.cast(i, tf.float32))
        return v.read_value()

    return f, (1.5,)


@case
def control_dependencies(tf):
    v = tf.Variable(1.0)

    def f(x):
        if x > 0.0:
            with tf.control_dependencies([v.assign_add(x)]):
                y = v.read_value() * 2.0
        else:
            y = x
        return y

    return f, (2.0,), (-1.0,)


@case
def tf_function_nested(tf):
    @tf.function
    def inner(x):
        while x > 1.0:
            x = x / 2.0
        return x

    def f(x):
        s = 0.0
        for i in tf.range(3):
            s += inner(x * tf.cast(i + 1, tf.float32))
        return s

    return f, (3.3,)


@case
def method_and_property(tf):
    class M:
        def __init__(self):
            self.k = 2.0

        @property
        def limit(self):
            return self.k * 5.0

        def step(self, x):
            if x < self.limit:
                return x * self.k
            return x

        def __call__(self, x):
            for _ in tf.range(3):
                x = self.step(x)
            return x

    m = M()
    return m, (1.0,), (4.0,), (20.0,)


@case
def inherited_super(tf):
    class A:
        def g(self, x):
            if x > 0.0:
                return x
            return -x

    class B(A):
        def g(self, x):
            y = super().g(x)
            if y > 2.0:
                y = y * 2.0
            return y

    b = B()
    return (lambda x: b.g(x)), (-1.0,), (-3.0,)


@case
def functools_reduce(tf):
    def f(x):
        return functools.reduce(lambda a, b: a + b if b > 0.0 else a, tf.unstack(x))

    return f, (V,)


@case
def python_float_of_shape(tf):
    def f(x):
        n = float(x.shape[0])
        m = int(x.shape[0] / 2)
        if tf.reduce_sum(x) > n:
            return x[m]
        return x[0]

    return f, (V,), ([-v for v in V],)
