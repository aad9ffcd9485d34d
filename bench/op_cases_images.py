"""More calls that `ops.py` measures: images and windows over them."""

from __future__ import annotations

import numpy as np
from op_cases import Case, both, normals


def image_cases(random: np.random.Generator) -> list[Case]:
    """Resizing, pooling and what else programs do with images."""
    normal = normals(random)
    photo = random.integers(0, 255, (500, 375, 3)).astype(np.uint8)
    cases = [
        Case(
            f"resize a photo {method}",
            lambda tf, x, m=method: tf.image.resize(x, [224, 224], m),
            [photo],
        )
        for method in ("bilinear", "nearest", "bicubic", "area", "lanczos3")
    ]
    for shape, size in (((32, 32, 32, 3), 224), ((8, 64, 64, 16), 32), ((8, 64, 64, 16), 128)):
        cases += both(
            f"resize {shape} to {size}",
            lambda tf, x, n=size: tf.image.resize(x, [n, n]),
            [normal(*shape)],
        )
    for channels in (1, 3, 16, 64):
        x = normal(8, 56, 56, channels)
        for window, stride in ((2, 2), (3, 1), (3, 2)):
            for kind in ("max", "avg"):
                cases += both(
                    f"{kind}_pool2d {window}/{stride} of {channels} channels",
                    lambda tf, x, k=kind, w=window, s=stride: getattr(tf.nn, f"{k}_pool2d")(
                        x, w, s, "SAME"
                    ),
                    [x],
                )
    for beta in (0.5, 0.75):
        cases += both(
            f"local_response_normalization {beta}",
            lambda tf, x, b=beta: tf.nn.local_response_normalization(x, beta=b),
            [normal(8, 27, 27, 96)],
        )
    for name in ("adjust_contrast", "per_image_standardization", "flip_left_right", "sobel_edges"):
        arguments = (2.0,) if name == "adjust_contrast" else ()
        cases.append(
            Case(
                name,
                lambda tf, x, n=name, a=arguments: getattr(tf.image, n)(x, *a),
                [normal(8, 64, 64, 3)],
            )
        )
    cases.append(
        Case(
            "one mask for channels",
            lambda tf, x, m: x * m,
            [normal(8, 64, 64, 3), normal(8, 64, 64, 1)],
        )
    )
    return cases
