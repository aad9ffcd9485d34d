"""Programs in two processes, a replica in each: the numbers are those of one process."""

from __future__ import annotations

import json
import os

import numpy as np
import pytest

import gradtape as tf
from tests.distribute.models import fitted
from tests.distribute.processes import needs_jax, workers
from tests.distribute.record import FILE

pytestmark = needs_jax

START = """
    import json, os, sys
    os.environ["KERAS_BACKEND"] = "gradtape"
    import gradtape as tf
    import numpy as np
    from tests.distribute import models
    from tests.distribute.programs import PROGRAMS, rows, set_weights, sums

    keras = tf.keras
"""


def run(tmp_path, text: str, count: int = 2) -> list:
    """What the processes print last, as JSON."""
    root = str(FILE.parents[2])
    with workers(tmp_path, START + text, count, PYTHONPATH=path(root)) as job:
        ended = [job.end(i) for i in range(count)]
    for each in ended:
        assert each.status == 0, each.err[-3000:]
    return [json.loads(each.out.strip().splitlines()[-1]) for each in ended]


def path(root: str) -> str:
    return os.pathsep.join([root, f"{root}/src", os.environ.get("PYTHONPATH", "")])


def assert_alike(result, expected) -> None:
    if isinstance(expected, dict):
        for key in expected:
            assert_alike(result[key], expected[key])
    else:
        np.testing.assert_allclose(result, expected, 2e-5, 2e-6)


def test_programs_give_the_numbers_of_tensorflow(tmp_path):
    names = ["custom loop", "gan", "fit", "fit with a smaller last batch"]
    result = run(
        tmp_path,
        f"""
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    assert strategy.num_replicas_in_sync == 2
    found = {{name: PROGRAMS[name](tf, strategy) for name in {names}}}
    print(json.dumps(found))
    """,
    )
    expected = json.loads(FILE.read_text("utf-8"))["2"]
    for each in result:
        for name in names:
            assert_alike(each[name], expected[name])


@pytest.mark.parametrize("count", [2, pytest.param(4, marks=pytest.mark.slow)])
def test_parameters_after_50_steps(tmp_path, count):
    result = run(
        tmp_path,
        f"""
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    assert strategy.num_replicas_in_sync == {count}
    found = dict()
    for name in models.MODELS:
        with strategy.scope():
            found[name] = [w.tolist() for w in models.fitted(keras, name)]
    print(json.dumps(found))
    """,
        count,
    )
    for name in ("mlp", "cnn", "transformer"):
        expected = fitted(tf.keras, name)
        for each in result:
            for a, b in zip(each[name], expected, strict=True):
                np.testing.assert_allclose(a, b, rtol=1e-8, atol=1e-10)


def test_layouts_over_processes(tmp_path):
    """Of a batch that each process has a half of; and of a model that each has a half of."""
    result = run(
        tmp_path,
        """
    keras.distribution.initialize()
    lib = keras.distribution
    half = lib.DataParallel(auto_shard_dataset=False)._process_id
    x, y = rows(24)

    def fit(x, y, size):
        model = keras.Sequential(
            [keras.Input((3,)), keras.layers.Dense(4, name="first"), keras.layers.Dense(1)]
        )
        set_weights(model)
        model.compile(keras.optimizers.Adam(0.05), "mse")
        history = model.fit(x, y, batch_size=size, epochs=2, shuffle=False, verbose=0).history
        return [*sums(model), *history["loss"]]

    alone = fit(x, y, 12)
    with lib.DataParallel(auto_shard_dataset=False).scope():
        own = np.arange(24).reshape(2, 2, 6)[:, half].ravel()
        data = fit(x[own], y[own], 6)
    mesh = lib.DeviceMesh((1, 2), ["batch", "model"], lib.list_devices())
    layouts = lib.LayoutMap(mesh)
    layouts["first/kernel"] = (None, "model")
    divided = lib.ModelParallel(
        layout_map=layouts, batch_dim_name="batch", auto_shard_dataset=False
    )
    with divided.scope():
        model = fit(x, y, 12)
    print(json.dumps([alone, data, model]))
    """,
    )
    for alone, data, model in result:
        np.testing.assert_allclose(data, alone, rtol=1e-5)
        np.testing.assert_allclose(model, alone, rtol=1e-5)


def test_variables_begin_alike(tmp_path):
    """Each process draws other numbers; those of the first are for all."""
    result = run(
        tmp_path,
        """
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    tf.random.set_seed(100 + strategy._cluster.process_id)
    with strategy.scope():
        v = tf.Variable(tf.random.normal((3,)))
    total = strategy.reduce("SUM", strategy.run(lambda: tf.identity(v)), axis=None)
    print(json.dumps([v.numpy().tolist(), total.numpy().tolist()]))
    """,
    )
    assert result[0] == result[1]
    np.testing.assert_allclose(result[0][1], 2 * np.array(result[0][0]), rtol=1e-6)


def test_datasets_are_shared(tmp_path):
    result = run(
        tmp_path,
        """
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    data = tf.data.Dataset.range(8).batch(4)

    def seen(data):
        steps = strategy.experimental_distribute_dataset(data)
        return [[v.numpy().tolist() for v in b.values] for b in steps]

    off = tf.data.Options()
    off.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.OFF
    made = strategy.distribute_datasets_from_function(
        lambda context: data.unbatch().shard(
            context.num_input_pipelines, context.input_pipeline_id
        ).batch(context.get_per_replica_batch_size(4))
    )
    own = [[v.numpy().tolist() for v in b.values] for b in made]
    print(json.dumps([seen(data), seen(data.with_options(off)), own]))
    """,
    )
    every = [[[0, 1]], [[2, 3]], [[4, 5]], [[6, 7]]]
    assert result[0] == [[[[0, 1]], [[4, 5]]], every, [[[0, 2]], [[4, 6]]]]
    assert result[1] == [[[[2, 3]], [[6, 7]]], every, [[[1, 3]], [[5, 7]]]]
