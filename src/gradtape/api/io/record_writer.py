"""`tf.io.TFRecordWriter` and its options: record files, compressed or not."""

from __future__ import annotations

import zlib
from typing import Any

from gradtape.api.export import export
from gradtape.api.io.files import path_of, translated
from gradtape.core.errors import FailedPreconditionError
from gradtape.formats.records import frame_record

_NAMES = {None: "", 0: "", 1: "ZLIB", 2: "GZIP", "": "", "ZLIB": "ZLIB", "GZIP": "GZIP"}
_LARGEST_BUFFER = 1 << 30
_STRATEGIES = (
    zlib.Z_DEFAULT_STRATEGY,
    zlib.Z_FILTERED,
    zlib.Z_HUFFMAN_ONLY,
    zlib.Z_RLE,
    zlib.Z_FIXED,
)


@export("io.TFRecordOptions")
class TFRecordOptions:
    """How a record file is compressed: "GZIP", "ZLIB" or not at all, and zlib's own settings."""

    compression_type_map = {2: "GZIP", 1: "ZLIB", 0: ""}  # noqa: RUF012 (as in TensorFlow)

    def __init__(
        self,
        compression_type=None,
        flush_mode=None,
        input_buffer_size=None,
        output_buffer_size=None,
        window_bits=None,
        compression_level=None,
        compression_method=None,
        mem_level=None,
        compression_strategy=None,
    ) -> None:
        self.get_compression_type_string(compression_type)  # raises if it is not known
        self.compression_type = compression_type
        self.flush_mode = flush_mode
        self.input_buffer_size = input_buffer_size
        self.output_buffer_size = output_buffer_size
        self.window_bits = window_bits
        self.compression_level = compression_level
        self.compression_method = compression_method
        self.mem_level = mem_level
        self.compression_strategy = compression_strategy

    @classmethod
    def get_compression_type_string(cls, options) -> str:
        """Return the name of the compression of options, or of a number of a type."""
        if isinstance(options, TFRecordOptions):
            options = options.compression_type
        if not isinstance(options, (str, int, type(None))) or options not in _NAMES:
            raise ValueError(f'Not a valid compression_type: "{options}"')
        return _NAMES[options]

    def _compressor(self) -> Any:
        """Return zlib's object for a new file; None if it is not compressed."""
        kind = self.get_compression_type_string(self)
        if not kind:
            return None
        bits = zlib.MAX_WBITS if self.window_bits is None else int(self.window_bits)
        strategy = self.compression_strategy or 0
        try:
            return zlib.compressobj(
                -1 if self.compression_level is None else int(self.compression_level),
                zlib.DEFLATED,
                abs(bits) % 16 + (16 if kind == "GZIP" else 0),
                8 if self.mem_level is None else int(self.mem_level),
                _STRATEGIES[strategy],
            )
        except (ValueError, IndexError) as error:
            raise ValueError(f"TFRecordOptions: {error}") from None


@export("io.TFRecordWriter")
class TFRecordWriter:
    """Writes records to a file, which it replaces.

    with tf.io.TFRecordWriter("data.tfrecord") as writer:
        writer.write(example.SerializeToString())
    """

    def __init__(self, path, options=None) -> None:
        if not isinstance(options, TFRecordOptions):
            options = TFRecordOptions(compression_type=options)
        self._compressor = options._compressor()
        path = path_of(path)
        with translated(path):
            self._file: Any = open(path, "wb")  # noqa: SIM115 (closed by close)

    def write(self, record) -> None:
        """Write one record: bytes, or a text, which is encoded as UTF-8."""
        if isinstance(record, str):
            record = record.encode()
        if not isinstance(record, (bytes, bytearray, memoryview)):
            raise TypeError(f"write(): a record is bytes, got {type(record).__name__}")
        self._open_file().write(self._packed(frame_record(bytes(record))))

    def _open_file(self):
        if self._file is None:
            raise FailedPreconditionError("Writer is closed.")
        return self._file

    def _packed(self, data: bytes) -> bytes:
        return data if self._compressor is None else self._compressor.compress(data)

    def flush(self) -> None:
        """Make what was written visible to others."""
        file = self._open_file()
        if self._compressor is not None:
            file.write(self._compressor.flush(zlib.Z_SYNC_FLUSH))
        file.flush()

    def close(self) -> None:
        """End the file."""
        if self._file is not None:
            if self._compressor is not None:
                self._file.write(self._compressor.flush())
            self._file.close()
            self._file = None

    def __enter__(self) -> TFRecordWriter:
        return self

    def __exit__(self, *exception) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_file", None) is not None:
            self.close()
