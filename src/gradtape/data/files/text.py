"""`tf.data.TextLineDataset`: the lines of text files."""

from __future__ import annotations

from gradtape.data.dataset import Dataset
from gradtape.data.files.source import FileSource, read_files
from gradtape.formats.compression import check_compression


class _Lines(FileSource):
    name = "TextLineDatasetV2"

    def read(self, file, name):
        for line in file:
            yield line.removesuffix(b"\n").removesuffix(b"\r")


class TextLineDataset(Dataset):
    """The lines of one or several text files, as strings without their ends."""

    def __init__(
        self,
        filenames,
        compression_type=None,
        buffer_size=None,
        num_parallel_reads=None,
        name=None,
    ) -> None:
        check_compression(compression_type or "")
        super().__init__(
            read_files(filenames, num_parallel_reads, _Lines, compression_type, buffer_size)
        )
