"""`tf.data.Options`: accepted in full. What they tune is decided here by the nodes themselves."""

from __future__ import annotations

import enum
from typing import ClassVar


class _OptionsBase:
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

    __hash__ = None  # pyright: ignore[reportAssignmentType] (how Python spells unhashable)

    def _merged_with(self, other):
        result = type(self)()
        for name in self._names:
            value = getattr(other, name)
            setattr(result, name, getattr(self, name) if value is None else value)
        for name in self._parts:
            setattr(result, name, getattr(self, name)._merged_with(getattr(other, name)))
        return result


class AutoShardPolicy(enum.IntEnum):
    """How a dataset is divided among processes: see gradtape.distribute.strategy.datasets."""

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
    """How buffer sizes would be tuned."""

    DEFAULT = 0
    HILL_CLIMB = 1
    GRADIENT_DESCENT = 2
    MAX_PARALLELIZM = 3
    STAGE_BASED = 4


class AutotuneOptions(_OptionsBase):
    """Limits of automatic tuning."""

    _names = (
        "autotune_algorithm",
        "cpu_budget",
        "enabled",
        "initial_parallelism",
        "min_parallelism",
        "ram_budget",
    )


class DistributeOptions(_OptionsBase):
    """How a dataset is divided among workers."""

    _names = ("auto_shard_policy", "num_devices")


class OptimizationOptions(_OptionsBase):
    """Rewritings of a pipeline."""

    _names = (
        "apply_default_optimizations",
        "filter_fusion",
        "filter_parallelization",
        "inject_prefetch",
        "map_and_batch_fusion",
        "map_and_filter_fusion",
        "map_fusion",
        "map_parallelization",
        "noop_elimination",
        "parallel_batch",
        "seq_interleave_prefetch",
        "shuffle_and_repeat_fusion",
    )


class ServiceOptions(_OptionsBase):
    """How a dataset is served to other machines."""

    _names = ("pinned",)


class ThreadingOptions(_OptionsBase):
    """Numbers of threads."""

    _names = ("max_intra_op_parallelism", "private_threadpool_size")


class Options(_OptionsBase):
    """Settings of a dataset, given with `dataset.with_options`."""

    _names = (
        "dataset_name",
        "deterministic",
        "experimental_deterministic",
        "experimental_external_state_policy",
        "experimental_slack",
        "experimental_symbolic_checkpoint",
        "experimental_warm_start",
        "framework_type",
    )
    _parts: ClassVar[dict[str, type]] = {
        "autotune": AutotuneOptions,
        "experimental_distribute": DistributeOptions,
        "experimental_optimization": OptimizationOptions,
        "experimental_service": ServiceOptions,
        "experimental_threading": ThreadingOptions,
        "threading": ThreadingOptions,
    }

    def merge(self, options: Options) -> Options:
        """Return these settings, and over them those that `options` sets."""
        return self._merged_with(options)
