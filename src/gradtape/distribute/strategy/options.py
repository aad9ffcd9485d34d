"""Names that say how values are combined and exchanged. XLA decides how that is done."""

from __future__ import annotations

import enum
from typing import Any


class ReduceOp(enum.Enum):
    """How values of the replicas are combined."""

    SUM = "SUM"
    MEAN = "MEAN"

    @staticmethod
    def from_variable_aggregation(aggregation) -> ReduceOp:
        return ReduceOp[aggregation.name]


def reduce_op(given: Any) -> ReduceOp:
    """Return the op that a name or a member of the enumeration means."""
    if isinstance(given, ReduceOp):
        return given
    try:
        return ReduceOp[str(given).upper()]
    except KeyError:
        raise ValueError(
            f"reduce_op must be tf.distribute.ReduceOp.SUM or MEAN, or one of these names, got "
            f"{given!r}."
        ) from None


class CrossDeviceOps:
    """How values are exchanged between devices: accepted, and left to XLA."""

    def __init__(self, *args, **kwargs) -> None:
        pass


class ReductionToOneDevice(CrossDeviceOps):
    """Accepted: XLA chooses how values are summed."""

    def __init__(self, reduce_to_device=None, accumulation_fn=None) -> None:
        super().__init__()


class NcclAllReduce(CrossDeviceOps):
    """Accepted: XLA uses NCCL on NVIDIA's GPUs."""

    def __init__(self, num_packs=1) -> None:
        super().__init__()


class HierarchicalCopyAllReduce(CrossDeviceOps):
    """Accepted: XLA chooses how values are summed."""

    def __init__(self, num_packs=1) -> None:
        super().__init__()


class CommunicationImplementation(enum.Enum):
    """By what values are exchanged: XLA takes NCCL on NVIDIA's GPUs, and Gloo on CPUs."""

    AUTO = "AUTO"
    RING = "RING"
    NCCL = "NCCL"


class CommunicationOptions:
    """Hints for collectives, accepted and kept; XLA joins small ones by its own measure."""

    def __init__(
        self,
        bytes_per_pack=0,
        timeout_seconds=None,
        implementation=CommunicationImplementation.AUTO,
    ) -> None:
        if bytes_per_pack < 0:
            raise ValueError(
                f"Argument `bytes_per_pack` must be >=0, Received: bytes_per_pack={bytes_per_pack}"
            )
        self.bytes_per_pack = bytes_per_pack
        self.timeout_seconds = timeout_seconds
        self.implementation = CommunicationImplementation(implementation)


class RunOptions:
    """Options of `strategy.run`, accepted and kept."""

    def __init__(
        self,
        experimental_enable_dynamic_batch_size=True,
        experimental_bucketizing_dynamic_shape=False,
        experimental_xla_options=None,
    ) -> None:
        self.experimental_enable_dynamic_batch_size = experimental_enable_dynamic_batch_size
        self.experimental_bucketizing_dynamic_shape = experimental_bucketizing_dynamic_shape
        self.experimental_xla_options = experimental_xla_options


class InputReplicationMode(enum.Enum):
    """How a function that makes datasets is called: once for each process."""

    PER_WORKER = "PER_WORKER"
    PER_REPLICA = "PER_REPLICA"


class InputOptions:
    """Options of distributed datasets."""

    def __init__(
        self,
        experimental_fetch_to_device=None,
        experimental_replication_mode=InputReplicationMode.PER_WORKER,
        experimental_place_dataset_on_device=False,
        experimental_per_replica_buffer_size=1,
    ) -> None:
        self.experimental_fetch_to_device = experimental_fetch_to_device
        self.experimental_replication_mode = experimental_replication_mode
        self.experimental_place_dataset_on_device = experimental_place_dataset_on_device
        self.experimental_per_replica_buffer_size = experimental_per_replica_buffer_size
