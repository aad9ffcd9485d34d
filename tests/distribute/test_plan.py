"""`gradtape plan`: costs of a step from its graph, by hand and beside XLA's own count."""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from importlib.util import find_spec
from itertools import pairwise

import numpy as np
import pytest

import gradtape as tf
from gradtape.distribute.planning.layouts import (
    Layout,
    Machine,
    divide_products,
    layouts_of,
    predict,
)
from gradtape.distribute.planning.plan import TracedStep, compute_costs, trace_step
from tests.distribute.processes import environment

MACHINE = Machine(flops=1e12, memory_bandwidth=1e11, bandwidth=1e10)


def specs(*arrays) -> tuple:
    return tuple(tf.constant(x)._spec() for x in arrays)


def variable(*shape: int) -> tf.Variable:
    return tf.Variable(np.full(shape, 0.01, "float32"))


def sgd(loss_of, variables):
    """A step with momentum."""
    momenta = [tf.Variable(tf.zeros_like(v), trainable=False) for v in variables]

    def step(*batch):
        with tf.GradientTape() as tape:
            loss = loss_of(*batch)
        gradients = tape.gradient(loss, variables)
        for v, m, g in zip(variables, momenta, gradients, strict=True):
            m.assign(0.9 * m + tf.convert_to_tensor(g))
            v.assign_sub(0.1 * m)
        return loss

    return step


def network(rows: int = 32) -> TracedStep:
    """Two layers, 100 → 200 → 10, without biases."""
    w, u = variable(100, 200), variable(200, 10)

    def loss_of(x, y):
        return tf.reduce_mean((tf.nn.relu(x @ w) @ u - y) ** 2)

    batch = specs(np.zeros((rows, 100), "float32"), np.zeros((rows, 10), "float32"))
    return trace_step(sgd(loss_of, [w, u]), batch)


# --- arithmetic ----------------------------------------------------------------------------------


def counted(function, *arrays) -> float:
    variables = [tf.Variable(x) for x in arrays]
    return compute_costs(trace_step(lambda: function(*variables), ())).flops


def zeros(*shape: int) -> np.ndarray:
    return np.zeros(shape, "float32")


@pytest.mark.parametrize(
    ("function", "shapes", "expected"),
    [
        (tf.matmul, [(3, 4), (4, 5)], 2 * 3 * 4 * 5),
        (lambda a, b: tf.matmul(a, b, transpose_a=True), [(4, 3), (4, 5)], 2 * 3 * 4 * 5),
        (tf.matmul, [(7, 3, 4), (7, 4, 5)], 2 * 7 * 3 * 4 * 5),
        (lambda a, b: tf.einsum("abc,dbc->ad", a, b), [(2, 3, 4), (5, 3, 4)], 2 * 2 * 5 * 12),
        (
            lambda x, w: tf.nn.conv2d(x, w, 1, "VALID"),
            [(2, 8, 8, 3), (3, 3, 3, 4)],
            2 * (2 * 6 * 6 * 4) * 27,
        ),
        (
            lambda x, w: tf.nn.conv2d(x, w, 2, "SAME"),
            [(2, 8, 8, 3), (3, 3, 3, 4)],
            2 * (2 * 4 * 4 * 4) * 27,
        ),
        (tf.add, [(3, 4), (3, 4)], 0),
    ],
)
def test_products_are_counted_exactly(function, shapes, expected):
    assert counted(function, *[zeros(*shape) for shape in shapes]) == expected


def test_the_gradients_of_a_convolution_cost_what_it_costs():
    w, k = variable(3, 3, 3, 8), variable(3, 3, 8, 8)

    def loss_of(x):
        return tf.reduce_sum(tf.nn.conv2d(tf.nn.conv2d(x, w, 1, "SAME"), k, 1, "SAME"))

    actual = compute_costs(trace_step(sgd(loss_of, [w, k]), specs(zeros(2, 10, 10, 3))))
    first, second = 2 * (200 * 8) * 27, 2 * (200 * 8) * 72
    assert actual.flops == 2 * first + 3 * second  # nobody asks for the gradient of x


def test_a_loop_over_rows_counts_all_its_rounds():
    w = variable(4, 4)

    def rounds(xs):
        return tf.scan(lambda state, x: state @ w + x, xs, tf.zeros([2, 4]))

    actual = compute_costs(trace_step(lambda xs: rounds(xs), specs(zeros(5, 2, 4))))
    assert actual.flops == 5 * 2 * 2 * 4 * 4


# --- memory --------------------------------------------------------------------------------------


def test_the_memory_of_a_network_by_hand():
    actual = compute_costs(network(rows=32))
    weights = 4 * (100 * 200 + 200 * 10)
    assert (actual.parameters, actual.gradients, actual.state) == (weights, weights, weights)
    # The backward pass needs the hidden layer, which is a product's operand, and the difference of
    # the result and y, computed again from the result.
    assert actual.activations == 4 * 32 * (200 + 10)
    assert actual.batch == 4 * 32 * (100 + 10)
    assert actual.copies == 0
    assert actual.flops == 2 * 32 * (2 * 100 * 200 + 3 * 200 * 10)


def test_what_is_recomputed_is_not_kept():
    weights = [variable(64, 64) for _ in range(12)]

    def blocks(wrap) -> TracedStep:
        def block(i: int):
            def run(x):
                for w in weights[i : i + 3]:
                    x = tf.tanh(x @ w)
                return x

            return wrap(run)

        def loss_of(x):
            for i in range(0, 12, 3):
                x = block(i)(x)
            return tf.reduce_sum(x)

        return trace_step(sgd(loss_of, weights), specs(zeros(128, 64)))

    plain, recomputed = compute_costs(blocks(lambda f: f)), compute_costs(blocks(tf.recompute_grad))
    assert plain.activations == 12 * 128 * 64 * 4
    assert recomputed.activations == 3 * 128 * 64 * 4  # what goes into a block
    assert recomputed.peak < plain.peak
    assert recomputed.flops == plain.flops + 12 * 2 * 128 * 64 * 64


def test_attention_is_fused_as_on_a_gpu():
    rows, heads, length, depth = 2, 4, 512, 16
    weights = [variable(heads * depth, heads * depth) for _ in range(3)]

    def loss_of(x):
        q, k, v = [
            tf.transpose(
                tf.reshape(x @ tf.cast(w, tf.bfloat16), [rows, length, heads, depth]), [0, 2, 1, 3]
            )
            for w in weights
        ]
        scores = tf.matmul(q, k, transpose_b=True) / 4.0
        probabilities = tf.cast(tf.nn.softmax(tf.cast(scores, tf.float32)), tf.bfloat16)
        return tf.reduce_sum(tf.cast(tf.matmul(probabilities, v), tf.float32) ** 2)

    batch = (tf.zeros([rows, length, heads * depth], tf.bfloat16)._spec(),)
    plain, fused = [
        compute_costs(trace_step(sgd(loss_of, weights), batch, fused_attention=each))
        for each in (False, True)
    ]
    values, scores = rows * heads * length * depth, rows * heads * length * length
    # Scores in two types; q, k, v and the result.
    assert plain.activations == (4 + 2) * scores + 4 * 2 * values
    assert fused.activations == 4 * 2 * values
    products = 2 * scores * depth
    projections = 2 * 3 * 2 * rows * length * (heads * depth) ** 2
    assert plain.flops == (2 + 4) * products + projections
    assert fused.flops == (2 + 5) * products + projections


def test_copies_of_parameters_do_not_grow_with_the_batch():
    w = variable(100, 200)

    def step(rows: int) -> TracedStep:
        def loss_of(x):
            narrow = tf.cast(x, tf.bfloat16) @ tf.cast(w, tf.bfloat16)
            return tf.reduce_sum(tf.cast(narrow @ tf.transpose(tf.cast(w, tf.bfloat16)), "float32"))

        return trace_step(sgd(loss_of, [w]), specs(zeros(rows, 100)))

    small, large = compute_costs(step(8)), compute_costs(step(16))
    assert small.copies == large.copies == 2 * 100 * 200
    assert large.activations - large.copies == 2 * (small.activations - small.copies)


def test_variables_that_a_step_makes_are_its_state():
    w = variable(10, 10)
    slots: list = []

    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(x @ w)
        if not slots:
            slots.append(tf.Variable(tf.zeros_like(w), trainable=False))
        slots[0].assign_add(tape.gradient(loss, w))
        w.assign_sub(slots[0])
        return loss

    actual = compute_costs(trace_step(step, specs(zeros(2, 10))))
    assert (actual.parameters, actual.state) == (400, 400)


# --- layouts -------------------------------------------------------------------------------------


def test_layouts_are_powers_of_two():
    assert [(each.data, each.model) for each in layouts_of(8)] == [(8, 1), (4, 2), (2, 4), (1, 8)]
    assert [(each.data, each.model) for each in layouts_of(6)] == [(6, 1), (3, 2)]
    names = [each.name for each in layouts_of(4)]
    assert names == ["data 4", "data 2 × model 2", "model 4"]


def test_data_parallel_sums_the_gradients():
    step = network(rows=32)
    actual = compute_costs(step)
    plan = predict(step, actual, Layout(4, 1), MACHINE, rows=32, batch=256)
    assert plan.rows == 64
    assert plan.moved == 2 * 3 / 4 * actual.gradients
    assert plan.exchanging == plan.moved / 1e10
    assert (plan.parameters, plan.activations) == (actual.parameters, 2 * actual.activations)
    alone = predict(step, actual, Layout(1, 1), MACHINE, rows=32, batch=32)
    assert alone.moved == 0
    assert alone.computing == pytest.approx(actual.seconds(1e12, 1e11))
    assert (
        alone.memory
        == actual.parameters
        + actual.state
        + actual.activations
        + actual.batch
        + max(actual.gradients, actual.peak - actual.activations)
    )


def test_model_parallel_divides_pairs_of_products():
    step = network(rows=32)
    actual = compute_costs(step)
    division = divide_products(step, actual, 2)
    assert (division.parameters, division.products) == (1.0, 1.0)
    # The hidden layer is divided; the result is summed. x needs no gradient.
    assert division.activations == pytest.approx(200 / 210)
    assert division.summed == 4 * 32 * 10
    plan = predict(step, actual, Layout(1, 2), MACHINE, rows=32, batch=32)
    assert plan.parameters == actual.parameters / 2
    assert plan.state == actual.state / 2
    assert plan.activations == 4 * 32 * (100 + 10)
    assert plan.moved == 4 * 32 * 10
    both = predict(step, actual, Layout(4, 2), MACHINE, rows=32, batch=128)
    assert both.moved == 2 * 3 / 4 * actual.gradients / 2 + 4 * 32 * 10


def test_what_cannot_be_divided_stays_whole():
    step = network()
    assert divide_products(step, compute_costs(step), 3).parameters == 0


# --- beside XLA ----------------------------------------------------------------------------------


def transformer() -> TracedStep:
    rows, length, width, heads = 8, 64, 128, 4
    table = variable(500, width)
    layers = [
        [
            variable(width, 3 * width),
            variable(width, width),
            variable(width, 4 * width),
            variable(4 * width, width),
        ]
        for _ in range(2)
    ]

    def normed(x):
        mean, variance = tf.nn.moments(x, [-1], keepdims=True)
        return (x - mean) * tf.math.rsqrt(variance + 1e-5)

    def loss_of(tokens, targets):
        x = tf.gather(table, tokens)
        for qkv, joined, up, down in layers:
            shape = [rows, length, heads, width // heads]
            q, k, v = [
                tf.transpose(tf.reshape(part, shape), [0, 2, 1, 3])
                for part in tf.split(normed(x) @ qkv, 3, -1)
            ]
            y = tf.nn.softmax(tf.matmul(q, k, transpose_b=True) / 8.0) @ v
            x += tf.reshape(tf.transpose(y, [0, 2, 1, 3]), [rows, length, width]) @ joined
            x += tf.nn.gelu(normed(x) @ up, approximate=True) @ down
        logits = tf.matmul(x, table, transpose_b=True)
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(targets, logits)
        return tf.reduce_mean(losses)

    tokens = np.zeros((rows, length), "int32")
    variables = [table, *[v for layer in layers for v in layer]]
    return trace_step(sgd(loss_of, variables), specs(tokens, tokens), fused_attention=False)


def perceptron() -> TracedStep:
    sizes = [784, 512, 512, 10]
    weights = [variable(a, b) for a, b in pairwise(sizes)]
    biases = [variable(b) for b in sizes[1:]]

    def loss_of(x, labels):
        for w, b in zip(weights[:-1], biases[:-1], strict=True):
            x = tf.nn.relu(x @ w + b)
        x = x @ weights[-1] + biases[-1]
        return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, x))

    batch = specs(zeros(512, 784), np.zeros(512, "int32"))
    return trace_step(sgd(loss_of, [*weights, *biases]), batch)


def convolutional() -> TracedStep:
    kernels = [variable(3, 3, 3, 16), variable(3, 3, 16, 32), variable(3, 3, 32, 32)]
    last = variable(8 * 8 * 32, 10)

    def loss_of(x, labels):
        for kernel in kernels:
            x = tf.nn.relu(tf.nn.conv2d(x, kernel, 1, "SAME"))
        x = tf.reshape(tf.nn.max_pool2d(x, 4, 4, "SAME"), [32, -1]) @ last
        return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, x))

    batch = specs(zeros(32, 32, 32, 3), np.zeros(32, "int32"))
    return trace_step(sgd(loss_of, [*kernels, last]), batch)


@pytest.mark.skipif(find_spec("jax") is None, reason="XLA counts by JAX, which is not installed")
@pytest.mark.parametrize("make", [transformer, perceptron, convolutional])
def test_costs_beside_what_xla_counts(make):
    """Operations to 5 %; the memory of a step to 30 %: XLA's CPU programs copy what they turn."""
    import jax

    from gradtape.backends.xla import kernels as xla
    from gradtape.backends.xla.runtime.graph_program import _constant, _kernel_of
    from gradtape.graph.execute import compile_graph

    step = make()
    actual = compute_costs(step)
    function = compile_graph(step.graph, _kernel_of, None, _constant)
    given = [jax.ShapeDtypeStruct(v.spec.shape, v.spec.dtype) for v in step.graph.inputs]
    donated = tuple(range(step.routine.arguments, len(given)))
    with jax.default_device(jax.devices("cpu")[0]):
        program = xla.exactly(jax.jit(function, donate_argnums=donated).lower, *given).compile()
    memory, cost = program.memory_analysis(), program.cost_analysis()
    assert actual.flops == pytest.approx(cost["flops"], rel=0.05)
    assert actual.parameters + actual.state + actual.batch == memory.argument_size_in_bytes
    measured = memory.argument_size_in_bytes + memory.temp_size_in_bytes
    assert actual.memory == pytest.approx(measured, rel=0.3)
    assert actual.activations <= memory.temp_size_in_bytes


# --- the command ---------------------------------------------------------------------------------

STEP = """
    import tensorflow as tf
    w = tf.Variable(tf.ones([100, 200]))
    u = tf.Variable(tf.ones([200, 10]))

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((tf.nn.relu(x @ w) @ u - y) ** 2)
        for v, g in zip([w, u], tape.gradient(loss, [w, u])):
            v.assign_sub(0.1 * g)
        return loss

    batch = (tf.zeros([16, 100]), tf.zeros([16, 10]))
"""
MODULE = """
    import gradtape as tf
    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable(tf.ones([100, 200]))
            self.u = tf.Variable(tf.ones([200, 10]))
        def __call__(self, x):
            return tf.nn.relu(x @ self.w) @ self.u
    model = Model()
    def loss(y, prediction):
        return tf.reduce_mean((y - prediction) ** 2)
    batch = (tf.zeros([16, 100]), tf.zeros([16, 10]))
"""
KERAS = """
    import tensorflow as tf
    import numpy as np
    model = tf.keras.Sequential([
        tf.keras.layers.Input((100,)),
        tf.keras.layers.Dense(200, activation="relu", use_bias=False),
        tf.keras.layers.Dropout(0.5),
        tf.keras.layers.Dense(10, use_bias=False),
    ])
    model.compile("adam", "mse")
    batch = (np.zeros((16, 100), "float32"), np.zeros((16, 10), "float32"))
"""


@pytest.fixture
def plan(tmp_path):
    def run(text: str, *options: str) -> subprocess.CompletedProcess[str]:
        (tmp_path / "model.py").write_text(textwrap.dedent(text), "utf-8")
        return subprocess.run(
            [sys.executable, "-m", "gradtape", "plan", "model.py", *options],
            cwd=tmp_path,
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
        )

    return run


@pytest.mark.parametrize(
    ("text", "optimizer"), [(STEP, "0 B"), (MODULE, "171.9 KiB"), (KERAS, "171.9 KiB")]
)
def test_a_plan_of_a_file(plan, text, optimizer):
    if text is KERAS and find_spec("keras") is None:
        pytest.skip("Keras is not installed")
    ended = plan(text, "--devices", "4", "--bandwidth", "1e9")
    assert ended.returncode == 0, ended.stderr
    lines = ended.stdout.splitlines()
    assert "22,000 parameters (85.9 KiB)" in lines[0]
    assert re.match(r"A step on a batch of 64, with 4e\+14 operations/s, 3e\+12 B/s of", lines[1])
    header = next(line for line in lines if line.startswith("layout"))
    assert header.split() == (
        "layout rows parameters gradients optimizer kept memory moved compute exchange step".split()
    )
    first = next(line for line in lines if line.startswith("data 4 "))
    cells = re.split(r"\s{2,}", first)
    assert cells[:4] == ["data 4", "16", "85.9 KiB", "85.9 KiB"]
    assert cells[4] == optimizer
    assert cells[7] == "128.9 KiB"  # 2 · 3/4 of the gradients
    assert cells[9] == "132.0 µs"
    assert [line.split("  ")[0] for line in lines if line.startswith(("data", "model "))] == [
        "data 4",
        "data 2 × model 2",
        "model 4",
    ]


def test_chosen_layouts_and_batch(plan):
    ended = plan(STEP, "--devices", "8", "--layouts", "8x1,2x4", "--batch", "80")
    rows = [re.split(r"\s{2,}", line)[:2] for line in ended.stdout.splitlines() if "data" in line]
    assert rows == [["data 8", "10"], ["data 2 × model 4", "40"]]


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("x = 1", (), "model.py has no `batch`. Give it a function `step` and an example `batch`"),
        ("batch = (1.0,)", (), "model.py has no `step` and no `model`. Give it a function `step`"),
        ("batch, model = 1, 2", (), "model.py: with a `model`, `batch` is a pair (x, y)."),
        ("batch, model = (1, 2), 3", (), "`model` is not compiled, and there is no `loss`."),
        (STEP + "\n    batch = ()", (), "model.py: `batch` is empty."),
        (
            STEP + "\n    batch = (tf.zeros([16, 3]), tf.zeros([16, 10]))",
            (),
            "model.py: the step fails on `batch`: ",
        ),
        (
            "def step(x):\n    return x\nbatch = (1.0,)",
            (),
            "the step changes no trainable variable, so it trains nothing. Let it apply the",
        ),
        (
            "import gradtape as tf\nw = tf.Variable(1.0)\ndef step(x):\n"
            "    if x > 0:\n        w.assign(x)\nbatch = (1.0,)",
            (),
            "model.py: the step cannot be traced: ",
        ),
        (STEP, ("--layouts", "2x1"), "--layouts 2x1: that is 2 devices, and --devices says 4."),
        (STEP, ("--batch", "3"), "--batch 3: that is less than one row for each of 4 groups of"),
        (STEP, ("--layouts", "4"), "4: write data x model, such as 8x1 or 2x4, separated by"),
        (STEP, ("--flops", "many"), "many: give a number above 0, such as 400e12"),
    ],
)
def test_what_cannot_be_planned(plan, text, options, message):
    ended = plan(text, "--devices", "4", *options)
    assert ended.returncode == 2
    assert message in ended.stderr
