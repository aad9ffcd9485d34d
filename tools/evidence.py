"""What recorded cases show of each public name.

Those of tests/tf_parity show which rules a function goes through; those that
tests/recorded/record.py lists show only that a name is compared with TensorFlow.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import logging
import sys
import tempfile
import types
from dataclasses import dataclass, field
from pathlib import Path

from gradtape.core import nest
from gradtape.core.primitive import ByLoop, Primitive
from gradtape.core.state import get_state, using
from gradtape.core.tensor import Tensor
from gradtape.engine.recording import Recording


@dataclass
class _Seen:
    """What one case shows of one function."""

    flows: bool = False  # a result depends on something that a tape watches
    kinds: set[bool] = field(default_factory=set)  # whether results are of dtypes with derivatives
    primitives: dict[str, Primitive] = field(default_factory=dict)


class _Noted(Recording):
    """A tape that only notes which differentiable ops run, while another one records."""

    __slots__ = ("running",)

    def __init__(self) -> None:
        super().__init__(watch_variables=False)
        self.running: list[_Seen] = []

    def record(self, prim, inputs, params, out) -> None:
        if len(get_state().tapes) > 1:
            for seen in self.running:
                seen.primitives[prim.name] = prim


class _Watched:
    """gradtape, or a namespace of it, that notes the names it is asked for."""

    def __init__(
        self, module: types.ModuleType, noted: _Noted, seen: dict, used: set, path: str = ""
    ) -> None:
        self._module, self._noted, self._seen = module, noted, seen
        self._used, self._path = used, path

    def __getattr__(self, name: str):
        value = getattr(self._module, name)
        path = self._path + name
        if isinstance(value, types.ModuleType):
            return _Watched(value, self._noted, self._seen, self._used, f"{path}.")
        self._used.add(path)
        if not isinstance(value, types.FunctionType):
            return value
        return _watched(value, self._noted, self._seen.setdefault(id(value), _Seen()))


def _watched(function, noted: _Noted, seen: _Seen):
    """The function, noting the ops of its calls and whether its results have derivatives."""

    @functools.wraps(function)
    def call(*args, **kwargs):
        noted.running.append(seen)
        try:
            result = function(*args, **kwargs)
        finally:
            noted.running.pop()
        leaves = nest.flatten(result)
        seen.flows |= any(map(_is_known_to_a_tape, leaves))
        seen.kinds |= {x.dtype.is_differentiable for x in leaves if isinstance(x, Tensor)}
        return result

    return call


def _is_known_to_a_tape(x) -> bool:
    return isinstance(x, Tensor) and x._marks is not None and x.dtype.is_differentiable


@dataclass
class _Known:
    """What all cases show of one function."""

    has_gradient: bool = False
    second_order: bool = False
    kinds: set[bool] = field(default_factory=set)
    primitives: dict[str, Primitive] = field(default_factory=dict)


class Evidence:
    """By function: functions with several names are one."""

    def __init__(self) -> None:
        self._known: dict[int, _Known] = {}
        self._compared: set[int] = set()  # functions
        self._names: set[str] = set()  # of all kinds, such as "io.TFRecordWriter"

    def add_names(self, names: set[str], functions) -> None:
        """Note that a case uses these names, and the functions."""
        self._names |= names
        self._compared |= set(functions)

    def add(self, function: int, seen: _Seen, has_gradient: bool, second_order: bool) -> None:
        known = self._known.setdefault(function, _Known())
        known.kinds |= seen.kinds
        if seen.flows and has_gradient:
            known.has_gradient = True
            known.second_order |= second_order
            known.primitives |= seen.primitives

    def is_discrete(self, value) -> bool:
        """Whether all results were integers, truth values or strings."""
        known = self._known.get(id(value))
        return known is not None and known.kinds == {False}

    def primitives(self, value) -> dict[str, Primitive]:
        """The primitives with derivatives that the function goes through, by name."""
        known = self._known.get(id(value))
        return known.primitives if known is not None else {}

    def golden(self, path: str) -> list[str]:
        """Return the cells of a class or value, by its name."""
        return ["values" if path in self._names else "", *[""] * 4]

    def cells(self, value) -> list[str]:
        """Golden, derivative, forward mode, batched, second order."""
        known = self._known.get(id(value))
        if known is None:
            return ["values" if id(value) in self._compared else "", *[""] * 4]
        if not known.has_gradient:
            return ["values", "none", "", "", ""]
        forward = "rules" if all(map(_has_jvp, known.primitives.values())) else "derived"
        loops = any(isinstance(p.batch, ByLoop) for p in known.primitives.values())
        second = "golden" if known.second_order else "yes"
        return ["values, gradient", "yes", forward, "loop" if loops else "rules", second]


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
    # Some cases provoke warnings.
    logging.getLogger("gradtape").setLevel(logging.ERROR)
    for module, listed in cases.items():
        for case in listed:
            seen: dict[int, _Seen] = {}
            used: set[str] = set()
            noted = _Noted()
            try:
                with using(tapes=(noted,)):
                    record = run(_Watched(gradtape, noted, seen, used), case)
            except Exception:  # a case that raises is evidence of nothing
                continue
            has_gradient = any(g is not None for g in record.gradients.values())
            evidence.add_names(used, seen)
            for function, each in seen.items():
                evidence.add(function, each, has_gradient, module == "second_order")
    _collect_recorded(evidence, gradtape)
    return evidence


# Cases of Keras's own names. Its first symbolic input wraps functions, which are then no longer
# those that other cases have used.
_OF_KERAS = {"keras_datasets", "preprocessing"}


def _collect_recorded(evidence: Evidence, gradtape: types.ModuleType) -> None:
    """Run the cases of the folders that record plain results: errors are results, too."""
    record = importlib.import_module("tests.recorded.record")
    for folder in sorted(set(record.FOLDERS) - _OF_KERAS):
        cases = record.load(folder)
        for function in cases.CASES.values():
            seen: dict[int, _Seen] = {}
            used: set[str] = set()
            with tempfile.TemporaryDirectory() as position, contextlib.suppress(Exception):
                function(_Watched(gradtape, _Noted(), seen, used), position)
            evidence.add_names(used, seen)
