"""Models of keras.applications that TensorFlow exports, read and run by gradtape.

    python tests/saved_model/compare_applications.py --export FOLDER   with TensorFlow
    python tests/saved_model/compare_applications.py --compare FOLDER  with gradtape

One model of each family, without weights of its own and for small images, with random weights.
"""

from __future__ import annotations

import argparse
import pathlib
import sys

import numpy as np

# By name: the size of the images, and options that make the model small.
MODELS = {
    "ConvNeXtTiny": (32, {}),
    "DenseNet121": (32, {}),
    "EfficientNetB0": (32, {}),
    "EfficientNetV2B0": (32, {}),
    "InceptionResNetV2": (75, {}),
    "InceptionV3": (75, {}),
    "MobileNet": (32, {"alpha": 0.25}),
    "MobileNetV2": (32, {"alpha": 0.35}),
    "MobileNetV3Small": (32, {"alpha": 0.75}),
    "NASNetMobile": (32, {}),
    "ResNet50": (32, {}),
    "ResNet50V2": (32, {}),
    "VGG16": (32, {}),
    "Xception": (71, {}),
}
TOLERANCE = 1e-4  # of the largest value


def export(folder: pathlib.Path, names: list[str]) -> None:
    import tensorflow as tf

    tf.keras.utils.set_random_seed(1)
    for name in names:
        size, options = MODELS[name]
        build = getattr(tf.keras.applications, name)
        model = build(weights=None, include_top=False, input_shape=(size, size, 3), **options)
        x = np.random.default_rng(0).uniform(0, 255, (2, size, size, 3)).astype(np.float32)
        model.export(str(folder / name), verbose=False)
        np.savez(folder / f"{name}.npz", x=x, y=model(x, training=False).numpy())
        print(f"{name} exported", flush=True)
        tf.keras.backend.clear_session()


def compare(folder: pathlib.Path, names: list[str]) -> None:
    import gradtape as tf

    worst = 0.0
    for name in names:
        arrays = np.load(folder / f"{name}.npz")
        result = tf.saved_model.load(folder / name).serve(arrays["x"]).numpy()
        error = float(np.abs(result - arrays["y"]).max() / np.abs(arrays["y"]).max())
        worst = max(worst, error)
        print(f"{name} {error:.1e}", flush=True)
    sys.exit(f"an error of {worst:.1e}" if not worst < TOLERANCE else 0)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--export", type=pathlib.Path)
    parser.add_argument("--compare", type=pathlib.Path)
    parser.add_argument("--only", nargs="*", default=list(MODELS))
    arguments = parser.parse_args()
    if arguments.export:
        arguments.export.mkdir(parents=True, exist_ok=True)
        export(arguments.export, arguments.only)
    else:
        compare(arguments.compare, arguments.only)


if __name__ == "__main__":
    main()
