"""`tf.print`."""

from __future__ import annotations

import sys
from typing import Any

from gradtape.api.debugging.text import format_argument, shown_elements
from gradtape.api.export import export
from gradtape.core.dtypes import string
from gradtape.core.tensor import Tensor
from gradtape.graph.control.effects import on_each_call


@export("print")
@on_each_call
def print_(*inputs, **kwargs) -> None:
    """Write values, tensors by their elements.

    Options are `output_stream` (a text stream, or "file://" and a path to append to; the default
    is the standard error), `summarize` (how many elements at each end of an axis; -1: all),
    `sep`, `end` and `name`.
    """
    stream: Any = kwargs.pop("output_stream", sys.stderr)
    summarize = kwargs.pop("summarize", 3)
    separator = kwargs.pop("sep", " ")
    end = kwargs.pop("end", "\n")
    kwargs.pop("name", None)
    if kwargs:
        raise ValueError(f"Unrecognized keyword arguments for tf.print: {kwargs}")
    summarize = shown_elements(summarize, "tf.print")
    if len(inputs) == 1 and _is_text(inputs[0]):  # TensorFlow puts no quotes around one text
        text = inputs[0].numpy().decode(errors="replace") + end
    else:
        text = separator.join(format_argument(value, summarize) for value in inputs) + end
    if isinstance(stream, str):
        if not stream.startswith("file://"):
            raise _unknown_stream(stream)
        with open(stream.removeprefix("file://"), "a", encoding="utf-8") as file:
            file.write(text)
    elif hasattr(stream, "write"):
        stream.write(text)
        if hasattr(stream, "flush"):
            stream.flush()
    elif callable(stream):  # a logging function, such as logging.info
        stream(text.removesuffix("\n"))
    else:
        raise _unknown_stream(stream)


def _is_text(value) -> bool:
    return isinstance(value, Tensor) and value.dtype is string and not value.ndim


def _unknown_stream(stream) -> ValueError:
    return ValueError(
        "Unknown output stream, logging level, or file. It is a stream such as sys.stdout, a "
        f"logging function, or 'file://' and a path; got {stream!r}."
    )
