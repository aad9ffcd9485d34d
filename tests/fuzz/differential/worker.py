"""A process that runs statements with one module as `tf` and reports what each defines.

Started as a script, also by a Python without gradtape: it imports nothing of this repository.
Requests and answers are pickles on the pipes it was started with; prints of the program go nowhere.
"""

from __future__ import annotations

import importlib
import linecache
import os
import pickle
import sys
import warnings

import numpy as np


def described(value):
    """A value in terms that another process knows: arrays with the names of their dtypes."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return ("python", value)
    if isinstance(value, dict):
        return ("dict", {str(key): described(item) for key, item in value.items()})
    if isinstance(value, (list, tuple)):
        return ("list", [described(item) for item in value])
    if hasattr(value, "values") and hasattr(value, "indices") and hasattr(value, "dense_shape"):
        return ("slices", described(dense(value)))
    if callable(value) and not hasattr(value, "numpy"):
        return ("function", None)
    if hasattr(value, "numpy"):
        dtype, array = value.dtype.name, np.asarray(value.numpy())
    else:
        array = np.asarray(value)
        dtype = array.dtype.name
    if dtype in ("bfloat16", "float16"):
        array = array.astype(np.float32)
    return ("array", dtype, array.shape, np.ascontiguousarray(array))


def dense(slices):
    module = NAMESPACE["tf"]
    return module.convert_to_tensor(slices)


NAMESPACE: dict = {}


def execute(name: str, text: str, number: int):
    """Run a statement; `inspect` finds its source, as AutoGraph wants it."""
    path = f"<statement {number}>"
    linecache.cache[path] = (len(text), None, text.splitlines(keepends=True), path)
    try:
        exec(compile(text, path, "exec"), NAMESPACE)
        return described(NAMESPACE[name])
    except Exception as error:
        return ("error", [cls.__name__ for cls in type(error).__mro__], str(error)[:600])


def main(module_name: str) -> None:
    answers = os.fdopen(os.dup(1), "wb")
    requests = os.fdopen(os.dup(0), "rb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 0)
    if not os.environ.get("FUZZ_STDERR"):
        os.dup2(nowhere, 2)
    warnings.simplefilter("ignore")
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    module = importlib.import_module(module_name)
    number = 0
    while True:
        try:
            request = pickle.load(requests)
        except EOFError:
            return
        if request is None:  # begin a new program
            NAMESPACE.clear()
            NAMESPACE.update({"tf": module, "np": np})
            linecache.cache.clear()
            continue
        number += 1
        pickle.dump(execute(*request, number), answers)
        answers.flush()


if __name__ == "__main__":
    main(sys.argv[1])
