"""Small programs in which Python decides by the values of tensors, as people write them.

Each is called with several arguments of the same shapes: a trace of the first call must not decide
for the others. `control_values.json` holds what TensorFlow gives for them, with AutoGraph (and for
the few that AutoGraph refuses, eagerly):

    python tests/graph/branching.py > tests/graph/control_values.json     (TensorFlow's Python)
"""

# ruff: noqa: SIM108 (`if` as a statement and in an expression are two programs here)
from __future__ import annotations

import json
import sys

import numpy as np

if __name__ == "__main__":
    import tensorflow as tf
else:
    import gradtape as tf

PROGRAMS: dict = {}


def program(*calls):
    """Register a program with the tuples of arguments that it is called with."""

    def register(function):
        PROGRAMS[function.__name__] = (function, calls)
        return function

    return register


SIGNS = ((2.0,), (-3.0,), (0.0,))
ROWS = (([1.0, -2.0, 3.0, -4.0],), ([-1.0, 2.0, 0.5, 7.0],))
COUNTS = ((3,), (0,), (5,))


# --- conditions ----------------------------------------------------------------------------------


@program(*SIGNS)
def plain_if(x):
    if x > 0:
        y = x * x
    else:
        y = -2.0 * x
    return y


@program(*SIGNS, (5.0,))
def nested_ifs(x):
    if x > 0:
        if x > 3:
            y = x * 10.0
        else:
            y = x + 1.0
    else:
        y = x
        if x < -1:
            y = y * y
    return y


@program(*SIGNS, (12.0,))
def elif_chain(x):
    if x > 10:
        y = x / 2.0
    elif x > 1:
        y = tf.sin(x)
    elif x > -1:
        y = tf.exp(x)
    else:
        y = tf.square(x)
    return y


@program(*SIGNS)
def early_return(x):
    if x > 1:
        return x * 3.0
    if x < -1:
        return x * 5.0
    return x * 7.0 + 1.0


@program(*SIGNS)
def ternary(x):
    return x * x if x > 0 else tf.exp(x)


@program(*SIGNS)
def ternary_in_an_expression(x):
    return (1.0 if x > 0 else -1.0) * x + (2.0 if x > 1 else 0.5)


@program(*SIGNS, (0.5,))
def boolean_operators(x):
    if x > 0 and x < 1:
        y = x * 2.0
    elif x > 1 or not x > -1:
        y = x * 3.0
    else:
        y = x - 1.0
    return y


@program(*SIGNS, (0.5,))
def chained_comparison(x):
    if 0.0 < x < 1.0:
        return x * 2.0
    return -x


@program((2.0, 3.0), (3.0, 2.0), (2.0, 2.0))
def two_tensors(x, y):
    if x < y:
        larger = y
    else:
        larger = x
    return larger * (x + y)


@program((3, 2.0), (4, 2.0), (7, -2.0))
def parity_of_an_integer(n, x):
    if n % 2 == 0:
        return x * tf.cast(n, tf.float32)
    return x - tf.cast(n, tf.float32)


@program((True, 2.0), (False, 2.0))
def flag(switch, x):
    if switch:
        x = x * x
    return x + 1.0


@program(*ROWS, ([1.0, 2.0, 3.0, 4.0],))
def any_and_all(x):
    if tf.reduce_all(x > 0):
        return tf.reduce_sum(x)
    if tf.reduce_any(x > 5):
        return tf.reduce_max(x)
    return tf.reduce_min(x)


@program(*SIGNS)
def assigned_in_one_branch(x):
    y = x
    if x > 0:
        y = tf.sqrt(x)
    return y + x


@program(*SIGNS)
def several_results(x):
    if x > 0:
        a, b = x, x * x
    else:
        a, b = x * x, x
    return a, b


# --- loops ---------------------------------------------------------------------------------------


@program((1.0,), (30.0,), (200.0,))
def while_by_value(x):
    while x < 100.0:
        x = x * 2.0
    return x


@program(*COUNTS)
def while_counted(n):
    total, i = tf.constant(0), tf.constant(0)
    while i < n:
        total += i * i
        i += 1
    return total


@program((2.0, 3), (2.0, 0), (1.5, 5))
def for_over_a_range(x, n):
    y = x
    for _ in tf.range(n):
        y = y * x
    return y


@program(*ROWS)
def for_over_rows(x):
    total = tf.constant(0.0)
    for row in x:
        total = total * 0.5 + row
    return total


@program((10.0,), (3.0,), (50.0,))
def break_from_a_while(x):
    total = tf.constant(0.0)
    while total < 1000.0:
        total += x
        if total > 25.0:
            break
    return total


@program(*ROWS)
def break_from_a_for(x):
    total = tf.constant(0.0)
    for row in x:
        if row > 2.0:
            break
        total += row
    return total


@program(*ROWS)
def continue_in_a_for(x):
    total = tf.constant(0.0)
    for row in x:
        if row < 0.0:
            continue
        total += row * row
    return total


@program((7,), (12,), (1,))
def break_and_continue(n):
    total, i = tf.constant(0), tf.constant(0)
    while tf.constant(True):
        i += 1
        if i > n:
            break
        if i % 3 == 0:
            continue
        total += i
    return total


@program(([1.0, -2.0, 3.0, -4.0],), ([1.0, 2.0, 0.5, 7.0],))
def return_from_a_loop(x):
    total = tf.constant(0.0)
    for row in x:
        if row < 0.0:
            return total
        total += row
    return total * 100.0


@program((3, 4), (2, 0), (1, 5))
def nested_loops(n, m):
    total = tf.constant(0)
    for i in tf.range(n):
        for j in tf.range(m):
            if i == j:
                continue
            total += i * j + 1
    return total


@program((27,), (1,), (6,))
def collatz(n):
    steps = tf.constant(0)
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


@program((48, 36), (17, 5), (10, 0))
def greatest_common_divisor(a, b):
    while b > 0:
        a, b = b, a % b
    return a


@program((2.0,), (9.0,), (0.25,))
def newton(x):
    guess = tf.ones_like(x)
    while tf.abs(guess * guess - x) > 1e-5:
        guess = 0.5 * (guess + x / guess)
    return guess


@program(*ROWS)
def python_loop_with_conditions(x):
    total = tf.constant(0.0)
    for i in range(4):
        if x[i] > 0:
            total += x[i] * float(i)
    return total


@program(*ROWS)
def comprehension(x):
    return tf.add_n([x[i] * x[i] for i in range(4) if i != 2])


@program(*ROWS)
def enumerated(x):
    total = tf.constant(0.0)
    for i, row in enumerate(x):
        total += tf.cast(i, tf.float32) * row
    return total


@program((4,), (0,), (7,))
def collected_in_a_tensor_array(n):
    array = tf.TensorArray(tf.int32, size=n)
    for i in tf.range(n):
        array = array.write(i, i * i)
    return array.stack()


# --- functions, methods, generators, variables ---------------------------------------------------


def _smaller_than(limit):
    def test(x):
        if x < limit:
            return x
        return limit

    return test


@program(*SIGNS)
def closure(x):
    return _smaller_than(tf.constant(1.0))(x) * 2.0


class _Switch:
    def __init__(self) -> None:
        self.threshold = tf.Variable(1.0)

    def chosen(self, x):
        if x > self.threshold:
            return x * 2.0
        return x - self.threshold


SWITCH = _Switch()


@program(*SIGNS)
def method(x):
    return SWITCH.chosen(x)


def _powers(x):
    y = x
    for _ in range(3):
        yield y
        y = y * x


@program(*SIGNS)
def generator(x):
    total = tf.constant(0.0)
    for power in _powers(x):
        if power > 0:
            total += power
    return total


@program((2.0,), (7.0,))
def asserted(x):
    assert x > 0, "only positive numbers"
    return tf.math.log(x)


COUNTER = tf.Variable(0.0)


@program((2.0,), (-2.0,), (3.0,))
def conditional_assignment(x):
    if x > 0:
        COUNTER.assign_add(x)
    return COUNTER + 0.0


@program((1.0,), (0.0,), (4.0,))
def recursion_by_value(x):
    if x > 0.5:
        return _halved(x) + 1.0
    return x


def _halved(x):
    return x / 2.0 if x > 2.0 else x * 3.0


@program(*SIGNS)
def gradient_inside(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        if x > 0:
            y = x * x * x
        else:
            y = tf.sin(x)
    return tape.gradient(y, x)


@program(*SIGNS)
def structure_by_value(x):
    result = {"a": x}
    if x > 0:
        result["a"] = x * 2.0
    return result["a"] + 1.0


@program(*ROWS)
def sorted_by_exchange(x):
    a, b, c, d = tf.unstack(x)
    if a > b:
        a, b = b, a
    if c > d:
        c, d = d, c
    if a > c:
        a, c = c, a
    if b > d:
        b, d = d, b
    if b > c:
        b, c = c, b
    return tf.stack([a, b, c, d])


# --- running -------------------------------------------------------------------------------------


def arguments(call) -> list:
    return [tf.constant(a) for a in call]


def results(name: str, decorate=tf.function) -> list:
    """What each call gives, and the gradient of its sum by the first argument, as lists."""
    COUNTER.assign(0.0)
    function, calls = PROGRAMS[name]
    function = decorate(function)
    result = []
    for call in calls:
        tensors = arguments(call)
        first = tensors[0]
        with tf.GradientTape() as tape:
            if first.dtype.is_floating:
                tape.watch(first)
            value = function(*tensors)
            flat = tf.nest.flatten(value)
            total = tf.add_n([tf.reduce_sum(tf.cast(y, tf.float32)) for y in flat])
        gradient = tape.gradient(total, first) if first.dtype.is_floating else None
        values = [np.asarray(y).tolist() for y in flat]
        result.append([values, None if gradient is None else np.asarray(gradient).tolist()])
    return result


def main() -> None:
    table = {}
    for name in PROGRAMS:
        try:
            table[name] = results(name)
        except Exception as error:  # AutoGraph cannot convert it: TensorFlow's eager values, then
            print(f"{name}: {type(error).__name__}", file=sys.stderr)
            table[name] = results(name, lambda function: function)
    rows = [f"  {json.dumps(name)}: {json.dumps(values)}" for name, values in table.items()]
    print("{\n" + ",\n".join(rows) + "\n}")


if __name__ == "__main__":
    main()
