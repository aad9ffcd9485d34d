"""Updates of rows: they cost what their rows cost, whatever the table, and old values stay.

Costs are counted, not timed: the memory that a call asks for at most, and whether the variable's
array is the one that it was.
"""

from __future__ import annotations

import numpy as np
import pytest

from gradtape.backends.numpy.rows import Write
from tests.allocation import peak_of

ROWS, COLUMNS = 20_000, 16
TABLE = ROWS * COLUMNS * 4  # bytes
MODES = ["eager", "function"]

INDICES = np.array([3, 17, 3, 9000, 17, 3])
POSITIONS = np.stack([INDICES, INDICES % COLUMNS], 1)
BATCHES = np.array([[0, 5, 5], [2, 2, 7]])


def values(*shape, dtype="float32"):
    numbers = np.random.default_rng(4).integers(1, 5, shape)
    return numbers.astype(dtype)


def by_rows(kind):
    def update(tf, v, dtype="float32"):
        rows = tf.constant(values(len(INDICES), COLUMNS, dtype=dtype))
        getattr(v, f"scatter_{kind}")(tf.IndexedSlices(rows, tf.constant(INDICES)))

    return update


def by_places(kind):
    def update(tf, v, dtype="float32"):
        getattr(v, f"scatter_nd_{kind}")(
            POSITIONS, tf.constant(values(len(POSITIONS), dtype=dtype))
        )

    return update


def one_row(tf, v, dtype="float32"):
    v[7].assign(tf.constant(values(COLUMNS, dtype=dtype)))


def slice_of_rows(tf, v, dtype="float32"):
    v[5:50:3, 2:].assign(tf.constant(values(15, COLUMNS - 2, dtype=dtype)))


def one_element(tf, v, dtype="float32"):
    v[7, 3].assign(tf.constant(values(dtype=dtype)[()]))


KINDS = ["add", "sub", "update", "max", "min", "mul", "div"]
FORMS = {
    **{f"scatter_{kind}": by_rows(kind) for kind in KINDS},
    **{f"scatter_nd_{kind}": by_places(kind) for kind in KINDS[:5]},
    "v[i].assign": one_row,
    "v[a:b:c].assign": slice_of_rows,
    "v[i, j].assign": one_element,
}


def combine(kind: str, old, new):
    """One update after the other, each as NumPy computes it."""
    if kind == "div":
        return (old / new).astype(old.dtype)
    functions = {
        "add": np.add,
        "sub": np.subtract,
        "max": np.maximum,
        "min": np.minimum,
        "mul": np.multiply,
    }
    return new if kind == "update" else functions[kind](old, new)


def expected(form: str, table, dtype="float32"):
    table = table.copy()
    if form.startswith("scatter"):
        *_, kind = form.split("_")
        keys = [tuple(position) for position in POSITIONS] if "_nd_" in form else INDICES
        shape = () if "_nd_" in form else (COLUMNS,)
        for key, new in zip(keys, values(len(INDICES), *shape, dtype=dtype), strict=True):
            table[key] = combine(kind, table[key], new)
    elif form == "v[i].assign":
        table[7] = values(COLUMNS, dtype=dtype)
    elif form == "v[i, j].assign":
        table[7, 3] = values(dtype=dtype)
    else:
        table[5:50:3, 2:] = values(15, COLUMNS - 2, dtype=dtype)
    return table


def start(dtype="float32"):
    return np.random.default_rng(5).integers(-20, 20, (ROWS, COLUMNS)).astype(dtype)


def in_mode(tf, mode, update, *args, **kwargs):
    def call():
        update(tf, *args, **kwargs)

    return tf.function(call) if mode == "function" else call


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("form", FORMS)
def test_an_update_costs_its_rows(tf, form, mode):
    v = tf.Variable(start())
    call = in_mode(tf, mode, FORMS[form], v)
    call()
    array = id(v._data)
    assert peak_of(call) < TABLE / 8
    assert id(v._data) == array


@pytest.mark.parametrize(
    "dtype", ["float32", "float64", "float16", "bfloat16", "int32", "uint8", "int64", "complex64"]
)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("form", FORMS)
def test_values(tf, form, mode, dtype):
    if dtype == "complex64" and form[-3:] in ("max", "min"):
        pytest.skip("complex numbers have no order")
    dtype = tf.as_dtype(dtype).as_numpy_dtype
    table = start(dtype)
    v = tf.Variable(table)
    call = in_mode(tf, mode, FORMS[form], v, dtype=dtype)
    for _ in range(2):
        call()
        table = expected(form, table, dtype)
    np.testing.assert_array_equal(v.numpy(), table)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("form", FORMS)
def test_what_was_read_before_stays(tf, form, mode):
    v = tf.Variable(start())
    call = in_mode(tf, mode, FORMS[form], v)
    with tf.GradientTape() as tape:
        square = tf.reduce_sum(v * v)
    before = start()
    held = {
        "read": v.read_value(),
        "tensor": tf.convert_to_tensor(v),
        "numpy": v.numpy(),
        "asarray": np.asarray(v),
        "row": v[3],
        "half": v[: ROWS // 2],
        "gathered": tf.gather(v, [3, 17]),
        "function": tf.function(lambda: v[2:9])(),
    }
    data = tf.data.Dataset.from_tensor_slices(v)
    call()
    call()
    np.testing.assert_array_equal(v.numpy(), expected(form, expected(form, before)))
    for name in ("read", "tensor", "numpy", "asarray"):
        np.testing.assert_array_equal(held[name], before)
    np.testing.assert_array_equal(held["row"], before[3])
    np.testing.assert_array_equal(held["half"], before[: ROWS // 2])
    np.testing.assert_array_equal(held["gathered"], before[[3, 17]])
    np.testing.assert_array_equal(held["function"], before[2:9])
    np.testing.assert_array_equal(next(iter(data.skip(3))), before[3])
    np.testing.assert_array_equal(tape.gradient(square, v), 2 * before)


def test_a_small_part_that_is_held_does_not_make_updates_copy(tf):
    v = tf.Variable(start())
    held = [v[3], v[4:9], v[:, 0]]
    assert peak_of(lambda: one_row(tf, v)) < TABLE / 8
    np.testing.assert_array_equal(held[1], start()[4:9])


def test_an_array_in_another_order(tf):
    table = start()
    v = tf.Variable(np.zeros((ROWS, COLUMNS), np.float32))
    v._data = np.asfortranarray(table)
    for form in ("scatter_add", "scatter_nd_add", "scatter_nd_update", "v[i].assign"):
        FORMS[form](tf, v)
        table = expected(form, table)
    np.testing.assert_array_equal(v.numpy(), table)


def test_batches(tf):
    v = tf.Variable(np.zeros((2, 5000, 16), np.float32))
    rows = tf.constant(values(2, 2, 16))
    update = tf.IndexedSlices(rows, tf.constant([[0, 4], [2, 7]]))
    v.batch_scatter_update(update)
    assert peak_of(lambda: v.batch_scatter_update(update)) < v._data.nbytes / 8
    np.testing.assert_array_equal(v.numpy()[0, [0, 4]], rows[0])
    np.testing.assert_array_equal(v.numpy()[1, [2, 7]], rows[1])


@pytest.mark.parametrize("mode", MODES)
def test_one_number_for_all_rows(tf, mode):
    v = tf.Variable(np.zeros((4, 2), np.float32))

    def update(tf, v):
        v.scatter_add(tf.IndexedSlices(tf.constant(3.0), tf.constant([1, 3, 1])))

    in_mode(tf, mode, update, v)()
    np.testing.assert_array_equal(v.numpy(), [[0, 0], [6, 6], [0, 0], [3, 3]])


# Several updates in one function


def test_reads_before_between_and_after(tf):
    v = tf.Variable(start())

    @tf.function
    def step():
        old = tf.gather(v, [3])
        v.scatter_add(tf.IndexedSlices(tf.ones((1, COLUMNS)), [3]))
        between = tf.gather(v, [3])
        v[3].assign(tf.zeros(COLUMNS))
        v.scatter_nd_update([[3, 1]], [5.0])
        return old, between, v[3]

    step()
    v.assign(start())
    array = id(v._data)
    result = []
    assert peak_of(lambda: result.extend(step())) < TABLE / 8
    assert id(v._data) == array
    old, between, new = result
    np.testing.assert_array_equal(old[0], start()[3])
    np.testing.assert_array_equal(between[0], start()[3] + 1)
    np.testing.assert_array_equal(new, [0, 5, *[0] * (COLUMNS - 2)])


def test_the_old_value_as_a_result(tf):
    v = tf.Variable(start())

    @tf.function
    def step():
        old = v.read_value()
        v.scatter_add(tf.IndexedSlices(tf.ones((1, COLUMNS)), [3]))
        return old, v.read_value()

    for i in range(3):
        old, new = step()
        np.testing.assert_array_equal(old[3], start()[3] + i)
        np.testing.assert_array_equal(new[3], start()[3] + i + 1)
        np.testing.assert_array_equal(v[3], new[3])


def test_an_update_by_what_another_variable_became(tf):
    u, v = tf.Variable(start()), tf.Variable(start())

    @tf.function
    def step():
        u.scatter_update(tf.IndexedSlices(tf.fill((1, COLUMNS), 9.0), [2]))
        v.scatter_add(tf.IndexedSlices(tf.gather(u, [2]) * tf.gather(v, [2]), [2]))

    step()
    assert peak_of(step) < TABLE / 8
    np.testing.assert_array_equal(v[2], start()[2] * 100)


def test_two_variables_that_share_an_array(tf):
    u = tf.Variable(start())
    v = tf.Variable(start())
    v.assign(u)
    tf.function(lambda: by_rows("add")(tf, v))()
    np.testing.assert_array_equal(u.numpy(), start())
    np.testing.assert_array_equal(v.numpy(), expected("scatter_add", start()))


def test_a_deferred_sum_of_the_table(tf):
    v = tf.Variable(start())

    @tf.function
    def step():
        total = tf.reduce_sum(v * 0.5)
        v.scatter_add(tf.IndexedSlices(tf.ones((1, COLUMNS)), [3]))
        return total

    for i in range(3):
        assert step() == start().sum() / 2 + i * COLUMNS / 2


# What goes wrong leaves things as they were


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("wrong", [-1, 6])
def test_a_wrong_row(tf, kind, wrong, mode):
    table = np.arange(12, dtype=np.float32).reshape(6, 2)
    v = tf.Variable(table)

    def update(tf, v):
        getattr(v, f"scatter_{kind}")(tf.IndexedSlices(tf.ones((3, 2)), [1, wrong, 2]))

    text = rf"indices\[1\] = {wrong} is not in \[0, 6\).*Op:ResourceScatter{kind.title()}\]"
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        in_mode(tf, mode, update, v)()
    np.testing.assert_array_equal(v.numpy(), table)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", KINDS[:5])
def test_a_wrong_place(tf, kind, mode):
    table = np.arange(12, dtype=np.float32).reshape(6, 2)
    v = tf.Variable(table)

    def update(tf, v):
        getattr(v, f"scatter_nd_{kind}")([[1, 1], [3, 2]], [1.0, 2.0])

    text = r"indices\[1\] = \[3, 2\] does not index into shape \[6, 2\] \[Op:ResourceScatterNd"
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        in_mode(tf, mode, update, v)()
    np.testing.assert_array_equal(v.numpy(), table)


def test_rows_that_do_not_fit(tf):
    v = tf.Variable(np.zeros((6, 2), np.float32))
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"updates.shape = indices.shape \+"):
        v.scatter_add(tf.IndexedSlices(tf.ones((3, 3)), [1, 2, 3]))
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"params.shape \[\]"):
        tf.Variable(1.0).scatter_add(tf.IndexedSlices([1.0], [0]))


@pytest.mark.parametrize("mode", MODES)
def test_integers_divide_as_in_c(tf, mode):
    v = tf.Variable([[7, -7], [9, 9]])

    def update(tf, v, divisors):
        v.scatter_div(tf.IndexedSlices(tf.constant(divisors), [0, 0]))

    in_mode(tf, mode, update, v, [[2, 2], [-2, 1]])()
    np.testing.assert_array_equal(v.numpy(), [[-1, -3], [9, 9]])
    with pytest.raises(tf.errors.InvalidArgumentError, match="updates must not contain 0"):
        in_mode(tf, mode, update, v, [[1, 1], [1, 0]])()
    np.testing.assert_array_equal(v.numpy(), [[-1, -3], [9, 9]])


def three_writes(tf, u, v, w):
    @tf.function
    def step(limit):
        by_rows("mul")(tf, u)
        by_rows("add")(tf, v)
        w.assign_add(1.0)
        tf.debugging.assert_less(v[3], limit)
        v.scatter_update(tf.IndexedSlices(v[3:4] * 2, [3]))

    return step


def test_a_check_that_fails_after_writes_undoes_them(tf):
    variables = u, v, w = tf.Variable(start()), tf.Variable(start()), tf.Variable(0.0)
    step = three_writes(tf, u, v, w)
    step(1e9)
    before = [x.numpy().copy() for x in variables]
    with pytest.raises(tf.errors.InvalidArgumentError):
        step(-1e9)
    for x, old in zip(variables, before, strict=True):
        np.testing.assert_array_equal(x.numpy(), old)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_an_interrupt_after_a_write_undoes_it(tf, number, monkeypatch):
    variables = u, v, w = tf.Variable(start()), tf.Variable(start()), tf.Variable(0.0)
    step = three_writes(tf, u, v, w)
    step(1e9)
    before = [x.numpy().copy() for x in variables]
    perform, count = Write.perform, 0

    def interrupted(self):
        nonlocal count
        perform(self)
        count += 1
        if count == number:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Write, "perform", interrupted)
        with pytest.raises(KeyboardInterrupt):
            step(1e9)
    assert count == number
    for x, old in zip(variables, before, strict=True):
        np.testing.assert_array_equal(x.numpy(), old)
    step(1e9)
    assert w.numpy() == 2


def test_strict_numpy(tf):
    v = tf.Variable([[1.0, 1e38], [1.0, 1.0]])
    with np.errstate(all="raise"):
        v.scatter_mul(tf.IndexedSlices([[1.0, 1e38]], [0]))
        tf.function(lambda: v.scatter_div(tf.IndexedSlices([[0.0, 1.0]], [1])))()
    np.testing.assert_array_equal(v.numpy(), [[1, np.inf], [np.inf, 1]])
