"""Random programs for tapes: `python core_programs.py FIRST LAST` prints what each of them gives.

test_core.py runs this file with the core in C and with its reference in Python, and compares. All
arrays are float64, for which both have the same kernels: every digit must agree.
"""

from __future__ import annotations

import json
import sys

import numpy as np

import gradtape as tf

SHAPES = [(), (3,), (2, 3), (2, 1)]


def shown(x) -> str:
    """A value with all its digits."""
    if x is None:
        return "None"
    if isinstance(x, tf.IndexedSlices):
        return f"slices {shown(x.values)} at {shown(x.indices)}"
    array = np.asarray(x.numpy())
    return f"{array.dtype}{list(array.shape)}:{array.tobytes().hex()}"


@tf.custom_gradient
def doubled(x):
    def grad(upstream):
        return upstream * 3.0

    return x * 2.0, grad


class Refuses:
    """No tensor, no number; it answers to `+` from the right."""

    def __radd__(self, other):
        return "answered"


class Program:
    """Values, variables, and steps that are drawn from all that programs do under tapes."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.notes: list[str] = []
        self.variables = [tf.Variable(self.draw(s)) for s in SHAPES]
        self.variables.append(tf.Variable(self.draw(()), trainable=False))
        self.single = tf.Variable(np.float32(self.random.uniform(0.5, 2.0)))
        self.constants = [tf.constant(self.draw(s)) for s in SHAPES]
        self.values = [*self.constants, *self.variables]

    def draw(self, shape):
        return self.random.uniform(0.5, 2.0, shape)[()]

    def pick(self):
        return self.values[self.random.integers(len(self.values))]

    def choose(self, options):
        return options[self.random.integers(len(options))]

    def unary(self, x):
        function = self.choose(
            [
                tf.sin,
                tf.cos,
                tf.tanh,
                tf.sigmoid,
                tf.exp,
                tf.nn.relu,
                tf.sqrt,
                tf.square,
                tf.abs,
                tf.math.rsqrt,
                tf.math.reciprocal,
                tf.math.log,
                tf.math.log1p,
                tf.math.expm1,
                tf.math.softplus,
                tf.atan,
                tf.negative,
                tf.identity,
                doubled,
                tf.stop_gradient,
                tf.reduce_sum,
                tf.reduce_mean,
                tf.ones_like,
                tf.transpose,
            ]
        )
        return function(tf.tanh(x))

    def power(self, x):
        return tf.abs(x) ** self.choose([2, 3, 4, -1, -2, 0.5, -0.5, 2.5, 5, 0, 1, 7.25])

    def binary(self, x, y):
        way = self.random.integers(8)
        if way == 0:
            return x + y
        if way == 1:
            return x - y
        if way == 2:
            return x * y
        if way == 3:
            return x / (tf.abs(y) + 1.0)
        if way == 4:
            return tf.maximum(x, y)
        if way == 5:
            return tf.where(x > y, x, y)
        if way == 6:
            return tf.atan2(x, y)
        return tf.math.squared_difference(x, y)

    def with_number(self, x):
        number = self.choose([2, 1.1, 0.0, -3, 0.3, np.float64(1.5), 1])
        way = self.random.integers(6)
        if way == 0:
            return x + number
        if way == 1:
            return number - x
        if way == 2:
            return number * x
        if way == 3:
            return x / (number * number + 1)
        if way == 4:
            return number / (tf.abs(x) + 1)
        return -x

    def shapes(self, x):
        flat = tf.reshape(x, [-1])
        way = self.random.integers(4)
        if way == 0:
            return tf.reduce_sum(tf.concat([flat, flat * 2.0, flat], 0))
        if way == 1:
            return tf.reduce_max(flat)
        if way == 2:
            return sum(tf.unstack(tf.stack([flat, flat])), 0.0)
        return flat[0] + tf.gather(flat, [0])[0]

    def loses(self, x):
        """Steps through which no gradient goes, or which fail."""
        way = self.random.integers(9)
        if way == 0:
            self.notes.append(f"{float(tf.reduce_sum(x)):.12g}")
        elif way == 1:
            return tf.cast(tf.cast(x, tf.int32), tf.float64) + x
        elif way == 2:
            self.choose(self.variables[:4]).assign_add(tf.zeros_like(self.variables[0]) + 0.5)
        elif way == 3:
            return tf.constant(x.numpy()) * x
        elif way == 4:
            x + tf.constant([1.0, 2.0, 3.0, 4.0, 5.0], tf.float64)
        elif way == 5:
            x * tf.constant(1.0)  # float32
        elif way == 6:
            self.notes.append(str(x + Refuses()))
        elif way == 7:
            x + "text"
        else:
            return x * tf.cast(self.single * self.single + 0.3, tf.float64)
        return None

    def step(self) -> None:
        way = self.random.integers(12)
        try:
            if way < 3:
                made = self.unary(self.pick())
            elif way < 5:
                made = self.binary(self.pick(), self.pick())
            elif way < 8:
                made = self.with_number(self.pick())
            elif way == 8:
                made = self.power(self.pick())
            elif way == 9:
                made = self.shapes(self.pick())
            else:
                made = self.loses(self.pick())
        except Exception as error:
            self.notes.append(f"{type(error).__name__}: {error}")
            return
        if made is not None:
            self.values.append(made)

    def steps(self, count: int) -> None:
        for _ in range(count):
            self.step()

    def target(self):
        total = tf.constant(0.0, tf.float64)
        for x in self.values[-3:]:
            total = total + tf.reduce_sum(tf.tanh(x))
        return total


def record(tape) -> list[str]:
    """What a tape has written down, without the values."""
    lines = [str(tape)]
    if tape._recording is not None:
        for entry in tape._recording.entries:
            prim, slots, slot, kept, ans, params, code, lasti = entry
            outs = slot if type(slot) is int else (slot[0], [repr(s) for s in slot[1]])
            keeps = None if kept is None else [type(x).__name__ for x in kept]
            lines.append(
                f"{prim.name} {slots} {outs} {keeps} {ans is not None} {sorted(params)} "
                f"{code.co_name} {lasti}"
            )
        lines.append(repr(tape._recording.shapes))
        lines.append(repr(sorted(slot for slot, _ in tape._recording.leaves.values())))
    return lines


def plain(program: Program) -> list[str]:
    persistent = bool(program.random.integers(2))
    watches = bool(program.random.integers(4))
    with tf.GradientTape(persistent=persistent, watch_accessed_variables=watches) as tape:
        tape.watch(program.constants[:2])
        program.steps(6)
        if program.random.integers(2):
            with tape.stop_recording():
                program.steps(2)
        tape.watch(program.variables[1])
        program.steps(5)
        y = program.target()
    result = record(tape)
    sources = [*program.constants, *program.variables]
    result.append(str(tape.explain(y, sources)))
    result.append(str(tape.memory()) if persistent else "")
    for _ in range(1 + persistent):
        gradients = tape.gradient(y, sources)
        result += [shown(g) for g in gradients]
    try:
        result.append(shown(tape.gradient(y, sources[0])))
    except RuntimeError as error:
        result.append(str(error))
    return [*result, *[str(v.name) for v in tape.watched_variables()]]


def one_source(program: Program) -> list[str]:
    with tf.GradientTape() as tape:
        program.steps(6)
        y = program.target() + program.single.read_value()._data * 0
    return [shown(tape.gradient(y, program.variables[0])), str(tape)]


def nested(program: Program) -> list[str]:
    x = program.constants[int(program.random.integers(4))]
    result = []
    with tf.GradientTape(persistent=True) as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            program.steps(5)
            y = program.target() + tf.reduce_sum(tf.sin(x * x) / (x + 3.0))
        g = inner.gradient(y, x)
        z = tf.reduce_sum(g * g)
    result += record(outer)
    result += [shown(g), shown(outer.gradient(z, x)), shown(outer.gradient(y, x))]
    return result


def forward(program: Program) -> list[str]:
    x = program.constants[2]
    with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as accumulator:
        with tf.GradientTape() as tape:
            tape.watch(x)
            program.steps(4)
            y = program.target() + tf.reduce_sum(x * tf.tanh(x) ** 3)
        g = tape.gradient(y, x)
    return [shown(accumulator.jvp(y)), shown(accumulator.jvp(g)), shown(g)]


def jacobian(program: Program) -> list[str]:
    x = program.constants[1]
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        program.steps(3)
        y = tf.sin(x) * tf.reduce_sum(x**3) + program.target()
    whole = tape.jacobian(y, x)
    return [shown(whole), shown(tape.jacobian(y, x, experimental_use_pfor=False))]


def seeded(program: Program) -> list[str]:
    x = program.constants[2]
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        program.steps(3)
        y = x * 2.0 + tf.cast(program.single, tf.float64)
    weights = tf.constant(program.draw((2, 3)))
    return [
        shown(tape.gradient(y, x, output_gradients=weights)),
        shown(tape.gradient([y, x], [x, program.variables[0]])[0]),
        shown(tape.gradient(y, program.variables[0], unconnected_gradients="zero")),
        shown(tape.gradient(y, program.single)),
    ]


def accumulators(program: Program) -> list[str]:
    """Accumulators in accumulators, of tensors and variables, with a tape outside."""
    x, v = program.constants[1], program.variables[2]
    tangents = [tf.constant(program.draw(x.shape)), tf.constant(program.draw(v.shape))]
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        with tf.autodiff.ForwardAccumulator(v, tangents[1]) as outer:
            with tf.autodiff.ForwardAccumulator([x, v], tangents) as inner:
                program.steps(4)
                y = program.target() + tf.reduce_sum(tf.sin(x * v) / (1.0 + x * x))
            moved = inner.jvp(y)
    result = [shown(moved), shown(outer.jvp(y)), shown(outer.jvp(moved)), *record(tape)]
    return result + [shown(g) for g in tape.gradient(moved, [x, *program.variables])]


def mapped(program: Program) -> list[str]:
    """Maps over gradients, over forward mode, and over one another."""
    rows, x = tf.constant(program.draw((4, 3))), program.constants[1]

    def of_a_row(row):
        with tf.GradientTape() as tape:
            tape.watch(row)
            y = tf.reduce_sum(tf.tanh(row * x) * 2.0 + row / (1.0 + x * x) - 0.5)
        with tf.autodiff.ForwardAccumulator(row, tf.cos(row)) as accumulator:
            z = tf.exp(-row) * x + row[0] * program.variables[0]
        return tape.gradient(y, row), y, accumulator.jvp(z)

    pairs = tf.vmap(lambda a: tf.vmap(lambda b: tf.sin(a * b) + a)(rows))(rows)
    with tf.GradientTape() as tape:
        tape.watch(rows)
        program.steps(2)
        results = tf.vmap(of_a_row)(rows)
        total = tf.reduce_sum(results[0] * results[2]) + program.target()
    return [shown(y) for y in (*results, pairs, tape.gradient(total, rows))]


def curvature(program: Program) -> list[str]:
    x = program.constants[1]

    def function(x):
        return tf.reduce_sum(tf.sin(x) * x**3 / (1.0 + tf.exp(-x[::-1]))) + program.target() * x[0]

    program.steps(3)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.stack([x, 2.0 * x, tf.sin(x)]) * program.variables[2][0]
    rows = tf.constant(program.draw((4, 3)))
    with tf.GradientTape() as of_rows:
        of_rows.watch(rows)
        z = tf.sin(rows) * tf.reduce_sum(rows, 1, keepdims=True) + x
    return [
        shown(tf.hessian(function)(x)),
        shown(tf.jacobian(tf.grad(function), mode="forward")(x)),
        shown(tf.hvp(function, (x,), (tf.cos(x),))[0]),
        shown(tape.jacobian(y, x)),
        shown(of_rows.batch_jacobian(z, rows)),
    ]


def functions(program: Program) -> list[str]:
    """Accumulators around functions, and inside of them."""
    x, t = program.constants[2], tf.constant(program.draw((2, 3)))

    @tf.function
    def inside(x):
        return tf.tanh(x) * x + tf.reduce_sum(x / (1.0 + x * x), 0)

    @tf.function
    def moved(x, t):
        with tf.autodiff.ForwardAccumulator(x, t) as accumulator:
            y = inside(x) * program.variables[1]
        return y, accumulator.jvp(y)

    with tf.autodiff.ForwardAccumulator(x, t) as accumulator:
        program.steps(3)
        y = inside(x) + program.target()
        both = moved(x, tf.sin(x))
    return [shown(z) for z in (y, accumulator.jvp(y), *both, *accumulator.jvp(list(both)))]


FORMS = [plain, one_source, nested, forward, jacobian, seeded]
FORMS += [accumulators, mapped, curvature, functions]

if __name__ == "__main__":
    for seed in range(int(sys.argv[1]), int(sys.argv[2])):
        program = Program(seed)
        try:
            result = FORMS[seed % len(FORMS)](program)
        except Exception as error:
            result = [f"{type(error).__name__}: {error}"]
        print(json.dumps([seed, result, program.notes, [shown(v) for v in program.values]]))
