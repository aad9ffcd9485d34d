"""`tfa.optimizers`: optimizers, wrappers of optimizers, cyclical learning rates."""

from gradtape.addons.optimizers.adaptive import LAMB, NovoGrad, RectifiedAdam, Yogi
from gradtape.addons.optimizers.cyclical import (
    CyclicalLearningRate,
    ExponentialCyclicalLearningRate,
    Triangular2CyclicalLearningRate,
    TriangularCyclicalLearningRate,
)
from gradtape.addons.optimizers.decoupled import (
    SGDW,
    AdamW,
    DecoupledWeightDecayExtension,
    LazyAdam,
    extend_with_decoupled_weight_decay,
)
from gradtape.addons.optimizers.wrappers import SWA, Lookahead, MovingAverage

__all__ = [
    "LAMB",
    "SGDW",
    "SWA",
    "AdamW",
    "CyclicalLearningRate",
    "DecoupledWeightDecayExtension",
    "ExponentialCyclicalLearningRate",
    "LazyAdam",
    "Lookahead",
    "MovingAverage",
    "NovoGrad",
    "RectifiedAdam",
    "Triangular2CyclicalLearningRate",
    "TriangularCyclicalLearningRate",
    "Yogi",
    "extend_with_decoupled_weight_decay",
]
