# Written by `python -m tools.stubs`: change the source, and run it again.

from typing import Any

def make_initializable_iterator(dataset: Any, shared_name: str | None = None) -> Any:
    """Return an iterator over a dataset: `get_next` returns its next element.

    Args:
        dataset: a `tf.data.Dataset`.
        shared_name: has no effect; there for compatibility.

    Raises:
        TypeError if `dataset` has a type that it does not take.
    """

make_one_shot_iterator = make_initializable_iterator
