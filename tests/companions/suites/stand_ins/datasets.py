"""`data.ops` and `data.util.structure`: datasets by TensorFlow's private names."""

from __future__ import annotations

import gradtape as tf
from gradtape.data import structure
from gradtape.data.iterator import Iterator
from stand_ins.graphs import needs_a_graph

data = tf.data

Dataset = DatasetV1 = DatasetV2 = DatasetV1Adapter = data.Dataset
range = Dataset.range
OwnedIterator = Iterator
UNKNOWN, INFINITE = data.UNKNOWN_CARDINALITY, data.INFINITE_CARDINALITY
AUTOTUNE = data.AUTOTUNE
TFRecordDatasetV1 = TFRecordDatasetV2 = data.TFRecordDataset
TextLineDatasetV1 = TextLineDatasetV2 = data.TextLineDataset
FixedLengthRecordDatasetV1 = FixedLengthRecordDatasetV2 = data.FixedLengthRecordDataset
make_initializable_iterator = make_one_shot_iterator = needs_a_graph


def get_structure(dataset_or_iterator):
    """Return the specs of the elements."""
    return dataset_or_iterator.element_spec


def get_legacy_output_types(dataset):
    """Return the dtypes of the elements."""
    return structure.map_structure(lambda spec: spec.dtype, dataset.element_spec)


def get_legacy_output_shapes(dataset):
    """Return the shapes of the elements."""
    return structure.map_structure(lambda spec: spec.shape, dataset.element_spec)


def get_legacy_output_classes(dataset):
    """Return the classes of the elements."""
    return structure.map_structure(lambda spec: spec.value_type, dataset.element_spec)


def type_spec_from_value(value):
    """Return the spec of a value."""
    return Dataset.from_tensors(value).element_spec


def are_compatible(spec1, spec2) -> bool:
    """Return whether two structures of specs are compatible."""
    pairs = structure.flatten(spec1), structure.flatten(spec2)
    return len(pairs[0]) == len(pairs[1]) and all(
        a.is_compatible_with(b) for a, b in zip(*pairs, strict=True)
    )


def toggle_test_mode(test_mode) -> None:
    """Do nothing."""
