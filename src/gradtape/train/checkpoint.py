"""`tf.train.Checkpoint`: the values of a graph of objects in one file, and back."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from gradtape.core.brief import brief
from gradtape.core.dtypes import int64
from gradtape.core.scope import observed
from gradtape.core.tracebacks import filters_tracebacks
from gradtape.distribute.process.chief import by_chief, is_chief
from gradtape.engine.variable import Variable
from gradtape.train.files import (
    FORMATS,
    open_checkpoint,
    path_text,
    variables_of_saved_model,
    write_checkpoint,
)
from gradtape.train.graph import OwnNames, capture
from gradtape.train.restoration import Restoration
from gradtape.train.tensorflow_names import TensorFlowNames, graph_by_name
from gradtape.train.trackables import children, is_trackable


class CheckpointOptions:
    """How to save. Checkpoints are written at once by the calling thread.

    `format` is "safetensors", one file, or "tensorflow": files that TensorFlow restores. It is not
    an argument of TensorFlow's. Both are recognized when reading.
    """

    def __init__(
        self,
        experimental_io_device=None,
        experimental_enable_async_checkpoint=False,
        experimental_write_callbacks=None,
        enable_async=False,
        experimental_skip_slot_variables=False,
        experimental_sharding_callback=None,
        *,
        format="safetensors",
    ) -> None:
        if format not in FORMATS:
            raise ValueError(
                f"`format` of tf.train.CheckpointOptions must be one of {', '.join(FORMATS)}, got "
                f"{format!r}."
            )
        self.format = format
        self.experimental_io_device = experimental_io_device
        self.experimental_enable_async_checkpoint = experimental_enable_async_checkpoint
        self.experimental_write_callbacks = experimental_write_callbacks
        self.enable_async = enable_async
        self.experimental_skip_slot_variables = experimental_skip_slot_variables
        self.experimental_sharding_callback = experimental_sharding_callback


@filters_tracebacks
class CheckpointLoadStatus:
    """What became of a restoration. Each assertion returns the status itself."""

    def __init__(self, restoration: Restoration) -> None:
        self._restoration = restoration

    def assert_consumed(self):
        """Raise unless every saved value was used, and every object has a value."""
        self._restoration.retry()
        unused = self._restoration.report.unused
        if unused:
            raise AssertionError(
                f"Unresolved object in checkpoint {self._restoration.report.path}: no Python "
                f"object was found for {', '.join(unused)}."
            )
        return self.assert_existing_objects_matched()

    def assert_existing_objects_matched(self):
        """Raise unless every existing object has a value in the checkpoint."""
        self._restoration.retry()
        missing = self._restoration.unrestored()
        if missing:
            raise AssertionError(
                "Some Python objects were not bound to checkpointed values, likely due to changes "
                f"in the Python program: {', '.join(missing)}"
            )
        return self

    def assert_nontrivial_match(self):
        """Raise unless something was restored."""
        self._restoration.retry()
        if not self._restoration.count:
            raise AssertionError(
                "Nothing except the root object matches a checkpointed value. Typically this "
                "means that the checkpoint does not match the Python program."
            )
        return self

    def expect_partial(self):
        """Allow that some saved values are not used."""
        self._restoration.report.partial_is_fine = True
        return self

    def run_restore_ops(self, session=None) -> None:
        """Do nothing: what could be restored has been."""

    def initialize_or_restore(self, session=None) -> None:
        """Do nothing: variables are made with a value."""


@filters_tracebacks
class InitializationOnlyStatus:
    """The status where there was no checkpoint to restore."""

    def _no_checkpoint(self):
        raise AssertionError("No checkpoint specified (save_path=None); nothing is being restored.")

    assert_consumed = _no_checkpoint
    assert_existing_objects_matched = _no_checkpoint
    assert_nontrivial_match = _no_checkpoint
    run_restore_ops = _no_checkpoint

    def expect_partial(self):
        return self

    def initialize_or_restore(self, session=None) -> None:
        """Do nothing: variables are made with a value."""


class Checkpoint:
    """Saves and restores the variables of objects, which it knows by name.

        checkpoint = tf.train.Checkpoint(model=model, optimizer=optimizer)
        path = checkpoint.save("folder/ckpt")
        checkpoint.restore(path)

    Objects may be variables, modules, Keras models and optimizers, dataset iterators, random
    generators, other checkpoints, and lists and dictionaries of them. A checkpoint is one file in
    the safetensors format, or with `tf.train.CheckpointOptions(format="tensorflow")` TensorFlow's
    own files; it is written whole or not at all. Checkpoints that TensorFlow wrote are restored,
    too. A variable that does not exist yet when `restore` is called gets its value as soon as it
    is an attribute of its owner.

    In a job of several processes, all of them save and restore, in a folder that they share, and
    process 0 writes. What is saved does not depend on how many there are.
    """

    def __init__(self, root=None, **kwargs) -> None:
        self._root: Any = root
        self._save_counter: Any = None
        if root is not None:
            _expect_trackable("root", root)
        for name, value in sorted(kwargs.items()):
            if callable(value) and not is_trackable(value):
                value = value()
            _expect_trackable(name, value)
            setattr(self, name, value)

    def _trackable_children(self) -> dict[str, Any]:
        return self._named_children(children)

    def _named_children(self, children: Callable) -> dict[str, Any]:
        """Return the objects that are saved, with those in the root as `children` finds them."""
        hidden = ("_root", "_save_counter")
        own = {name: value for name, value in list(vars(self).items()) if name not in hidden}
        if self._save_counter is not None:
            own["save_counter"] = self._save_counter
        if self._root is None:
            return own
        return {**dict(children(self._root)), **own}

    @property
    def save_counter(self) -> Variable:
        """How often `save` was called, as a variable that is saved too."""
        self._maybe_create_save_counter()
        return self._save_counter

    def _maybe_create_save_counter(self) -> None:
        if self._save_counter is None:
            with observed(None):
                self._save_counter = Variable(
                    np.int64(0), trainable=False, dtype=int64, name="save_counter"
                )

    # --- saving --------------------------------------------------------------------------------

    def write(self, file_prefix, options=None) -> str:
        """Write the files of `file_prefix`; no counter, no record of the latest checkpoint."""
        prefix = path_text(file_prefix)
        kind = getattr(options, "format", FORMATS[0])
        naming = TensorFlowNames() if kind == "tensorflow" else OwnNames()
        graph, arrays = capture(self, is_chief(), naming)
        by_chief(
            lambda: write_checkpoint(prefix, kind, graph, arrays),
            f"write the checkpoint {prefix}",
        )
        for callback in (options and options.experimental_write_callbacks) or ():
            callback(*([prefix] if callback.__code__.co_argcount else []))
        return prefix

    def save(self, file_prefix, options=None) -> str:
        """Write the next checkpoint, `file_prefix-1`, `file_prefix-2`, …; it is the latest then."""
        from gradtape.train.manager import update_checkpoint_state

        prefix = path_text(file_prefix)
        counter = self.save_counter
        counter.assign_add(1)
        try:
            path = self.write(f"{prefix}-{int(counter)}", options)
        except BaseException:
            counter.assign_sub(1)
            raise
        folder = os.path.dirname(path) or "."
        by_chief(lambda: update_checkpoint_state(folder, path, [path]), f"write to {folder}")
        return path

    # --- restoring -----------------------------------------------------------------------------

    def read(self, save_path, options=None) -> CheckpointLoadStatus:
        """Restore what `write` has written."""
        prefix = variables_of_saved_model(path_text(save_path))
        opened = open_checkpoint(prefix)
        graph = opened.graph or graph_by_name(self, opened.arrays)
        naming = TensorFlowNames() if opened.is_of_tensorflow else OwnNames()
        restoration = Restoration(prefix, graph, opened.arrays, naming)
        restoration.begin(self)
        weakref.finalize(self, restoration.report.warn)
        return CheckpointLoadStatus(restoration)

    def restore(self, save_path, options=None) -> InitializationOnlyStatus | CheckpointLoadStatus:
        """Restore what `save` has written. None: nothing, for a first start."""
        if save_path is None:
            return InitializationOnlyStatus()
        # The counter is an object like others, and must be there to be restored.
        self._maybe_create_save_counter()
        return self.read(save_path, options)

    def sync(self) -> None:
        """Do nothing: saving is complete when it returns."""


def _expect_trackable(name: str, value) -> None:
    if not is_trackable(value):
        raise ValueError(
            f"`Checkpoint` was expecting {name} to be a trackable object (a variable, a tf.Module, "
            "a Keras object, a dataset iterator, or a list or dictionary of them), got "
            f"{brief(value)}. If you believe this object should be trackable, make it a tf.Module."
        )
