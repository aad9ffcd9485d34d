"""Every layer of Keras as a case: how it is made, and the shapes (and dtypes) of its inputs.

A size of None is open in the exported model. `LEFT_OUT` has the layers that are none of their own,
or that compute nothing an ONNX model could, each with its reason.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import gradtape as tf

layers = tf.keras.layers
IMAGE, ROW, VOLUME = (None, 8, 8, 3), (None, None, 4), (None, 6, 6, 6, 2)
CLIP = (None, 4, 6, 6, 2)


class Case(NamedTuple):
    make: object
    shapes: tuple = (IMAGE,)
    dtype: str = "float32"
    low: float = -1.0
    high: float = 1.0
    tolerance: float = 1e-5


def _adapted(layer, data):
    layer.adapt(np.asarray(data, "float32"))
    return layer


def _pooling(rank: int) -> tuple:
    return (ROW,) if rank == 1 else (IMAGE,) if rank == 2 else (VOLUME,)


CASES = {
    "Activation": Case(lambda: layers.Activation("gelu")),
    "ActivityRegularization": Case(lambda: layers.ActivityRegularization(0.1)),
    "Add": Case(layers.Add, (IMAGE, IMAGE)),
    "AdditiveAttention": Case(layers.AdditiveAttention, (ROW, ROW)),
    "AlphaDropout": Case(lambda: layers.AlphaDropout(0.5)),
    "Attention": Case(layers.Attention, (ROW, ROW)),
    "AutoContrast": Case(lambda: layers.AutoContrast((0, 1)), low=0.0),
    "AugMix": Case(lambda: layers.AugMix((0, 1)), low=0.0),
    "Average": Case(layers.Average, (ROW, ROW)),
    "BatchNormalization": Case(layers.BatchNormalization),
    "Bidirectional": Case(
        lambda: layers.Bidirectional(layers.LSTM(3, return_sequences=True)), (ROW,)
    ),
    "CategoryEncoding": Case(
        lambda: layers.CategoryEncoding(num_tokens=5), ((None, 3),), "int32", 0, 5
    ),
    "CenterCrop": Case(lambda: layers.CenterCrop(4, 5)),
    "Concatenate": Case(lambda: layers.Concatenate(axis=1), (ROW, ROW)),
    "Conv1D": Case(lambda: layers.Conv1D(5, 3, padding="causal", dilation_rate=2), (ROW,)),
    "Conv1DTranspose": Case(lambda: layers.Conv1DTranspose(5, 3, strides=2), (ROW,)),
    "Conv2D": Case(
        lambda: layers.Conv2D(6, 3, strides=2, padding="same", groups=3), ((None, None, None, 3),)
    ),
    "Conv2DTranspose": Case(
        lambda: layers.Conv2DTranspose(4, 3, strides=2, padding="same"), ((None, None, None, 3),)
    ),
    "Conv3D": Case(lambda: layers.Conv3D(4, 2), (VOLUME,)),
    "Conv3DTranspose": Case(lambda: layers.Conv3DTranspose(4, 2, strides=2), (VOLUME,)),
    "ConvLSTM1D": Case(lambda: layers.ConvLSTM1D(3, 3), ((None, 4, 6, 2),)),
    "ConvLSTM2D": Case(lambda: layers.ConvLSTM2D(3, 3, return_sequences=True), (CLIP,)),
    "ConvLSTM3D": Case(lambda: layers.ConvLSTM3D(2, 2), ((None, 3, 4, 4, 4, 2),)),
    "ContrastLimitedAdaptiveHistogramEqualization": Case(
        lambda: layers.ContrastLimitedAdaptiveHistogramEqualization((0, 1)), low=0.0
    ),
    "Cropping1D": Case(lambda: layers.Cropping1D(1), (ROW,)),
    "Cropping2D": Case(lambda: layers.Cropping2D(((1, 2), (0, 1)))),
    "Cropping3D": Case(lambda: layers.Cropping3D(1), (VOLUME,)),
    "CutMix": Case(layers.CutMix),
    "Dense": Case(lambda: layers.Dense(5, activation="tanh"), (ROW,)),
    "DepthwiseConv1D": Case(lambda: layers.DepthwiseConv1D(3, depth_multiplier=2), (ROW,)),
    "DepthwiseConv2D": Case(lambda: layers.DepthwiseConv2D(3, padding="same")),
    "Discretization": Case(lambda: layers.Discretization([-0.5, 0.0, 0.3]), ((None, 4),)),
    "Dot": Case(lambda: layers.Dot(axes=2), (ROW, ROW)),
    "Dropout": Case(lambda: layers.Dropout(0.5)),
    "ELU": Case(layers.ELU),
    "EinsumDense": Case(
        lambda: layers.EinsumDense("abc,cd->abd", (None, 5), bias_axes="d"), (ROW,)
    ),
    "Embedding": Case(lambda: layers.Embedding(7, 3), ((None, None),), "int32", 0, 7),
    "Equalization": Case(lambda: layers.Equalization((0, 255)), low=0.0, high=255.0),
    "Flatten": Case(layers.Flatten),
    "GRU": Case(lambda: layers.GRU(5, return_sequences=True), (ROW,)),
    "GRUCell": Case(lambda: layers.RNN(layers.GRUCell(5)), (ROW,)),
    "GaussianDropout": Case(lambda: layers.GaussianDropout(0.5)),
    "GaussianNoise": Case(lambda: layers.GaussianNoise(0.5)),
    "GroupNormalization": Case(lambda: layers.GroupNormalization(groups=3)),
    "GroupQueryAttention": Case(lambda: layers.GroupQueryAttention(4, 4, 2), (ROW, ROW)),
    "Identity": Case(layers.Identity),
    "LSTM": Case(lambda: layers.LSTM(5, go_backwards=True, return_state=True), (ROW,)),
    "LSTMCell": Case(lambda: layers.RNN(layers.LSTMCell(5), return_sequences=True), (ROW,)),
    "Lambda": Case(lambda: layers.Lambda(lambda x: x * 2 + 1)),
    "LayerNormalization": Case(layers.LayerNormalization, (ROW,)),
    "LeakyReLU": Case(layers.LeakyReLU),
    "Masking": Case(layers.Masking, (ROW,)),
    "Maximum": Case(layers.Maximum, (ROW, ROW)),
    "MelSpectrogram": Case(
        lambda: layers.MelSpectrogram(
            sequence_stride=16, fft_length=64, sampling_rate=8000, num_mel_bins=8
        ),
        ((None, 256),),
        tolerance=1e-4,
    ),
    "Minimum": Case(layers.Minimum, (ROW, ROW)),
    "MixUp": Case(layers.MixUp),
    "MultiHeadAttention": Case(lambda: layers.MultiHeadAttention(2, 3), (ROW, ROW)),
    "Multiply": Case(layers.Multiply, (ROW, ROW)),
    "Normalization": Case(
        lambda: _adapted(layers.Normalization(), np.arange(12).reshape(3, 4)), ((None, 4),)
    ),
    "PReLU": Case(layers.PReLU),
    "Permute": Case(lambda: layers.Permute((2, 1)), (ROW,)),
    "Pipeline": Case(lambda: layers.Pipeline([layers.Rescaling(0.5), layers.CenterCrop(4, 4)])),
    "RMSNormalization": Case(layers.RMSNormalization, (ROW,)),
    "RNN": Case(lambda: layers.RNN(layers.SimpleRNNCell(4), return_state=True), (ROW,)),
    "ReLU": Case(lambda: layers.ReLU(0.8, 0.1, 0.2)),
    "RepeatVector": Case(lambda: layers.RepeatVector(3), ((None, 4),)),
    "Rescaling": Case(lambda: layers.Rescaling(0.1, 2.0)),
    "Reshape": Case(lambda: layers.Reshape((-1, 6))),
    "Resizing": Case(lambda: layers.Resizing(5, 11)),
    "ReversibleEmbedding": Case(
        lambda: layers.ReversibleEmbedding(7, 3), ((None, None),), "int32", 0, 7
    ),
    "STFTSpectrogram": Case(
        lambda: layers.STFTSpectrogram(mode="real", frame_length=32, frame_step=16, fft_length=32),
        ((None, 128, 1),),
    ),
    "SeparableConv1D": Case(lambda: layers.SeparableConv1D(5, 3), (ROW,)),
    "SeparableConv2D": Case(lambda: layers.SeparableConv2D(5, 3, padding="same")),
    "SimpleRNN": Case(lambda: layers.SimpleRNN(5), (ROW,)),
    "SimpleRNNCell": Case(lambda: layers.RNN(layers.SimpleRNNCell(5)), (ROW,)),
    "Softmax": Case(lambda: layers.Softmax(axis=1), (ROW,)),
    "Solarization": Case(lambda: layers.Solarization(0.1, 0.2, (0, 1)), low=0.0),
    "SpatialDropout1D": Case(lambda: layers.SpatialDropout1D(0.5), (ROW,)),
    "SpatialDropout2D": Case(lambda: layers.SpatialDropout2D(0.5)),
    "SpatialDropout3D": Case(lambda: layers.SpatialDropout3D(0.5), (VOLUME,)),
    "SpectralNormalization": Case(lambda: layers.SpectralNormalization(layers.Dense(4)), (ROW,)),
    "StackedRNNCells": Case(
        lambda: layers.RNN(layers.StackedRNNCells([layers.GRUCell(3), layers.LSTMCell(4)])), (ROW,)
    ),
    "Subtract": Case(layers.Subtract, (ROW, ROW)),
    "TimeDistributed": Case(
        lambda: layers.TimeDistributed(layers.Conv1D(3, 2)), ((None, 5, 6, 2),)
    ),
    "UnitNormalization": Case(layers.UnitNormalization, (ROW,)),
    "UpSampling1D": Case(layers.UpSampling1D, (ROW,)),
    "UpSampling2D": Case(lambda: layers.UpSampling2D(interpolation="bilinear")),
    "UpSampling3D": Case(layers.UpSampling3D, (VOLUME,)),
    "ZeroPadding1D": Case(layers.ZeroPadding1D, (ROW,)),
    "ZeroPadding2D": Case(lambda: layers.ZeroPadding2D(((1, 2), (3, 0)))),
    "ZeroPadding3D": Case(layers.ZeroPadding3D, (VOLUME,)),
}
for _rank in (1, 2, 3):
    for _name in ("AveragePooling", "MaxPooling"):
        CASES[f"{_name}{_rank}D"] = Case(
            lambda kind=f"{_name}{_rank}D": getattr(layers, kind)(3, 2, padding="same"),
            _pooling(_rank),
        )
        CASES[f"Global{_name}{_rank}D"] = Case(
            getattr(layers, f"Global{_name}{_rank}D"), _pooling(_rank)
        )
        CASES[f"Adaptive{_name}{_rank}D"] = Case(
            lambda kind=f"Adaptive{_name}{_rank}D": getattr(layers, kind)(2),
            ((None, 8, 4),) if _rank == 1 else _pooling(_rank),
        )
# Layers that only augment training data: for inference, most of them pass images on.
_RANDOM = {
    "RandAugment": lambda: layers.RandAugment((0, 1)),
    "RandomBrightness": lambda: layers.RandomBrightness(0.2, (0, 1)),
    "RandomColorDegeneration": lambda: layers.RandomColorDegeneration(0.5, (0, 1)),
    "RandomColorJitter": lambda: layers.RandomColorJitter((0, 1), 0.2),
    "RandomContrast": lambda: layers.RandomContrast(0.2, (0, 1)),
    "RandomCrop": lambda: layers.RandomCrop(5, 6),
    "RandomElasticTransform": lambda: layers.RandomElasticTransform(0.5, value_range=(0, 1)),
    "RandomErasing": lambda: layers.RandomErasing(0.5, value_range=(0, 1)),
    "RandomFlip": layers.RandomFlip,
    "RandomGaussianBlur": lambda: layers.RandomGaussianBlur(value_range=(0, 1)),
    "RandomGrayscale": layers.RandomGrayscale,
    "RandomHue": lambda: layers.RandomHue(0.2, (0, 1)),
    "RandomInvert": lambda: layers.RandomInvert(0.5, (0, 1)),
    "RandomPerspective": layers.RandomPerspective,
    "RandomPosterization": lambda: layers.RandomPosterization(4, (0, 1)),
    "RandomRotation": lambda: layers.RandomRotation(0.2),
    "RandomSaturation": lambda: layers.RandomSaturation(0.2, (0, 1)),
    "RandomSharpness": lambda: layers.RandomSharpness(0.2, (0, 1)),
    "RandomShear": lambda: layers.RandomShear(0.2),
    "RandomTranslation": lambda: layers.RandomTranslation(0.2, 0.2),
    "RandomZoom": lambda: layers.RandomZoom(0.2),
}
CASES |= {name: Case(make, low=0.0) for name, make in _RANDOM.items()}

_BASE = "a base class"
_TEXT = "takes or gives strings or integers of a table, which is not in the graph"
LEFT_OUT = {
    "FlaxLayer": "a module of another library",
    "HashedCrossing": _TEXT,
    "Hashing": _TEXT,
    "InputLayer": "computes nothing",
    "InputSpec": "no layer",
    "IntegerLookup": _TEXT,
    "JaxLayer": "a module of another library",
    "Layer": _BASE,
    "MaxNumBoundingBoxes": "its inputs are labels of boxes, not images",
    "RandomHeight": "a stub of gradtape for a layer that Keras 3 dropped",
    "RandomWidth": "a stub of gradtape for a layer that Keras 3 dropped",
    "StringLookup": _TEXT,
    "TFSMLayer": "a SavedModel of TensorFlow",
    "TextVectorization": _TEXT,
    "ThresholdedReLU": "a stub of gradtape for a layer that Keras 3 dropped",
    "TorchModuleWrapper": "a module of another library",
    "Wrapper": _BASE,
}
