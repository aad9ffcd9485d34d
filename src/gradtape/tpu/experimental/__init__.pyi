# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.distribute.strategy.tpu_embedding import HardwareFeature as HardwareFeature
from gradtape.tpu.experimental import embedding as embedding
from typing import Any
from typing import NoReturn

def initialize_tpu_system(cluster_resolver: Any = None) -> NoReturn:
    """Raise: there are no TPUs to connect to.

    Args:
        cluster_resolver: what says where the other processes are.

    Returns:
        Nothing: it always raises an error.

    Raises:
        ValueError, always: there are no TPUs to connect to.
    """

def shutdown_tpu_system(cluster_resolver: Any = None) -> NoReturn:
    """Raise: there are no TPUs to connect to.

    Args:
        cluster_resolver: what says where the other processes are.

    Returns:
        Nothing: it always raises an error.

    Raises:
        ValueError, always: there are no TPUs to connect to.
    """
