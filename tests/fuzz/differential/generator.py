"""Random programs: tensors, ops on them, then the ops as a function in every mode."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from tests.fuzz.differential import modes
from tests.fuzz.differential.catalog import ALL, COMPLEX, FLOATS, OPS, Op
from tests.fuzz.differential.programs import Array, Function, Statement, slice_of

_WEIGHTS = {
    "float32": 40,
    "float64": 14,
    "float16": 6,
    "bfloat16": 6,
    "int32": 10,
    "int64": 4,
    "bool": 5,
    "complex64": 5,
    "complex128": 2,
}
_ARGUMENT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Value:
    """What is known of a name: its dtype and shape; `exact` if no rounding is in it."""

    dtype: str
    shape: tuple[int, ...]
    exact: bool

    @property
    def size(self) -> int:
        size = 1
        for length in self.shape:
            size *= length
        return size


class Generator:
    """Proposes statements; `learn` tells it what a statement has defined."""

    def __init__(self, seed: int, ops=OPS, mistakes: float = 0.02) -> None:
        self.random = random.Random(seed)
        self.ops = ops
        self.mistakes = mistakes  # how many arguments have a dtype, shape or axis that cannot be
        self.begin()

    def begin(self) -> None:
        """Start a new program."""
        self.statements: list[Statement] = []
        self.values: dict[str, Value] = {}
        self.count = 0
        self.made: set[str] = set()  # names that a function was made of
        self.special = self.random.random() < 0.12

    def name(self, letter: str) -> str:
        self.count += 1
        return f"{letter}{self.count}"

    def learn(self, statement: Statement, outcome) -> None:
        """Note what both modules have agreed on; only that is used further."""
        self.statements.append(statement)
        if outcome[0] == "array":
            exact = outcome[1] not in FLOATS + COMPLEX or getattr(statement, "exact", False)
            self.values[statement.name] = Value(outcome[1], outcome[2], exact)

    # --- arrays --------------------------------------------------------------------------------

    def array(self, dtype: str, shape: tuple[int, ...], style: str | None = None) -> str:
        """Append a statement that makes an array; returns its name."""
        name = self.name("a")
        if style is None:
            style = self.random.choice(["uniform", "uniform", "positive", "integers"])
            if self.special and dtype in FLOATS:
                style = "special"
        if dtype in ("uint8", "uint16", "uint32", "bool"):
            style = "naturals"
        elif dtype.startswith("int"):
            style = "naturals" if style == "naturals" else "integers"
        seed = self.random.randrange(1000)
        made = Array(name, "", (), True, shape, dtype, style, seed)
        self.statements.append(made)
        self.values[name] = Value(dtype, shape, True)
        return name

    def shape(self, rank: int = 0) -> tuple[int, ...]:
        choose = self.random
        if choose.random() < 0.06:
            large = [(65_536,), (70_001,), (300, 257), (2, 40_000), (40_000, 2), (1, 66_000)]
            fitting = [shape for shape in large if len(shape) >= rank]
            if fitting:
                return choose.choice(fitting)
        rank = max(rank, choose.choice([0, 1, 1, 2, 2, 2, 3, 4]))
        lengths = [1, 2, 3, 3, 4, 5]
        if choose.random() < 0.05:
            lengths = [0, *lengths[:3]]
        return tuple(choose.choice(lengths) for _ in range(rank))

    def like(self, dtype: str, shape: tuple[int, ...], style=None, same: bool = False) -> str:
        """A tensor that broadcasts with a shape, or has it: one that exists, or a new one."""
        fitting = [
            name
            for name, value in self.values.items()
            if value.dtype == dtype
            and (value.shape == shape or (not same and _fits(value.shape, shape)))
        ]
        if fitting and style is None and self.random.random() < 0.5:
            return self.random.choice(fitting)
        if not same:
            cut = self.random.randint(0, len(shape)) if self.random.random() < 0.4 else 0
            shape = shape[cut:]
            shape = tuple(1 if self.random.random() < 0.15 else length for length in shape)
            if self.random.random() < self.mistakes:
                shape = (*shape, 7)
        if self.random.random() < self.mistakes:
            dtype = self.random.choice(ALL)
        return self.array(dtype, shape, style)

    # --- ops -----------------------------------------------------------------------------------

    def op(self) -> Statement:
        """One op on tensors that exist or are made for it."""
        while True:
            op = self.random.choice(self.ops)
            actual = self._main(op)
            if actual is not None:
                return self._filled(op, actual)

    def _main(self, op: Op) -> str | None:
        fitting = [
            name
            for name, value in self.values.items()
            if value.dtype in op.dtypes
            and len(value.shape) >= op.rank
            and value.size <= op.largest
            and (value.exact or not op.jumps)
            and op.style is None
        ]
        if fitting and self.random.random() < 0.75:
            return self.random.choice(fitting[-6:])
        if fitting and len(self.statements) > 8:
            return self.random.choice(fitting)
        dtype = self.random.choices(op.dtypes, [_WEIGHTS.get(d, 2) for d in op.dtypes])[0]
        for _ in range(10):
            shape = self.shape(op.rank)
            if Value(dtype, shape, True).size <= op.largest:
                return self.array(dtype, shape, op.style)
        return None

    def _filled(self, op: Op, x: str) -> Statement:
        value = self.values[x]
        arguments = {"x": x}
        uses = [x]
        for key in dict.fromkeys(_ARGUMENT.findall(op.template)):
            if key in "yzsbm":
                arguments[key] = self._tensor(key, value, op)
                uses.append(arguments[key])
            elif key != "x":
                arguments[key] = str(self._parameter(key, value))
        name = self.name("t")
        text = f"{name} = {op.template.format(**arguments)}"
        exact = op.moves and all(self.values[use].exact for use in uses)
        statement = Statement(name, text, tuple(dict.fromkeys(uses)))
        object.__setattr__(statement, "exact", exact)
        return statement

    def _tensor(self, key: str, x: Value, op: Op) -> str:
        if key == "b":
            return self.like("bool", x.shape)
        if key == "m":
            columns = self.random.choice([1, 2, 3])
            batch = x.shape[:-2] if self.random.random() < 0.3 else ()
            return self.array(x.dtype, (*batch, x.shape[-1], columns))
        style = "positive" if "xlogy" in op.template else None
        if op.jumps and x.dtype in FLOATS + COMPLEX:  # must be exact, too
            return self.array(x.dtype, x.shape, style)
        return self.like(x.dtype, x.shape, style, same=key == "s")

    def _parameter(self, key: str, x: Value):
        choose, rank = self.random, len(x.shape)
        if key == "axis":
            return choose.randrange(-rank, rank) if choose.random() > self.mistakes else rank + 1
        if key == "axes":
            one = choose.randrange(-rank, rank) if rank else None
            several = sorted(choose.sample(range(rank), choose.randint(0, rank)))
            return choose.choice([None, one, several])
        if key == "keep":
            return choose.choice([True, False])
        if key == "perm":
            return choose.sample(range(rank), rank)
        if key == "shape":
            return choose.choice(
                [[-1], [x.size], [1, x.size], [*x.shape, 1], [x.shape[-1] if rank else 1, -1]]
            )
        if key == "index":
            return self._index(x.shape)
        if key == "rows":
            largest = min(max(x.shape[0], 1), 5)
            rows = [choose.randrange(largest) for _ in range(x.shape[0] if x.shape[0] < 50 else 7)]
            return f"np.array({rows}, np.int32)"
        if key == "segments":
            return f"np.arange({x.shape[0]}) // 2"
        if key == "pads":
            return [[choose.randrange(2), choose.randrange(3)] for _ in range(rank)]
        if key == "k":
            return choose.choice([1, 1, 2])
        if key == "reps":
            return [choose.randrange(3) for _ in range(rank)]
        return choose.choice(ALL)  # a dtype

    def _index(self, shape: tuple[int, ...]) -> str:
        choose, parts = self.random, []
        for length in shape[: choose.randint(1, len(shape))]:
            at = choose.randrange(-length, length) if length else 0
            step = choose.choice(["", "::2", "::-1", "1:", ":-1", "1::2", "-2:", ":1", "::3"])
            parts.append(choose.choice([str(at), step or ":", step or ":", ":", "None"]))
        if choose.random() < 0.3:
            parts.insert(choose.randint(0, len(parts)), "...")
        return ", ".join(parts)

    # --- modes ---------------------------------------------------------------------------------

    def function(self) -> tuple[Function, tuple[str, ...], str] | None:
        """A function of the arrays that a result was computed from; the arrays; that result."""
        names = [
            s.name
            for s in self.statements
            if s.name in self.values and type(s) is Statement and s.pure and s.name not in self.made
        ]
        if not names:
            return None
        result = self.random.choice(names[-4:])
        self.made.add(result)
        sliced = slice_of(self.statements, [result], pure_only=True)
        if sliced is None:
            return None
        arrays = tuple(s.name for s in sliced if isinstance(s, Array))
        body = tuple(s for s in sliced if type(s) is Statement)
        if not arrays or len(body) + len(arrays) != len(sliced):
            return None
        function = Function(self.name("f"), "", (), True, arrays, body, result)
        return function, arrays, result

    def modes(self) -> list[Statement]:
        """A function of what was computed, and calls of it in some modes."""
        actual = self.function()
        if actual is None:
            return []
        function, arrays, result = actual
        return [function, *modes.calls(self, function, arrays, self.values[result])]


def _fits(shape: tuple[int, ...], other: tuple[int, ...]) -> bool:
    if len(shape) > len(other):
        return False
    return all(a in (1, b) for a, b in zip(shape[::-1], other[::-1], strict=False))
