# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.engine.forward import ForwardAccumulator as ForwardAccumulator
from gradtape.engine.tape import GradientTape as GradientTape
