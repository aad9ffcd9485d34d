"""What `x + y` and the other operators mean, for tensors and (through `install`) variables."""

from __future__ import annotations

from gradtape import ops
from gradtape.core.tensor import Tensor


def _reflected(op):
    return lambda x, y: op(y, x)


def _operators() -> dict:
    table = {
        "add": ops.add,
        "sub": ops.subtract,
        "mul": ops.multiply,
        "truediv": ops.divide,
        "pow": ops.pow,
        "matmul": ops.matmul,
    }
    found = {f"__{name}__": op for name, op in table.items()}
    found |= {f"__r{name}__": _reflected(op) for name, op in table.items()}
    return found | {
        "__neg__": ops.negative,
        "__abs__": ops.abs,
        "__lt__": ops.less,
        "__le__": ops.less_equal,
        "__gt__": ops.greater,
        "__ge__": ops.greater_equal,
        "__eq__": ops.equal,
        "__ne__": ops.not_equal,
    }


def install(cls: type) -> None:
    """Give a class the operators, each working through the op of its name."""
    for name, function in _operators().items():
        setattr(cls, name, lambda *args, _op=function: _op(*args))


install(Tensor)
