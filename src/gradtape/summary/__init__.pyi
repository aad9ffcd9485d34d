# Written by `python -m tools.stubs`: change the source, and run it again.

from contextlib import AbstractContextManager
from gradtape.core.tensor import Tensor
from gradtape.core.typing import IntLike
from gradtape.core.typing import TensorLike
from gradtape.summary import experimental as experimental
from gradtape.summary.writer import SummaryWriter as SummaryWriter
from typing import Any

def audio(
    name: str,
    data: TensorLike,
    sample_rate: Any,
    step: Any = None,
    max_outputs: IntLike = 3,
    encoding: str | None = None,
    description: str | None = None,
) -> Tensor:
    """Write sounds [count, frames, channels] with values from -1 to 1."""

def create_file_writer(
    logdir: Any,
    max_queue: Any = None,
    flush_millis: Any = None,
    filename_suffix: Any = None,
    name: str | None = None,
    experimental_trackable: bool = False,
    experimental_mesh: Any = None,
) -> SummaryWriter:
    """Return a writer of an event file in the folder `logdir`."""

def create_noop_writer() -> SummaryWriter:
    """Return a writer that writes nothing."""

def flush(writer: Any = None, name: str | None = None) -> None:
    """Make what a writer (or the current one) has written visible to others."""

def histogram(
    name: str,
    data: TensorLike,
    step: Any = None,
    buckets: Any = None,
    description: str | None = None,
) -> Tensor:
    """Write how the values of a tensor are distributed."""

def image(
    name: str,
    data: TensorLike,
    step: Any = None,
    max_outputs: IntLike = 3,
    description: str | None = None,
) -> Tensor:
    """Write images [count, height, width, channels]; floats are intensities from 0 to 1."""

def record_if(condition: TensorLike) -> AbstractContextManager[None]:
    """Record the block's summaries only where a condition (or a function) is true."""

def scalar(name: str, data: TensorLike, step: Any = None, description: str | None = None) -> Tensor:
    """Write one number."""

def should_record_summaries() -> Tensor:
    """Return whether a summary written now would be recorded."""

def text(name: str, data: TensorLike, step: Any = None, description: str | None = None) -> Tensor:
    """Write strings, which TensorBoard shows as Markdown."""

def trace_export(name: str, step: Any = None, profiler_outdir: Any = None) -> None:
    """Write nothing."""

def trace_off() -> None:
    """Do nothing."""

def trace_on(graph: bool = True, profiler: bool = False, profiler_outdir: Any = None) -> None:
    """Record nothing: programs run without a graph."""

def write(
    tag: Any,
    tensor: TensorLike,
    step: Any = None,
    metadata: Any = None,
    name: str | None = None,
) -> Tensor:
    """Write any tensor; `metadata` says which of TensorBoard's dashboards is to show it.

    `tensor` may be a function that makes it.
    """
