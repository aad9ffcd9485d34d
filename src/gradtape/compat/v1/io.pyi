# Written by `python -m tools.stubs`: change the source, and run it again.

from collections.abc import Iterator
from typing import Any

def tf_record_iterator(path: Any, options: Any = None) -> Iterator[bytes]:
    """Return an iterator over the records of a file, as bytes.

    Args:
        path: a path, as text or as a path object.
        options: settings, as in TensorFlow.

    Raises:
        tf.errors.NotFoundError if `path` is not a known one.
    """
