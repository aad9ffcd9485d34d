"""`fit`, `evaluate`, `predict` and their steps, with gradients by a tape.

Models are built by their first batch, as on TensorFlow, so that one whose training step is its own
needs no `call`.
"""

from __future__ import annotations

import warnings
from typing import Any, cast

import numpy as np
from keras.src import callbacks as callbacks_module
from keras.src import optimizers as optimizers_module
from keras.src import tree
from keras.src.backend import config
from keras.src.losses import loss as loss_module
from keras.src.trainers import trainer as base_trainer
from keras.src.trainers.data_adapters import array_slicing, data_adapter_utils
from keras.src.utils import traceback_utils
from keras.src.utils.python_utils import pythonify_logs

import gradtape
from gradtape import GradientTape
from gradtape.core.protocols import is_ragged
from gradtape.core.tracebacks import filters_tracebacks
from gradtape.distribute.strategy.contexts import get_strategy, has_strategy
from gradtape.engine.broken_paths import PREDICT
from keras_gradtape.src import replicated
from keras_gradtape.src.conversion import shape
from keras_gradtape.src.epoch_iterator import GradtapeEpochIterator
from keras_gradtape.src.sparse import convert_to_numpy
from keras_gradtape.src.step_function import device_of_batches, make_step_function

replicated.install(loss_module)


@filters_tracebacks
class GradtapeTrainer(base_trainer.Trainer):
    """The first base of `keras.Model`."""

    def __init__(self) -> None:
        super().__init__()
        self.train_function: Any = None
        self.test_function: Any = None
        self.predict_function: Any = None
        # A model belongs to the strategy under which it was made.
        self._distribute_strategy = get_strategy() if has_strategy() else None

    @property
    def distribute_strategy(self):
        return self._distribute_strategy or get_strategy()

    def _aggregate_additional_loss(self, loss):
        return loss_module.scale_loss_for_distribution(super()._aggregate_additional_loss(loss))

    def _resolve_auto_jit_compile(self) -> bool:
        """Return False: steps are traced without XLA, and a saved model should not ask for it."""
        return False

    # --- one batch -----------------------------------------------------------------------------

    def train_step(self, data):
        """Train on a batch; return the metrics so far."""
        x, y, sample_weight = data_adapter_utils.unpack_x_y_sample_weight(data)
        with GradientTape() as tape:
            y_pred = self(x, training=True) if self._call_has_training_arg else self(x)
            loss = self._compute_loss(
                x=x, y=y, y_pred=y_pred, sample_weight=sample_weight, training=True
            )
            self._track_loss(loss, x)
            if self.optimizer is not None:
                loss = self.optimizer.scale_loss(loss)
        weights = self.trainable_weights
        if weights:
            gradients = tape.gradient(loss, weights)
            cast(Any, self.optimizer).apply_gradients(zip(gradients, weights, strict=True))
        else:
            warnings.warn("The model does not have any trainable weights.", stacklevel=2)
        return self.compute_metrics(x, y, y_pred, sample_weight=sample_weight)

    def test_step(self, data):
        """Evaluate a batch; return the metrics so far."""
        x, y, sample_weight = data_adapter_utils.unpack_x_y_sample_weight(data)
        y_pred = self(x, training=False) if self._call_has_training_arg else self(x)
        loss = self._compute_loss(
            x=x, y=y, y_pred=y_pred, sample_weight=sample_weight, training=False
        )
        self._track_loss(loss, x)
        return self.compute_metrics(x, y, y_pred, sample_weight=sample_weight)

    def _track_loss(self, loss, x) -> None:
        size = _batch_size(x)
        if size:  # a replica may get nothing of the last batch
            self._loss_tracker.update_state(
                loss_module.unscale_loss_for_distribution(loss), sample_weight=size
            )

    def predict_step(self, data):
        """Return the outputs for a batch."""
        x, _, _ = data_adapter_utils.unpack_x_y_sample_weight(data)
        return self(x, training=False) if self._call_has_training_arg else self(x)

    # --- several batches (steps_per_execution) in one call -------------------------------------

    def make_train_function(self, force=False):
        if self.train_function is None or force:
            self.train_function = _run_in_turn(make_step_function(self, "train_step"))
        return self.train_function

    def make_test_function(self, force=False):
        if self.test_function is None or force:
            self.test_function = _run_in_turn(make_step_function(self, "test_step"))
        return self.test_function

    def make_predict_function(self, force=False):
        if self.predict_function is None or force:
            self.predict_function = _join_batches(make_step_function(self, "predict_step"))
        return self.predict_function

    # --- whole datasets ------------------------------------------------------------------------

    @traceback_utils.filter_traceback
    def fit(
        self,
        x=None,
        y=None,
        batch_size=None,
        epochs=1,
        verbose="auto",
        callbacks: Any = None,
        validation_split=0.0,
        validation_data=None,
        shuffle=True,
        class_weight=None,
        sample_weight=None,
        initial_epoch=0,
        steps_per_epoch=None,
        validation_steps=None,
        validation_batch_size=None,
        validation_freq=1,
    ):
        self._assert_compile_called("fit")
        epochs = _capped(epochs)
        self._eval_epoch_iterator = None
        if validation_split and validation_data is None:
            (x, y, sample_weight), validation_data = array_slicing.train_validation_split(
                (x, y, sample_weight), validation_split=validation_split
            )
        validation = None
        if validation_data is not None:
            validation = data_adapter_utils.unpack_x_y_sample_weight(validation_data)
        iterator = self._iterator_over(
            x,
            y,
            sample_weight,
            batch_size,
            steps_per_epoch,
            callbacks,
            shuffle=shuffle,
            class_weight=class_weight,
        )
        iterator.reset()
        callbacks = self._callback_list(callbacks, verbose, epochs, iterator, add_history=True)

        self.stop_training = False
        self.make_train_function()
        callbacks.on_train_begin()
        training_logs: dict | None = None
        logs: dict = {}
        for epoch in range(self._initial_epoch or initial_epoch, epochs):
            self.reset_metrics()
            callbacks.on_epoch_begin(epoch)
            with iterator.catch_stop_iteration():
                for begin, end, batches in iterator:
                    callbacks.on_train_batch_begin(begin)
                    logs = self.train_function(batches)
                    callbacks.on_train_batch_end(end, logs)
                    if self.stop_training:
                        break
            epoch_logs = dict(self._get_metrics_result_or_logs(logs))
            if validation is not None and self._should_eval(epoch, validation_freq):
                result = self._validate(
                    validation, validation_batch_size or batch_size, validation_steps, callbacks
                )
                epoch_logs.update({f"val_{name}": value for name, value in result.items()})
            callbacks.on_epoch_end(epoch, epoch_logs)
            training_logs = epoch_logs
            if self.stop_training:
                break

        if isinstance(self.optimizer, optimizers_module.Optimizer) and epochs > 0:
            self.optimizer.finalize_variable_values(self.trainable_weights)
        self._eval_epoch_iterator = None
        callbacks.on_train_end(logs=training_logs)
        return self.history

    def _iterator_over(
        self, x, y, sample_weight, batch_size, steps, callbacks, shuffle=False, class_weight=None
    ):
        return GradtapeEpochIterator(
            x=x,
            y=y,
            sample_weight=sample_weight,
            batch_size=batch_size,
            steps_per_epoch=steps,
            shuffle=shuffle,
            class_weight=class_weight,
            steps_per_execution=self.steps_per_execution,
            callbacks=callbacks,
            device=device_of_batches(self),
        )

    def _validate(self, validation, batch_size, steps, callbacks) -> dict:
        """Evaluate on the validation data, whose iterator all epochs share."""
        x, y, sample_weight = validation
        if self._eval_epoch_iterator is None:
            self._eval_epoch_iterator = self._iterator_over(
                x, y, sample_weight, batch_size, steps, callbacks
            )
        return self.evaluate(
            x=x,
            y=y,
            sample_weight=sample_weight,
            batch_size=batch_size,
            steps=steps,
            callbacks=callbacks,
            return_dict=True,
            _use_cached_eval_dataset=True,
        )

    @traceback_utils.filter_traceback
    def evaluate(
        self,
        x=None,
        y=None,
        batch_size=None,
        verbose="auto",
        sample_weight=None,
        steps=None,
        callbacks: Any = None,
        return_dict=False,
        **kwargs,
    ):
        self._assert_compile_called("evaluate")
        use_cached = kwargs.pop("_use_cached_eval_dataset", False)
        if kwargs:
            raise ValueError(f"Arguments not recognized: {kwargs}")
        if use_cached:
            iterator: Any = self._eval_epoch_iterator
        else:
            iterator = self._iterator_over(x, y, sample_weight, batch_size, steps, callbacks)
        iterator.reset()
        callbacks = self._callback_list(callbacks, verbose, 1, iterator)

        self.make_test_function()
        self.stop_evaluating = False
        callbacks.on_test_begin()
        logs: dict = {}
        self.reset_metrics()
        with iterator.catch_stop_iteration():
            for begin, end, batches in iterator:
                callbacks.on_test_batch_begin(begin)
                logs = self.test_function(batches)
                callbacks.on_test_batch_end(end, logs)
                if self.stop_evaluating:
                    break
        logs = pythonify_logs(self._get_metrics_result_or_logs(logs))
        callbacks.on_test_end(logs)
        return logs if return_dict else self._flatten_metrics_in_order(logs)

    @traceback_utils.filter_traceback
    def predict(self, x, batch_size=None, verbose="auto", steps=None, callbacks: Any = None):
        iterator = self._iterator_over(x, None, None, batch_size, steps, callbacks)
        callbacks = self._callback_list(callbacks, verbose, 1, iterator)

        self.make_predict_function()
        self.stop_predicting = False
        callbacks.on_predict_begin()
        batches_of_outputs: list = []
        with iterator.catch_stop_iteration():
            for begin, end, batches in iterator:
                callbacks.on_predict_batch_begin(begin)
                outputs = self.predict_function(batches)
                batches_of_outputs.append(outputs)
                callbacks.on_predict_batch_end(end, {"outputs": outputs})
                if self.stop_predicting:
                    break
        callbacks.on_predict_end()
        if not batches_of_outputs:
            return None
        return tree.map_structure(lambda *parts: _concatenated(parts), *batches_of_outputs)

    def _callback_list(self, callbacks, verbose, epochs, iterator, add_history=False):
        if isinstance(callbacks, callbacks_module.CallbackList):
            return callbacks
        return callbacks_module.CallbackList(
            callbacks,
            add_history=add_history,
            add_progbar=verbose != 0,
            verbose=verbose,
            epochs=epochs,
            steps=iterator.num_batches,
            model=self,
        )

    # --- single batches ------------------------------------------------------------------------

    @traceback_utils.filter_traceback
    def train_on_batch(self, x, y=None, sample_weight=None, class_weight=None, return_dict=False):
        self._assert_compile_called("train_on_batch")
        if class_weight is not None:
            if sample_weight is not None:
                raise ValueError(
                    "Arguments `sample_weight` and `class_weight` cannot be specified at the same "
                    f"time. Received: sample_weight={sample_weight}, class_weight={class_weight}"
                )
            sample_weight = data_adapter_utils.class_weight_to_sample_weights(y, class_weight)
        self.make_train_function()
        self.reset_metrics()
        data = (x, y, sample_weight)
        return self._logs_of_batch(self.train_function([data]), return_dict)

    @traceback_utils.filter_traceback
    def test_on_batch(self, x, y=None, sample_weight=None, return_dict=False):
        self._assert_compile_called("test_on_batch")
        self.make_test_function()
        self.reset_metrics()
        data = (x, y, sample_weight)
        return self._logs_of_batch(self.test_function([data]), return_dict)

    def _logs_of_batch(self, logs, return_dict):
        logs = pythonify_logs(logs)
        return logs if return_dict else self._flatten_metrics_in_order(logs)

    @traceback_utils.filter_traceback
    def predict_on_batch(self, x):
        self.make_predict_function()
        return tree.map_structure(convert_to_numpy, self.predict_function([(x,)]))


def _concatenated(parts):
    """Return the outputs of batches as one array, or ragged tensor where the widths differ."""
    tf: Any = gradtape
    if is_ragged(parts[0]):
        return tf.concat(parts, 0)
    if isinstance(parts[0], gradtape.Tensor):
        parts[0]._notify_exit(PREDICT)
    arrays = [convert_to_numpy(part) for part in parts]
    differs = [len(set(sizes)) > 1 for sizes in zip(*(a.shape[1:] for a in arrays), strict=True)]
    if not any(differs):
        return np.concatenate(arrays)
    equal = differs[::-1].index(True)  # axes at the end
    inner = arrays[0].shape[-equal:] if equal else None
    rows = [array.tolist() for array in arrays]
    return tf.ragged.constant(rows, inner_shape=inner).merge_dims(0, 1)


def _run_in_turn(step):
    """Return a function that runs a step on each batch of a list and gives the last result."""

    def run(batches):
        logs = None
        for data in batches:
            logs = step(data)
        return logs

    return run


def _join_batches(step):
    """Return a function that runs a step on each batch of a list and joins the results."""

    def run(batches):
        outputs = [step(data) for data in batches]
        if len(outputs) == 1:
            return outputs[0]
        return tree.map_structure(
            lambda *parts: np.concatenate([convert_to_numpy(part) for part in parts]), *outputs
        )

    return run


def _batch_size(x) -> int:
    return shape(next(leaf for leaf in tree.flatten(x) if leaf is not None))[0]


def _capped(epochs: int) -> int:
    limit = config.max_epochs()
    if limit and limit < epochs:
        warnings.warn(f"Limiting epochs to {limit}", stacklevel=3)
        return limit
    return epochs
