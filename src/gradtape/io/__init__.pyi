# Written by `python -m tools.stubs`: change the source, and run it again.

from collections.abc import Mapping
from gradtape.api.io.features import FixedLenFeature as FixedLenFeature
from gradtape.api.io.features import FixedLenSequenceFeature as FixedLenSequenceFeature
from gradtape.api.io.features import SparseFeature as SparseFeature
from gradtape.api.io.features import VarLenFeature as VarLenFeature
from gradtape.api.io.ragged_features import RaggedFeature as RaggedFeature
from gradtape.api.io.record_writer import TFRecordOptions as TFRecordOptions
from gradtape.api.io.record_writer import TFRecordWriter as TFRecordWriter
from gradtape.api.sparse.tensor import SparseTensor
from gradtape.core.tensor import Tensor
from gradtape.core.typing import DTypeLike
from gradtape.core.typing import TensorLike
from gradtape.engine.variable import Variable
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
    """Decode strings from web-safe base 64, padded or not.

    Args:
        input: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if `input` has a dtype that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def decode_compressed(bytes: Any, compression_type: str = '', name: str | None = None) -> Tensor:
    """Decompress strings from ZLIB or GZIP.

    Args:
        bytes: the bytes.
        compression_type: "", "ZLIB" or "GZIP".
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.DataLossError if the bytes are not compressed in this way.
    """

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

    Args:
        records: lines of text.
        record_defaults: for each column, its dtype and the value of an empty field.
        field_delim: what separates fields.
        use_quote_delim: whether quotes hold a field together.
        na_value: the text of a missing value.
        select_cols: which columns, by number.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if a record does not have as many fields as there are
            defaults.
    """

def decode_json_example(json_examples: TensorLike, name: str | None = None) -> Tensor:
    """Return serialized Examples of texts in JSON.

    Args:
        json_examples: Examples as JSON.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the text is not JSON, or no Example.
    """

def decode_proto(
    bytes: Any,
    message_type: Any,
    field_names: Any,
    output_types: Any,
    descriptor_source: str = 'local://',
    message_format: str = 'binary',
    sanitize: bool = False,
    name: str | None = None,
) -> Any:
    """Return fields of serialized messages as tensors, with how many values each has.

    `descriptor_source` says what the messages look like: `bytes://` and a serialized
    FileDescriptorSet, the path of a file with one (`protoc --descriptor_set_out` writes it), or
    `local://` for the messages of `tf.train`. The result has `sizes` of shape
    [..., number of fields] and `values`, one tensor of shape [..., largest size] for each field;
    what is not there has the field's default.

    Args:
        bytes: serialized messages, or texts.
        message_type: the full name of the message, with its package.
        field_names: the names of the fields, in the order of the values.
        output_types: the dtype of each field's values.
        descriptor_source: what the messages look like: `bytes://` and a FileDescriptorSet, a path,
            or `local://`.
        message_format: "binary" or "text".
        sanitize: whether inner messages and texts are checked, too.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if there is no such type of messages.
    """

def decode_raw(
    input_bytes: Any,
    out_type: DTypeLike,
    little_endian: bool = True,
    fixed_length: Any = None,
    name: str | None = None,
) -> Tensor:
    r"""Return the numbers that strings of bytes hold, along a new last axis.

    Args:
        input_bytes: the bytes.
        out_type: the dtype of the result.
        little_endian: whether the least byte comes first.
        fixed_length: how many bytes to take of each.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `input_bytes` has a dtype that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.

    Example:
        >>> tf.io.decode_raw(tf.constant(b"\x01\x02"), tf.uint8).numpy()
        array([1, 2], dtype=uint8)
    """

def deserialize_many_sparse(
    serialized_sparse: Any,
    dtype: DTypeLike,
    rank: Any = None,
    name: str | None = None,
) -> SparseTensor:
    """Return a sparse tensor whose rows are those of strings [rows, 3].

    Args:
        serialized_sparse: what `tf.io.serialize_many_sparse` returned.
        dtype: the dtype of the result.
        rank: the number of axes.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if a text is no serialized tensor.
    """

def encode_base64(input: TensorLike, pad: bool = False, name: str | None = None) -> Tensor:
    """Encode strings in web-safe base 64.

    Args:
        input: a tensor, or what converts to one.
        pad: whether to pad with "=".
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if `input` has a dtype that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def encode_proto(
    sizes: Any,
    values: Any,
    field_names: Any,
    message_type: Any,
    descriptor_source: str = 'local://',
    name: str | None = None,
) -> Tensor:
    """Return serialized messages of tensors with the values of their fields.

    `sizes` of shape [..., number of fields] says how many of a field's values are written;
    `descriptor_source` is as in `tf.io.decode_proto`.

    Args:
        sizes: how many values of each field are written.
        values: the values of each field.
        field_names: the names of the fields, in the order of the values.
        message_type: the full name of the message, with its package.
        descriptor_source: what the messages look like: `bytes://` and a FileDescriptorSet, a path,
            or `local://`.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if there is no such type of messages.
    """

def match_filenames_once(pattern: TensorLike, name: str | None = None) -> Variable:
    """Return a variable with the files that match a pattern now.

    Args:
        pattern: names of files, with wildcards.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `pattern` has a type that it does not take.
    """

def matching_files(pattern: TensorLike, name: str | None = None) -> Tensor:
    """Return the files that match a pattern, or one of several, sorted.

    Args:
        pattern: names of files, with wildcards.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `pattern` has a type that it does not take.
    """

def parse_example(
    serialized: TensorLike,
    features: Mapping[str, Any],
    example_names: Any = None,
    name: str | None = None,
) -> dict:
    """Return the features of serialized Examples: a vector of them, or a single one.

    Args:
        serialized: serialized messages.
        features: what the message holds: `tf.io.FixedLenFeature` and the like, by name.
        example_names: has no effect; there for compatibility.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if a text is no Example, or lacks a feature that has no
            default.
    """

def parse_sequence_example(
    serialized: TensorLike,
    context_features: Any = None,
    sequence_features: Any = None,
    example_names: Any = None,
    name: str | None = None,
) -> tuple[dict, dict, dict]:
    """Return context, sequences and lengths of sequences, of a vector of SequenceExamples.

    Args:
        serialized: serialized messages.
        context_features: the features of the whole sequence.
        sequence_features: the features of its steps.
        example_names: has no effect; there for compatibility.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if a text is no SequenceExample, or lacks a feature that has
            no default.
    """

def parse_single_example(
    serialized: TensorLike,
    features: Mapping[str, Any],
    example_names: Any = None,
    name: str | None = None,
) -> dict:
    """Return the features of one serialized Example.

    Args:
        serialized: serialized messages.
        features: what the message holds: `tf.io.FixedLenFeature` and the like, by name.
        example_names: has no effect; there for compatibility.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the text is no Example, or lacks a feature that has no
            default.
    """

def parse_single_sequence_example(
    serialized: TensorLike,
    context_features: Any = None,
    sequence_features: Any = None,
    example_name: Any = None,
    name: str | None = None,
) -> tuple[dict, dict]:
    """Return context and sequences of one SequenceExample.

    Args:
        serialized: serialized messages.
        context_features: the features of the whole sequence.
        sequence_features: the features of its steps.
        example_name: has no effect; there for compatibility.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the text is no SequenceExample, or lacks a feature that
            has no default.
    """

def parse_tensor(serialized: TensorLike, out_type: DTypeLike, name: str | None = None) -> Tensor:
    """Return the tensor of dtype `out_type` that a string holds.

    Args:
        serialized: serialized messages.
        out_type: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the text is no serialized tensor, or one of another dtype.
    """

def read_file(filename: Any, name: str | None = None) -> Tensor:
    """Return the bytes of a file, as a string.

    Args:
        filename: the path of a file.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.NotFoundError if there is no such file.
    """

def serialize_many_sparse(
    sp_input: Any,
    out_type: DTypeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return the three parts of each row of a sparse tensor as strings [rows, 3].

    Args:
        sp_input: a sparse tensor.
        out_type: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if the input is not sparse.
    """

def serialize_sparse(sp_input: Any, out_type: DTypeLike = ..., name: str | None = None) -> Tensor:
    """Return the three parts of a sparse tensor as strings.

    Args:
        sp_input: a sparse tensor.
        out_type: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if the input is not sparse.
    """

def serialize_tensor(tensor: TensorLike, name: str | None = None) -> Tensor:
    """Return a tensor as a string: a serialized TensorProto.

    Args:
        tensor: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `tensor` cannot be converted to a tensor.

    Example:
        >>> tf.io.parse_tensor(tf.io.serialize_tensor(tf.constant([1, 2])), tf.int32).numpy()
        array([1, 2], dtype=int32)
    """

def write_file(filename: Any, contents: TensorLike, name: str | None = None) -> None:
    """Write a string to a file; its folder is made, if need be.

    Args:
        filename: the path of a file.
        contents: the bytes of a file.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        Nothing.

    Raises:
        tf.errors.AlreadyExistsError if a part of the path is a file.
    """
