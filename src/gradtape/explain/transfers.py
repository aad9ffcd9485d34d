"""`tf.debug_transfers()`: what a program copies between the host and its devices, and where."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Generator

from gradtape.core.brief import in_bytes
from gradtape.core.placement import TRANSFER_LISTENERS
from gradtape.core.source_location import here
from gradtape.explain.source import SourceLocation
from gradtape.explain.tables import Report, Table

_SHOWN = 12  # lines


@dataclasses.dataclass
class Direction:
    """The copies in one direction: how many, and their bytes."""

    count: int = 0
    bytes: int = 0

    def add(self, nbytes: int) -> None:
        self.count += 1
        self.bytes += nbytes

    def __str__(self) -> str:
        return f"{self.count} ({in_bytes(self.bytes)})" if self.count else ""


class Transfers(Report):
    """The copies between the host and devices since the block began.

    `to_device` and `to_host` are totals with `count` and `bytes`; `by_line` has a pair of them for
    each line of the program.
    """

    def __init__(self) -> None:
        self.to_device, self.to_host = Direction(), Direction()
        self.by_line: dict[str, tuple[Direction, Direction]] = {}
        self._texts: dict[str, str] = {}

    def _add(self, to_device: bool, nbytes: int) -> None:
        location = SourceLocation(*here())
        line = str(location)
        self._texts.setdefault(line, location.text)
        pair = self.by_line.setdefault(line, (Direction(), Direction()))
        total = self.to_device if to_device else self.to_host
        total.add(nbytes)
        pair[0 if to_device else 1].add(nbytes)

    def tables(self) -> list[Table]:
        title = (
            f"{self.to_device.count} copies to devices ({in_bytes(self.to_device.bytes)}), "
            f"{self.to_host.count} to the host ({in_bytes(self.to_host.bytes)})"
        )
        order = sorted(self.by_line.items(), key=lambda item: -sum(d.count for d in item[1]))
        rows = [
            [str(to_device), str(to_host), line, self._texts[line]]
            for line, (to_device, to_host) in order[:_SHOWN]
        ]
        more = len(order) - _SHOWN
        note = f"and {more} more lines" if more > 0 else ""
        return [Table(title, [">to devices", ">to the host", "line", "code"], rows, note)]


@contextlib.contextmanager
def debug_transfers() -> Generator[Transfers, None, None]:
    """Count the copies between the host and devices, in all threads, until the block ends.

    Reading a value (`float(loss)`, `x.numpy()`) is a copy to the host, and waits for the device. A
    NumPy array that an op takes is a copy to the device, in every call. Numbers are copied once.

    ```python
    with tf.debug_transfers() as transfers:
        train_step(batch)
    print(transfers)
    ```
    """
    transfers = Transfers()
    TRANSFER_LISTENERS.append(transfers._add)
    try:
        yield transfers
    finally:
        TRANSFER_LISTENERS.remove(transfers._add)
