"""`GradientTape`, with TensorFlow's semantics."""

from __future__ import annotations

import contextlib
import enum
import logging
import operator
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from gradtape import ops
from gradtape.core import nest
from gradtape.core.brief import brief
from gradtape.core.dtypes import is_differentiable
from gradtape.core.protocols import Composite
from gradtape.core.scope import op_scope
from gradtape.core.source_location import here
from gradtape.core.state import get_state, push_tape, remove_tape
from gradtape.core.tensor import Tensor
from gradtape.engine.backward import backward, fast_gradient, seed
from gradtape.engine.broken_paths import Paused
from gradtape.engine.indexed_slices import IndexedSlices
from gradtape.engine.inspection import Inspection, answered
from gradtape.engine.recording import Recording
from gradtape.engine.variable import Variable, as_variable

if TYPE_CHECKING:
    from gradtape.core.typing import TensorLike

logger = logging.getLogger("gradtape")


class UnconnectedGradients(enum.Enum):
    """What `gradient` returns for a source that the target does not depend on."""

    NONE = "none"
    ZERO = "zero"
    EXPLAIN = "explain"  # None, and a warning that says why


_NONE, _EXPLAIN = UnconnectedGradients.NONE, UnconnectedGradients.EXPLAIN


class _NotATensor(TypeError, ValueError):
    """The error for an object that is no tensor; of both classes that TensorFlow raises for it."""


class GradientTape(Inspection):
    """Records ops on watched tensors, so that they can be differentiated.

    Trainable variables are watched when they are read; tensors on request, with `watch`.

        x = tf.constant(3.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        tape.gradient(y, x)          # 6.0

    A tape computes one set of gradients and then frees its recording, unless it is `persistent`.
    """

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        self._persistent = bool(persistent)
        self._watch_accessed_variables = bool(watch_accessed_variables)
        self._recording: Recording | None = None
        self._is_active = False
        self._last_leaves: dict[Any, Any] = {}  # what was watched, after the recording was freed

    # --- recording -----------------------------------------------------------------------------

    def __enter__(self) -> GradientTape:
        if self._is_active:
            raise ValueError(
                "Tape is still recording, This can happen if you try to re-enter an "
                "already-active tape."
            )
        recording = self._recording
        if recording is None:
            recording = self._recording = Recording(self._watch_accessed_variables)
        scope = op_scope()
        if scope:
            recording.enter_scope(scope)
        push_tape(recording)
        self._is_active = True
        return self

    def __exit__(self, *exception: Any) -> None:
        recording = self._recording
        if self._is_active and recording is not None:
            remove_tape(recording)
            self._is_active = False

    def watch(self, tensor: Any) -> None:
        """Watch a tensor, or each tensor of a nested structure."""
        for x in nest.flatten(tensor):
            x: Any = as_variable(x)
            if type(x) is not Tensor and not isinstance(x, (Tensor, Variable)):
                if isinstance(x, Composite):
                    self.watch(
                        [part for part in x._component_tensors() if part.dtype.is_differentiable]
                    )
                    continue
                raise _NotATensor(
                    f"Passed in object {brief(x)} of type {type(x).__name__!r}, not tf.Tensor or "
                    "tf.Variable or ExtensionType."
                )
            if not x.dtype.is_differentiable:
                logger.warning(
                    "The dtype of the watched tensor must be floating (e.g. tf.float32), got %r",
                    x.dtype,
                )
                continue
            if self._recording is None:
                self._recording = Recording(self._watch_accessed_variables)
            self._recording.watch(x)
            if isinstance(x, Variable):
                x._forget_snapshot()

    @contextlib.contextmanager
    def stop_recording(self) -> Generator[None, None, None]:
        """Pause recording on this tape during the block."""
        if self._recording is None:
            raise RuntimeError(
                "Trying to stop recording a tape which is not recording. It was never entered, or "
                "its gradient has been computed."
            )
        if not self._is_active:
            raise ValueError("Tape is not recording.")
        self.__exit__()
        paused = Paused(self._recording)
        push_tape(paused)
        try:
            yield
        finally:
            remove_tape(paused)
            self.__enter__()

    def reset(self) -> None:
        """Clear everything recorded; inside the context, start a new recording."""
        active = self._is_active
        if active:
            self.__exit__()
        self._recording = None
        self._reset_at = here()
        if active:
            self.__enter__()

    def watched_variables(self) -> tuple[Variable, ...]:
        """Return the variables watched so far, in the order in which they were created."""
        leaves = self._last_leaves if self._recording is None else self._recording.leaves
        variables = [x for _, x in leaves.values() if isinstance(x, Variable)]
        return tuple(sorted(variables, key=lambda v: v._serial))

    # --- gradients -----------------------------------------------------------------------------

    def gradient(
        self,
        target: Any,
        sources: Any,
        output_gradients: Any = None,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
    ) -> Any:
        """Compute the gradient of a target (or of the sum of several) with respect to each source.

        `sources` may be nested; the result has its structure. `output_gradients`, in the
        structure of `target`, scales each target's contribution, elementwise.
        """
        if self._is_active:
            if self._persistent:
                logger.warning(
                    "Calling GradientTape.gradient on a persistent tape inside its context is "
                    "significantly less efficient than calling it outside the context (it causes "
                    "the gradient ops to be recorded on the tape, leading to increased CPU and "
                    "memory usage). Only call GradientTape.gradient inside the context if you "
                    "actually want to trace the gradient in order to compute higher order "
                    "derivatives."
                )
            else:
                self.__exit__()
        recording = self._usable()
        frees = not self._persistent and (get_state().trace is None or may_free())
        if output_gradients is None and unconnected_gradients is _NONE:
            results = fast_gradient(recording, target, sources, frees)
            if results is not NotImplemented:
                if frees:
                    self._free(recording)
                return results
        unconnected = as_unconnected(unconnected_gradients)
        given = nest.flatten(sources)
        flat_sources = [as_source(s) for s in given]
        targets = [
            t if type(t) is Tensor else _differentiable_part(t) for t in nest.flatten(target)
        ]
        for t in targets:
            for s in flat_sources:
                # A target that is itself a source has a gradient, watched or not.
                if t is s and is_differentiable(t._data.dtype):
                    recording.watch(t)
        slots = [recording.slot_of(s) for s in flat_sources]
        wanted = {s for s in slots if s is not None}
        seeds = _seeds(recording, targets, output_gradients)
        explains = unconnected is _EXPLAIN
        consume = frees and not explains
        if consume and (not seeds or None in slots):
            self._ask_later(recording, targets, flat_sources)
        cotangents = backward(recording, seeds, wanted, consume)
        if consume and recording.entries and self._question is None:  # no source is connected
            self._ask_later(recording, targets, flat_sources)
        if frees:
            self._free(recording)
        results = [None if slot is None else cotangents[slot] for slot in slots]
        if explains:
            named = [_differentiable_part(s) for s in given]
            answered(self, recording, targets, named, results)
        if unconnected is UnconnectedGradients.ZERO:
            results = [
                ops.zeros_like(x) if g is None else g
                for x, g in zip(flat_sources, results, strict=True)
            ]
        if not all(map(operator.is_, given, flat_sources)):  # composites get theirs
            results = [_like_source(s, g) for s, g in zip(given, results, strict=True)]
        return nest.pack_sequence_as(sources, results)

    def _free(self, recording: Recording) -> None:
        """Free the recording; what was watched can still be listed."""
        self._last_leaves = recording.leaves
        self._recording = None

    def _was_used(self) -> bool:
        return bool(self._last_leaves)

    def _usable(self) -> Recording:
        if self._recording is None:
            raise RuntimeError(
                "A non-persistent GradientTape can only be used to compute one set of gradients "
                "(or jacobians)"
            )
        return self._recording

    def jacobian(
        self,
        target: Any,
        sources: Any,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """Compute the Jacobian of the target with respect to each source.

        Each result has the target's shape followed by the source's.
        """
        from gradtape.engine.jacobian import tape_jacobian

        return tape_jacobian(self, target, sources, unconnected_gradients, experimental_use_pfor)

    def batch_jacobian(
        self,
        target: Tensor,
        source: Tensor,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: Any = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """Compute the Jacobian of each example of the target with respect to that of the source."""
        from gradtape.engine.jacobian import tape_batch_jacobian

        return tape_batch_jacobian(
            self, target, source, unconnected_gradients, experimental_use_pfor
        )

    def hessian(self, target: Tensor, sources: Any) -> Any:
        """Compute the Hessian of a scalar target, with respect to one source or several.

        For one source the result has its shape, repeated; for a structure of sources it is a
        structure of structures: `result[i][j]` is the derivative with respect to source i and
        source j.
        """
        from gradtape.engine.jacobian import tape_hessian

        return tape_hessian(self, target, sources)


def may_free() -> bool:
    """Return whether a gradient that is computed here may free the recording that it is of.

    A function that traces a custom gradient calls it again where a tape in it asks.
    """
    trace = get_state().trace
    while trace is not None and not trace.is_gradient:
        trace = trace.outer
    return trace is None


def as_unconnected(value: Any) -> UnconnectedGradients:
    """Return the argument `unconnected_gradients`, which may be given as a string."""
    if type(value) is UnconnectedGradients:
        return value
    try:
        return UnconnectedGradients(value)
    except ValueError:
        raise ValueError(
            f"Unknown value for unconnected_gradients: {value!r}. Use 'none', 'zero' or 'explain'."
        ) from None


def _seeds(
    recording: Recording, targets: list[Any], output_gradients: TensorLike | None
) -> list[tuple[Any, ...]]:
    """Return (slot, cotangent) of each target that the recording knows."""
    given = [None] * len(targets)
    if output_gradients is not None:
        given = [_differentiable_part(g) for g in nest.flatten(output_gradients)]
        if len(given) != len(targets):
            raise ValueError(
                f"output_gradients has {len(given)} entries for {len(targets)} targets"
            )
    seeds = []
    for target, g in zip(targets, given, strict=True):
        target = differentiable_target(target)
        slot = None if target is None else recording.slot_of(target)
        if target is not None and slot is not None:
            seeds.append((slot, seed(target, g)))
    return seeds


def _check_not_composite(value: Any) -> None:
    if isinstance(value, Composite):
        raise _NotATensor(
            f"Type {type(value).__name__} is not supported as a gradient source or gradient target."
            " Differentiate its .values."
        )


def _differentiable_part(value: Any) -> Any:
    """Return the component of a composite that derivatives flow through; of others, itself."""
    if not isinstance(value, (Tensor, Variable)) and isinstance(value, Composite):
        part = value._differentiable_component()
        return value if part is None else part
    return value


def _like_source(source: Any, gradient: Any) -> Any:
    """Return the gradient of a composite source as a composite; of others, itself."""
    if gradient is None or _differentiable_part(source) is source:
        return gradient
    return source._with_differentiable_component(ops.to_tensor(gradient))


def differentiable_target(target: TensorLike | None) -> Any:
    """Return a target as a tensor or variable; None, with a warning, if not differentiable."""
    if type(target) is not Tensor:
        target = as_variable(target)
        if isinstance(target, IndexedSlices):
            target = target.values
        if not isinstance(target, (Tensor, Variable)):
            _check_not_composite(target)
            if not ops.is_tensor_like(target):
                raise TypeError(
                    f"target must be a tensor or variable computed under the tape, got {target!r} "
                    f"of type {type(target).__name__}. A value made with .numpy() or float() has "
                    "left the tape."
                )
            target = ops.to_tensor(target)
    if not is_differentiable(target._data.dtype):
        _warn_not_floating("target", target)
        return None
    return target


def _warn_not_floating(what: str, x: Any) -> None:
    logger.warning(
        "The dtype of the %s tensor must be floating (e.g. tf.float32) when calling "
        "GradientTape.gradient, got %r",
        what,
        x.dtype,
    )


def as_source(source: Any) -> Any:
    """Return a source as a tensor or variable, with a warning if it is not differentiable."""
    if type(source) is not Tensor and type(source) is not Variable:
        source = as_variable(_differentiable_part(source))
    if not isinstance(source, (Tensor, Variable)):
        _check_not_composite(source)
        raise _NotATensor(
            f"sources must be tensors or variables, got {source!r} of type {type(source).__name__}."
        )
    if not is_differentiable(source._data.dtype):
        _warn_not_floating("source", source)
    return source
