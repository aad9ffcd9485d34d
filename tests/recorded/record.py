"""Run recorded cases with TensorFlow and write what they give beside them.

    python tests/recorded/record.py data messages records train

Each folder of `FOLDERS` has a `cases.py`: a table CASES of functions of the module `tf` and of a
folder to write to, and `plain`, which makes a result of one something that JSON can hold.
"""

import importlib.util
import json
import pathlib
import sys
import tempfile

TESTS = pathlib.Path(__file__).parents[1]
FOLDERS = (
    "data",
    "keras_datasets",
    "lookup",
    "messages",
    "preprocessing",
    "protos",
    "records",
    "strings",
    "tensor_protos",
    "train",
)


def load(folder):
    """The cases of a folder."""
    path = TESTS / folder / "cases.py"
    spec = importlib.util.spec_from_file_location(f"{folder}_cases", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where `inspect` finds the source of lambdas
    spec.loader.exec_module(module)
    return module


def recorded(folder):
    """Where the results of a folder's cases are kept."""
    return TESTS / folder / "recorded.json"


def start(tf):
    """Set the global seed, so that no case depends on the one that an earlier case has left."""
    tf.random.set_seed(0)


def outcome(function, tf, plain):
    """A case's result, or the class of the error it raises."""
    start(tf)
    with tempfile.TemporaryDirectory() as directory:
        try:
            return {"result": plain(function(tf, directory))}
        except Exception as error:
            return {"error": type(error).__name__}


def main(folders):
    import tensorflow

    for folder in folders or FOLDERS:
        cases = load(folder)
        actual = {
            name: outcome(function, tensorflow, cases.plain)
            for name, function in cases.CASES.items()
        }
        with open(recorded(folder), "w", encoding="utf-8") as file:
            json.dump(actual, file, indent=0, sort_keys=True)
            file.write("\n")


if __name__ == "__main__":
    main(sys.argv[1:])
