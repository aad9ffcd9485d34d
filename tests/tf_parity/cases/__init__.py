"""The cases by subject. None of these modules needs TensorFlow: functions are given `tf`."""

from __future__ import annotations

import importlib

from ..case import CaseList

NAMES = (
    "unary",
    "binary",
    "special",
    "operators",
    "indexing",
    "reductions",
    "ordering",
    "shapes",
    "creation",
    "gather_scatter",
    "segments",
    "products",
    "linalg_solve",
    "linalg_decompose",
    "linalg_structure",
    "linear_operators",
    "convolution",
    "pooling",
    "activations",
    "losses",
    "normalization",
    "fourier",
    "spectral",
    "dtypes",
    "kinks",
    "empty",
    "control_flow",
    "random",
    "variables",
    "version_one",
    "tape",
    "second_order",
    "assertions",
    "sparse",
    "sparse_tensors",
    "ragged",
    "ragged_ops",
    "ragged_strings",
    "quantization",
    "surface",
    "surface_more",
    "image",
    "image_boxes",
    "image_color",
    "image_files",
    "image_random",
    "image_resize",
    "numpy_arrays",
    "numpy_elementwise",
    "numpy_reductions",
)

MODULES: dict[str, CaseList] = {
    name: importlib.import_module(f"{__name__}.{name}").case for name in NAMES
}
