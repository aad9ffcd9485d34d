"""TensorLists, which TensorFlow's loops collect their results in, as TensorArrays.

In a graph such a list is a value: an op on it gives another one, and the list remains.
"""

from __future__ import annotations

from gradtape.api.array.tensor_array import TensorArray
from gradtape.api.export import lookup
from gradtape.core.errors import DataLossError
from gradtape.core.shape import TensorShape, has_all_sizes
from gradtape.core.tensor import Tensor
from gradtape.saved_model.reading.table import op


def _shape(sizes: Tensor) -> TensorShape:
    """Return the shape that a tensor of sizes says; -1 stands for what is unknown."""
    if sizes.ndim == 0:
        return TensorShape(None)
    return TensorShape([None if int(n) < 0 else int(n) for n in sizes.numpy()])


def _made(dtype, size, shape: TensorShape) -> TensorArray:
    if not hasattr(dtype, "as_numpy_dtype"):
        raise DataLossError("a TensorList of lists or resources is not read")
    # Shapes may differ between the elements, where they are unknown.
    return TensorArray(
        dtype,
        size,
        dynamic_size=True,
        clear_after_read=False,
        element_shape=shape,
        infer_shape=False,
    )


def _fixed(array: TensorArray) -> TensorArray:
    """Return the list as one of fixed size: then an index may be known at run time only."""
    copied = array._copy()
    copied._dynamic_size = False
    return copied


@op("TensorListReserve")
def reserve(element_shape, num_elements, *, element_dtype):
    return _fixed(_made(element_dtype, num_elements, _shape(element_shape)))


@op("EmptyTensorList")
def empty(element_shape, max_num_elements, *, element_dtype):
    return _made(element_dtype, 0, _shape(element_shape))


@op("TensorListFromTensor")
def from_tensor(tensor, element_shape):
    array = _made(tensor.dtype, int(tensor.shape[0]), TensorShape(tensor.shape[1:]))
    return _fixed(array.unstack(tensor))


@op("TensorListSetItem")
def set_item(array, index, item, *, resize_if_index_out_of_bounds=False):
    copied = array._copy()
    if resize_if_index_out_of_bounds:
        copied._dynamic_size = True
    if not has_all_sizes(copied.element_shape):  # zeros stand for the others until then
        copied = copied.with_element_shape(item.shape)
    return copied.write(index, item)


@op("TensorListGetItem")
def get_item(array, index, element_shape):
    return array.read(index)


@op("TensorListPushBack")
def push_back(array, item):
    return array._copy().write(len(array), item)


@op("TensorListPopBack", outputs="output_handle tensor")
def pop_back(array, element_shape):
    last = array.read(len(array) - 1)
    shorter = array._copy()
    shorter._items.pop()
    return shorter, last


@op("TensorListStack")
def stack(array, element_shape, *, num_elements=-1):
    if not len(array):
        shape = _shape(element_shape)
        rest = [0 if n is None else n for n in shape] if shape.rank is not None else []
        return lookup("zeros")([0, *rest], array.dtype)
    return array.stack()


@op("TensorListLength")
def length(array):
    return array.size()


@op("TensorListElementShape")
def element_shape_of(array, *, shape_type):
    sizes = [-1 if n is None else n for n in array.element_shape]
    return lookup("constant")(sizes, shape_type)


@op("TensorListConcatV2", outputs="tensor lengths")
def concat(array, element_shape, leading_dims):
    lengths = [int(array.read(index).shape[0]) for index in range(len(array))]
    return array.concat(), lookup("constant")(lengths, "int64")


@op("TensorListGather")
def gather(array, indices, element_shape):
    return array.gather(indices)
