"""`tf.random.learned_unigram_candidate_sampler`: candidates by how often classes were met."""

from __future__ import annotations

import threading
from collections import Counter

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.random.candidate_sampling import Candidates, checked_count, sample_candidates
from gradtape.core.convert import static_value

_OP = "LearnedUnigramCandidateSampler"
_lock = threading.Lock()
# (parameters, seeds) -> how often each class was met. Samplers without a seed start afresh.
_met: dict[tuple, Counter] = {}
_epoch: list = [None]  # of the seeds that the counts belong to


@export("random.learned_unigram_candidate_sampler", "nn.learned_unigram_candidate_sampler")
def learned_unigram_candidate_sampler(
    true_classes, num_true, num_sampled, unique, range_max, seed=None, name=None
) -> Candidates:
    """Draw classes in proportion to how often they were true in earlier calls, plus one.

    Calls with the same parameters and the same seed learn together.
    """
    given = static_value(seed)
    range_max = checked_count(_OP, "range_max", range_max)
    key = (num_true, num_sampled, bool(unique), range_max, given)
    with _lock:
        if _epoch[0] is not ops.SEEDS.epoch:
            _epoch[0] = ops.SEEDS.epoch
            _met.clear()
        met = Counter() if given is None else _met.setdefault(key, Counter())
        counts = tuple(sorted(met.items()))  # only these: there may be very many classes
        arguments = (true_classes, num_true, num_sampled, unique, range_max)
        candidates = sample_candidates(_OP, *arguments, "learned", given, met=counts)
        met.update(int(c) for c in ops.to_tensor(true_classes).numpy().reshape(-1))
    return candidates
