"""The hot core in C beside its reference in Python: the same values, records, texts and memory."""

from __future__ import annotations

import contextlib
import copy
import gc
import json
import os
import pickle
import subprocess
import sys
import threading
import warnings
import weakref
from pathlib import Path

import numpy as np
import pytest

import gradtape as tf
from gradtape.backends import numpy as numpy_backend
from gradtape.backends.native import kernels as native
from gradtape.core.bind import bind
from gradtape.core.native import REFERENCES
from gradtape.core.primitive import PRIMITIVES
from gradtape.core.state import EMPTY, get_state, set_state, using
from gradtape.core.tensor import Tensor
from gradtape.engine.recording import Recording

pytestmark = pytest.mark.skipif(
    native.extension is None, reason="the native extension is not built, or left out"
)
PROGRAMS = Path(__file__).with_name("core_programs.py")
REALS = (np.float32, np.float64)
SPECIAL = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    3.0,
    1e-40,
    -1e-40,
    1e30,
    -1e30,
    np.inf,
    -np.inf,
    np.nan,
    88.0,
]


# --- programs ------------------------------------------------------------------------------------


def outputs(first: int, last: int, mode: str) -> list:
    environment = {**os.environ, "GRADTAPE_NATIVE": mode}
    done = subprocess.run(
        [sys.executable, str(PROGRAMS), str(first), str(last)],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_random_programs_give_the_same_either_way():
    ours, reference = outputs(0, 240, "1"), outputs(0, 240, "0")
    assert len(ours) == len(reference) == 240
    for mine, theirs in zip(ours, reference, strict=True):
        assert mine == theirs


# --- arithmetic ----------------------------------------------------------------------------------


def same_bits(x, y) -> bool:
    """Equal to the last bit; one nan is like another."""
    x, y = np.asarray(x), np.asarray(y)
    if x.dtype != y.dtype or x.shape != y.shape:
        return False
    bits = np.dtype(f"u{x.dtype.itemsize}")
    equal = x.reshape(-1).view(bits) == y.reshape(-1).view(bits)
    return bool((equal | (np.isnan(x) & np.isnan(y)).reshape(-1)).all())


def numbers(dtype) -> list:
    drawn = np.random.default_rng(5).standard_normal(60) * 3
    return [dtype(x) for x in (*SPECIAL, *drawn)]


@pytest.mark.parametrize("dtype", REALS)
@pytest.mark.parametrize(
    "name", native.extension.computed_names() if native.extension is not None else []
)
def test_single_numbers_are_computed_as_kernels_do(name, dtype):
    prim = PRIMITIVES[name]
    compute = native.extension.compute
    with np.errstate(all="ignore"):
        for x in numbers(dtype):
            if name == "power_by":
                assert compute(name, x, 7) is None
                for exponent in (2, 3, -1, 0.5, -0.5, *([4, -2] if dtype is np.float64 else [])):
                    expected = prim.kernel(x, exponent=exponent)
                    assert same_bits(compute(name, x, exponent), expected), (x, exponent)
            elif len(prim.inputs) == 1:
                assert same_bits(compute(name, x, x), prim.kernel(x)), x
            else:
                for y in numbers(dtype):
                    # Of 0.0 and -0.0, kernels for arrays may take either as the largest.
                    kernel = numpy_backend.kernel(name) if "imum" in name else prim.kernel
                    assert same_bits(compute(name, x, y), kernel(x, y)), (x, y)


def test_rules_hold_for_complex_and_narrow_numbers():
    for dtype in (tf.complex64, tf.float16, tf.bfloat16):
        x = tf.cast([0.5, 1.5], dtype)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.sin(x * x) / x
        g = tape.gradient(y, x)
        assert g.dtype == dtype
        wide = tf.cast(x, tf.complex128 if dtype.is_complex else tf.float64)
        expected = tf.math.conj((2 * wide * tf.cos(wide**2) * wide - tf.sin(wide**2)) / wide**2)
        np.testing.assert_allclose(
            g.numpy().astype(expected.dtype.as_numpy_dtype), expected, rtol=0.05
        )


def test_a_kernel_put_in_place_at_run_time_is_used(monkeypatch):
    x = tf.constant(3.0)
    monkeypatch.setattr(PRIMITIVES["multiply"], "kernel", lambda x, y: np.float32(42))
    monkeypatch.setattr(PRIMITIVES["cos"], "kernel", lambda x: np.float32(7))
    assert float(x * x) == 42
    assert float(tf.multiply(x, 2.0)) == 42
    monkeypatch.undo()
    monkeypatch.setattr(PRIMITIVES["cos"], "kernel", lambda x: np.float32(7))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.sin(x)
    assert float(tape.gradient(y, x)) == 7


def test_infinities_warn_nobody():
    x = tf.constant([1.0, 0.0], tf.float64)
    with warnings.catch_warnings(record=True) as caught:
        warnings.resetwarnings()
        warnings.filterwarnings("always")
        warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"gradtape\.")
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = 1.0 / x + x * np.inf - (x / 0.0) ** 2
            z = tf.constant(1.0) / 0.0
        tape.gradient(y, x)
    assert not caught
    assert float(z) == np.inf
    with np.errstate(all="raise"):
        assert np.isnan((x / x).numpy()[1])


# --- operands ------------------------------------------------------------------------------------


def test_operators_meet_everything_that_python_has():
    x, v = tf.constant([1.0, 2.0]), tf.Variable([3.0, 4.0])
    np.testing.assert_array_equal(x + v, [4, 6])
    np.testing.assert_array_equal(v - x, [2, 2])
    np.testing.assert_array_equal(2 * x, [2, 4])
    np.testing.assert_array_equal(np.float32(2) * v, [6, 8])
    np.testing.assert_array_equal(np.array([5, 6], np.float32) - x, [4, 4])
    np.testing.assert_array_equal([5.0, 6.0] - x, [4, 4])
    np.testing.assert_array_equal(x / [1, 2], [1, 1])
    np.testing.assert_array_equal(2**x, [2, 4])
    np.testing.assert_array_equal(-v, [-3, -4])
    assert (tf.constant(7) / 2).dtype == tf.float64
    assert int(tf.constant(7, tf.int64) * 3) == 21
    assert Tensor.__add__(x, 1.0).numpy().tolist() == [2, 3]
    assert x.__rsub__(1.0).numpy().tolist() == [0, -1]
    with pytest.raises(ValueError, match="unsupported type"):
        x + object()
    with pytest.raises(TypeError):
        pow(x, 2, 3)
    with pytest.raises(tf.errors.InvalidArgumentError, match="float32 tensor but is a float64"):
        x + tf.constant([1.0, 2.0], tf.float64)
    with pytest.raises(TypeError, match=r"2\.5"):
        tf.constant([1, 2]) + 2.5
    with pytest.raises((ValueError, TypeError)):
        tf.constant([1], tf.int32) + 2**70
    assert float(tf.constant(1.0) + 2**60) == np.float32(2**60)


class Reflected:
    def __rmul__(self, other):
        return "reflected"


def test_a_class_with_a_reflected_operator_answers():
    assert tf.constant(1.0) * Reflected() == "reflected"
    assert tf.Variable(1.0) * Reflected() == "reflected"


def test_zeros_keep_their_sign():
    x = tf.constant(-0.0)
    assert np.signbit((x + -0.0).numpy())
    assert not np.signbit((x + 0.0).numpy())


# --- records -------------------------------------------------------------------------------------


def lines(tape) -> list[tuple[str, int]]:
    result = []
    for entry in tape._recording.entries:
        code, lasti = entry[6], entry[7]
        at = [line for start, end, line in code.co_lines() if start <= lasti < end]
        result.append((code.co_name, at[0]))
    return result


def test_the_users_line_is_recorded_for_every_way_in():
    x = tf.Variable([[1.0, 2.0]])
    first = sys._getframe().f_lineno
    with tf.GradientTape() as tape:
        a = x * 2.0
        b = tf.sin(a)
        c = tf.reshape(b, [2])
        d = tf.nn.softmax(c)
        (e,) = [y + 1.0 for y in [d]]
        tf.reduce_sum(e)
    name = "test_the_users_line_is_recorded_for_every_way_in"
    result = lines(tape)
    assert [line - first for _, line in result if line] == sorted(
        line - first for _, line in result if line
    )
    assert {line - first for _, line in result} == {2, 3, 4, 5, 6, 7}
    assert {n for n, _ in result} - {"<listcomp>"} == {name}  # inlined from Python 3.12 on


def test_an_op_that_the_users_file_defines_is_recorded_where_it_is_called():
    def double(x):
        return bind(PRIMITIVES["add"], (x, x))

    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        double(x)
    assert lines(tape)[0][0] != "double"


def test_entries_shapes_and_leaves_are_what_python_shows():
    x, v = tf.constant([[1.0, 2.0]]), tf.Variable(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * v
        parts = tf.split(y, 2, 1)
        z = tf.reduce_sum(parts[1])
    recording = tape._recording
    entries = recording.entries
    assert entries[0][0].name == "multiply"
    assert entries[0][1:3] == ([0, 1], 2)
    assert entries[0][3][0] is x
    assert entries[0][4] is None
    assert recording.shapes[:3] == [(1, 2), (), (1, 2)]
    assert recording.leaves[id(x)] == (0, x)
    outline = recording.outline()
    assert [entry[:3] for entry in outline.entries] == [entry[:3] for entry in entries]
    assert all(entry[3:6] == (None, None, None) for entry in outline.entries)
    assert outline.shapes == recording.shapes
    assert outline.key is recording.key
    assert float(tape.gradient(z, v)) == 2


def test_what_a_rule_does_not_need_is_not_kept_alive():
    x = tf.Variable(np.ones(10))
    with tf.GradientTape() as tape:
        a = x + 1.0
        b = a * 2.0
        c = tf.exp(b)
        d = c - a
    alive = [weakref.ref(t) for t in (a, b, c)]
    del a, b, c
    assert [ref() is not None for ref in alive] == [False, False, True]
    held = weakref.ref(tape._recording.entries[2][4])
    assert tape.gradient(d, x) is not None
    del d
    assert held() is None


def test_a_result_that_lives_on_does_not_keep_its_record():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = tf.exp(x * 3.0)
        z = y * y
    inner = weakref.ref(y)
    del y, tape
    assert inner() is None
    assert float(z) > 0


def test_a_consumed_record_lets_go_as_it_walks():
    alive: list = []

    @tf.custom_gradient
    def probe(x):
        def grad(g):
            alive.append(last() is not None)
            return g

        return x * 1.0, grad

    x = tf.Variable(np.ones(3))
    for persistent in (False, True):
        with tf.GradientTape(persistent=persistent) as tape:
            y = tf.exp(probe(x))
            last = weakref.ref(y)
            z = y * 1.0
        del y
        tape.gradient(z, x)
        del tape
    assert alive == [False, True]


# --- tensors -------------------------------------------------------------------------------------


def test_tensors_are_copied_pickled_hung_attributes_on_and_collected():
    x = tf.constant([1.0, 2.0])
    assert copy.copy(x) is x
    assert copy.deepcopy(x) is not x
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(x)), x)
    x._keras_mask = x  # a cycle
    assert vars(x) == {"_keras_mask": x} or x._keras_mask is x
    gone = weakref.ref(x)
    del x
    gc.collect()
    assert gone() is None
    y = tf.constant(1.0)
    assert not hasattr(y, "never_set")
    assert not hasattr(y, "_origin")
    with pytest.raises(TypeError, match="unhashable"):
        hash(y)


def test_tensors_can_be_subclassed_and_made_in_every_way():
    class Own(Tensor):
        __slots__ = ("more",)

        def __init__(self, data, more):
            super().__init__(data)
            self.more = more

    x = Own(np.float32(2), more=[1])
    assert x.more == [1]
    assert x._marks is None
    assert float(x + 1.0) == 3
    assert Tensor(data=np.float32(1), marks=None)._data == 1
    assert Tensor(np.float32(1), (1, 2, None))._marks == (1, 2, None)
    for bad in [(), (1, 2, 3), (1, 5)]:
        with pytest.raises(TypeError):
            Tensor(*bad)
    gone = weakref.ref(x)
    del x
    assert gone() is None


def test_marks_are_one_chain_to_python():
    x = tf.constant(2.0)
    with tf.GradientTape() as outer, tf.GradientTape() as inner:
        outer.watch(x)
        inner.watch(x)
        y = x * x
    keys = []
    mark = y._marks
    while mark is not None:
        keys.append(mark[0])
        mark = mark[2]
    assert keys == [inner._recording.key, outer._recording.key]
    y._marks = y._marks[2]
    assert inner._recording.slot_of(y) is None
    assert outer._recording.slot_of(y) == 1
    with pytest.raises(TypeError, match="a mark is"):
        y._marks = 3
    y._marks = ((), 1, ("odd", "chain", 4))
    assert outer._recording.slot_of(y) is None


def test_values_that_someone_holds_never_change():
    held = [(tf.constant(float(i)) * 1.5)._data for i in range(2000)]
    for i in range(5000):
        tf.constant(float(i)) * 2.5
    assert [float(x) for x in held] == [i * 1.5 for i in range(2000)]


def test_an_init_put_in_place_of_tensors_own_is_called(monkeypatch):
    made = []
    original = vars(Tensor)["__init__"]

    def noting(self, data, marks=None):
        original(self, data, marks)
        made.append(self)

    monkeypatch.setattr(Tensor, "__init__", noting)
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = x * 3.0
    assert any(t is y for t in made)
    assert float(tape.gradient(y, x)) == 3
    monkeypatch.undo()
    count = len(made)
    x * 3.0
    assert len(made) == count


# --- states --------------------------------------------------------------------------------------


def test_tapes_come_and_go_as_states_say():
    assert get_state() is EMPTY
    outer, inner = tf.GradientTape(), tf.GradientTape()
    with outer:
        with inner:
            assert get_state().tapes == (outer._recording, inner._recording)
            with using(tapes=()):
                assert get_state() is EMPTY
        assert get_state().tapes == (outer._recording,)
    assert get_state() is EMPTY


def test_a_given_cotangent_stays_the_tensor_that_it_is():
    w = tf.Variable(5.0)
    with tf.GradientTape() as about_seed:
        seed = w * 2.0
    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x + 1.0
    assert float(about_seed.gradient(tape.gradient(y, x, output_gradients=seed), w)) == 2


def test_threads_have_tapes_of_their_own():
    wrong = []

    def work(k: float) -> None:
        x = tf.Variable(k)
        for _ in range(300):
            with tf.GradientTape() as tape:
                y = x
                for _ in range(10):
                    y = tf.sin(y * 1.1 + k)
            with tf.GradientTape() as again:
                z = x
                for _ in range(10):
                    z = tf.sin(z * 1.1 + k)
            if float(tape.gradient(y, x)) != float(again.gradient(z, x)):
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in (0.1, 0.5, 0.9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_an_error_in_a_rule_leaves_all_in_order():
    @tf.custom_gradient
    def broken(x):
        def grad(g):
            raise KeyError("in the rule")

        return x * 2.0, grad

    x = tf.Variable(1.0)
    with tf.GradientTape(persistent=True) as tape:
        y = tf.sin(broken(x) * x)
    for _ in range(2):
        with pytest.raises(KeyError, match="in the rule"):
            tape.gradient(y, x)
    assert native.extension.differentiated() is None
    assert get_state() is EMPTY


def test_an_error_of_a_kernel_is_the_same_either_way():
    inputs = (tf.constant([1.0, 2.0]), tf.constant([1.0, 2.0, 3.0]))
    texts = []
    for function in (bind, REFERENCES["bind"]):
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            function(PRIMITIVES["add"], inputs)
        texts.append((type(caught.value), str(caught.value), caught.value.__suppress_context__))
    assert texts[0] == texts[1]


# --- memory --------------------------------------------------------------------------------------


def blocks_after(step, count: int) -> int:
    """How many blocks of memory so many steps leave behind, at the least of three times.

    What a step leaves is there each time. What another thread of the process takes meanwhile, as
    that by which pytest-xdist sends the numbers of the next tests, is not.
    """

    def once() -> int:
        gc.collect()
        before = sys.getallocatedblocks()
        for _ in range(count // 3):
            step()
        gc.collect()
        return sys.getallocatedblocks() - before

    return min(once() for _ in range(3))


def test_a_hundred_thousand_tapes_leave_nothing_behind():
    x, c = tf.Variable(0.7), tf.constant([1.0, 2.0])

    def step():
        with tf.GradientTape() as tape:
            tape.watch(c)
            y = tf.reduce_sum(tf.sin(x * c) / (x + 3)) ** 2
        return tape.gradient(y, [x, c])

    blocks_after(step, 200)  # fills the stores
    counts = [sys.getrefcount(o) for o in (Tensor, Recording, PRIMITIVES["sin"], EMPTY, x, c)]
    assert blocks_after(step, 5_000) < 100
    after = [sys.getrefcount(o) for o in (Tensor, Recording, PRIMITIVES["sin"], EMPTY, x, c)]
    assert np.abs(np.subtract(after, counts)).max() < 20

    def short():
        with tf.GradientTape() as tape:
            y = x**2
        return tape.gradient(y, x)

    blocks_after(short, 200)
    assert blocks_after(short, 100_000) < 100


def test_errors_leave_nothing_behind():
    a, b = tf.constant([1.0, 2.0]), tf.constant([1.0, 2.0, 3.0])

    def fails():
        with tf.GradientTape() as tape:
            tape.watch(a)
            with contextlib.suppress(tf.errors.InvalidArgumentError):
                a * 2.0 + b

    blocks_after(fails, 200)
    assert blocks_after(fails, 3_000) < 100


# --- wrong arguments -----------------------------------------------------------------------------


JUNK = [
    None,
    0,
    -1,
    2**80,
    1.5,
    "text",
    b"bytes",
    (),
    (1,),
    (1, 2, 3),
    [],
    [1],
    {},
    {"a": 1},
    set(),
    object(),
    int,
    Tensor,
    Recording,
    np.float32(1),
    np.ones(3),
    ...,
    lambda: None,
]
FUNCTIONS = [
    "bind",
    "backward",
    "fast_gradient",
    "push_tape",
    "remove_tape",
    "compute",
    "use_tensor",
    "use_primitives",
]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_junk_is_refused_without_a_crash(name):
    function = getattr(native.extension, name)
    random = np.random.default_rng(3)
    good = [
        PRIMITIVES["add"],
        PRIMITIVES["sin"],
        tf.constant(1.0),
        tf.Variable(2.0),
        Recording(True),
        (tf.constant(1.0), tf.constant([2.0])),
        [(0, tf.constant(1.0))],
        {0},
    ]
    pool = [*JUNK, *good]
    before = get_state()
    with using(tapes=()):
        for _ in range(3000):
            arguments = [pool[i] for i in random.integers(len(pool), size=random.integers(5))]
            with contextlib.suppress(Exception):
                function(*arguments)
            set_state(EMPTY)
    assert get_state() is before
    assert (tf.constant(1.0) + 2.0).numpy() == 3.0


@pytest.mark.parametrize("slot", [2**32, 2**40, 2**62, -(2**40)])
def test_slots_that_fit_no_int_are_unknown(slot):
    recording = Recording(watch_variables=True)
    x = tf.constant(1.0)
    recording.watch(x)
    with pytest.raises(IndexError, match="does not know"):
        native.extension.backward(recording, [], [slot], False)
    recording.leaves = {**recording.leaves, 0: (slot, x)}
    (gradient,) = native.extension.backward(recording, [(0, x)], [0], False)
    assert gradient is x


def test_a_recording_refuses_junk_without_a_crash():
    """Whatever was tried, the interpreter is alive and a new recording works."""
    recording = Recording(watch_variables=True)
    x = tf.constant(1.0)
    recording.watch(x)
    random = np.random.default_rng(4)
    pool = [*JUNK, x, PRIMITIVES["add"], PRIMITIVES["sin"], (x,), (x, x)]

    def drawn(count: int) -> list:
        return [pool[i] for i in random.integers(len(pool), size=count)]

    for _ in range(3000):
        for attempt in (
            lambda: recording.record(*drawn(4)),
            lambda: recording.record(*drawn(random.integers(6))),
            lambda: recording.slot_of(*drawn(1)),
            lambda: recording.watch(*drawn(1)),
            lambda: setattr(recording, "entries", *drawn(1)),
            lambda: setattr(recording, "shapes", *drawn(1)),
            lambda: setattr(recording, "leaves", *drawn(1)),
            lambda: setattr(recording, "entries", [tuple(drawn(8))]),
            lambda: setattr(x, "_marks", *drawn(1)),
            lambda: native.extension.backward(recording, [(0, x)], {0}, False),
            lambda: native.extension.fast_gradient(recording, x, [x], False),
            lambda: Recording(*drawn(random.integers(3))),
        ):
            with contextlib.suppress(Exception):
                attempt()
    y = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(y)
        square = y * y
    assert tape.gradient(square, y).numpy() == 6.0
