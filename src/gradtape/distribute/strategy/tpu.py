"""`tf.distribute.TPUStrategy` and what goes with it: what TensorFlow does where there is no TPU.

Programs look for a TPU with these, and catch the error.
"""

from __future__ import annotations

from typing import NoReturn

from gradtape.distribute.process.resolvers import ClusterResolver
from gradtape.distribute.strategy.strategies import Strategy


def no_tpu(asked: str) -> NoReturn:
    """Raise what TensorFlow raises where there is no TPU."""
    raise ValueError(
        f"{asked}: Please provide a TPU Name to connect to. gradtape connects to no TPUs; "
        "tf.distribute.MirroredStrategy takes those of this machine that JAX finds."
    )


class TPUClusterResolver(ClusterResolver):
    """Raises: there are no TPUs to connect to."""

    def __init__(self, tpu=None, *args, **kwargs) -> None:
        no_tpu("TPUClusterResolver")

    @classmethod
    def connect(cls, tpu=None, zone=None, project=None) -> NoReturn:
        """Raise, as making one does."""
        no_tpu("TPUClusterResolver.connect")


class TPUStrategy(Strategy):
    """Raises: there are no TPUs to connect to."""

    def __init__(self, tpu_cluster_resolver=None, *args, **kwargs) -> None:
        no_tpu("TPUStrategy")


def initialize_tpu_system(cluster_resolver=None) -> NoReturn:
    """Raise: there are no TPUs to connect to."""
    no_tpu("initialize_tpu_system")


def shutdown_tpu_system(cluster_resolver=None) -> NoReturn:
    """Raise: there are no TPUs to connect to."""
    no_tpu("shutdown_tpu_system")
