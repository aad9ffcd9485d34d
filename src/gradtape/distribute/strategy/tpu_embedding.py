"""`tf.tpu.experimental.embedding`: tables of embeddings for TPUs, described.

The descriptions are data, which libraries make and convert wherever they run; the layers that look
embeddings up on a TPU raise, as all does that needs one.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NoReturn

from gradtape.api.compat.v1_initializers import TruncatedNormal
from gradtape.core.dtypes import DType, float32
from gradtape.core.shape import TensorShape
from gradtape.distribute.strategy.tpu import no_tpu

COMBINERS = ("mean", "sum", "sqrtn")


class HardwareFeature:
    """What the hardware of a TPU can do."""

    class EmbeddingFeature(enum.Enum):
        """Which generation of lookups of embeddings a TPU has."""

        UNSUPPORTED = "UNSUPPORTED"
        V1 = "V1"
        V2 = "V2"


@dataclass(unsafe_hash=True)
class _Optimizer:
    """What all optimizers of embedding tables have."""

    learning_rate: float | Callable[[], float] = 0.001
    use_gradient_accumulation: bool = field(default=True, kw_only=True)
    clip_weight_min: float | None = field(default=None, kw_only=True)
    clip_weight_max: float | None = field(default=None, kw_only=True)
    weight_decay_factor: float | None = field(default=None, kw_only=True)
    multiply_weight_decay_factor_by_learning_rate: bool | None = field(default=None, kw_only=True)
    clipvalue: Any = field(default=None, kw_only=True)
    low_dimensional_packing_status: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        if isinstance(self.clipvalue, (int, float)):
            self.clipvalue = (-self.clipvalue, self.clipvalue)
        if self.clipvalue is not None and not self.use_gradient_accumulation:
            raise self._wrong(
                "clipvalue", self.clipvalue, "None where use_gradient_accumulation is False"
            )
        if self.multiply_weight_decay_factor_by_learning_rate and self.weight_decay_factor is None:
            raise self._wrong("weight_decay_factor", None, "given where it is to be multiplied")

    def _check(self, name: str, valid: bool, wanted: str) -> None:
        if not valid:
            raise self._wrong(name, getattr(self, name), wanted)

    def _wrong(self, name: str, value, wanted: str) -> ValueError:
        return ValueError(f"{type(self).__name__}: {name} must be {wanted}. Received: {value}")


@dataclass(unsafe_hash=True)
class SGD(_Optimizer):
    """Gradient descent on an embedding table."""

    learning_rate: float | Callable[[], float] = 0.01


@dataclass(unsafe_hash=True)
class Adagrad(_Optimizer):
    """Adagrad on an embedding table."""

    initial_accumulator_value: float = 0.1

    def __post_init__(self) -> None:
        super().__post_init__()
        value = self.initial_accumulator_value
        self._check("initial_accumulator_value", value > 0, "positive")


@dataclass(unsafe_hash=True)
class Adam(_Optimizer):
    """Adam on an embedding table."""

    beta_1: float = 0.9
    beta_2: float = 0.999
    epsilon: float = 1e-7
    lazy_adam: bool = True
    sum_inside_sqrt: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check("beta_1", 0 <= self.beta_1 < 1, "at least 0 and less than 1")
        self._check("beta_2", 0 <= self.beta_2 < 1, "at least 0 and less than 1")
        self._check("epsilon", self.epsilon > 0, "positive")
        accumulates = self.use_gradient_accumulation or self.lazy_adam
        self._check("lazy_adam", accumulates, "True where use_gradient_accumulation is False")


@dataclass(unsafe_hash=True)
class FTRL(_Optimizer):
    """FTRL on an embedding table."""

    learning_rate_power: float = -0.5
    l1_regularization_strength: float = 0.0
    l2_regularization_strength: float = 0.0
    beta: float = 0.0
    initial_accumulator_value: float = 0.1
    multiply_linear_by_learning_rate: bool = field(default=False, kw_only=True)
    allow_zero_accumulator: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        value = self.initial_accumulator_value
        self._check("initial_accumulator_value", value > 0, "positive")


@dataclass(eq=False)
class TableConfig:
    """Describe a table of embeddings: one for each number below `vocabulary_size`."""

    vocabulary_size: int
    dim: int
    initializer: Callable | None = None
    optimizer: _Optimizer | None = None
    combiner: str = "mean"
    name: str | None = None
    quantization_config: Any = None
    layout: Any = None
    dtype: DType = float32

    def __post_init__(self) -> None:
        for name in ("vocabulary_size", "dim"):
            size = getattr(self, name)
            if not isinstance(size, int) or size < 1:
                raise ValueError(f"TableConfig: {name} must be a positive int. Received: {size!r}")
        if self.initializer is None:
            self.initializer = TruncatedNormal(0.0, 1 / math.sqrt(self.dim))
        elif not callable(self.initializer):
            raise ValueError(
                f"TableConfig: initializer must be callable. Received: {self.initializer!r}"
            )
        if self.combiner not in COMBINERS:
            wanted = ", ".join(map(repr, COMBINERS))
            raise ValueError(
                f"TableConfig: combiner must be one of {wanted}. Received: {self.combiner!r}"
            )


@dataclass(eq=False)
class FeatureConfig:
    """Describe a feature: the table that its embeddings come from, and how they are combined."""

    table: TableConfig
    max_sequence_length: int = 0
    validate_weights_and_indices: bool = True
    output_shape: Any = None
    name: str | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.table, TableConfig):
            raise ValueError(
                f"FeatureConfig: table must be a TableConfig. Received: {self.table!r}"
            )
        # TensorFlow's is a shape of unknown rank where none was given.
        self.output_shape = TensorShape(self.output_shape)


@dataclass(eq=False)
class SparseCoreEmbeddingConfig:
    """Say how tables are laid out on the sparse cores of a TPU."""

    disable_table_stacking: bool = False
    max_ids_per_chip_per_sample: int = 64
    max_ids_per_table: dict[str, int] | None = None
    max_unique_ids_per_table: dict[str, int] | None = None
    allow_id_dropping: bool = False
    initialize_tables_on_host: bool = True
    enable_fast_table_initialization: bool = False


class TPUEmbedding:
    """Raises: there is no TPU to look embeddings up on."""

    def __init__(self, feature_config, optimizer=None, *args, **kwargs) -> NoReturn:
        no_tpu(f"tf.tpu.experimental.embedding.{type(self).__name__}")


class TPUEmbeddingV2(TPUEmbedding):
    """Raises: there is no TPU to look embeddings up on."""
