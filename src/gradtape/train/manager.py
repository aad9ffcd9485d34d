"""`tf.train.CheckpointManager`: keeps the latest checkpoints of a folder, deletes older ones."""

from __future__ import annotations

import contextlib
import json
import os
import re
import time
from collections.abc import Iterator

from gradtape import ops
from gradtape.distribute.process.chief import by_chief, is_chief
from gradtape.formats.atomic import write_whole
from gradtape.train.files import leftovers, main_file, path_text, remove_checkpoint

# A line of protobuf's text format, and what a backslash begins in its strings.
_LINE = re.compile(r"""^\s*(\w+)\s*:\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[-+.\deE]+)\s*$""")
_ESCAPE = re.compile(rb"\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{4})|([0-7]{1,3})|(.))", re.DOTALL)
_ESCAPED = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}


class CheckpointState:
    """What the file `checkpoint` of a folder says."""

    def __init__(
        self, latest: str, paths: list[str], timestamps: list[float], preserved, outdated: list[str]
    ) -> None:
        self.model_checkpoint_path = latest
        self.all_model_checkpoint_paths = paths
        self.all_model_checkpoint_timestamps = timestamps
        self.last_preserved_timestamp = preserved
        self.outdated_checkpoint_paths = outdated  # that were to be deleted after this was written

    def __repr__(self) -> str:
        lines = [f'model_checkpoint_path: "{self.model_checkpoint_path}"']
        lines += [f'all_model_checkpoint_paths: "{p}"' for p in self.all_model_checkpoint_paths]
        return "\n".join(lines)


def _state_path(directory: str, latest_filename=None) -> str:
    return os.path.join(directory, latest_filename or "checkpoint")


def update_checkpoint_state(
    directory: str,
    latest: str,
    paths: list[str],
    timestamps: list[float] | None = None,
    preserved: float | None = None,
    outdated: list[str] | None = None,
) -> None:
    """Write the file `checkpoint`: which checkpoints there are, relative to its folder."""

    def relative(path: str) -> str:
        return json.dumps(os.path.relpath(path, directory), ensure_ascii=False)

    lines = [f"model_checkpoint_path: {relative(latest)}"]
    lines += [f"all_model_checkpoint_paths: {relative(path)}" for path in paths]
    lines += [f"all_model_checkpoint_timestamps: {when!r}" for when in timestamps or ()]
    if preserved is not None:
        lines.append(f"last_preserved_timestamp: {preserved!r}")
    lines += [f"outdated_checkpoint_paths: {relative(path)}" for path in outdated or ()]
    write_whole(_state_path(directory), ["".join(f"{line}\n" for line in lines).encode()])


def get_checkpoint_state(checkpoint_dir, latest_filename=None) -> CheckpointState | None:
    """Return what is known of the checkpoints in a folder; None where there are none."""
    directory = path_text(checkpoint_dir)
    try:
        with open(_state_path(directory, latest_filename), encoding="utf-8") as file:
            lines = [match for match in map(_LINE.match, file) if match]
    except (FileNotFoundError, NotADirectoryError, UnicodeDecodeError):
        return None
    fields: dict[str, list] = {}
    for name, literal in (line.groups() for line in lines):
        is_text = literal[0] in "\"'"
        if is_text == name.endswith(("_path", "_paths")):
            with contextlib.suppress(ValueError):  # of what only looks like a number
                value = _text(literal) if is_text else float(literal)
                fields.setdefault(name, []).append(value)
    if not fields.get("model_checkpoint_path"):
        return None

    def absolute(path: str) -> str:
        return path if os.path.isabs(path) else os.path.join(directory, path)

    return CheckpointState(
        absolute(fields["model_checkpoint_path"][-1]),
        [absolute(path) for path in fields.get("all_model_checkpoint_paths", [])],
        fields.get("all_model_checkpoint_timestamps", []),
        next(iter(fields.get("last_preserved_timestamp", [])), None),
        [absolute(path) for path in fields.get("outdated_checkpoint_paths", [])],
    )


def _text(literal: str) -> str:
    """Return the text that a string in protobuf's text format means."""

    def one(match: re.Match[bytes]) -> bytes:
        hexadecimal, unit, octal, letter = match.groups()
        if unit:
            return chr(int(unit, 16)).encode(errors="surrogatepass")
        if letter:
            return _ESCAPED.get(letter, letter)
        return bytes([int(hexadecimal, 16) if hexadecimal else int(octal, 8) & 0xFF])

    # (JSON, which this package wrote, is the same but for \u.)
    return _ESCAPE.sub(one, literal[1:-1].encode()).decode(errors="surrogateescape")


def latest_checkpoint(checkpoint_dir, latest_filename=None) -> str | None:
    """Return the latest checkpoint of a folder, for `restore`; None where there is none."""
    state = get_checkpoint_state(checkpoint_dir, latest_filename)
    if state is None or main_file(state.model_checkpoint_path) is None:
        return None
    return state.model_checkpoint_path


def checkpoints_iterator(
    checkpoint_dir, min_interval_secs=0, timeout=None, timeout_fn=None
) -> Iterator[str]:
    """Yield each new checkpoint of a folder as it appears."""
    last = None
    while True:
        deadline = None if timeout is None else time.monotonic() + timeout
        while (path := latest_checkpoint(checkpoint_dir)) in (None, last):
            if deadline is not None and time.monotonic() > deadline:
                if not timeout_fn or timeout_fn():
                    return
                deadline = time.monotonic() + (timeout or 0)
            time.sleep(0.1)
        began = time.monotonic()
        last = path
        yield path
        time.sleep(max(0, min_interval_secs - (time.monotonic() - began)))


class CheckpointManager:
    """Saves numbered checkpoints in a folder and keeps the latest `max_to_keep` of them."""

    def __init__(
        self,
        checkpoint,
        directory,
        max_to_keep,
        keep_checkpoint_every_n_hours=None,
        checkpoint_name="ckpt",
        step_counter=None,
        checkpoint_interval=None,
        init_fn=None,
        last_checkpoint_step=None,
    ) -> None:
        if max_to_keep is not None and max_to_keep <= 0:
            raise ValueError(
                f"Expected a positive integer or `None` for `max_to_keep`, got {max_to_keep}."
            )
        if checkpoint_interval is not None and step_counter is None:
            raise ValueError("`step_counter` should be passed if `checkpoint_interval` is set.")
        self._checkpoint = checkpoint
        self._directory = path_text(directory)
        self._max_to_keep = max_to_keep
        self._keep_hours = keep_checkpoint_every_n_hours
        self._prefix = os.path.join(self._directory, checkpoint_name)
        self._step_counter = step_counter
        self._interval = checkpoint_interval
        self._last_step = last_checkpoint_step
        self._init_fn = init_fn
        self._kept: dict[str, float] = {}  # checkpoints that may be deleted, oldest first
        self._latest: str | None = None
        self._preserved = time.time()
        state = get_checkpoint_state(self._directory)
        if state is not None:
            self._recover(state)

    def _recover(self, state: CheckpointState) -> None:
        """Continue with the checkpoints of an earlier run."""
        now = time.time()
        paths = state.all_model_checkpoint_paths or [state.model_checkpoint_path]
        times = state.all_model_checkpoint_timestamps
        if len(times) != len(paths):
            times = [now] * len(paths)
        for path, when in zip(paths, times, strict=True):
            if main_file(path) is not None:
                self._kept[path] = min(when, now)
        self._latest = latest_checkpoint(self._directory)
        if state.last_preserved_timestamp is not None:
            self._preserved = min(state.last_preserved_timestamp, now)
        if not is_chief():
            return
        # An earlier run may have died before it could delete them; what was written since is new.
        written = os.path.getmtime(_state_path(self._directory))
        for path in state.outdated_checkpoint_paths:
            files = leftovers(path)
            if path not in self._kept and all(os.path.getmtime(file) < written for file in files):
                self._delete(path)

    @property
    def directory(self) -> str:
        """Return the folder."""
        return self._directory

    @property
    def checkpoint(self):
        """Return the checkpoint that is saved."""
        return self._checkpoint

    @property
    def checkpoint_interval(self):
        """Return how many steps there are from one to the next at least."""
        return self._interval

    @property
    def latest_checkpoint(self) -> str | None:
        """Return the path of the latest checkpoint; None if there is none."""
        return self._latest

    @property
    def checkpoints(self) -> list[str]:
        """The checkpoints that are managed, oldest first."""
        return list(self._kept)

    def save(self, checkpoint_number=None, check_interval=True, options=None) -> str | None:
        """Write a checkpoint and delete what is too old; None if it is too early for another."""
        if self._interval is not None:
            step = self._step()
            last = self._last_step if check_interval else None
            if last is not None and step - last < self._interval:
                return None
            self._last_step = step
        counter = self._checkpoint.save_counter
        counter.assign_add(1)
        number = int(counter if checkpoint_number is None else ops.to_tensor(checkpoint_number))
        try:
            path = self._checkpoint.write(f"{self._prefix}-{number}", options)
        except BaseException:
            counter.assign_sub(1)
            raise
        self._latest = path
        self._kept.pop(path, None)
        self._kept[path] = time.time()
        old = self._outdated()
        by_chief(lambda: self._tidy_up(old), f"write to {self._directory}")
        return path

    def _tidy_up(self, old: list[str]) -> None:
        # Written before anything is deleted: the file names a checkpoint that exists at all times,
        # and what is to be deleted, should this process die first.
        self._record(old)
        for each in old:
            self._delete(each)

    def _delete(self, path: str) -> None:
        """Delete a checkpoint of this folder; what the list may say of others is not ours."""
        folder = os.path.abspath(self._directory)
        if os.path.dirname(os.path.abspath(path)) == folder:
            remove_checkpoint(path)

    def _step(self) -> int:
        return int(ops.to_tensor(self._step_counter))

    def _outdated(self) -> list[str]:
        """Drop checkpoints beyond the number to keep, and return those to delete."""
        old = []
        while self._max_to_keep is not None and len(self._kept) > self._max_to_keep:
            path = next(iter(self._kept))
            when = self._kept.pop(path)
            if self._keep_hours and when - 3600 * self._keep_hours >= self._preserved:
                self._preserved = when
            else:
                old.append(path)
        return old

    def _record(self, outdated: list[str]) -> None:
        assert self._latest is not None
        update_checkpoint_state(
            self._directory,
            self._latest,
            list(self._kept),
            list(self._kept.values()),
            self._preserved,
            outdated,
        )

    def restore_or_initialize(self) -> str | None:
        """Restore the latest checkpoint; where there is none, call `init_fn`."""
        if self._latest is not None:
            self._checkpoint.restore(self._latest)
            if self._interval is not None:
                self._last_step = self._step()
            return self._latest
        if self._init_fn is not None:
            self._init_fn()
        return None

    def sync(self) -> None:
        """Do nothing: saving is complete when it returns."""
