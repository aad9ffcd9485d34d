"""What the cases of tests/tf_parity show of each public function: which rules it goes through."""

from __future__ import annotations

import importlib
import sys
import types
from dataclasses import dataclass, field
from pathlib import Path

from gradtape.core.primitive import ByLoop, Primitive
from gradtape.core.state import get_state, using
from gradtape.engine.recording import Recording

# Names that cases use around the function they are about.
_AROUND = frozenset(
    "constant Variable GradientTape function Module float16 float32 float64 int32 int64 bool "
    "complex64 complex128 bfloat16 uint8 string convert_to_tensor".split()
)


class _Noted(Recording):
    """A tape that only notes which differentiable ops run while another one records."""

    __slots__ = ("used",)

    def __init__(self) -> None:
        super().__init__(watch_variables=False)
        self.used: dict[str, Primitive] = {}

    def record(self, prim, inputs, params, out) -> None:
        if len(get_state().tapes) > 1:
            self.used[prim.name] = prim


class _Watched:
    """gradtape, or a namespace of it, that notes the names it is asked for."""

    def __init__(self, module: types.ModuleType, path: str, seen: set[str]) -> None:
        self._module, self._path, self._seen = module, path, seen

    def __getattr__(self, name: str):
        value = getattr(self._module, name)
        path = f"{self._path}{name}"
        if isinstance(value, types.ModuleType):
            return _Watched(value, f"{path}.", self._seen)
        self._seen.add(path)
        return value


@dataclass
class _Known:
    """What was seen of one function."""

    cases: int = 0
    has_gradient: bool = False
    alone: bool = False  # used by itself in some case
    second_order: bool = False
    primitives: dict = field(default_factory=dict)


class Evidence:
    """By function: functions with several names are one."""

    def __init__(self) -> None:
        self._known: dict[int, _Known] = {}

    def of(self, value) -> _Known:
        return self._known.setdefault(id(value), _Known())

    def cells(self, path: str, value) -> list[str]:
        """Golden, derivative, forward mode, batched, second order."""
        known = self._known.get(id(value))
        if known is None:
            return [""] * 5
        golden = "values, gradient" if known.has_gradient else "values"
        if not known.has_gradient:
            return [golden, "none" if known.alone else "", "", "", ""]
        second = "golden" if known.second_order else "yes"
        if not known.alone:
            return [golden, "yes", "", "", second]
        forward = "rules" if all(map(_has_jvp, known.primitives.values())) else "derived"
        loops = any(isinstance(p.batch, ByLoop) for p in known.primitives.values())
        return [golden, "yes", forward, "loop" if loops else "rules", second]


def _has_jvp(prim: Primitive) -> bool:
    return bool(prim.structure or prim.jvps is not None or prim.joint_jvp is not None)


def collect() -> Evidence:
    """Run every case once and note what it used."""
    root = str(Path.cwd())
    if root not in sys.path:
        sys.path.insert(0, root)
    cases = importlib.import_module("tests.tf_parity.cases").MODULES
    run = importlib.import_module("tests.tf_parity.runner").run
    gradtape = importlib.import_module("gradtape")
    evidence = Evidence()
    for module, listed in cases.items():
        for case in listed:
            seen: set[str] = set()
            noted = _Noted()
            with using(tapes=(noted,)):
                record = run(_Watched(gradtape, "", seen), case)
            _note(evidence, gradtape, seen, noted, record, module)
    return evidence


def _note(evidence: Evidence, gradtape, seen: set[str], noted: _Noted, record, module: str) -> None:
    values = {id(v): v for v in (_resolve(gradtape, p) for p in seen - _AROUND) if callable(v)}
    has_gradient = any(g is not None for g in record.gradients.values())
    for value in values.values():
        known = evidence.of(value)
        known.cases += 1
        known.has_gradient |= has_gradient
        known.second_order |= module == "second_order"
        if len(values) == 1:
            known.alone = True
            known.primitives |= noted.used


def _resolve(module, path: str):
    for part in path.split("."):
        module = getattr(module, part)
    return module
