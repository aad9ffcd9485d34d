# Written by `python -m tools.stubs`: change the source, and run it again.

from collections.abc import Mapping
from gradtape.api.io.features import FixedLenFeature as FixedLenFeature
from gradtape.api.io.features import FixedLenSequenceFeature as FixedLenSequenceFeature
from gradtape.api.io.features import SparseFeature as SparseFeature
from gradtape.api.io.features import VarLenFeature as VarLenFeature
from gradtape.api.io.record_writer import TFRecordOptions as TFRecordOptions
from gradtape.api.io.record_writer import TFRecordWriter as TFRecordWriter
from gradtape.api.sparse.tensor import SparseTensor
from gradtape.core.tensor import Tensor
from gradtape.core.typing import DTypeLike
from gradtape.core.typing import TensorLike
from gradtape.image import decode_and_crop_jpeg as decode_and_crop_jpeg
from gradtape.image import decode_bmp as decode_bmp
from gradtape.image import decode_gif as decode_gif
from gradtape.image import decode_image as decode_image
from gradtape.image import decode_jpeg as decode_jpeg
from gradtape.image import decode_png as decode_png
from gradtape.image import decode_webp as decode_webp
from gradtape.image import encode_jpeg as encode_jpeg
from gradtape.image import encode_png as encode_png
from gradtape.image import extract_jpeg_shape as extract_jpeg_shape
from gradtape.image import is_jpeg as is_jpeg
from gradtape.io import gfile as gfile
from typing import Any

def decode_base64(input: TensorLike, name: str | None = None) -> Tensor:
    """Decode strings from web-safe base 64, padded or not."""

def decode_compressed(bytes: Any, compression_type: str = '', name: str | None = None) -> Tensor:
    """Decompress strings from ZLIB or GZIP."""

def decode_csv(
    records: TensorLike,
    record_defaults: Any,
    field_delim: str = ',',
    use_quote_delim: bool = True,
    na_value: str = '',
    select_cols: Any = None,
    name: str | None = None,
) -> list[Tensor]:
    """Return a tensor for each column of lines of text; `record_defaults` says what the columns
    hold.
    """

def decode_json_example(json_examples: TensorLike, name: str | None = None) -> Tensor:
    """Return serialized Examples of texts in JSON."""

def decode_raw(
    input_bytes: Any,
    out_type: DTypeLike,
    little_endian: bool = True,
    fixed_length: Any = None,
    name: str | None = None,
) -> Tensor:
    """Return the numbers that strings of bytes hold, along a new last axis."""

def deserialize_many_sparse(
    serialized_sparse: Any,
    dtype: DTypeLike,
    rank: Any = None,
    name: str | None = None,
) -> SparseTensor:
    """Return a sparse tensor whose rows are those of strings [rows, 3]."""

def encode_base64(input: TensorLike, pad: bool = False, name: str | None = None) -> Tensor:
    """Encode strings in web-safe base 64."""

def matching_files(pattern: TensorLike, name: str | None = None) -> Tensor:
    """Return the files that match a pattern, or one of several, sorted."""

def parse_example(
    serialized: TensorLike,
    features: Mapping[str, Any],
    example_names: Any = None,
    name: str | None = None,
) -> dict:
    """Return the features of serialized Examples: a vector of them, or a single one."""

def parse_sequence_example(
    serialized: TensorLike,
    context_features: Any = None,
    sequence_features: Any = None,
    example_names: Any = None,
    name: str | None = None,
) -> tuple[dict, dict, dict]:
    """Return context, sequences and lengths of sequences, of a vector of SequenceExamples."""

def parse_single_example(
    serialized: TensorLike,
    features: Mapping[str, Any],
    example_names: Any = None,
    name: str | None = None,
) -> dict:
    """Return the features of one serialized Example."""

def parse_single_sequence_example(
    serialized: TensorLike,
    context_features: Any = None,
    sequence_features: Any = None,
    example_name: Any = None,
    name: str | None = None,
) -> tuple[dict, dict]:
    """Return context and sequences of one SequenceExample."""

def parse_tensor(serialized: TensorLike, out_type: DTypeLike, name: str | None = None) -> Tensor:
    """Return the tensor of dtype `out_type` that a string holds."""

def read_file(filename: Any, name: str | None = None) -> Tensor:
    """Return the bytes of a file, as a string."""

def serialize_many_sparse(
    sp_input: Any,
    out_type: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return the three parts of each row of a sparse tensor as strings [rows, 3]."""

def serialize_sparse(sp_input: Any, out_type: DTypeLike = ..., name: str | None = None) -> Tensor:
    """Return the three parts of a sparse tensor as strings."""

def serialize_tensor(tensor: TensorLike, name: str | None = None) -> Tensor:
    """Return a tensor as a string: a serialized TensorProto."""

def write_file(filename: Any, contents: TensorLike, name: str | None = None) -> None:
    """Write a string to a file; its folder is made, if need be."""
