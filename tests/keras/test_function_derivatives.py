"""Derivatives of the backend's functions that Keras's own tests do not look at."""

import numpy as np
import pytest

import gradtape as tf
from gradtape import testing

generator = np.random.default_rng(2)


def values(*shape, low=-1.0, high=1.0):
    return generator.uniform(low, high, shape)


IMAGES = values(2, 5, 6, 3, low=0.1)
FIRST = values(2, 3, 5, 6)
SIGNAL = values(2, 40)
SQUARE = values(2, 3, 3) + 3 * np.eye(3)
LABELS = np.array([[1, 2, 2], [3, 1, 0]])
CORNERS = np.array([[0.3, 0.2], [4.1, 0.4], [0.2, 3.7], [4.6, 4.2]])

FUNCTIONS = {
    "conv groups": (
        lambda k, x, w: k.conv(x, w, (2, 1), "same", "channels_last", (1, 2)),
        values(2, 6, 7, 4),
        values(3, 2, 2, 6),
    ),
    "conv channels first": (
        lambda k, x, w: k.conv(x, w, 2, "valid", "channels_first"),
        FIRST,
        values(2, 3, 3, 4),
    ),
    "conv_transpose": (
        lambda k, x, w: k.conv_transpose(x, w, 2, "same", 1, "channels_last"),
        values(2, 4, 3, 3),
        values(3, 2, 4, 3),
    ),
    "depthwise_conv": (
        lambda k, x, w: k.depthwise_conv(x, w, 1, "same", "channels_last"),
        IMAGES,
        values(2, 3, 3, 2),
    ),
    "separable_conv": (
        lambda k, x, d, p: k.separable_conv(x, d, p, 1, "valid", "channels_last"),
        values(1, 9, 3),
        values(3, 3, 2),
        values(1, 6, 4),
    ),
    "average_pool": (lambda k, x: k.average_pool(x, 3, 2, "same", "channels_last"), IMAGES),
    "max_pool": (lambda k, x: k.max_pool(x, (2, 3), 1, "valid", "channels_first"), FIRST),
    "adaptive_average_pool": (
        lambda k, x: k.adaptive_average_pool(x, (3, 4), "channels_last"),
        IMAGES,
    ),
    "adaptive_max_pool": (lambda k, x: k.adaptive_max_pool(x, 3, "channels_first"), FIRST),
    "batch_normalization": (
        lambda k, x, m, v, b, s: k.batch_normalization(x, m, v, -1, b, s),
        IMAGES,
        values(3),
        values(3, low=0.5),
        values(3),
        values(3),
    ),
    "moments": (lambda k, x: k.moments(x, (0, 1)), IMAGES),
    "dot_product_attention": (
        lambda k, q, s, v, b: k.dot_product_attention(q, s, v, bias=b, is_causal=True),
        values(2, 4, 4, 3),
        values(2, 5, 2, 3),
        values(2, 5, 2, 3),
        values(1, 4, 4, 5),
    ),
    "ctc_loss": (
        lambda k, x: k.ctc_loss(LABELS, x, np.array([3, 2]), np.array([7, 5])),
        values(2, 7, 4),
    ),
    "categorical_crossentropy": (
        lambda k, t, x: k.categorical_crossentropy(t, x),
        values(4, 3, low=0.1),
        values(4, 3, low=0.1),
    ),
    "sparse_categorical_crossentropy": (
        lambda k, x: k.sparse_categorical_crossentropy(np.array([0, 2, 1, 1]), x),
        values(4, 3, low=0.1),
    ),
    "binary_crossentropy": (
        lambda k, t, x: k.binary_crossentropy(t, x, from_logits=True),
        values(4, 3),
        values(4, 3),
    ),
    "sparsemax": (lambda k, x: k.sparsemax(x), values(4, 5)),
    "celu": (lambda k, x: k.celu(x, 0.7), values(4, 5)),
    "glu": (lambda k, x: k.glu(x, 0), values(4, 5)),
    "hard_silu": (lambda k, x: k.hard_silu(x), values(4, 5)),
    "squareplus": (lambda k, x: k.squareplus(x), values(4, 5)),
    "unfold": (lambda k, x: k.unfold(x, 2, 2, 1, 2), FIRST),
    "fold": (lambda k, x: k.fold(x, (4, 5), 2, 1, 1, 2), values(2, 12, 9)),
    "depth_to_space": (
        lambda k, x: k.depth_to_space(x, 2, "channels_first"),
        values(1, 8, 2, 3),
    ),
    "segment_max": (
        lambda k, x: k.segment_max(x, np.array([0, 1, 0, 3]), 5)[:2],
        values(4, 3),
    ),
    "cdist": (lambda k, x, y: k.cdist(x, y), values(4, 3), values(5, 3)),
    "logdet": (lambda k, x: k.logdet(x), SQUARE),
    "stft": (lambda k, x: k.stft(x, 8, 4, 10), SIGNAL),
    "istft": (
        lambda k, x, y: k.istft((x, y), 8, 4, 10, window="hamming"),
        values(2, 9, 6),
        values(2, 9, 6),
    ),
    "norm nuc": (lambda k, x: k.norm(x, "nuc", (1, 2)), SQUARE),
    "norm 3": (lambda k, x: k.norm(x, 3, 1), SQUARE),
    "cholesky": (
        lambda k, x: k.cholesky(k.matmul(x, k.transpose(x, (0, 2, 1))), upper=True),
        SQUARE,
    ),
    "cholesky_inverse": (lambda k, x: k.cholesky_inverse(x), SQUARE),
    "lu_factor": (lambda k, x: k.lu_factor(x)[0], SQUARE),
    "lu_factor tall": (lambda k, x: k.lu_factor(x)[0], values(2, 5, 3)),
    "lu_factor wide": (lambda k, x: k.lu_factor(x)[0], values(2, 3, 5)),
    "lstsq": (lambda k, a, b: k.lstsq(a, b), values(5, 3), values(5)),
    "solve_triangular": (
        lambda k, a, b: k.solve_triangular(a, b, lower=True),
        SQUARE,
        values(2, 3),
    ),
    "rgb_to_hsv": (lambda k, x: k.image.rgb_to_hsv(x), IMAGES),
    "hsv_to_rgb": (lambda k, x: k.image.hsv_to_rgb(x, "channels_first"), FIRST),
    "rgb_to_grayscale": (lambda k, x: k.image.rgb_to_grayscale(x), IMAGES),
    "gaussian_blur": (
        lambda k, x, s: k.image.gaussian_blur(x, (3, 5), s),
        IMAGES,
        values(2, low=0.5),
    ),
    "sobel_edges": (lambda k, x: k.image.sobel_edges(x), IMAGES),
    "affine_transform": (
        lambda k, x, t: k.image.affine_transform(x, t, fill_mode="reflect"),
        IMAGES,
        np.array([[0.917, 0.133, 0.321, -0.189, 1.093, 0.413, 0, 0]] * 2),
    ),
    "map_coordinates": (
        lambda k, x, c: k.image.map_coordinates(x, c, 1, "wrap"),
        values(4, 5),
        values(2, 3, 4, low=-3.0, high=7.0),
    ),
    "scale_and_translate": (
        lambda k, x, s, t: k.image.scale_and_translate(x, (2, 7, 8, 3), s, t, (1, 2), "cubic"),
        IMAGES,
        np.array([1.37, 1.21]),
        np.array([0.13, -0.27]),
    ),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_derivatives(keras, name):
    function, *args = FUNCTIONS[name]
    testing.check_gradients(
        lambda *xs: function(keras.ops, *xs), args, order=2, rtol=1e-5, atol=1e-5
    )


@pytest.mark.parametrize("interpolation", ["bilinear", "nearest", "bicubic", "lanczos3"])
def test_resizing_is_linear(keras, interpolation):
    x = tf.constant(IMAGES.astype("float32"))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = keras.ops.image.resize(x, (9, 4), interpolation)
    slopes = tape.gradient(y, x).numpy()
    np.testing.assert_allclose((slopes * IMAGES).sum(), y.numpy().sum(), rtol=1e-4)


def test_perspective_follows_its_points(keras):
    images = tf.constant(values(1, 5, 6, 2))
    start, end = tf.constant(CORNERS[None]), tf.constant(CORNERS[None] + 0.2)
    with tf.GradientTape() as tape:
        tape.watch([images, start])
        y = keras.ops.image.perspective_transform(images, start, end)
    for gradient in tape.gradient(y, [images, start]):
        assert np.isfinite(gradient.numpy()).all()
        assert np.abs(gradient.numpy()).max() > 0


def test_forward_derivatives_with_other_results(keras):
    value, slope, other = keras.ops.jvp(
        lambda x: (keras.ops.sin(x), "said"), (np.float32(2),), (np.float32(3),), has_aux=True
    )
    assert float(value) == pytest.approx(np.sin(2))
    assert float(slope) == pytest.approx(3 * np.cos(2))
    assert other == "said"


def test_embedding_gradients_stay_sparse(keras):
    layer = keras.layers.Embedding(10, 4)
    layer.build()
    with tf.GradientTape() as tape:
        y = layer(np.array([[1, 2], [2, -1]]))
    gradient = tape.gradient(y, layer.embeddings)
    assert isinstance(gradient, tf.IndexedSlices)
    counts = tf.convert_to_tensor(gradient).numpy()[:, 0]
    assert counts.tolist() == [0, 1, 2, 0, 0, 0, 0, 0, 0, 1]
