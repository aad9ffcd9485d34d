"""Run the cases with TensorFlow and write what they give: `python tests/train/record.py`."""

import json
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).parent


def outcome(function, tf, plain, folder):
    """A case's result, or the class of the error it raises."""
    try:
        return {"result": plain(function(tf, folder))}
    except Exception as error:
        return {"error": type(error).__name__}


if __name__ == "__main__":
    import tensorflow

    sys.path.insert(0, str(HERE))
    from cases import CASES, plain

    found = {}
    for name, function in CASES.items():
        with tempfile.TemporaryDirectory() as folder:
            found[name] = outcome(function, tensorflow, plain, folder)
    with open(HERE / "recorded.json", "w", encoding="utf-8") as file:
        json.dump(found, file, indent=0, sort_keys=True)
        file.write("\n")
