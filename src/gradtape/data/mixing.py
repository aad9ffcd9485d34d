"""Several datasets mixed at random, as TensorFlow mixes them for the same seeds."""

from __future__ import annotations

import numpy as np

from gradtape.api.specs import TensorSpec
from gradtape.backends.numpy.random import categorical
from gradtape.core.dtypes import int64
from gradtape.core.tensor import Tensor
from gradtape.data.nodes import INFINITE, PipelineNode, UnaryNode
from gradtape.data.sources import RandomSource
from gradtape.prng.seeds import stateless_generator


class Draws(UnaryNode):
    """Numbers of datasets, drawn by weight; two random words are the seed of each."""

    name = "_MapDataset"

    def __init__(self, weights, seed, fresh: bool) -> None:
        super().__init__(RandomSource(seed, fresh))
        self.weights = weights

    def stream(self, skip=0, rows=False):
        words = self.source.stream(2 * skip)
        pairs = zip(words, words, strict=True)
        if isinstance(self.weights, PipelineNode):
            return map(_draw, pairs, self.weights.stream(skip))
        logits = _logits(self.weights)
        return (_categorical(pair, logits) for pair in pairs)

    def cardinality(self):
        return INFINITE

    def spec(self):
        return TensorSpec((), int64)


def _logits(weights) -> np.ndarray:
    with np.errstate(divide="ignore"):
        return np.log(np.asarray(weights))[None]


def _draw(pair, weights: Tensor) -> Tensor:
    return _categorical(pair, _logits(weights._data))


def _categorical(pair, logits: np.ndarray) -> Tensor:
    seed = np.array([int(word) for word in pair], np.int64)
    return Tensor(categorical(*stateless_generator(seed), logits, 1, np.int64)[0, 0])
