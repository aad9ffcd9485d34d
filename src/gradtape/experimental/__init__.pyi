# Written by `python -m tools.stubs`: change the source, and run it again.

from contextlib import AbstractContextManager
from gradtape.core.dtypes import DType
from gradtape.data.iterator import Optional as Optional
from gradtape.experimental import dlpack as dlpack
from gradtape.experimental import numpy as numpy

def async_clear_error() -> None:
    """Do nothing: errors are raised where they happen.

    Returns:
        Nothing.
    """

def async_scope() -> AbstractContextManager[None]:
    """Open a block whose ops could run asynchronously; they run immediately.

    Returns:
        A context manager.
    """

def enable_strict_mode() -> None:
    """Do nothing: there are no deprecated behaviors to turn off.

    Returns:
        Nothing.
    """

float8_e4m3fn: DType
float8_e5m2: DType
def function_executor_type(executor_type: str) -> AbstractContextManager[None]:
    """Open a block for which nothing changes.

    Args:
        executor_type: has no effect; there for compatibility.

    Returns:
        A context manager.
    """

int4: DType
uint4: DType
