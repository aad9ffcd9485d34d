"""`tf.compat.v1.io.tf_record_iterator`: the records of a file, without a dataset."""

from __future__ import annotations

from collections.abc import Iterator

from gradtape.api.export import export
from gradtape.api.io.files import path_of, translated
from gradtape.api.io.record_writer import TFRecordOptions
from gradtape.formats.compression import open_file
from gradtape.formats.records import read_records


@export("compat.v1.io.tf_record_iterator", "compat.v1.python_io.tf_record_iterator")
def tf_record_iterator(path, options=None) -> Iterator[bytes]:
    """Return an iterator over the records of a file, as bytes."""
    compression = TFRecordOptions.get_compression_type_string(options)
    path = path_of(path)
    with translated(path):
        file = open_file(path, compression)
    return _records(file, path)


def _records(file, path: str) -> Iterator[bytes]:
    with file:
        yield from read_records(file, path)
