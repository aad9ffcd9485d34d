"""Joining a cluster: what the environment says, and what is said when it is wrong."""

from __future__ import annotations

import json
import re
import socket
import sys

import pytest

from gradtape.cli.launch import free_addresses
from gradtape.distribute.process import cluster, faults, membership
from gradtape.distribute.process.membership import ClusterError, Membership, find
from tests.distribute.processes import Workers, needs_jax, tf_config, workers, written

TWO = ["a:1000", "b:2000"]


def config(cluster_said, task=None) -> dict[str, str]:
    said = {"cluster": cluster_said}
    if task is not None:
        said["task"] = {"type": task[0], "index": task[1]}
    return {"TF_CONFIG": json.dumps(said)}


# --- what is said --------------------------------------------------------------------------------


def test_a_process_that_is_told_nothing_is_alone():
    assert find(environment={}) == Membership(0, 1)
    assert find(environment={"TF_CONFIG": "{}"}).alone
    assert find(environment={"TF_CONFIG": "  "}).alone


def test_tf_config_gives_the_place_among_workers():
    result = find(environment=config({"worker": TWO}, ("worker", 1)))
    assert result == Membership(1, 2, "a:1000", ("a:1000", "b:2000"), "TF_CONFIG")


def test_the_chief_is_process_0_and_an_evaluator_in_the_list_does_not_count():
    said = {"worker": TWO, "chief": ["c:3000"], "evaluator": ["e:1"]}
    chief = find(environment=config(said, ("chief", 0)))
    assert (chief.process_id, chief.process_count, chief.coordinator) == (0, 3, "c:3000")
    assert find(environment=config(said, ("worker", 1))).process_id == 2


def test_an_index_may_be_a_text_as_some_schedulers_write_it():
    assert find(environment=config({"worker": TWO}, ("worker", "1"))).process_id == 1


def test_one_worker_is_alone():
    assert find(environment=config({"worker": ["a:1"]}, ("worker", 0))).alone


def test_the_variables_of_the_launcher_go_before_tf_config():
    said = {
        "GRADTAPE_COORDINATOR": "h:5",
        "GRADTAPE_PROCESS_COUNT": "3",
        "GRADTAPE_PROCESS_ID": "2",
        **config({"worker": TWO}, ("worker", 0)),
    }
    result = find(environment=said)
    assert (result.process_id, result.process_count, result.coordinator) == (2, 3, "h:5")


def test_arguments_go_before_the_environment():
    said = config({"worker": TWO}, ("worker", 0))
    result = find(None, "h:5", 4, 3, environment=said)
    assert (result.process_id, result.process_count, result.coordinator) == (3, 4, "h:5")


class Resolver:
    """As TensorFlow's cluster resolvers."""

    task_type, task_id = "worker", 1

    def cluster_spec(self):
        return {"worker": TWO}


def test_a_resolver_is_asked():
    assert find(Resolver(), environment={}).process_id == 1


SLURM = {
    "SLURM_JOB_ID": "7",
    "SLURM_STEP_NODELIST": "n[1-2]",
    "SLURM_NTASKS": "2",
    "SLURM_PROCID": "1",
    "SLURM_LOCALID": "0",
}


@pytest.mark.parametrize(
    ("variables", "scheduler"),
    [
        (SLURM, "SLURM"),
        ({"OMPI_MCA_orte_hnp_uri": "1.0;tcp://h:1", "OMPI_COMM_WORLD_SIZE": "2"}, "Open MPI"),
    ],
)
def test_what_a_scheduler_says_is_left_to_jax(variables, scheduler):
    assert find(environment=variables) == Membership(None, None, None, (), scheduler)
    given = find(environment={**variables, "GRADTAPE_COORDINATOR": "h:5"})
    assert (given.coordinator, given.process_id) == ("h:5", None)


def test_a_single_task_of_a_scheduler_is_alone():
    assert find(environment={**SLURM, "SLURM_NTASKS": "1"}).alone
    assert find(environment={"SLURM_JOB_ID": "7"}).alone  # a shell in an allocation


# --- what is wrong with it -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variables", "text"),
    [
        ({"TF_CONFIG": "{worker"}, "TF_CONFIG is not JSON (.*). It should read like {"),
        ({"TF_CONFIG": "[1]"}, "TF_CONFIG is no JSON object. It should read like {"),
        (config(["a:1"]), "TF_CONFIG: `cluster` is a dictionary from jobs to lists of addresses"),
        (config({"worker": TWO}), "does not say which process this is: `task` with `type` and"),
        (
            config({"worker": TWO}, ("worker", 2)),
            "TF_CONFIG: this process is said to be worker 2, which `cluster` does not list. Listed "
            "are: worker 0, worker 1. Add its address to the list of every process, or correct",
        ),
        (config({"worker": TWO}, ("chief", 0)), "said to be chief 0, which `cluster` does not"),
        (config({"worker": TWO}, ("worker", True)), "said to be worker True"),
        (
            config({"worker": TWO}, ("evaluator", 0)),
            "of the job 'evaluator', but an evaluator is a program of its own: start it without "
            "TF_CONFIG, on the checkpoints that the workers write.",
        ),
        (config({"worker": TWO, "ps": ["p:1"]}, ("worker", 0)), "there are no parameter servers"),
        (config({"master": TWO}, ("master", 0)), "gradtape knows the jobs 'chief' and 'worker'"),
        (config({"worker": "a:1"}, ("worker", 0)), "`cluster.worker` is 'a:1'; give a list of"),
        (
            config({"worker": ["a"]}, ("worker", 0)),
            "cluster.worker[0]: 'a' is not an address; write",
        ),
        (config({"worker": ["a:1", "a:1"]}, ("worker", 0)), "the address a:1 is listed twice"),
        (config({"chief": TWO}, ("chief", 0)), "TF_CONFIG names 2 chiefs; there can be one."),
        (
            {"GRADTAPE_COORDINATOR": "a:1"},
            "GRADTAPE_PROCESS_COUNT and GRADTAPE_PROCESS_ID are missing. Give GRADTAPE_COORDINATOR "
            "(host:port of process 0)",
        ),
        (
            {
                "GRADTAPE_COORDINATOR": "a:1",
                "GRADTAPE_PROCESS_COUNT": "2",
                "GRADTAPE_PROCESS_ID": "2",
            },
            "GRADTAPE_PROCESS_ID=2 is out of range: 2 processes are numbered from 0 to 1.",
        ),
        ({"GRADTAPE_PROCESS_ID": "x"}, "GRADTAPE_PROCESS_ID=x: give a whole number, 0 or more."),
        (
            {
                "GRADTAPE_COORDINATOR": "a:b",
                "GRADTAPE_PROCESS_COUNT": "2",
                "GRADTAPE_PROCESS_ID": "0",
            },
            "GRADTAPE_COORDINATOR: 'a:b' is not an address; write it as host:port.",
        ),
    ],
)
def test_what_is_wrong_is_said(variables, text):
    pattern = re.escape(text).replace(re.escape("(.*)"), r"\(.*\)")
    with pytest.raises(ClusterError, match=pattern):
        find(environment=variables)


def test_a_count_below_one_is_refused():
    with pytest.raises(ClusterError, match="process_count=0: a cluster has at least one process"):
        find(None, "a:1", 0, 0, environment={})


def test_what_is_no_resolver_is_refused():
    with pytest.raises(ClusterError, match=r"object is no cluster resolver .*`cluster_spec\(\)`"):
        find(object(), environment={})


def test_times_are_positive_numbers(monkeypatch):
    assert faults.seconds(None, "GRADTAPE_JOIN_TIMEOUT", 7.0) == 7.0
    monkeypatch.setenv("GRADTAPE_JOIN_TIMEOUT", "soon")
    with pytest.raises(ClusterError, match="GRADTAPE_JOIN_TIMEOUT=soon: give a number of seconds"):
        faults.seconds(None, "GRADTAPE_JOIN_TIMEOUT", 7.0)
    with pytest.raises(ClusterError, match="timeout -1: give a number of seconds above 0"):
        faults.seconds(-1, "GRADTAPE_JOIN_TIMEOUT", 7.0)


# --- joining -------------------------------------------------------------------------------------


@pytest.fixture
def unjoined(monkeypatch):
    for name in ("TF_CONFIG", membership.COORDINATOR, membership.COUNT, membership.ID):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(cluster, "_joined", [])


def test_without_others_nothing_is_joined(unjoined):
    result = cluster.join()
    assert (result.process_id, result.process_count, result.is_chief) == (0, 1, True)
    assert cluster.join() is result is cluster.current()


def test_without_jax_there_is_a_sentence(unjoined, monkeypatch):
    monkeypatch.setitem(sys.modules, "jax", None)
    monkeypatch.delitem(sys.modules, "gradtape.backends.xla.require", raising=False)
    with pytest.raises(ClusterError, match=r'Install it with `pip install "gradtape\[xla\]"`'):
        cluster.join(coordinator="localhost:1", process_count=2, process_id=1)


@needs_jax
def test_a_port_in_use_is_named(unjoined):
    # Another job's coordinator would share its port with this one, and both would go wrong.
    with socket.create_server(("", 0), reuse_port=True) as held:
        address = f"127.0.0.1:{held.getsockname()[1]}"
        text = f"Process 0 cannot listen at {address}: the port is in use. Another program, or"
        with pytest.raises(ClusterError, match=re.escape(text)):
            cluster.join(coordinator=address, process_count=2, process_id=0)


@needs_jax
def test_a_coordinator_that_does_not_answer_is_named(unjoined):
    (address,) = free_addresses(1)
    text = f"Process 1 of 2 waited 0.5 s, and process 0 did not answer at {address} (Connection"
    with pytest.raises(ClusterError, match=re.escape(text)):
        cluster.join(coordinator=address, process_count=2, process_id=1, timeout=0.5)


@needs_jax
def test_a_host_that_is_not_known_is_named(unjoined):
    with pytest.raises(ClusterError, match=r"the name no.such.host.invalid is not known here"):
        cluster.join(
            coordinator="no.such.host.invalid:1", process_count=2, process_id=1, timeout=0.1
        )


JOIN = """
    from gradtape.distribute.process.cluster import join

    cluster = join()
    assert join() is cluster
    import jax

    print(cluster.process_id, cluster.process_count, cluster.is_chief, jax.process_count())
"""


@needs_jax
def test_processes_come_together(tmp_path):
    with workers(tmp_path, JOIN) as job:
        ended = [job.end(i) for i in range(2)]
    assert [each.out for each in ended] == ["0 2 True 2\n", "1 2 False 2\n"], ended
    assert [each.status for each in ended] == [0, 0]


@needs_jax
def test_processes_of_a_scheduler_come_together(tmp_path):
    # JAX takes the port from the number of the job.
    job_id = str(int(free_addresses(1)[0].partition(":")[2]) % 4096)
    variables = [
        {
            **SLURM,
            "SLURM_JOB_ID": job_id,
            "SLURM_STEP_NODELIST": "localhost",
            "SLURM_PROCID": str(number),
            "SLURM_LOCALID": str(number),
        }
        for number in range(2)
    ]
    with Workers(written(tmp_path, JOIN), variables) as job:
        ended = [job.end(i) for i in range(2)]
    assert [each.out for each in ended] == ["0 2 True 2\n", "1 2 False 2\n"], ended


@needs_jax
def test_a_program_that_has_called_jax_itself_is_believed(tmp_path):
    (address,) = free_addresses(1)
    program = f"""
        import os

        import jax

        jax.config.update("jax_cpu_collectives_implementation", "gloo")
        jax.distributed.initialize("{address}", 2, int(os.environ["NUMBER"]))
        from gradtape.distribute.process.cluster import join

        cluster = join()
        print(cluster.process_id, cluster.process_count, cluster.coordinator)
    """
    with Workers(written(tmp_path, program), [{"NUMBER": "0"}, {"NUMBER": "1"}]) as job:
        ended = [job.end(i) for i in range(2)]
    assert [each.out for each in ended] == [f"0 2 {address}\n", f"1 2 {address}\n"], ended


@needs_jax
def test_processes_that_do_not_come_are_named(tmp_path):
    addresses = free_addresses(2)
    with Workers(
        written(tmp_path, JOIN), [tf_config(addresses, 0)], GRADTAPE_JOIN_TIMEOUT="1"
    ) as job:
        ended = job.end(0)
    assert ended.status == 1
    assert (
        f"ClusterError: Process 0 of 2 waited 1 s at {addresses[0]}, and not all processes came: "
        f"of process 1 ({addresses[1]}) at least one is missing. Start all of them" in ended.err
    )


@needs_jax
def test_lists_of_different_lengths_are_found(tmp_path):
    addresses = free_addresses(3)
    configs = [tf_config(addresses[:2], 0), tf_config(addresses, 1)]
    with Workers(written(tmp_path, JOIN), configs, GRADTAPE_FAULT_TIMEOUT="5") as job:
        ended = job.end(1)
    assert ended.status == 1
    assert (
        "ClusterError: The processes are configured for different clusters: process 1 of 3 "
        "processes, "
        "process 0 of 2 processes. Give every process the same list in TF_CONFIG." in ended.err
    )


@needs_jax
def test_a_process_that_the_coordinator_does_not_expect_is_told(tmp_path):
    addresses = free_addresses(3)
    configs = [tf_config(addresses[:2], 0), tf_config(addresses, 2)]
    with Workers(written(tmp_path, JOIN), configs) as job:
        ended = job.end(1)
    assert ended.status != 0
    assert (
        f"gradtape: process 2 of 3 ended while it joined the cluster at {addresses[0]}. If it was "
        "refused there, process 0 knows of fewer processes" in ended.err
    )
