"""`tfa.text`: conditional random fields of a linear chain (Lafferty et al. 2001).

Scores `inputs` [batch, time, tags], `transition_params` [tag before, tag]. What lies behind a
sequence's length does not count.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import gradtape

tf: Any = gradtape


def _mask(lengths, inputs, dtype=None):
    mask = tf.sequence_mask(lengths, inputs.shape[1])
    return mask if dtype is None else tf.cast(mask, dtype)


def crf_unary_score(tag_indices, sequence_lengths, inputs):
    """Return the sum of the scores of the tags of each sequence."""
    inputs = tf.convert_to_tensor(inputs)
    scores = tf.gather(inputs, tf.cast(tag_indices, tf.int32)[..., None], axis=2, batch_dims=2)
    return tf.reduce_sum(scores[..., 0] * _mask(sequence_lengths, inputs, inputs.dtype), axis=1)


def crf_binary_score(tag_indices, sequence_lengths, transition_params):
    """Return the sum of the scores of the transitions of each sequence."""
    tags = tf.cast(tag_indices, tf.int32)
    transition_params = tf.convert_to_tensor(transition_params)
    steps = tf.stack([tags[:, :-1], tags[:, 1:]], axis=-1)
    scores = tf.gather_nd(transition_params, steps)
    mask = _mask(sequence_lengths, tags, scores.dtype)[:, 1:]
    return tf.reduce_sum(scores * mask, axis=1)


def crf_sequence_score(inputs, tag_indices, sequence_lengths, transition_params):
    """Return the score of the tags of each sequence, before it is normalized."""
    score = crf_unary_score(tag_indices, sequence_lengths, inputs) + crf_binary_score(
        tag_indices, sequence_lengths, transition_params
    )
    return _unless_empty(sequence_lengths, score)


def _unless_empty(lengths, values):
    return tf.where(tf.convert_to_tensor(lengths) > 0, values, tf.zeros_like(values))


def crf_forward(inputs, state, transition_params, sequence_lengths):
    """Return log sums over all ways to each tag at the end of each sequence, from those at its
    start: the forward algorithm."""
    transitions = tf.convert_to_tensor(transition_params)[None]
    lengths = tf.convert_to_tensor(sequence_lengths)
    for time in range(inputs.shape[1]):
        following = tf.reduce_logsumexp(state[:, :, None] + transitions, axis=1) + inputs[:, time]
        # `inputs` begins with the second step of a sequence.
        state = tf.where((lengths > time + 1)[:, None], following, state)
    return state


def crf_log_norm(inputs, sequence_lengths, transition_params):
    """Return the logarithm of the sum of exp(score) over all tags of each sequence."""
    inputs = tf.convert_to_tensor(inputs)
    alphas = crf_forward(inputs[:, 1:], inputs[:, 0], transition_params, sequence_lengths)
    return _unless_empty(sequence_lengths, tf.reduce_logsumexp(alphas, axis=1))


def crf_log_likelihood(inputs, tag_indices, sequence_lengths, transition_params=None):
    """Return the log-likelihood of the tags of each sequence, and the transition scores, which are
    a new variable if none are given."""
    inputs = tf.convert_to_tensor(inputs)
    if transition_params is None:
        tags = inputs.shape[2]
        initial = tf.random.uniform([tags, tags], -1.0, 1.0, inputs.dtype)
        transition_params = tf.Variable(initial, name="transitions")
    score = crf_sequence_score(inputs, tag_indices, sequence_lengths, transition_params)
    return score - crf_log_norm(inputs, sequence_lengths, transition_params), transition_params


def viterbi_decode(score, transition_params) -> tuple[list[int], float]:
    """Return the best tags of one sequence [time, tags], arrays of NumPy, and their score."""
    score, transitions = np.asarray(score), np.asarray(transition_params)
    best = score[0]
    before = []
    for row in score[1:]:
        ways = best[:, None] + transitions
        before.append(ways.argmax(0))
        best = row + ways.max(0)
    tags = [int(best.argmax())]
    for step in reversed(before):
        tags.append(int(step[tags[-1]]))
    return tags[::-1], best.max()


def crf_decode(potentials, transition_params, sequence_length):
    """Return the best tags of each sequence [batch, time], 0 behind its end, and their scores."""
    potentials = tf.convert_to_tensor(potentials)
    transitions = tf.convert_to_tensor(transition_params)[None]
    lengths = tf.convert_to_tensor(sequence_length)
    best, before = potentials[:, 0], []
    count = potentials.shape[1]
    for time in range(1, count):
        ways = best[:, :, None] + transitions
        inside = (lengths > time)[:, None]
        stay = tf.broadcast_to(tf.range(ways.shape[2])[None], best.shape)
        before.append(tf.where(inside, tf.argmax(ways, axis=1, output_type=tf.int32), stay))
        best = tf.where(inside, potentials[:, time] + tf.reduce_max(ways, axis=1), best)
    tags = [tf.argmax(best, axis=1, output_type=tf.int32)]
    for step in reversed(before):
        tags.append(tf.gather(step, tags[-1], axis=1, batch_dims=1))
    decoded = tf.stack(tags[::-1], axis=1) * _mask(lengths, potentials, tf.int32)
    return decoded, _unless_empty(lengths, tf.reduce_max(best, axis=1))
