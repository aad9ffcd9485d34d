"""Samplers of candidate classes, for losses over very many classes (sampled softmax, NCE)."""

from __future__ import annotations

import os
from typing import NamedTuple

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.core import dtypes
from gradtape.core.brief import brief
from gradtape.core.convert import static_int, static_value, to_tensor
from gradtape.core.errors import InvalidArgumentError, NotFoundError, ShapeError
from gradtape.core.tensor import Tensor

# Blocks of random numbers that one candidate owns.
_BLOCKS = 512


class Candidates(NamedTuple):
    """Classes drawn, and how often each true class and each drawn one is to be expected."""

    sampled_candidates: Tensor
    true_expected_count: Tensor
    sampled_expected_count: Tensor


class AccidentalHits(NamedTuple):
    """Which examples (indices) have a true class among the candidates (ids), and -max for each."""

    indices: Tensor
    ids: Tensor
    weights: Tensor


def _true_classes(op: str, true_classes, num_true: int, limit: int):
    true_classes = to_tensor(true_classes, dtypes.int64)
    if true_classes.ndim != 2 or true_classes.shape[1] != num_true:
        raise ShapeError(
            f"{op}: true_classes must be a matrix with num_true = {num_true} columns, got shape "
            f"{list(true_classes.shape)}. [Op:{op}]"
        )
    values = true_classes.numpy()
    for value in values[(values < 0) | (values >= limit)]:
        raise InvalidArgumentError(
            f"{op}: `true_candidate` out of range [0, {limit}), received {value} [Op:{op}]"
        )
    return true_classes


def checked_count(op: str, name: str, value, most: int = 2**31 - 1) -> int:
    """Return an argument that must be one integer from 1 to `most`."""
    try:
        count = static_int(value)
    except (TypeError, ValueError):
        count = None
    if count is None or count != static_value(value):
        raise TypeError(f"{op}: {name} must be an integer, got {brief(value)}. [Op:{op}]")
    if not 1 <= count <= most:
        raise InvalidArgumentError(
            f"{op}: {name} must be at least 1 and at most {most}, got {count}. [Op:{op}]"
        )
    return count


def sample_candidates(
    op, true_classes, num_true, num_sampled, unique, limit, weights, seed, *attributes, met=()
):
    num_true = checked_count(op, "num_true", num_true)
    num_sampled = checked_count(op, "num_sampled", num_sampled)
    limit = checked_count(op, "range_max", limit, 2**63 - 1)
    true_classes = _true_classes(op, true_classes, num_true, limit)
    if unique and num_sampled > limit:
        raise InvalidArgumentError(
            f"{op}: Sampler's range is too small: {num_sampled} different classes of {limit}. "
            f"[Op:{op}]"
        )
    sequence = (op, num_true, num_sampled, bool(unique), limit, *attributes)
    state = ops.stateful_state(sequence, static_value(seed), _BLOCKS * num_sampled)
    if weights is None:
        drawn = np.arange(num_sampled, dtype=np.int64)
        return Candidates(to_tensor(drawn), ops.ones(true_classes.shape), ops.ones((num_sampled,)))
    drawn = ops.random_candidates(
        state, true_classes, num_sampled, bool(unique), limit, weights, met
    )
    return Candidates(*drawn)


@export("random.uniform_candidate_sampler")
def uniform_candidate_sampler(
    true_classes, num_true, num_sampled, unique, range_max, seed=None, name=None
) -> Candidates:
    """Return classes below range_max, all with the same probability."""
    op = "UniformCandidateSampler"
    return sample_candidates(
        op, true_classes, num_true, num_sampled, unique, range_max, "uniform", seed
    )


@export("random.log_uniform_candidate_sampler")
def log_uniform_candidate_sampler(
    true_classes, num_true, num_sampled, unique, range_max, seed=None, name=None
) -> Candidates:
    """Return classes below range_max, sorted by frequency: as words are in a language (Zipf's
    law)."""
    op = "LogUniformCandidateSampler"
    return sample_candidates(
        op, true_classes, num_true, num_sampled, unique, range_max, "log_uniform", seed
    )


@export("random.all_candidate_sampler", "nn.all_candidate_sampler")
def all_candidate_sampler(
    true_classes, num_true, num_sampled, unique, seed=None, name=None
) -> Candidates:
    """Return all classes below num_sampled, for comparison with the samplers that do sample."""
    op = "AllCandidateSampler"
    return sample_candidates(
        op, true_classes, num_true, num_sampled, unique, num_sampled, None, seed
    )


@export("random.fixed_unigram_candidate_sampler", "nn.fixed_unigram_candidate_sampler")
def fixed_unigram_candidate_sampler(
    true_classes,
    num_true,
    num_sampled,
    unique,
    range_max,
    vocab_file="",
    distortion=1.0,
    num_reserved_ids=0,
    num_shards=1,
    shard=0,
    unigrams=(),
    seed=None,
    name=None,
) -> Candidates:
    """Return classes with given weights, each to the power of `distortion`.

    The weights are `unigrams`, or the last field of each line of a file with commas. The first
    `num_reserved_ids` classes are never drawn. Of several shards, only one's classes count.
    """
    op = "FixedUnigramCandidateSampler"
    if not vocab_file and not len(unigrams):
        raise InvalidArgumentError(f"{op}: Must provide either vocab_file or unigrams. [Op:{op}]")
    if vocab_file and len(unigrams):
        raise InvalidArgumentError(
            f"{op}: Must only provide one of vocab_file and unigrams. [Op:{op}]"
        )
    if num_shards < 1 or not 0 <= shard < num_shards:
        raise InvalidArgumentError(
            f"{op}: shard {shard} of {num_shards} shards; there must be one or more, and shards "
            f"count from 0. [Op:{op}]"
        )
    given = _weights_in(op, vocab_file) if vocab_file else [float(w) for w in unigrams]
    weights = [0.0 for i in range(num_reserved_ids) if i % num_shards == shard]
    # Class numbers go on from the weights so far, as in TensorFlow, not from the reserved ones.
    mine = [w for i, w in enumerate(given, len(weights)) if i % num_shards == shard]
    weights += np.power(np.array(mine, np.float32), np.float32(distortion)).tolist()
    if len(weights) != range_max:
        raise InvalidArgumentError(
            f"{op}: range is {range_max} must be equal to weights size {len(weights)}. [Op:{op}]"
        )
    drawable = sum(w > 0 for w in weights)
    if drawable < (num_sampled if unique else 1):
        raise InvalidArgumentError(
            f"{op}: Sampler's range is too small: {num_sampled} different classes of {drawable} "
            f"with a weight above 0. [Op:{op}]"
        )
    attributes = (str(vocab_file), distortion, num_reserved_ids, num_shards, shard, tuple(given))
    return sample_candidates(
        op, true_classes, num_true, num_sampled, unique, range_max, tuple(weights), seed, attributes
    )


def _weights_in(op: str, path) -> list[float]:
    if not isinstance(path, (str, bytes, os.PathLike)):
        raise TypeError(f"{op}: vocab_file must be a path, got {path!r}. [Op:{op}]")
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
    except FileNotFoundError:
        raise NotFoundError(f"{op}: {path}; No such file or directory [Op:{op}]") from None
    weights = []
    for line in lines:
        try:
            weights.append(float(line.split(",")[-1]))
        except ValueError:
            raise InvalidArgumentError(
                f"{op}: Wrong vocabulary format at line: {line} [Op:{op}]"
            ) from None
    return weights


@export("nn.compute_accidental_hits")
def compute_accidental_hits(
    true_classes, sampled_candidates, num_true, seed=None, name=None
) -> AccidentalHits:
    """Return where a candidate is one of an example's true classes, to be taken out of a sampled
    loss."""
    op = "ComputeAccidentalHits"
    true_classes = to_tensor(true_classes, dtypes.int64)
    sampled = to_tensor(sampled_candidates, dtypes.int64)
    if true_classes.ndim != 2 or true_classes.shape[1] != num_true:
        raise ShapeError(
            f"{op}: true_candidates must be a batch_size * num_true matrix, got shape "
            f"{list(true_classes.shape)} and num_true = {num_true}. [Op:{op}]"
        )
    if sampled.ndim != 1:
        raise ShapeError(
            f"{op}: sampled_candidates must be a vector, got shape {list(sampled.shape)}. [Op:{op}]"
        )
    # A class drawn twice counts where it was drawn last.
    positions = {int(value): i for i, value in enumerate(sampled.numpy())}
    rows = true_classes.numpy().tolist()
    hits = [(i, positions[c]) for i, row in enumerate(rows) for c in row if c in positions]
    indices, ids = np.array(hits, np.int64).reshape(-1, 2).T
    weights = np.full(len(hits), np.finfo(np.float32).min, np.float32)
    return AccidentalHits(to_tensor(indices.astype(np.int32)), to_tensor(ids), to_tensor(weights))
