# Written by `python -m tools.stubs`: change the source, and run it again.

from collections.abc import Sequence
from gradtape.core.typing import TensorLike
from gradtape.distribute import cluster_resolver as cluster_resolver
from gradtape.distribute import experimental as experimental
from gradtape.distribute.strategy.contexts import ReplicaContext as ReplicaContext
from gradtape.distribute.strategy.datasets import DistributedDataset as DistributedDataset
from gradtape.distribute.strategy.datasets import DistributedIterator as DistributedIterator
from gradtape.distribute.strategy.meshes import Mesh as Mesh
from gradtape.distribute.strategy.options import CrossDeviceOps as CrossDeviceOps
from gradtape.distribute.strategy.options import HierarchicalCopyAllReduce as HierarchicalCopyAllReduce
from gradtape.distribute.strategy.options import InputOptions as InputOptions
from gradtape.distribute.strategy.options import InputReplicationMode as InputReplicationMode
from gradtape.distribute.strategy.options import NcclAllReduce as NcclAllReduce
from gradtape.distribute.strategy.options import ReduceOp as ReduceOp
from gradtape.distribute.strategy.options import ReductionToOneDevice as ReductionToOneDevice
from gradtape.distribute.strategy.options import RunOptions as RunOptions
from gradtape.distribute.strategy.strategies import InputContext as InputContext
from gradtape.distribute.strategy.strategies import MirroredStrategy as MirroredStrategy
from gradtape.distribute.strategy.strategies import MultiWorkerMirroredStrategy as MultiWorkerMirroredStrategy
from gradtape.distribute.strategy.strategies import OneDeviceStrategy as OneDeviceStrategy
from gradtape.distribute.strategy.strategies import Strategy as Strategy
from gradtape.distribute.strategy.strategies import StrategyExtended as StrategyExtended
from gradtape.distribute.strategy.tpu import TPUStrategy as TPUStrategy
from gradtape.graph.per_replica import DistributedValues as DistributedValues
from typing import Any

def experimental_set_strategy(strategy: Any) -> None:
    """Choose a strategy for the rest of the program; None: none.

    Args:
        strategy: a strategy.

    Returns:
        Nothing.
    """

def get_replica_context() -> ReplicaContext | None:
    """Return the replica, unless the program is between replicas."""

def get_strategy() -> Strategy:
    """Return the current strategy."""

def has_strategy() -> bool:
    """Return whether a strategy was chosen."""

def in_cross_replica_context() -> bool:
    """Return whether the program is in a strategy's scope, but not in `run`."""

def shard(x: TensorLike, mesh: Mesh, axes: Sequence = ...) -> Any:
    """Return a tensor spread over a mesh.

    `axes` says, for each axis of the tensor, over which axis of the mesh it is divided (a tuple of
    names: over several), or None; axes left out at the end are not divided. What is not divided is
    the same on all devices. Inside `tf.function` this declares to XLA where an intermediate value
    is best kept.

    Args:
        x: a tensor, or what converts to one.
        mesh: a `Mesh` of devices.
        axes: the axes, negative ones counted from the last.
    """
