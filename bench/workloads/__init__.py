"""The workloads: one program each, in terms of an adapter from `libraries`.

A workload is made by a function of the adapter. It gives the step to be timed, how many steps to
take first, and a function that makes one number of what the last of them gave: all libraries must
agree on that number.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

Made = tuple[Callable[[], object], int, Callable[[object], float]]


@dataclasses.dataclass(frozen=True)
class Workload:
    """`goals` are the largest ratios of gradtape's time to a peer's that it is meant to reach.

    A peer is "library form", or "best eager" or "best compiled" for the quickest of its kind.
    `pure_goals` are those of gradtape without its native extension.
    """

    name: str
    title: str
    make: Callable[..., Made]
    goals: dict[str, float] = dataclasses.field(default_factory=dict)
    tolerance: float = 1e-4  # relative, for the number that all agree on
    flops: float = 0.0  # of one step, where a rate is of interest
    shows_memory: bool = False
    pure_goals: dict[str, float] = dataclasses.field(default_factory=dict)


STEP = {"best eager": 0.7, "best compiled": 1.0}  # the goals for a training step
SCALAR = {"torch eager": 0.1, "tensorflow eager": 0.01}
PURE_SCALAR = {"torch eager": 0.4}
XLA = {"best compiled": 1.1}


def every_workload() -> list[Workload]:
    """All of them, in the order of the report."""
    from workloads import derivatives, elementwise, networks, products, scalar, sequences, tables

    conv_flops = products.conv_flops()
    return [
        Workload("square", "`x**2` of a scalar", scalar.square, SCALAR, pure_goals=PURE_SCALAR),
        Workload("chain", "200 scalar operations", scalar.chain, SCALAR, pure_goals=PURE_SCALAR),
        Workload("vector_chain", "25 operations on 1,000 elements", scalar.vector_chain),
        Workload("loop", "10,000 turns of a Python loop", scalar.loop, tolerance=1e-3),
        Workload("elementwise", "elementwise, 1 M elements", elementwise.elementwise, XLA),
        Workload("bias_gelu", "bias and GELU, 4096×1024", elementwise.bias_gelu),
        Workload("cross_entropy", "softmax cross-entropy, 4096×1024", elementwise.cross_entropy),
        Workload("layer_norm", "layer norm, 4096×1024", elementwise.layer_norm),
        Workload("sgemm", "matrix product, 2048³", products.sgemm, flops=2 * 2048.0**3),
        Workload("conv", "3×3 convolution, 16×56×56×64", products.conv, flops=conv_flops),
        Workload("mlp", "MLP step, 784-256-256-10, batch 128", networks.mlp, STEP),
        Workload("cnn", "CNN step, 28×28, batch 64", networks.cnn, STEP, 1e-3, shows_memory=True),
        Workload("resnet", "ResNet block step, 16×56×56×64", networks.resnet, STEP, 1e-3),
        Workload("lstm", "LSTM step, 64 times, batch 32, hidden 128", sequences.lstm, STEP, 1e-3),
        Workload("attention", "attention, 8×8×256×64", sequences.attention, STEP, 1e-3),
        Workload(
            "gpt",
            "GPT step, 4 layers, 256 wide, 8×128",
            sequences.gpt,
            STEP,
            1e-3,
            shows_memory=True,
        ),
        Workload("embedding", "embedding step, 50,000×256, sparse", tables.embedding, STEP),
        Workload(
            "adam",
            "Adam over 10 M parameters",
            tables.adam,
            {"torch eager": 1.1, "best compiled": 1.0},
        ),
        Workload("jacobian", "Jacobian of a 64→64 MLP", derivatives.jacobian, tolerance=1e-3),
        Workload("hessian", "Hessian by 200 parameters", derivatives.hessian, tolerance=1e-3),
    ]
