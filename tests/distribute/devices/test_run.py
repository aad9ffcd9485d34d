"""`strategy.run`: what functions of replicas can do, and the errors where they cannot."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf


def batch_of(strategy, values):
    data = tf.data.Dataset.from_tensor_slices(np.asarray(values)).batch(len(values))
    return next(iter(strategy.experimental_distribute_dataset(data)))


def number():
    context = tf.distribute.get_replica_context()
    return tf.cast(context.replica_id_in_sync_group, tf.float32)


def local(strategy, value):
    return [x.numpy().tolist() for x in strategy.experimental_local_results(value)]


def test_devices_and_names(strategy):
    assert strategy.num_replicas_in_sync == 8
    assert len(strategy.extended.worker_devices) == 8
    assert strategy.extended.worker_devices[7].endswith("device:CPU:7")
    two = tf.distribute.MirroredStrategy(["/cpu:1", "/device:CPU:2"])
    assert two.num_replicas_in_sync == 2


def test_each_device_has_its_part(strategy):
    batch = batch_of(strategy, np.arange(16.0, dtype=np.float32))
    shards = batch.stack._data.addressable_shards
    assert len({shard.device for shard in shards}) == 8
    assert all(shard.data.shape == (1, 2) for shard in shards)


def test_a_function_is_traced_once_outside_of_tf_function(strategy):
    traces = []
    with strategy.scope():
        v = tf.Variable(0.0, aggregation=tf.VariableAggregation.SUM)

    def step(x):
        traces.append(x.shape)
        v.assign_add(tf.reduce_sum(x))

    batch = batch_of(strategy, np.ones(16, np.float32))
    for _ in range(3):
        strategy.run(step, (batch,))
    assert float(v) == 48.0
    assert [tuple(shape) for shape in traces] == [(2,)]


def test_gradients_are_exchanged_once(strategy):
    """All gradients of a step are in one op of XLA's program."""
    from gradtape.graph.replicas import REPLICAS

    with strategy.scope():
        model = tf.keras.Sequential(
            [tf.keras.Input((4,)), tf.keras.layers.Dense(8), tf.keras.layers.Dense(1)]
        )
        optimizer = tf.keras.optimizers.Adam()
        optimizer.build(model.trainable_variables)

    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(x) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))

    function = tf.function(lambda x: strategy.run(step, (x,)))
    function(batch_of(strategy, np.ones((16, 4), np.float32)))
    (entry,) = function._cache.entries.values()
    (node,) = [n for n in entry.routine.graph.nodes if n.prim is REPLICAS]
    exchanges = [n for n in node.params["body"].nodes if n.prim.name == "all_reduce"]
    assert [len(n.inputs) for n in exchanges] == [4]


def test_random_numbers_differ_between_replicas_and_calls(strategy):
    function = tf.function(lambda: strategy.run(lambda: tf.random.normal((3,))))
    first, second = (np.array(local(strategy, function())) for _ in range(2))
    drawn = np.concatenate([first, second]).ravel()
    assert len(np.unique(drawn)) == 48


def test_dropout_differs_between_replicas(strategy):
    with strategy.scope():
        layer = tf.keras.layers.Dropout(0.5, seed=3)
    masks = local(strategy, strategy.run(lambda: layer(tf.ones(64), training=True)))
    assert len({tuple(mask) for mask in masks}) == 8


def test_a_tape_outside_sees_through(strategy):
    with strategy.scope():
        w = tf.Variable(2.0)
    batch = batch_of(strategy, np.arange(16.0, dtype=np.float32))

    def gradient():
        with tf.GradientTape() as tape:
            y = strategy.reduce("SUM", strategy.run(lambda x: w * w * x, (batch,)), axis=0)
        return float(tape.gradient(y, w))

    assert gradient() == 480.0
    assert float(tf.function(lambda: gradient_of(strategy, w, batch))()) == 480.0


def gradient_of(strategy, w, batch):
    with tf.GradientTape() as tape:
        y = strategy.reduce("SUM", strategy.run(lambda x: w * w * x, (batch,)), axis=0)
    return tape.gradient(y, w)


def test_second_order_inside(strategy):
    batch = batch_of(strategy, np.arange(8.0, dtype=np.float32))

    def function(x):
        context = tf.distribute.get_replica_context()
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = context.all_reduce("SUM", x**3)
            slope = inner.gradient(y, x)
        return outer.gradient(slope, x)

    # Eight replicas have the sum: 8 · 6x.
    assert local(strategy, strategy.run(function, (batch,))) == [[48.0 * i] for i in range(8)]


def test_forward_mode_and_vmap_inside(strategy):
    batch = batch_of(strategy, np.arange(16.0, dtype=np.float32))

    def function(x):
        context = tf.distribute.get_replica_context()
        with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as accumulator:
            y = context.all_reduce("SUM", x * x)
        rows = tf.vectorized_map(lambda e: context.all_reduce("SUM", e * e), x)
        return accumulator.jvp(y), y, rows

    tangent, y, rows = strategy.run(function, (batch,))
    x = np.arange(16.0).reshape(8, 2)
    assert local(strategy, tangent)[0] == (2 * x).sum(0).tolist()
    assert local(strategy, y)[0] == local(strategy, rows)[3] == (x * x).sum(0).tolist()


def test_branches_and_loops_inside(strategy):
    with strategy.scope():
        v = tf.Variable(0.0, aggregation=tf.VariableAggregation.MEAN)
    batch = batch_of(strategy, np.arange(8.0, dtype=np.float32))

    def function(x):
        total = tf.while_loop(
            lambda i, t: i < 3, lambda i, t: (i + 1, t + tf.reduce_sum(x)), (0, 0.0)
        )[1]
        v.assign(total)
        return tf.cond(tf.reduce_sum(x) > 3.0, lambda: total, lambda: -total)

    assert local(strategy, strategy.run(function, (batch,))) == [
        -0.0,
        -3.0,
        -6.0,
        -9.0,
        12.0,
        15.0,
        18.0,
        21.0,
    ]
    assert float(v) == 3 * 3.5


def test_a_loop_around(strategy, caplog):
    """Variables of every kind go round with it."""
    on_read = tf.VariableSynchronization.ON_READ
    with strategy.scope():
        alike = tf.Variable(0.0, aggregation=tf.VariableAggregation.SUM)
        own = tf.Variable(0.0)
        read = tf.Variable(0.0, synchronization=on_read, aggregation=tf.VariableAggregation.SUM)

    def add():
        alike.assign_add(1.0)
        own.assign_add(number())
        read.assign_add(number())

    @tf.function
    def function(count):
        tf.while_loop(lambda i: i < count, lambda i: (strategy.run(add), (i + 1,))[1], (0,))
        return alike + read

    assert float(function(tf.constant(3))) == 24.0 + 84.0
    assert local(strategy, own) == [3.0 * i for i in range(8)]
    assert "eagerly" not in caplog.text


def test_merge_call(strategy):
    with strategy.scope():
        v = tf.Variable(0.0)

    def merge(strategy, value):
        assert tf.distribute.in_cross_replica_context()
        total = strategy.extended.reduce_to("SUM", value, destinations=v)
        strategy.extended.update(v, lambda variable, x: variable.assign(x), args=(total,))
        return total

    def function():
        assert not tf.distribute.in_cross_replica_context()
        return tf.distribute.get_replica_context().merge_call(merge, args=(number(),))

    assert local(strategy, strategy.run(function)) == [28.0] * 8
    assert float(v) == 28.0
    assert not v._is_stacked


def test_a_variable_made_in_a_function_of_replicas(strategy):
    made = []

    def function():
        if not made:
            made.append(tf.Variable(tf.ones(2) * 3.0))
        return made[0] + 1.0

    assert local(strategy, strategy.run(function)) == [[4.0, 4.0]] * 8
    assert len(made) == 1
    assert local(strategy, made[0]) == [[3.0, 3.0]] * 8


def test_a_variable_of_no_strategy_is_one(strategy):
    """What replicas add to it is added up, as where they have it in turn."""
    v = tf.Variable(1.0)
    strategy.run(lambda: v.assign_add(1.0))
    assert float(v) == 9.0
    strategy.run(lambda: v.assign_add(number()))
    assert float(v) == 37.0
    with pytest.raises(ValueError, match=r"created outside of strategy\.scope\(\).*all_reduce"):
        strategy.run(lambda: v.assign(number()))
    assert float(v) == 37.0


def test_values_that_were_read_stay_true(strategy):
    with strategy.scope():
        v = tf.Variable([1.0, 2.0], aggregation=tf.VariableAggregation.SUM)
    before, shares = v.read_value(), tf.identity(v)
    held = tf.convert_to_tensor(v)
    step = tf.function(lambda: strategy.run(lambda: v.assign_add([1.0, 1.0])))
    for _ in range(3):
        step()
    assert v.numpy().tolist() == [25.0, 26.0]
    for x in (before, shares, held):
        assert x.numpy().tolist() == [1.0, 2.0]


def test_printing_happens_in_every_replica(strategy, capfd):
    import jax

    def function(x):
        tf.print("part", tf.reduce_sum(x))

    batch = batch_of(strategy, np.arange(8, dtype=np.int32))
    strategy.run(function, (batch,))
    jax.effects_barrier()
    lines = sorted(capfd.readouterr().err.split("\n"))
    assert lines[1:] == [f"part {i}" for i in range(8)], lines


def test_values_from_a_function(strategy):
    made = strategy.experimental_distribute_values_from_function(
        lambda context: {"x": tf.constant([float(context.replica_id_in_sync_group)])}
    )
    doubled = strategy.run(lambda v: 2 * v["x"], (made,))
    assert local(strategy, doubled) == [[2.0 * i] for i in range(8)]


def test_datasets_from_a_function(strategy):
    seen = []

    def make(context):
        seen.append((context.num_input_pipelines, context.input_pipeline_id))
        size = context.get_per_replica_batch_size(16)
        return tf.data.Dataset.range(32).batch(size)

    data = strategy.distribute_datasets_from_function(make)
    steps = [local(strategy, batch) for batch in data]
    assert seen == [(1, 0)]
    assert steps[0] == [[2 * i, 2 * i + 1] for i in range(8)]
    assert len(steps) == 2
    with pytest.raises(ValueError, match="`global_batch_size` 17 is not divisible"):
        strategy._input_context().get_per_replica_batch_size(17)


def test_iterators(strategy):
    data = strategy.experimental_distribute_dataset(tf.data.Dataset.range(16).batch(8))
    iterator = iter(data)
    assert local(strategy, iterator.get_next())[0] == [0]
    assert iterator.get_next_as_optional().has_value()
    assert not iterator.get_next_as_optional().has_value()
    with pytest.raises(tf.errors.OutOfRangeError):
        iterator.get_next()
    assert len(data) == 2


def test_contexts(strategy):
    assert tf.distribute.get_replica_context() is not None
    with strategy.scope():
        assert tf.distribute.get_strategy() is strategy
        assert tf.distribute.has_strategy()
        assert tf.distribute.in_cross_replica_context()
    assert not tf.distribute.has_strategy()
    assert strategy.run(lambda: tf.distribute.get_strategy() is strategy).numpy()


def test_deep_copies_and_checkpoints(strategy, tmp_path):
    with strategy.scope():
        v = tf.Variable([1.0, 2.0], aggregation=tf.VariableAggregation.MEAN)
        own = tf.Variable(0.0)  # becomes a value of each replica
        strategy.run(lambda: own.assign(number() + 5.0))
    path = tf.train.Checkpoint(v=v, own=own).save(str(tmp_path / "at"))
    v.assign([0.0, 0.0])
    own.assign(0.0)
    tf.train.Checkpoint(v=v, own=own).restore(path)
    assert v.numpy().tolist() == [1.0, 2.0]
    assert local(strategy, own) == [5.0] * 8


# --- errors --------------------------------------------------------------------------------------


def test_python_cannot_look_at_a_value(strategy):
    def function(x):
        return x if tf.reduce_sum(x) > 3 else -x

    batch = batch_of(strategy, np.arange(8.0))
    with pytest.raises(ValueError, match=r"function runs in 8 replicas at once.*test_run\.py:\d+"):
        strategy.run(function, (batch,))


def test_errors_say_what_to_do(strategy):
    run_in_run = r"strategy\.run was called inside a function that strategy\.run is running"
    with pytest.raises(RuntimeError, match=run_in_run):
        strategy.run(lambda: strategy.run(lambda: 1))
    with pytest.raises(ValueError, match=r"non-DistributedValues value 3\.0 cannot be reduced"):
        strategy.reduce("SUM", 3.0, axis=None)
    with pytest.raises(ValueError, match=r"reduce_op must be tf\.distribute\.ReduceOp\.SUM or ME"):
        strategy.reduce("PRODUCT", 3.0, axis=None)
    with pytest.raises(ValueError, match=r"strategy\.gather: a scalar .* tf\.expand_dims"):
        strategy.gather(strategy.run(lambda: tf.constant(1.0)), axis=0)
    with pytest.raises(ValueError, match=r"an element of this one is a scalar\. Batch it"):
        next(iter(strategy.experimental_distribute_dataset(tf.data.Dataset.range(3))))
    unequal = batch_of(strategy, np.arange(9.0))
    with pytest.raises(ValueError, match=r"values of different shapes.*axis=0"):
        strategy.reduce("SUM", unequal, axis=None)
    with pytest.raises(tf.errors.InvalidArgumentError, match="only numbers can be summed"):
        strategy.run(lambda: tf.distribute.get_replica_context().all_reduce("SUM", True))


def test_exchanges_that_not_all_replicas_make(strategy):
    context = tf.distribute.get_replica_context

    def branch(x):
        return tf.cond(x[0] > 3.0, lambda: context().all_reduce("SUM", x), lambda: x)

    def loop(x):
        return tf.while_loop(
            lambda t: t[0] < 9.0, lambda t: (context().all_reduce("SUM", t) + 1.0,), (x,)
        )

    batch = batch_of(strategy, np.arange(8.0, dtype=np.float32))
    for function in (branch, loop):
        with pytest.raises(ValueError, match=r"some would wait for others that never come"):
            strategy.run(function, (batch,))

    def agreed(x):
        total = context().all_reduce("SUM", x)
        return tf.cond(total[0] > 3.0, lambda: context().all_reduce("SUM", x), lambda: x)

    assert local(strategy, strategy.run(agreed, (batch,))) == [[28.0]] * 8


def test_what_cannot_be_compiled(strategy):
    def function(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.while_loop(lambda t: tf.reduce_sum(t) < 9.0, lambda t: (2.0 * t,), (x,))[0]
        return tape.gradient(y, x)

    batch = batch_of(strategy, np.ones(8, np.float32))
    with pytest.raises(NotImplementedError, match=r"one compiled program.*loop of unknown length"):
        strategy.run(function, (batch,))


def test_devices_that_are_not_there():
    with pytest.raises(ValueError, match=r"no device CPU:8: XLA has 8 devices.*CPU_DEVICES=9"):
        tf.distribute.MirroredStrategy(["CPU:0", "CPU:8"])
    with pytest.raises(ValueError, match=r"no device 'GPU:0': this process has 0 devices of that"):
        tf.distribute.MirroredStrategy(["GPU:0", "GPU:1"])
    with pytest.raises(ValueError, match="a device is named twice"):
        tf.distribute.MirroredStrategy(["CPU:0", "CPU:0"])
    with pytest.raises(ValueError, match="empty list"):
        tf.distribute.MirroredStrategy([])


def test_two_strategies_in_one_function():
    two = [tf.distribute.MirroredStrategy([f"CPU:{i}", f"CPU:{i + 1}"]) for i in (0, 2)]
    with pytest.raises(ValueError, match=r"strategies with different devices"):
        tf.function(lambda: [s.run(lambda: number()) for s in two])()


@pytest.mark.parametrize("in_a_function", [False, True])
def test_gradients_by_a_variable_that_differs_between_replicas(in_a_function):
    two = tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])
    with two.scope():
        v = tf.Variable([1.0, 2.0])  # with aggregation NONE

    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(v * x)
        v.assign_sub(0.1 * tape.gradient(loss, v))
        return loss

    def run(x):
        return two.run(step, args=(x,))

    call = tf.function(run) if in_a_function else run
    # As TensorFlow 2.21 computes it.
    for rows, losses, values in [
        ([[1, 2], [3, 4], [5, 6], [7, 8]], [16, 40], [[0.6, 1.4], [-0.2, 0.6]]),
        ([[1, 1], [2, 0], [0, 1], [3, 1]], [3.2, 0.6], [[0.3, 1.3], [-0.5, 0.4]]),
    ]:
        returned = call(batch_of(two, np.array(rows, np.float32)))
        np.testing.assert_allclose(local(two, returned), losses, rtol=1e-6)
        np.testing.assert_allclose(local(two, v), values, rtol=1e-6)
