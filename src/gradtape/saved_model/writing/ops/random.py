"""How random numbers are written: TensorFlow's stateful ops, or its stateless ones of a seed.

A state is no tensor there: it is remembered where it comes from.
"""

from __future__ import annotations

import numpy as np

from gradtape.saved_model.writing.builder import Builder, CannotWrite, Ref
from gradtape.saved_model.writing.lowering import rule
from gradtape.saved_model.writing.sizes import NodePair

_INT = np.dtype(np.int32)
_UNSIGNED = np.dtype(np.uint64)
_PHILOX = 1
# A state that each call draws anew.
DRAWN = Ref("", np.dtype(np.int64))
_KINDS = {
    "uniform": ("RandomUniform:output", "StatelessRandomUniformV2:output"),
    "normal": ("RandomStandardNormal:output", "StatelessRandomNormalV2:output"),
    "truncated_normal": ("TruncatedNormal:output", "StatelessTruncatedNormalV2:output"),
}


class _Seeded(Ref):
    """The state that a seed means."""

    __slots__ = ()


@rule("seed_state")
def seed_state(b: Builder, node: NodePair, seed: Ref) -> Ref:
    return _Seeded(seed.name, seed.dtype)


def _key(b: Builder, state: Ref) -> list[Ref]:
    """Return key, counter and algorithm of a seed."""
    seed = Ref(state.name, state.dtype)
    kinds = [_UNSIGNED, _UNSIGNED]
    made = b.nodes_of(
        "StatelessRandomGetKeyCounter:key,counter", seed, dtypes=kinds, Tseed=seed.dtype
    )
    return [*made, b.ints(_PHILOX)]


@rule("random_numbers")
def random_numbers(b: Builder, node: NodePair, state: Ref) -> Ref:
    if node.kind not in _KINDS:
        raise CannotWrite(f"random numbers of the kind {node.kind!r}")
    stateful, stateless = _KINDS[node.kind]
    kind, shape = node.output.dtype, b.shape(node.output)
    if isinstance(state, _Seeded):
        return b.nodes_of(
            stateless, shape, *_key(b, state), dtypes=[kind], dtype=kind, Tshape=_INT
        )[0]
    if state is not DRAWN:
        raise CannotWrite("random numbers of a state that is computed")
    b.is_stateful = True
    return b.nodes_of(stateful, shape, dtypes=[kind], dtype=kind, T=_INT)[0]


@rule("random_integers")
def random_integers(b: Builder, node: NodePair, state: Ref, low: Ref, high: Ref) -> Ref:
    kind, shape = node.output.dtype, b.shape(node.output)
    low, high = b.cast(low, kind), b.cast(high, kind)
    if isinstance(state, _Seeded):
        return b.nodes_of(
            "StatelessRandomUniformIntV2:output",
            shape,
            *_key(b, state),
            low,
            high,
            dtypes=[kind],
            dtype=kind,
            Tshape=_INT,
        )[0]
    if state is not DRAWN:
        raise CannotWrite("random numbers of a state that is computed")
    b.is_stateful = True
    return b.nodes_of(
        "RandomUniformInt:output", shape, low, high, dtypes=[kind], Tout=kind, T=_INT
    )[0]
