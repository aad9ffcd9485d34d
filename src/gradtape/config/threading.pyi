# Written by `python -m tools.stubs`: change the source, and run it again.

from typing import Any

def get_inter_op_parallelism_threads() -> int:
    """Return the number that was set; 0 at first."""

def get_intra_op_parallelism_threads() -> int:
    """Return the number that was set; 0 at first."""

def set_inter_op_parallelism_threads(num_threads: Any) -> None:
    """Store the number; ops run one after the other.

    Args:
        num_threads: how many threads.

    Returns:
        Nothing.

    Raises:
        TypeError if the number is no integer.
    """

def set_intra_op_parallelism_threads(num_threads: Any) -> None:
    """Set how many threads native kernels may use; 0: as many as there are processors.

    Args:
        num_threads: how many threads.

    Returns:
        Nothing.

    Raises:
        TypeError if the number is no integer.
    """
