"""Strategies of one replica, and the names of `tf.distribute`: without JAX, or with one device."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

import gradtape as tf
from gradtape.distribute.strategy import strategies


@pytest.fixture(params=["default", "one device", "mirrored"])
def strategy(request):
    if request.param == "default":
        return tf.distribute.get_strategy()
    if request.param == "one device":
        return tf.distribute.OneDeviceStrategy("/cpu:0")
    return tf.distribute.MirroredStrategy(["CPU:0"])


def test_a_function_is_called_as_it_is(strategy):
    with strategy.scope():
        v = tf.Variable(1.0, aggregation=tf.VariableAggregation.SUM)

    def function(x):
        context = tf.distribute.get_replica_context()
        assert context.replica_id_in_sync_group == 0
        assert context.num_replicas_in_sync == 1
        v.assign_add(x)
        return context.all_reduce("SUM", x), context.all_gather(tf.stack([x]), axis=0), "text"

    total, joined, text = strategy.run(function, (2.0,))
    assert (float(total), joined.numpy().tolist(), text) == (2.0, [2.0], "text")
    assert float(v) == 3.0
    assert strategy.experimental_local_results(total) == (total,)
    assert float(strategy.reduce("MEAN", [tf.constant([1.0, 3.0])], axis=0)[0]) == 2.0
    assert strategy.gather(tf.constant([1.0]), axis=0).numpy().tolist() == [1.0]


def test_datasets_are_themselves(strategy):
    data = tf.data.Dataset.range(3)
    assert strategy.experimental_distribute_dataset(data) is data
    made = strategy.distribute_datasets_from_function(
        lambda context: data.batch(context.get_per_replica_batch_size(3))
    )
    assert len(list(made)) == 1
    value = strategy.experimental_distribute_values_from_function(
        lambda context: context.num_replicas_in_sync
    )
    assert value == 1


def test_losses_are_not_scaled_without_replicas():
    losses = tf.constant([1.0, 3.0])
    assert float(tf.nn.compute_average_loss(losses)) == 2.0
    assert float(tf.nn.scale_regularization_loss(losses)) == 4.0


def test_names_are_accepted():
    distribute = tf.distribute
    for kind in (
        distribute.ReductionToOneDevice,
        distribute.NcclAllReduce,
        distribute.HierarchicalCopyAllReduce,
    ):
        distribute.MirroredStrategy(["CPU:0"], cross_device_ops=kind())
    implementation = distribute.experimental.CommunicationImplementation.NCCL
    options = distribute.experimental.CommunicationOptions(implementation=implementation)
    assert options.implementation is implementation
    with pytest.raises(ValueError, match=r"`bytes_per_pack` must be >=0"):
        distribute.experimental.CommunicationOptions(bytes_per_pack=-1)
    assert distribute.InputOptions().experimental_replication_mode.name == "PER_WORKER"
    assert distribute.RunOptions().experimental_enable_dynamic_batch_size
    sums = distribute.ReduceOp.from_variable_aggregation(tf.VariableAggregation.SUM)
    assert sums is distribute.ReduceOp.SUM


def test_strategy_for_the_rest_of_the_program():
    strategy = tf.distribute.OneDeviceStrategy()
    tf.distribute.experimental_set_strategy(strategy)
    try:
        assert tf.distribute.get_strategy() is strategy
        assert tf.distribute.get_replica_context() is None
    finally:
        tf.distribute.experimental_set_strategy(None)
    assert not tf.distribute.has_strategy()


# --- who the processes are -----------------------------------------------------------------------


def test_resolvers(monkeypatch):
    resolver = tf.distribute.cluster_resolver
    config = {"cluster": {"worker": ["a:1", "b:2"]}, "task": {"type": "worker", "index": "1"}}
    monkeypatch.setenv("TF_CONFIG", json.dumps(config))
    result = resolver.TFConfigClusterResolver()
    assert (result.task_type, result.task_id) == ("worker", 1)
    assert result.cluster_spec().as_dict() == config["cluster"]
    assert result.master() == "b:2"
    simple = resolver.SimpleClusterResolver(
        tf.train.ClusterSpec(config["cluster"]), task_type="worker", task_id=0
    )
    assert simple.cluster_spec().num_tasks("worker") == 2
    assert simple.master("worker", 1) == "b:2"
    with pytest.raises(RuntimeError, match=r"not started by SLURM.*srun"):
        resolver.SlurmClusterResolver()
    monkeypatch.setenv("SLURM_PROCID", "3")
    monkeypatch.setenv("SLURM_NTASKS", "4")
    slurm = resolver.SlurmClusterResolver()
    assert (slurm.task_id, slurm.cluster_spec().num_tasks("worker")) == (3, 4)


def test_many_workers_where_there_is_one(monkeypatch):
    monkeypatch.delenv("TF_CONFIG", raising=False)
    monkeypatch.setattr(strategies, "find_spec", lambda name: None)
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    assert strategy.num_replicas_in_sync == 1
    assert not strategy.extended._in_multi_worker_mode()


# --- without JAX ---------------------------------------------------------------------------------


def test_devices_need_jax(monkeypatch):
    monkeypatch.setattr(strategies, "find_spec", lambda name: None)
    assert tf.distribute.MirroredStrategy().num_replicas_in_sync == 1
    with pytest.raises(ImportError, match=r'2 devices were named.*pip install "gradtape\[xla\]"'):
        tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])


@pytest.mark.skipif(
    importlib.util.find_spec("jax") is not None, reason="for environments without JAX"
)
def test_meshes_need_jax():
    with pytest.raises(ImportError, match=r'pip install "gradtape\[xla\]"'):
        tf.distribute.Mesh({"data": 2})


def test_names_do_not_import_jax():
    text = (
        "import sys, gradtape as tf; s = tf.distribute.OneDeviceStrategy(); s.run(lambda: 1); "
        "tf.distribute.MirroredStrategy(['CPU:0']); assert 'jax' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", text], check=True)


def test_the_example_learns():
    path = Path(__file__).parents[2] / "examples" / "distributed_training.py"
    spec = importlib.util.spec_from_file_location("distributed_training", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.main(epochs=2) > 0.8
