"""`tfa.metrics`: scores of classifiers and of regressions."""

from __future__ import annotations

from typing import Any

import gradtape
from gradtape.addons.keras import keras, register

tf: Any = gradtape


@register
class FBetaScore(keras.metrics.Metric):
    """(1 + β²) precision recall / (β² precision + recall) of each class, or averaged over classes
    ("micro", "macro", "weighted"). A row's prediction is its largest entry, or with a threshold,
    all above it."""

    def __init__(
        self,
        num_classes: int,
        average: str | None = None,
        beta: float = 1.0,
        threshold: float | None = None,
        name: str = "fbeta_score",
        dtype=None,
        **options,
    ) -> None:
        super().__init__(name=name, dtype=dtype)
        if average not in (None, "micro", "macro", "weighted"):
            raise ValueError(
                "Unknown average type. Acceptable values are: [None, 'micro', 'macro', "
                f"'weighted'], got {average!r}."
            )
        if beta <= 0:
            raise ValueError(f"beta value should be greater than zero, got {beta}.")
        self.num_classes, self.average, self.beta = num_classes, average, beta
        self.threshold = threshold
        shape = () if average == "micro" else (num_classes,)
        for each in ("true_positives", "false_positives", "false_negatives", "weights_sum"):
            made = self.add_variable(shape=shape, initializer="zeros", name=each)
            setattr(self, each, made)

    def update_state(self, y_true, y_pred, sample_weight=None) -> None:
        y_pred = tf.convert_to_tensor(y_pred)
        if self.threshold is None:
            largest = tf.reduce_max(y_pred, axis=-1, keepdims=True)
            predicted = (y_pred >= largest) & (tf.abs(y_pred) > 1e-12)
        else:
            predicted = y_pred > self.threshold
        y = tf.cast(y_true, self.dtype)
        predicted = tf.cast(predicted, self.dtype)
        weight = 1.0
        if sample_weight is not None:
            weight = tf.cast(sample_weight, self.dtype)[:, None]
        axis = None if self.average == "micro" else 0

        def total(values):
            return tf.reduce_sum(values * weight, axis=axis)

        self.true_positives.assign_add(total(predicted * y))
        self.false_positives.assign_add(total(predicted * (1 - y)))
        self.false_negatives.assign_add(total((1 - predicted) * y))
        self.weights_sum.assign_add(total(y))

    def result(self):
        hits = tf.convert_to_tensor(self.true_positives)
        precision = tf.math.divide_no_nan(hits, hits + self.false_positives)
        recall = tf.math.divide_no_nan(hits, hits + self.false_negatives)
        square = self.beta**2
        scores = tf.math.divide_no_nan(
            (1 + square) * precision * recall, square * precision + recall
        )
        if self.average == "weighted":
            support = tf.convert_to_tensor(self.weights_sum)
            return tf.reduce_sum(scores * tf.math.divide_no_nan(support, tf.reduce_sum(support)))
        return scores if self.average is None else tf.reduce_mean(scores)

    def get_config(self) -> dict[str, Any]:
        config = {"num_classes": self.num_classes, "average": self.average, "beta": self.beta}
        return {**super().get_config(), **config, "threshold": self.threshold}


@register
class F1Score(FBetaScore):
    """The harmonic mean of precision and recall: `FBetaScore` with β = 1."""

    def __init__(
        self, num_classes, average=None, threshold=None, name="f1_score", dtype=None, **options
    ) -> None:
        super().__init__(num_classes, average, 1.0, threshold, name, dtype)

    def get_config(self) -> dict[str, Any]:
        config = super().get_config()
        del config["beta"]
        return config


class _ConfusionMetric(keras.metrics.Metric):
    """A metric that is a function of the confusion matrix, rows are what is true."""

    def __init__(self, num_classes: int, name: str, dtype=None) -> None:
        super().__init__(name=name, dtype=dtype)
        self.num_classes = num_classes
        self.conf_mtx = self.add_variable(
            shape=(num_classes, num_classes), initializer="zeros", name="conf_mtx"
        )

    def _add(self, y_true, y_pred, sample_weight) -> None:
        self.conf_mtx.assign_add(
            tf.math.confusion_matrix(
                y_true, y_pred, self.num_classes, weights=sample_weight, dtype=self.dtype
            )
        )

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "num_classes": self.num_classes}


@register
class CohenKappa(_ConfusionMetric):
    """The agreement of two raters beyond chance, 1 - Σ w o / Σ w e (Cohen 1968), with weights that
    are 1 off the diagonal, "linear" or "quadratic" in the distance of the classes."""

    def __init__(
        self,
        num_classes: int,
        name: str = "cohen_kappa",
        weightage: str | None = None,
        sparse_labels: bool = False,
        regression: bool = False,
        dtype=None,
    ) -> None:
        super().__init__(num_classes, name, dtype)
        if weightage not in (None, "linear", "quadratic"):
            raise ValueError(
                f"Unknown kappa weighting type: {weightage!r}. Use None, 'linear' or 'quadratic'."
            )
        self.weightage, self.sparse_labels = weightage, sparse_labels
        self.regression = regression

    def update_state(self, y_true, y_pred, sample_weight=None) -> None:
        y_true, y_pred = tf.convert_to_tensor(y_true), tf.convert_to_tensor(y_pred)
        if self.num_classes == 2 and not self.sparse_labels and y_pred.shape[-1] == 1:
            y_true = tf.cast(tf.reshape(y_true, [-1]), tf.int64)
            y_pred = tf.cast(tf.reshape(y_pred, [-1]) > 0.5, tf.int64)
        elif self.sparse_labels:
            y_true = tf.cast(tf.reshape(y_true, [-1]), tf.int64)
            y_pred = self._classes(y_pred)
        else:
            y_true, y_pred = tf.argmax(y_true, axis=-1), self._classes(y_pred)
        self._add(y_true, y_pred, sample_weight)

    def _classes(self, y_pred):
        if self.regression:
            last = self.num_classes - 1
            rounded = tf.round(tf.cast(tf.reshape(y_pred, [-1]), tf.float32))
            return tf.cast(tf.clip_by_value(rounded, 0, last), tf.int64)
        if y_pred.shape.rank == 1:
            return tf.cast(y_pred, tf.int64)
        return tf.argmax(y_pred, axis=-1)

    def result(self):
        observed = tf.convert_to_tensor(self.conf_mtx)
        rows, columns = tf.reduce_sum(observed, axis=1), tf.reduce_sum(observed, axis=0)
        total = tf.reduce_sum(observed)
        expected = tf.math.divide_no_nan(rows[:, None] * columns[None, :], total)
        classes = tf.cast(tf.range(self.num_classes), self.dtype)
        distance = tf.abs(classes[:, None] - classes[None, :])
        weight = {
            None: lambda: tf.cast(distance > 0, self.dtype),
            "linear": lambda: distance,
            "quadratic": lambda: tf.square(distance),
        }[self.weightage]()
        return 1 - tf.math.divide_no_nan(
            tf.reduce_sum(weight * observed), tf.reduce_sum(weight * expected)
        )

    def get_config(self) -> dict[str, Any]:
        config = {"weightage": self.weightage, "sparse_labels": self.sparse_labels}
        return {**super().get_config(), **config, "regression": self.regression}


@register
class MatthewsCorrelationCoefficient(_ConfusionMetric):
    """The correlation of classes and predictions, for any number of classes (Gorodkin 2004)."""

    def __init__(self, num_classes: int, name="MatthewsCorrelationCoefficient", dtype=None) -> None:
        super().__init__(num_classes, name, dtype)

    def update_state(self, y_true, y_pred, sample_weight=None) -> None:
        y_true, y_pred = tf.convert_to_tensor(y_true), tf.convert_to_tensor(y_pred)
        if y_true.shape.rank == 1 or y_true.shape[-1] == 1:
            y_true = tf.cast(tf.reshape(y_true, [-1]), tf.int64)
            y_pred = tf.cast(tf.round(tf.reshape(y_pred, [-1])), tf.int64)
        else:
            y_true, y_pred = tf.argmax(y_true, axis=1), tf.argmax(y_pred, axis=1)
        self._add(y_true, y_pred, sample_weight)

    def result(self):
        matrix = tf.convert_to_tensor(self.conf_mtx)
        true, predicted = tf.reduce_sum(matrix, axis=1), tf.reduce_sum(matrix, axis=0)
        total, right = tf.reduce_sum(matrix), tf.linalg.trace(matrix)
        covariance = right * total - tf.reduce_sum(true * predicted)
        scale = tf.sqrt(total**2 - tf.reduce_sum(predicted**2)) * tf.sqrt(
            total**2 - tf.reduce_sum(true**2)
        )
        return tf.math.divide_no_nan(covariance, scale)


@register
class RSquare(keras.metrics.Metric):
    """The share of the variance that a regression explains, 1 - Σ (y - f)² / Σ (y - ȳ)², of each
    output ("raw_values") or averaged; adjusted for a number of regressors, if one is given."""

    def __init__(
        self,
        name: str = "r_square",
        dtype=None,
        multioutput: str = "uniform_average",
        num_regressors: int = 0,
        **options,
    ) -> None:
        super().__init__(name=name, dtype=dtype)
        if multioutput not in ("raw_values", "uniform_average", "variance_weighted"):
            raise ValueError(
                f"multioutput is {multioutput!r}; use 'raw_values', 'uniform_average' or "
                "'variance_weighted'."
            )
        self.multioutput, self.num_regressors = multioutput, num_regressors
        self.num_samples = self.add_variable(shape=(), initializer="zeros", name="num_samples")

    def update_state(self, y_true, y_pred, sample_weight=None) -> None:
        y, f = tf.cast(y_true, self.dtype), tf.cast(y_pred, self.dtype)
        if not hasattr(self, "residual"):
            for each in ("sum", "squared_sum", "residual", "count"):
                shape = tuple(y.shape[1:])
                setattr(self, each, self.add_variable(shape=shape, initializer="zeros", name=each))
        weight = tf.ones_like(y[:1])
        if sample_weight is not None:
            weight = tf.cast(sample_weight, self.dtype)
            weight = tf.reshape(weight, [-1] + [1] * (y.shape.rank - 1))
        weight = tf.broadcast_to(weight, y.shape)
        self.sum.assign_add(tf.reduce_sum(weight * y, axis=0))
        self.squared_sum.assign_add(tf.reduce_sum(weight * y**2, axis=0))
        self.residual.assign_add(tf.reduce_sum(weight * (y - f) ** 2, axis=0))
        self.count.assign_add(tf.reduce_sum(weight, axis=0))
        self.num_samples.assign_add(tf.cast(y.shape[0], self.dtype))

    def result(self):
        mean = tf.math.divide_no_nan(tf.convert_to_tensor(self.sum), self.count)
        total = self.squared_sum - self.sum * mean
        raw = 1 - tf.math.divide_no_nan(tf.convert_to_tensor(self.residual), total)
        if self.multioutput == "uniform_average":
            raw = tf.reduce_mean(raw)
        elif self.multioutput == "variance_weighted":
            raw = tf.math.divide_no_nan(tf.reduce_sum(total * raw), tf.reduce_sum(total))
        if not self.num_regressors:
            return raw
        free = self.num_samples - self.num_regressors - 1
        return 1 - (1 - raw) * (self.num_samples - 1) / free

    def get_config(self) -> dict[str, Any]:
        config = {"multioutput": self.multioutput, "num_regressors": self.num_regressors}
        return {**super().get_config(), **config}
