"""`gradtape nan`: watches a whole program for the op where its first nan begins."""

from __future__ import annotations

from collections.abc import Callable

from gradtape.core.tensor import Tensor
from gradtape.explain.nonfinite import NonFiniteFinding, has_nan, is_finite
from gradtape.explain.origins import Notes
from gradtape.explain.watchdog import Watchdog


class Hunter(Watchdog):
    """Sees every op of a program, and calls `found` with the first nan.

    An infinity is no mistake by itself: masks are full of them. Where each began is kept, for the
    nan that may come of it; `stops_at_inf` makes it as bad as a nan.
    """

    __slots__ = ("_began", "infinity", "on_finding", "ops", "stops_at_inf")

    def __init__(
        self,
        on_finding: Callable[[NonFiniteFinding, NonFiniteFinding | None], None],
        stops_at_inf: bool,
    ) -> None:
        super().__init__(only_nan=not stops_at_inf)
        self.on_finding = on_finding
        self.stops_at_inf = stops_at_inf
        self.ops = 0
        self.infinity: NonFiniteFinding | None = None  # the first that an op made
        self._began = Notes()  # of values with infinities: where the first of these began

    def record(self, prim, inputs: tuple, params: dict, out) -> None:
        self.ops += 1
        for y in [out] if isinstance(out, Tensor) else list(out):
            if y._has_value and not is_finite(y._data):
                self._look(prim, inputs, params, y)

    def _look(self, prim, inputs: tuple, params: dict, y: Tensor) -> None:
        before = next((b for x in inputs if (b := self._began.get(x)) is not None), None)
        if has_nan(y._data) or self.stops_at_inf:
            self.on_finding(self._finding(prim, inputs, params, y), before)
        if before is None:
            before = self._finding(prim, inputs, params, y)
            if before.kind != "input" and self.infinity is None:
                self.infinity = before
        self._began.put(y, before)
