"""Which process of a cluster this is: what TF_CONFIG, the environment or a program say of it.

Nothing here needs JAX, and nothing is joined: see `cluster`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

COORDINATOR = "GRADTAPE_COORDINATOR"
COUNT = "GRADTAPE_PROCESS_COUNT"
ID = "GRADTAPE_PROCESS_ID"
TF_CONFIG = "TF_CONFIG"

# The variables by which JAX knows that a scheduler started the process, and its count of processes.
SCHEDULERS = {
    "SLURM": (
        ("SLURM_JOB_ID", "SLURM_STEP_NODELIST", "SLURM_NTASKS", "SLURM_PROCID", "SLURM_LOCALID"),
        "SLURM_NTASKS",
    ),
    "Open MPI": (("OMPI_MCA_orte_hnp_uri",), "OMPI_COMM_WORLD_SIZE"),
}
_EXAMPLE = (
    '{"cluster": {"worker": ["host1:12345", "host2:12345"]}, '
    '"task": {"type": "worker", "index": 0}}'
)
# The jobs whose tasks train, in the order of their process numbers.
_TRAINING = ("chief", "worker")
_OTHER_JOBS = {
    "ps": "there are no parameter servers: use MultiWorkerMirroredStrategy with workers only",
    "evaluator": "an evaluator is a program of its own: start it without TF_CONFIG, on the "
    "checkpoints that the workers write",
}


class ClusterError(RuntimeError):
    """The processes of a job cannot come together, or do not agree."""


@dataclass(frozen=True)
class Membership:
    """Which process this is, of how many, and where they meet; `None`: the scheduler knows."""

    process_id: int | None = 0
    process_count: int | None = 1
    coordinator: str | None = None
    addresses: tuple[str, ...] = ()  # of all processes, where they were listed
    source: str = ""  # who said so, for error texts

    @property
    def alone(self) -> bool:
        return self.process_count == 1


def find(
    resolver: Any = None,
    coordinator: str | None = None,
    process_count: int | None = None,
    process_id: int | None = None,
    environment: Mapping[str, str] = os.environ,
) -> Membership:
    """Return the membership of this process, from the first source that specifies it.

    In this order: the arguments, a cluster resolver, the variables `GRADTAPE_COORDINATOR`,
    `GRADTAPE_PROCESS_COUNT` and `GRADTAPE_PROCESS_ID`, `TF_CONFIG`, the scheduler's variables.
    """
    scheduler = find_scheduler(environment)
    given = (coordinator, process_count, process_id)
    if any(each is not None for each in given):
        names = ("coordinator", "process_count", "process_id")
        return _explicit(*given, names, "the arguments", scheduler)
    if resolver is not None:
        return _from_resolver(resolver)
    given = (
        environment.get(COORDINATOR) or None,
        _number(environment, COUNT),
        _number(environment, ID),
    )
    if any(each is not None for each in given):
        return _explicit(*given, (COORDINATOR, COUNT, ID), "the environment", scheduler)
    if environment.get(TF_CONFIG, "").strip():
        return _from_text(environment[TF_CONFIG])
    if scheduler:
        return Membership(None, None, None, (), scheduler)
    return Membership()


def find_scheduler(environment: Mapping[str, str]) -> str | None:
    """Return the scheduler that started this process as one of several; None if none did."""
    for name, (needed, count) in SCHEDULERS.items():
        if all(each in environment for each in needed) and environment.get(count) != "1":
            return name
    return None


# --- said in so many words -----------------------------------------------------------------------


def _number(environment: Mapping[str, str], name: str) -> int | None:
    text = environment.get(name, "").strip()
    if not text:
        return None
    if not text.isdecimal():
        raise ClusterError(f"{name}={text}: give a whole number, 0 or more.")
    return int(text)


def _explicit(coordinator, count, number, names, source: str, scheduler) -> Membership:
    missing = [
        name for name, each in zip(names, (coordinator, count, number), strict=True) if each is None
    ]
    if count == 1 and not number:
        return Membership(0, 1, None, (), source)
    if missing and not (scheduler and coordinator is not None):
        raise ClusterError(
            f"The cluster is only partly configured: {' and '.join(missing)} "
            f"{'is' if len(missing) == 1 else 'are'} missing. Give {names[0]} (host:port of "
            f"process 0), {names[1]} and {names[2]}."
        )
    _check_address(coordinator, names[0])
    if count is not None and count < 1:
        raise ClusterError(f"{names[1]}={count}: a cluster has at least one process.")
    if count is not None and number is not None and not 0 <= number < count:
        raise ClusterError(
            f"{names[2]}={number} is out of range: {count} processes are numbered from 0 to "
            f"{count - 1}."
        )
    return Membership(number, count, coordinator, (), source)


def _check_address(address: Any, source_name: str) -> str:
    host, colon, port = address.rpartition(":") if isinstance(address, str) else ("", "", "")
    if not (host and colon and port.isdecimal() and 0 < int(port) < 65536):
        raise ClusterError(f"{source_name}: {address!r} is not an address; write it as host:port.")
    return address


# --- TF_CONFIG -----------------------------------------------------------------------------------


def _from_text(text: str) -> Membership:
    try:
        config = json.loads(text)
    except ValueError as error:
        raise ClusterError(
            f"TF_CONFIG is not JSON ({error}). It should read like {_EXAMPLE}."
        ) from None
    if not isinstance(config, dict):
        raise ClusterError(f"TF_CONFIG is no JSON object. It should read like {_EXAMPLE}.")
    cluster, task = config.get("cluster"), config.get("task")
    if not cluster:
        return Membership(source=TF_CONFIG)  # as in TensorFlow: a cluster of this process alone
    if not isinstance(cluster, dict):
        raise ClusterError(
            f"TF_CONFIG: `cluster` is a dictionary from jobs to lists of addresses. It should "
            f"read like {_EXAMPLE}."
        )
    if not isinstance(task, dict) or "type" not in task or "index" not in task:
        raise ClusterError(
            "TF_CONFIG does not say which process this is: `task` with `type` and `index` is "
            f"missing. It should read like {_EXAMPLE}."
        )
    return _task_index(cluster, task["type"], task["index"], TF_CONFIG)


def _from_resolver(resolver: Any) -> Membership:
    """Return what an object with the methods of TensorFlow's cluster resolvers says."""
    try:
        cluster = resolver.cluster_spec()
        job, index = resolver.task_type, resolver.task_id
    except AttributeError as error:
        raise ClusterError(
            f"{type(resolver).__name__} is no cluster resolver ({error}): it needs "
            "`cluster_spec()`, `task_type` and `task_id`. Or leave it out and set TF_CONFIG."
        ) from None
    jobs = cluster.as_dict() if hasattr(cluster, "as_dict") else dict(cluster or {})
    if not jobs:
        return Membership(source=type(resolver).__name__)
    return _task_index(jobs, job, index, type(resolver).__name__)


def _task_index(cluster: dict, job: Any, index: Any, source: str) -> Membership:
    """Return the index of a task among the tasks of all jobs."""
    if job in _OTHER_JOBS:
        raise ClusterError(f"{source}: this process is of the job {job!r}, but {_OTHER_JOBS[job]}.")
    for name in cluster:
        if name == "ps" or name not in (*_TRAINING, *_OTHER_JOBS):
            why = _OTHER_JOBS.get(name, "gradtape knows the jobs 'chief' and 'worker'")
            raise ClusterError(f"{source} names the job {name!r}, but {why}.")
    listed: list[tuple[str, int, str]] = []
    for name in _TRAINING:
        addresses = cluster.get(name, [])
        if isinstance(addresses, str) or not isinstance(addresses, (list, tuple)):
            raise ClusterError(
                f"{source}: `cluster.{name}` is {addresses!r}; give a list of addresses host:port."
            )
        for i, address in enumerate(addresses):
            listed.append((name, i, _check_address(address, f"{source}: cluster.{name}[{i}]")))
    if len(cluster.get("chief", ())) > 1:
        raise ClusterError(f"{source} names {len(cluster['chief'])} chiefs; there can be one.")
    addresses = tuple(address for _, _, address in listed)
    repeated = next((a for a in addresses if addresses.count(a) > 1), None)
    if repeated:
        raise ClusterError(f"{source}: the address {repeated} is listed twice.")
    if isinstance(index, str) and index.isdecimal():
        index = int(index)
    for number, (name, i, _) in enumerate(listed):
        if (name, i) == (job, index) and not isinstance(index, bool):
            return Membership(number, len(listed), addresses[0], addresses, source)
    known = ", ".join(f"{name} {i}" for name, i, _ in listed) or "none"
    raise ClusterError(
        f"{source}: this process is said to be {job} {index}, which `cluster` does not list. "
        f"Listed are: {known}. Add its address to the list of every process, or correct `task`."
    )
