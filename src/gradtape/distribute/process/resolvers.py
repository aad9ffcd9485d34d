"""`tf.distribute.cluster_resolver`: who the processes of a job are, and which this one is."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping

from gradtape.distribute.process.membership import ClusterError
from gradtape.formats.cluster import ClusterDef, JobDef


class ClusterSpec:
    """The addresses of a job's processes, by their kind."""

    def __init__(self, cluster) -> None:
        if isinstance(cluster, ClusterDef):
            given = {job.name: dict(job.tasks) for job in cluster.job}
        elif hasattr(cluster, "as_dict"):
            given = cluster.as_dict()
        elif isinstance(cluster, Mapping):
            given = cluster
        else:
            raise TypeError(
                "`cluster` must be a dictionary mapping one or more job names to lists of network "
                f"addresses, or a `ClusterDef` protocol buffer, got {cluster!r}"
            )
        self._jobs = {
            name: [tasks[i] for i in sorted(tasks)] if isinstance(tasks, dict) else list(tasks)
            for name, tasks in given.items()
        }

    def as_dict(self) -> dict:
        return {name: list(tasks) for name, tasks in self._jobs.items()}

    def as_cluster_def(self) -> ClusterDef:
        """Return the message that describes the cluster."""
        jobs = [
            JobDef(name=name, tasks=dict(enumerate(self._jobs[name])))
            for name in sorted(self._jobs)
        ]
        return ClusterDef(job=jobs)

    @property
    def jobs(self) -> list:
        return list(self._jobs)

    def task_indices(self, job_name) -> list:
        return list(range(len(self._jobs[job_name])))

    def num_tasks(self, job_name) -> int:
        return len(self._jobs[job_name])

    def job_tasks(self, job_name) -> list:
        return list(self._jobs[job_name])

    def task_address(self, job_name, task_index) -> str:
        return self._jobs[job_name][task_index]

    def __bool__(self) -> bool:
        return bool(self._jobs)

    def __eq__(self, other) -> bool:
        return isinstance(other, ClusterSpec) and self._jobs == other._jobs

    __hash__ = None  # pyright: ignore[reportAssignmentType] (how Python spells unhashable)

    def __repr__(self) -> str:
        return f"ClusterSpec({self._jobs!r})"


class ClusterResolver:
    """What a strategy asks about the job: the base of the others."""

    task_type: str | None = None
    task_id: int | None = None
    environment = ""

    def cluster_spec(self) -> ClusterSpec:
        raise NotImplementedError

    def master(self, task_type=None, task_id=None, rpc_layer=None) -> str:
        """Return the address of a process; of the first one, unless it is named."""
        spec = self.cluster_spec()
        if not spec:
            return ""
        name = task_type or self.task_type or spec.jobs[0]
        return spec.task_address(name, task_id or self.task_id or 0)

    def num_accelerators(self, task_type=None, task_id=None, config_proto=None) -> dict:
        """Return how many devices of each kind this process has."""
        from gradtape.backends.xla.runtime import device

        kinds = [each.kind for each in device.visible_accelerators()]
        return {kind: kinds.count(kind) for kind in set(kinds)}


class SimpleClusterResolver(ClusterResolver):
    """A job that the program describes itself."""

    def __init__(
        self,
        cluster_spec,
        master="",
        task_type=None,
        task_id=None,
        environment="",
        num_accelerators=None,
        rpc_layer=None,
    ) -> None:
        self._spec = ClusterSpec(cluster_spec)
        self._master = master
        self.task_type = task_type
        self.task_id = task_id
        self.environment = environment

    def cluster_spec(self) -> ClusterSpec:
        return self._spec

    def master(self, task_type=None, task_id=None, rpc_layer=None) -> str:
        if task_type is None and task_id is None:
            return self._master
        return super().master(task_type, task_id, rpc_layer)


class TFConfigClusterResolver(ClusterResolver):
    """A job that the environment variable TF_CONFIG describes."""

    def __init__(self, task_type=None, task_id=None, rpc_layer=None, environment=None) -> None:
        try:
            config = json.loads(os.environ.get("TF_CONFIG") or "{}")
        except ValueError as error:
            raise ClusterError(f"TF_CONFIG is not valid JSON: {error}.") from None
        task = config.get("task", {})
        self._spec = ClusterSpec(config.get("cluster", {}))
        self.task_type = task.get("type") if task_type is None else task_type
        self.task_id = task.get("index") if task_id is None else task_id
        self.task_id = None if self.task_id is None else int(self.task_id)
        self.environment = config.get("environment", "") if environment is None else environment

    def cluster_spec(self) -> ClusterSpec:
        return self._spec


class SlurmClusterResolver(ClusterResolver):
    """A job that SLURM started: JAX reads its variables, one process for each task."""

    task_type = "worker"

    def __init__(self, *args, **kwargs) -> None:
        if "SLURM_PROCID" not in os.environ:
            raise RuntimeError(
                "SlurmClusterResolver: this process was not started by SLURM (SLURM_PROCID is not "
                "set). Start the program with srun."
            )
        self.task_id = int(os.environ["SLURM_PROCID"])

    def cluster_spec(self) -> ClusterSpec:
        """Return the number of tasks; their addresses are SLURM's business."""
        count = int(os.environ.get("SLURM_NTASKS", "1"))
        return ClusterSpec({"worker": [f"task:{i}" for i in range(count)]})
