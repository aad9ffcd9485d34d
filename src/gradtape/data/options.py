"""`tf.data.Options`: accepted in full. What they tune is decided here by the steps themselves."""

from __future__ import annotations

import enum
from typing import ClassVar


class _Settings:
    """Named settings, all None until set; a name that does not exist is refused."""

    _names: tuple[str, ...] = ()
    _parts: ClassVar[dict[str, type]] = {}

    def __init__(self) -> None:
        for name in self._names:
            object.__setattr__(self, name, None)
        for name, kind in self._parts.items():
            object.__setattr__(self, name, kind())

    def __setattr__(self, name: str, value) -> None:
        if name not in self._names and name not in self._parts:
            raise AttributeError(
                f"Cannot set the property {name} on {type(self).__name__}. Its properties are "
                f"{', '.join(sorted({*self._names, *self._parts}))}."
            )
        object.__setattr__(self, name, value)

    def __eq__(self, other) -> bool:
        return type(other) is type(self) and vars(self) == vars(other)

    def __ne__(self, other) -> bool:
        return not self == other

    __hash__ = None  # type: ignore[assignment]

    def _merged(self, other):
        found = type(self)()
        for name in self._names:
            value = getattr(other, name)
            setattr(found, name, getattr(self, name) if value is None else value)
        for name in self._parts:
            setattr(found, name, getattr(self, name)._merged(getattr(other, name)))
        return found


class AutoShardPolicy(enum.IntEnum):
    """How a dataset is divided among processes: see gradtape.distribute.datasets."""

    OFF = -1
    AUTO = 0
    FILE = 1
    DATA = 2
    HINT = 3


class ExternalStatePolicy(enum.Enum):
    """What to do with state outside of a dataset when it is saved."""

    WARN = 0
    IGNORE = 1
    FAIL = 2


class AutotuneAlgorithm(enum.Enum):
    """How buffer sizes would be found."""

    DEFAULT = 0
    HILL_CLIMB = 1
    GRADIENT_DESCENT = 2
    MAX_PARALLELISM = 3
    STAGE_BASED = 4


class AutotuneOptions(_Settings):
    """Limits of automatic tuning."""

    _names = ("autotune_algorithm", "cpu_budget", "enabled", "initial_parallelism",
              "min_parallelism", "ram_budget")  # fmt: skip


class DistributeOptions(_Settings):
    """How a dataset is divided among workers."""

    _names = ("auto_shard_policy", "num_devices")


class OptimizationOptions(_Settings):
    """Rewritings of a pipeline."""

    _names = (
        "apply_default_optimizations", "filter_fusion", "filter_parallelization", "inject_prefetch",
        "map_and_batch_fusion", "map_and_filter_fusion", "map_fusion", "map_parallelization",
        "noop_elimination", "parallel_batch", "seq_interleave_prefetch",
        "shuffle_and_repeat_fusion",
    )  # fmt: skip


class ServiceOptions(_Settings):
    """How a dataset is served to other machines."""

    _names = ("pinned",)


class ThreadingOptions(_Settings):
    """Numbers of threads."""

    _names = ("max_intra_op_parallelism", "private_threadpool_size")


class Options(_Settings):
    """Settings of a dataset, given with `dataset.with_options`."""

    _names = (
        "dataset_name", "deterministic", "experimental_deterministic",
        "experimental_external_state_policy", "experimental_slack",
        "experimental_symbolic_checkpoint", "experimental_warm_start", "framework_type",
    )  # fmt: skip
    _parts: ClassVar[dict[str, type]] = {
        "autotune": AutotuneOptions,
        "experimental_distribute": DistributeOptions,
        "experimental_optimization": OptimizationOptions,
        "experimental_service": ServiceOptions,
        "experimental_threading": ThreadingOptions,
        "threading": ThreadingOptions,
    }

    def merge(self, options: Options) -> Options:
        """These settings, and over them those that `options` sets."""
        return self._merged(options)
