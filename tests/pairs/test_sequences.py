"""Random sequences of uses of one variable, on the host."""

from tests.pairs import makers
from tests.pairs.sequences import cases

SLOW = makers.NEEDS_JAX | {"restored"}

TestOneVariable = cases({n: m for n, m in makers.VARIABLES.items() if n not in SLOW}, examples=40)
TestWeightOfAModel = cases(
    {n: m for n, m in makers.VARIABLES.items() if "trained" in n and n not in SLOW}, examples=15
)
