"""`tf.data.TextLineDataset`: the lines of text files."""

from __future__ import annotations

from gradtape import ops
from gradtape.core.dtypes import string
from gradtape.data import sources
from gradtape.data.dataset import Dataset


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
        if isinstance(filenames, Dataset):
            filenames = [element.numpy() for element in filenames]
        found = ops.to_tensor(filenames, string)
        names = [name.decode() for name in found._data.reshape(-1)]
        super().__init__(sources.TextLines(names, compression_type or ""))
