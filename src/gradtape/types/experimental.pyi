# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.api.function.concrete import ConcreteFunction as ConcreteFunction
from gradtape.api.function.function import Function as _Function
from gradtape.core.typing import TensorLike as TensorLike

GenericFunction = _Function
PolymorphicFunction = _Function
