"""`Dataset.rejection_resample`: elements of wanted classes, by dropping some of the others."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gradtape import ops
from gradtape.api.random.draws import uniform
from gradtape.core.dtypes import float32, int64
from gradtape.core.tensor import Tensor

if TYPE_CHECKING:
    from gradtape.data.dataset import Dataset

# As in TensorFlow: classes are counted in batches, and each begins as if seen so often.
_COUNTED_TOGETHER = 32
_SEEN_BEFORE = 10

logger = logging.getLogger("gradtape")


def resampled(
    dataset: Any, class_func: Callable[..., Any], target_dist: Any, initial_dist: Any, seed: Any
) -> Dataset:
    """Return a dataset of (class, element) with the classes distributed as `target_dist` says.

    Elements are taken from the dataset as it is or, the rest, from those that are left of it when
    elements of classes that are too frequent are rejected at random.
    """
    # `Dataset` imports this module's only user, DatasetMethods, as its base class.
    from gradtape.data.dataset import Dataset

    target = ops.cast(ops.to_tensor(target_dist), float32)
    if len(target.shape) != 1:
        raise ops.ShapeError(
            "rejection_resample: target_dist must have one number for each class, got shape "
            f"{tuple(target.shape)}."
        )
    original = np.nan  # how many are taken from the dataset as it is, if that is known
    if initial_dist is None:
        initials = _estimates(dataset.map(class_func), target.shape[0])
    else:
        initial = ops.cast(ops.to_tensor(initial_dist), float32)
        original = _chances(initial, target)[1].numpy()
        _warn_of_many_rejections(initial, target)
        initials = Dataset.from_tensors(initial).repeat()
    chances = initials.map(lambda initial: _chances(initial, target))

    def with_class(first, *others):
        return class_func(first, *others), (first, *others) if others else first

    def with_chance(chances, element):
        parts = element if isinstance(element, tuple) else (element,)
        label = ops.cast(ops.to_tensor(class_func(*parts)), int64)
        return ops.gather(chances[0], label), with_class(*parts)

    labeled = dataset.map(with_class)
    if original == 1:
        return labeled
    accepted = (
        Dataset.zip((chances, dataset))
        .map(with_chance)
        .filter(lambda chance, element: uniform([], seed=seed) < chance)
        .map(lambda chance, element: element)
        .prefetch(3)
    )
    if original == 0:
        return accepted
    return Dataset.sample_from_datasets(
        [labeled, accepted],
        weights=chances.map(lambda _, original: ops.stack([original, 1 - original])),
        seed=seed,
        stop_on_empty_dataset=True,
    )


def _chances(initial: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    """Return how likely elements of each class are accepted, and elements are taken as they are.

    With as many as possible taken as they are, the fewest are rejected.
    """
    ratios = target / (initial + np.finfo(np.float32).tiny)
    least, most = ops.reduce_min(ratios), ops.reduce_max(ratios)
    return (ratios - least) / (most - least), least


def _estimates(classes: Dataset, count: int) -> Dataset:
    """Return the distribution of the classes seen so far, once for each element."""

    def count_more(seen, batch):
        seen = seen + ops.reduce_sum(ops.one_hot(batch, count, dtype=int64), 0)
        share = ops.cast(seen / ops.reduce_sum(seen), float32)
        return seen, ops.broadcast_to(share, (_COUNTED_TOGETHER, count))

    start = np.full(count, _SEEN_BEFORE, np.int64)
    return classes.batch(_COUNTED_TOGETHER).scan(start, count_more).unbatch()


def _warn_of_many_rejections(initial: Tensor, target: Tensor) -> None:
    accepted, original = _chances(initial, target)
    rejected = ops.reduce_sum((1 - accepted) * initial).numpy()
    if original.numpy() < 1 and not rejected < 0.5:
        logger.warning(
            "Proportion of examples rejected by sampler is high: %s (shares of classes: %s).",
            rejected,
            initial.numpy(),
        )
