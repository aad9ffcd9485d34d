"""Record what TensorFlow Text returns:

    python tests/text/record.py

in the environment .bench/keras-companions-jax, which `make companions NAME=keras-hub` makes.
"""

import json
import sys
from pathlib import Path

import tensorflow
import tensorflow_text

sys.path.insert(0, str(Path(__file__).parent))
from cases import results

HERE = Path(__file__).parent

if __name__ == "__main__":
    recorded = results(tensorflow, tensorflow_text).items()
    lines = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in recorded]
    (HERE / "values.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
