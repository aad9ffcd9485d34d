"""Writes tests/saved_model/files with TensorFlow, and has it load what gradtape wrote.

    python tests/saved_model/generate_files.py                 write the files
    python tests/saved_model/generate_files.py --ours FOLDER   write models there, with gradtape
    python tests/saved_model/generate_files.py --check FOLDER  load, call and differentiate those
    python tests/saved_model/generate_files.py --theirs FILE   write the files, as another archive

All but the second need TensorFlow. The files are what `test_reading.py` reads: models in one
archive, and what they compute.
"""

from __future__ import annotations

import argparse
import pathlib
import pickle
import sys
import tarfile
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))

import gradient_modules  # noqa: E402
import keras_models  # noqa: E402
import modules  # noqa: E402
import objects  # noqa: E402
import op_modules  # noqa: E402
import text_modules  # noqa: E402
from evaluate import different, evaluate  # noqa: E402

BUILDERS = [
    *modules.BUILDERS,
    *op_modules.BUILDERS,
    *text_modules.BUILDERS,
    *gradient_modules.BUILDERS,
    *objects.BUILDERS,
]
ARCHIVE, EXPECTED = HERE / "files" / "models.tar.xz", "expected.npz"


def written(tf, folder: pathlib.Path, builders: list) -> dict[str, dict[str, tuple]]:
    """Save models, each in a folder; return by name the calls of their methods."""
    calls = {}
    for build in builders:
        model, calls[build.__name__] = build(tf)
        tf.saved_model.save(model, str(folder / build.__name__))
    for name in keras_models.BUILDERS:
        model, inputs = keras_models.built(tf.keras, name)
        model.export(str(folder / name), verbose=False)
        calls[name] = {"serve": (inputs,)}
    return calls


def evaluated(tf, folder: pathlib.Path, calls: dict) -> dict[str, np.ndarray]:
    """Load all models, and return what they compute."""
    result = {}
    for name, methods in calls.items():
        model = tf.saved_model.load(str(folder / name))
        for method, arguments in methods.items():
            results = evaluate(tf, getattr(model, method), arguments)
            result |= {f"{name}/{method}/{key}": array for key, array in results.items()}
    return result


def generate(tf, target: pathlib.Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as directory:
        folder = pathlib.Path(directory)
        calls = written(tf, folder, [*BUILDERS, *objects.READ_ONLY])
        result = evaluated(tf, folder, calls)
        np.savez(folder / EXPECTED, **{key: _without_objects(x) for key, x in result.items()})
        # One stream: models are alike, and so are the headers of arrays.
        with tarfile.open(target, "w:xz", preset=9) as archive:
            for path in sorted(folder.rglob("*")):
                if path.is_file() and path.name != "fingerprint.pb":
                    entry = tarfile.TarInfo(str(path.relative_to(folder)))
                    entry.size = path.stat().st_size
                    with path.open("rb") as file:
                        archive.addfile(entry, file)
    print(f"{len(calls)} models, {target.stat().st_size} bytes")


def _without_objects(array: np.ndarray) -> np.ndarray:
    return array.astype("S") if array.dtype == object else array


def write_ours(folder: pathlib.Path) -> None:
    import gradtape as tf

    folder.mkdir(parents=True, exist_ok=True)
    calls = written(tf, folder, BUILDERS)
    result = evaluated(tf, folder, calls)  # as read back by gradtape
    (folder / "calls.pickle").write_bytes(pickle.dumps((calls, result)))


def check(tf, folder: pathlib.Path) -> None:
    calls, ours = pickle.loads((folder / "calls.pickle").read_bytes())
    theirs = evaluated(tf, folder, calls)
    wrong = []
    for name, methods in calls.items():
        for method in methods:
            start = f"{name}/{method}/"
            one, other = (
                {key.removeprefix(start): v for key, v in every.items() if key.startswith(start)}
                for every in (ours, theirs)
            )
            problem = different(one, other)
            if problem:
                wrong.append(f"{start} {problem}")
        wrong += served(tf, folder / name)
    print("\n".join(wrong) or f"{len(calls)} models: TensorFlow computes the same")
    sys.exit(bool(wrong))


def served(tf, folder: pathlib.Path) -> list[str]:
    """Run the signatures of a model in a session, as a server does; return what went wrong.

    Open sizes are 14: four of them are rows of 784 numbers.
    """
    v1 = tf.compat.v1
    try:
        with v1.Session(graph=tf.Graph()) as session:
            meta = v1.saved_model.load(session, ["serve"], str(folder))
            for signature in meta.signature_def.values():
                feeds = {
                    info.name: np.zeros(
                        [14 if dim.size < 0 else dim.size for dim in info.tensor_shape.dim],
                        tf.as_dtype(info.dtype).as_numpy_dtype,
                    ).astype("S" if info.dtype == tf.string.as_datatype_enum else None)
                    for info in signature.inputs.values()
                }
                session.run([info.name for info in signature.outputs.values()], feeds)
    except Exception as error:
        return [f"{folder.name} in a session: {error}"]
    return []


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--ours", type=pathlib.Path)
    parser.add_argument("--check", type=pathlib.Path)
    parser.add_argument("--theirs", type=pathlib.Path, default=ARCHIVE)
    arguments = parser.parse_args()
    if arguments.ours:
        write_ours(arguments.ours)
        return
    import tensorflow as tf

    if arguments.check:
        check(tf, arguments.check)
    else:
        generate(tf, arguments.theirs)


if __name__ == "__main__":
    main()
