"""Records which ops of TensorFlow the models of keras.applications are made of.

    python tests/saved_model/record_applications.py [--only NAME ...]

Needs TensorFlow. Each model is built without weights, traced for inference and for training, and
the ops of its graph and of the functions in it are listed in `files/application_ops.json`, which
`test_applications.py` reads.
"""

from __future__ import annotations

import argparse
import gc
import inspect
import json
import pathlib

TARGET = pathlib.Path(__file__).parent / "files" / "application_ops.json"


def ops_of(tf, model) -> list[str]:
    """The names of all ops of a model's call, in inference and in training."""
    spec = tf.TensorSpec([None, *model.input_shape[1:]], tf.float32)
    result = set()
    for training in (False, True):
        traced = tf.function(lambda x, training=training: model(x, training=training))
        graph = traced.get_concrete_function(spec).graph.as_graph_def()
        nodes = [*graph.node, *(n for f in graph.library.function for n in f.node_def)]
        result |= {node.op for node in nodes}
    functions = {f.signature.name for f in graph.library.function}
    return sorted(op for op in result if op not in functions and not op.startswith("__inference"))


def builders(tf) -> dict:
    names = vars(tf.keras.applications)
    return {
        name: build
        for name, build in sorted(names.items())
        if inspect.isfunction(build) and "weights" in inspect.signature(build).parameters
    }


def main() -> None:
    import tensorflow as tf

    parser = argparse.ArgumentParser()
    parser.add_argument("--only", nargs="*")
    wanted = parser.parse_args().only
    recorded = json.loads(TARGET.read_text()) if wanted and TARGET.exists() else {}
    known = builders(tf)
    for name in wanted or known:
        recorded[name] = ops_of(tf, known[name](weights=None))
        print(name, len(recorded[name]), flush=True)
        tf.keras.backend.clear_session()
        gc.collect()
        TARGET.write_text(json.dumps(dict(sorted(recorded.items())), indent=1) + "\n")


if __name__ == "__main__":
    main()
