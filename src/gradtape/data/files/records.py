"""Datasets of records: `TFRecordDataset`, and `FixedLengthRecordDataset` for parts of one size."""

from __future__ import annotations

from gradtape.api.io.record_writer import TFRecordWriter as RecordWriter
from gradtape.api.specs import TensorSpec
from gradtape.core.dtypes import string
from gradtape.core.errors import InvalidArgumentError
from gradtape.data.arguments import integer
from gradtape.data.dataset import Dataset
from gradtape.data.files.source import FileSource, read_files
from gradtape.formats.records import read_records


class _TFRecords(FileSource):
    name = "TFRecordDatasetV2"

    def read(self, file, name):
        return read_records(file, name)


class TFRecordDataset(Dataset):
    """The records of TFRecord files, as strings.

    With `num_parallel_reads`, that many files are read at once, and a record is taken from each in
    turn. Where a file is damaged, a DataLossError comes after all the records before.
    """

    def __init__(
        self,
        filenames,
        compression_type=None,
        buffer_size=None,
        num_parallel_reads=None,
        name=None,
    ) -> None:
        super().__init__(
            read_files(filenames, num_parallel_reads, _TFRecords, compression_type, buffer_size)
        )


class TFRecordWriter:
    """Writes a dataset's elements, which are strings, to a file; `tf.io.TFRecordWriter` writes
    records one by one."""

    def __init__(self, filename, compression_type=None) -> None:
        self._filename, self._compression_type = filename, compression_type

    def write(self, dataset) -> None:
        """Write all elements of a dataset to the file, which they replace."""
        if not isinstance(dataset, Dataset):
            raise TypeError(f"`dataset` must be a `tf.data.Dataset` object, got {dataset!r}.")
        spec = dataset.element_spec
        if not isinstance(spec, TensorSpec) or spec.dtype is not string or spec.shape.rank:
            raise TypeError(
                "`dataset` must produce scalar `DT_STRING` tensors whereas it produces "
                f"{spec!r}. Serialize the elements with dataset.map first."
            )
        with RecordWriter(self._filename, self._compression_type) as writer:
            for record in dataset:
                writer.write(record.numpy())


class _Parts(FileSource):
    name = "FixedLengthRecordDatasetV2"

    def __init__(self, names, length: int, header: int, footer: int, *rest) -> None:
        super().__init__(names, *rest)
        self.length, self.header, self.footer = length, header, footer

    def read(self, file, name):
        data = file.read()
        body = len(data) - self.header - self.footer
        if body < 0 or body % self.length:
            raise InvalidArgumentError(
                f"Excess bytes of {max(body, 0) % self.length} in file {name}: its {len(data)} "
                f"bytes are no header of {self.header}, footer of {self.footer} and whole records "
                f"of {self.length}."
            )
        for start in range(self.header, self.header + body, self.length):
            yield data[start : start + self.length]


class FixedLengthRecordDataset(Dataset):
    """The records of binary files, each of `record_bytes` bytes, as strings."""

    def __init__(
        self,
        filenames,
        record_bytes,
        header_bytes=None,
        footer_bytes=None,
        buffer_size=None,
        compression_type=None,
        num_parallel_reads=None,
        name=None,
    ) -> None:
        length = integer(record_bytes, "record_bytes")
        if length <= 0:
            raise InvalidArgumentError(f"record_bytes must be positive, got {length}.")
        header, footer = (
            0 if n is None else integer(n, "bytes") for n in (header_bytes, footer_bytes)
        )
        options = (length, header, footer, compression_type, buffer_size)
        super().__init__(read_files(filenames, num_parallel_reads, _Parts, *options))
