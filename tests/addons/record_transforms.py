"""Record what TensorFlow's op ImageProjectiveTransformV3, which tfa.image.transform called, gives.

Run with TensorFlow 2.21: python tests/addons/record_transforms.py
"""

import json
from pathlib import Path

import numpy as np
import tensorflow as tf

HERE = Path(__file__).parent


def main() -> None:
    generator = np.random.default_rng(0)
    images = generator.integers(0, 100, (2, 5, 6, 1)).astype("float32")
    transforms = [
        [1, 0, 1.5, 0, 1, -0.75, 0, 0],
        [0.8, -0.6, 1.25, 0.6, 0.8, -1.0, 0, 0],
        [1.1, 0.2, -0.5, -0.1, 0.9, 0.25, 0.02, -0.03],
    ]
    cases = []
    for transform in transforms:
        for interpolation in ("NEAREST", "BILINEAR"):
            for fill_mode in ("CONSTANT", "NEAREST", "REFLECT", "WRAP"):
                result = tf.raw_ops.ImageProjectiveTransformV3(
                    images=images,
                    transforms=[transform],
                    output_shape=[5, 6],
                    fill_value=7.0,
                    interpolation=interpolation,
                    fill_mode=fill_mode,
                )
                values = np.round(result.numpy(), 4).ravel().tolist()
                cases.append([transform, interpolation, fill_mode, values])
    record = {"images": images.ravel().tolist(), "cases": cases}
    (HERE / "transforms.json").write_text(json.dumps(record) + "\n")


if __name__ == "__main__":
    main()
