"""Random sequences of uses of one variable, on the host."""

from tests.pairs import makers, users
from tests.pairs.sequences import LEFT_OUT, cases

VARIABLES = {n: m for n, m in makers.VARIABLES.items() if n not in makers.NEEDS_JAX}

TestOneVariable = cases(VARIABLES, examples=40)
TestWeightOfAModel = cases({n: m for n, m in VARIABLES.items() if "trained" in n}, examples=15)
if not users.NEEDS_JAX & LEFT_OUT:
    # For `make test-xla`: beside those above, which use compiled functions there as well.
    TestCompiled = cases({n: makers.VARIABLES[n] for n in sorted(makers.VARIABLES)}, examples=12)
