"""Gradient health while training: norms, dead units, and how far each step moves the weights."""

from __future__ import annotations

import dataclasses
import importlib
from pathlib import Path

import numpy as np

from gradtape.core import nest
from gradtape.core.tensor import Tensor, TensorBase
from gradtape.engine.indexed_slices import IndexedSlices
from gradtape.engine.variable import Variable, as_variable
from gradtape.explain.tables import Table, framed, text_html

# A step that changes weights by about a thousandth of their size is usual for healthy training.
_USUAL_RATIO = (1e-5, 1e-1)
_FRAME_HEIGHT = 420  # of the drawings in a notebook


@dataclasses.dataclass(frozen=True)
class Reading:
    """One variable in one step. A ratio or a norm that is not known is None."""

    step: int
    name: str
    gradient_norm: float | None
    weight_norm: float
    update_ratio: float | None
    dead_units: float | None  # share of the last axis whose gradient is 0 throughout


class GradientLog:
    """Collects readings, step by step, and shows them.

    log = tf.health.GradientLog()
    for batch in batches:
        ...
        gradients = tape.gradient(loss, variables)
        with log.step(variables, gradients):
            optimizer.apply_gradients(zip(gradients, variables))
    print(log)
    log.save("health.html")          # or health.png, with matplotlib
    """

    def __init__(self) -> None:
        self.readings: list[Reading] = []
        self._steps = 0

    def step(self, variables, gradients) -> _StepRecorder:
        """Record gradients; used as a context around the update, also how far it moves weights."""
        variables, gradients = nest.flatten(variables), nest.flatten(gradients)
        if len(variables) != len(gradients):
            raise ValueError(
                f"GradientLog.step: {len(variables)} variables and {len(gradients)} gradients; "
                "there must be one gradient (or None) for each variable."
            )
        for i, variable in enumerate(variables):
            if not isinstance(as_variable(variable), (Tensor, Variable)):
                raise TypeError(
                    f"GradientLog.step: variable {i} is {variable!r} of type "
                    f"{type(variable).__name__}, not a tf.Variable. The variables go first, then "
                    "the gradients."
                )
        return _StepRecorder(self, variables, gradients)

    def record(self, variables, gradients) -> None:
        """Record gradients alone."""
        with self.step(variables, gradients):
            pass

    def _add(self, variables: list, gradients: list, before: list | None) -> None:
        for i, (variable, gradient) in enumerate(zip(variables, gradients, strict=True)):
            now = _values(variable)
            old = None if before is None else before[i]
            size = _norm(now if old is None else old)
            moved = None if old is None else _norm(now - old)
            self.readings.append(
                Reading(
                    self._steps,
                    _name(variable, i),
                    None if gradient is None else _norm(_dense(gradient)),
                    size,
                    None if not moved or not size else moved / size,
                    None if gradient is None else _dead(_dense(gradient)),
                )
            )
        self._steps += 1

    @property
    def names(self) -> list[str]:
        return list(dict.fromkeys(r.name for r in self.readings))

    def of(self, name: str) -> list[Reading]:
        """Return the readings of one variable, in order."""
        return [r for r in self.readings if r.name == name]

    def warnings(self) -> list[str]:
        """Return what looks unhealthy in the last reading of each variable, in words."""
        messages = []
        for name in self.names:
            last = self.of(name)[-1]
            if last.gradient_norm is None:
                messages.append(f"{name}: it has no gradient (None).")
            elif not np.isfinite(last.gradient_norm):
                messages.append(f"{name}: its gradient is inf or nan.")
            elif last.gradient_norm == 0:
                messages.append(f"{name}: its gradient is 0.")
            if last.dead_units is not None and last.dead_units >= 0.5 and last.gradient_norm:
                messages.append(f"{name}: {last.dead_units:.0%} of its units have no gradient.")
            if last.update_ratio is not None:
                low, high = _USUAL_RATIO
                if last.update_ratio > high:
                    messages.append(
                        f"{name}: a step changes it by {last.update_ratio:.2g} of its size; the "
                        "learning rate may be too high."
                    )
                elif last.update_ratio < low:
                    messages.append(
                        f"{name}: a step changes it by {last.update_ratio:.2g} of its size; it "
                        "hardly learns."
                    )
        return messages

    def table(self) -> Table:
        """Return the last reading of each variable."""
        rows = []
        for name in self.names:
            last = self.of(name)[-1]
            rows.append(
                [
                    name,
                    _text(last.gradient_norm),
                    _text(last.weight_norm),
                    _text(last.update_ratio),
                    "" if last.dead_units is None else f"{last.dead_units:.0%}",
                ]
            )
        columns = ["variable", ">|gradient|", ">|weights|", ">update/weights", ">dead units"]
        title = f"Gradient health after {self._steps} step{'s' if self._steps != 1 else ''}"
        return Table(title, columns, rows)

    def __str__(self) -> str:
        table = self.table()
        if not table.rows:
            return f"{table.title}: nothing recorded."
        return "\n".join([str(table), *self.warnings()])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """Return the table, the warnings and the drawings, for notebooks."""
        from gradtape.explain.health_page import to_page

        if not self.readings:
            return text_html(str(self))
        warnings = "".join(text_html(warning, "bad") for warning in self.warnings())
        return self.table()._repr_html_() + warnings + framed(to_page(self), _FRAME_HEIGHT)

    def save(self, path) -> None:
        """Draw the log into a file: .html needs nothing, .png and .svg need matplotlib."""
        from gradtape.explain.health_page import to_figure, to_page

        path = drawable(path)
        if path.suffix == ".html":
            path.write_text(to_page(self), encoding="utf-8")
        else:
            to_figure(self, path)


def drawable(path) -> Path:
    """Return the path if a log can be saved to it; else raise an error that says why not."""
    path = Path(path)
    if path.suffix not in (".html", ".png", ".svg", ".pdf"):
        raise ValueError(f"GradientLog.save: {path.name!r} must end in .html, .png, .svg or .pdf")
    if path.suffix != ".html":
        try:
            importlib.import_module("matplotlib.figure")
        except ImportError:
            raise ImportError(
                f"Drawing {path.name} needs matplotlib: pip install matplotlib. Saving to a name "
                "that ends in .html needs nothing."
            ) from None
    return path


class _StepRecorder:
    """Records one step, as a context around the update. Without `with`, nothing is recorded."""

    def __init__(self, log: GradientLog, variables: list, gradients: list) -> None:
        self._log, self._variables, self._gradients = log, variables, gradients

    def __enter__(self) -> None:
        self._before = [np.array(_values(v)) for v in self._variables]

    def __exit__(self, kind, *rest) -> None:
        if kind is None:
            self._log._add(self._variables, self._gradients, self._before)


def _values(variable) -> np.ndarray:
    return np.asarray(as_variable(variable)._data)


def _dense(gradient) -> np.ndarray:
    if isinstance(gradient, IndexedSlices):
        gradient = gradient.__tf_tensor__()
    return np.asarray(gradient._data if isinstance(gradient, TensorBase) else gradient)


def _norm(array: np.ndarray) -> float:
    kind = np.complex128 if array.dtype.kind == "c" else np.float64
    with np.errstate(all="ignore"):
        return float(np.linalg.norm(array.astype(kind).reshape(-1)))


def _dead(gradient: np.ndarray) -> float | None:
    """Return the share of units (along the last axis) that get no gradient at all."""
    if gradient.ndim == 0 or gradient.shape[-1] == 0:
        return None
    dead = ~np.any(gradient.reshape(-1, gradient.shape[-1]) != 0, axis=0)
    return float(np.mean(dead))


def _name(variable, index: int) -> str:
    name = getattr(variable, "path", None) or getattr(variable, "name", "") or "variable"
    name = name.removesuffix(":0")
    return f"{name} {index}" if name == "Variable" else name


def _text(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}"
