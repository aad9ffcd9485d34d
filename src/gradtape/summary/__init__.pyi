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
    step: TensorLike | None = None,
    max_outputs: IntLike = 3,
    encoding: str | None = None,
    description: str | None = None,
) -> Tensor:
    """Write sounds [count, frames, channels] with values from -1 to 1.

    Args:
        name: a label, as in TensorFlow; it does not change the result.
        data: a tensor, or what converts to one.
        sample_rate: samples per second.
        step: the number that the summary belongs to; the default step if None.
        max_outputs: how many to write at most.
        encoding: the encoding of the bytes, such as "utf-8".
        description: a text that TensorBoard shows.

    Returns:
        Whether the summary was written, as a tensor.

    Raises:
        ValueError if no step is set, or the data has not three axes; without a default writer
            nothing is checked.
    """

def create_file_writer(
    logdir: Any,
    max_queue: Any = None,
    flush_millis: Any = None,
    filename_suffix: Any = None,
    name: str | None = None,
    experimental_trackable: bool = False,
    experimental_mesh: Any = None,
) -> SummaryWriter:
    """Return a writer of an event file in the folder `logdir`.

    Args:
        logdir: the folder of the files.
        max_queue: has no effect; there for compatibility.
        flush_millis: has no effect; there for compatibility.
        filename_suffix: the end of the name of the file.
        name: a label, as in TensorFlow; it does not change the result.
        experimental_trackable: has no effect; there for compatibility.
        experimental_mesh: must be None.

    Returns:
        Whether the summary was written, as a tensor.

    Raises:
        NotADirectoryError if a part of the path is a file.
    """

def create_noop_writer() -> SummaryWriter:
    """Return a writer that writes nothing.

    Returns:
        Whether the summary was written, as a tensor.
    """

def flush(writer: Any = None, name: str | None = None) -> None:
    """Make what a writer (or the current one) has written visible to others.

    Args:
        writer: the writer; the default one if None.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        Nothing.

    Raises:
        TypeError if `writer` has a type that it does not take.
    """

def histogram(
    name: str,
    data: TensorLike,
    step: TensorLike | None = None,
    buckets: Any = None,
    description: str | None = None,
) -> Tensor:
    """Write how the values of a tensor are distributed.

    Args:
        name: a label, as in TensorFlow; it does not change the result.
        data: a tensor, or what converts to one.
        step: the number that the summary belongs to; the default step if None.
        buckets: how many buckets the histogram has.
        description: a text that TensorBoard shows.

    Returns:
        Whether the summary was written, as a tensor.

    Raises:
        ValueError if no step is set; without a default writer nothing is checked.
    """

def image(
    name: str,
    data: TensorLike,
    step: TensorLike | None = None,
    max_outputs: IntLike = 3,
    description: str | None = None,
) -> Tensor:
    """Write images [count, height, width, channels]; floats are intensities from 0 to 1.

    Args:
        name: a label, as in TensorFlow; it does not change the result.
        data: a tensor, or what converts to one.
        step: the number that the summary belongs to; the default step if None.
        max_outputs: how many to write at most.
        description: a text that TensorBoard shows.

    Returns:
        Whether the summary was written, as a tensor.

    Raises:
        ValueError if no step is set, or the data has not four axes; without a default writer
            nothing is checked.
    """

def record_if(condition: TensorLike) -> AbstractContextManager[None]:
    """Record the block's summaries only where a condition (or a function) is true.

    Args:
        condition: truth values: where to take x.

    Returns:
        A context manager.
    """

def scalar(
    name: str,
    data: TensorLike,
    step: TensorLike | None = None,
    description: str | None = None,
) -> Tensor:
    """Write one number.

    Args:
        name: a label, as in TensorFlow; it does not change the result.
        data: a tensor, or what converts to one.
        step: the number that the summary belongs to; the default step if None.
        description: a text that TensorBoard shows.

    Returns:
        Whether the summary was written, as a tensor.

    Raises:
        ValueError if no step is set, or the data has axes; without a default writer nothing is
            checked.
    """

def should_record_summaries() -> Tensor:
    """Return whether a summary written now would be recorded.

    Returns:
        Whether the summary was written, as a tensor.
    """

def text(
    name: str,
    data: TensorLike,
    step: TensorLike | None = None,
    description: str | None = None,
) -> Tensor:
    """Write strings, which TensorBoard shows as Markdown.

    Args:
        name: a label, as in TensorFlow; it does not change the result.
        data: a tensor, or what converts to one.
        step: the number that the summary belongs to; the default step if None.
        description: a text that TensorBoard shows.

    Returns:
        Whether the summary was written, as a tensor.

    Raises:
        ValueError if no step is set, or the data is no text; without a default writer nothing is
            checked.
    """

def trace_export(name: str, step: TensorLike | None = None, profiler_outdir: Any = None) -> None:
    """End the trace, and write its profile into the folder that `trace_on` was given.

    Args:
        name: a label, as in TensorFlow; it does not change the result.
        step: the number that the summary belongs to; the default step if None.
        profiler_outdir: has no effect; `trace_on` takes it.

    Returns:
        Nothing.

    Raises:
        ValueError if no trace is on, or no step is set; without a default writer none is needed.
    """

def trace_off() -> None:
    """End the trace, and its profile, if one is on.

    Returns:
        Nothing.
    """

def trace_on(graph: bool = True, profiler: bool = False, profiler_outdir: Any = None) -> None:
    """Start a profile for the folder `profiler_outdir`, if `profiler` is true.

    Graphs of functions are not written: `tf.graph.print` shows them.

    Args:
        graph: has no effect; there for compatibility.
        profiler: whether to profile until `trace_export`.
        profiler_outdir: the folder that the profile is written into.

    Returns:
        Nothing.
    """

def write(
    tag: Any,
    tensor: TensorLike,
    step: TensorLike | None = None,
    metadata: Any = None,
    name: str | None = None,
) -> Tensor:
    """Write any tensor; `metadata` says which of TensorBoard's dashboards is to show it.

    `tensor` may be a function that makes it.

    Args:
        tag: the name.
        tensor: a tensor, or what converts to one.
        step: the number that the summary belongs to; the default step if None.
        metadata: what TensorBoard is told about it.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        Whether the summary was written, as a tensor.

    Raises:
        ValueError if no step is set; without a default writer nothing is checked.
    """
