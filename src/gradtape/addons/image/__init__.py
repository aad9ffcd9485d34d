"""`tfa.image`: transforms, warps, filters and cutouts of batches of images."""

from gradtape.addons.image.cutouts import cutout, random_cutout
from gradtape.addons.image.filters import gaussian_filter2d, mean_filter2d, median_filter2d
from gradtape.addons.image.transforms import (
    angles_to_projective_transforms,
    compose_transforms,
    flat_transforms_to_matrices,
    matrices_to_flat_transforms,
    rotate,
    transform,
    translate,
    translations_to_projective_transforms,
)
from gradtape.addons.image.warps import dense_image_warp, interpolate_bilinear, resampler

__all__ = [
    "angles_to_projective_transforms",
    "compose_transforms",
    "cutout",
    "dense_image_warp",
    "flat_transforms_to_matrices",
    "gaussian_filter2d",
    "interpolate_bilinear",
    "matrices_to_flat_transforms",
    "mean_filter2d",
    "median_filter2d",
    "random_cutout",
    "resampler",
    "rotate",
    "transform",
    "translate",
    "translations_to_projective_transforms",
]
