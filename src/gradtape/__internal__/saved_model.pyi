# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.formats.saved_model.schema import Record
from typing import Any

def decode_proto(proto: Record) -> Any:
    """Return the structure that a message holds; the classes of its specs must be registered.

    Args:
        proto: the message of a structure, as `encode_structure` returns it.

    Raises:
        TypeError if `proto` has a type that it does not take.
    """

def encode_structure(nested_structure: Any) -> Record:
    """Return a structure of specs and values as a message; classes of specs by their names.

    Args:
        nested_structure: a nest of specs and plain values.

    Raises:
        ValueError if `nested_structure` has a type that it does not take.
    """
