"""`tf.RaggedTensor`: construction, accessors, indexing and conversion.

Each line is an expression that both libraries evaluate; of ragged tensors, the flat values, the row
splits, the shape and the text are compared.
"""

from __future__ import annotations

from ..case import CaseList
from ..ragged import expression_cases

case = CaseList()

EXPRESSIONS = """
rt
rf
r2
ru
uni
C([["a", "b"], ["c"]])
C([[1, 2], [3, 4]])
C([])
C([[]])
C([[], []])
C([[], [1.5]])
C([[True]])
C([[1, 2], [3]], dtype=tf.float64, row_splits_dtype=tf.int32).row_splits
C([[[1, 2], [3, 4]], [[5, 6]]], ragged_rank=1)
C([[[1, 2], [3, 4]], [[5, 6]]], inner_shape=(2, ))
C([[[1, 2], [3, 4]], []], inner_shape=(2, ))
C(5)
C([1, 2])
C([[1, 2], [3.5]])
C([], ragged_rank=1)
C([], ragged_rank=2)
C([[]], ragged_rank=2)
tf.RaggedTensor.from_row_splits([1, 2, 3], [0, 5], validate=False)
tf.RaggedTensor.from_value_rowids([1, 2, 3], [0, 0, 2])
tf.RaggedTensor.from_value_rowids([1, 2, 3], [0, 0, 2], nrows=5)
tf.RaggedTensor.from_row_starts([1, 2, 3], [0, 2, 2])
tf.RaggedTensor.from_row_limits([1, 2, 3], [1, 1, 3])
tf.RaggedTensor.from_uniform_row_length([1, 2, 3, 4], 2)
tf.RaggedTensor.from_uniform_row_length([], 0, nrows=3)
tf.RaggedTensor.from_uniform_row_length([], 0)
tf.RaggedTensor.from_nested_row_splits([1, 2, 3], [[0, 2, 2], [0, 1, 3]])
tf.RaggedTensor.from_nested_row_lengths([1, 2, 3], [[2, 0], [1, 2]])
tf.RaggedTensor.from_nested_value_rowids([1, 2, 3], [[0, 0], [0, 1, 1]], [2, 2])
tf.RaggedTensor.from_nested_row_splits(5, [])
rt[0]
rt[1]
rt[-1]
rt[1:]
rt[::-1]
rt[::2]
rt[5:]
rt[:, :2]
rt[:, 1:]
rt[:, -1:]
rt[:, ::-1]
rt[:, ::2]
rt[:, -3:-1]
rt[:, :1:-1]
rt[1:, :1]
rt[0, 1]
rt[0, -1]
rt[..., None]
rt[None]
rt[:, None]
rt[:, None, :]
rt[:, :, None]
rt[..., :1]
rt[...]
rt[tf.constant(1)]
r2[0]
r2[0, 1]
r2[0, 1, 0]
r2[:, :1]
r2[:, :, 1:]
r2[:, :, ::-1]
r2[:, ::-1]
r2[0, :, :1]
r2[..., :1]
ru[:, :, 0]
ru[:, :, :1]
ru[..., 1]
ru[0, :, 1]
ru[:, :1, 0]
uni[:, 0]
uni[:, 1]
uni[:, -1]
uni[:, :1]
uni[:, ::-1]
rt[1:1]
rt[np.int64(1)]
C([[1, 2], [3, 4]]).numpy()
C([]).numpy()
C([[[1, 2], [3, 4]], [[5, 6], [7, 8]]]).numpy()
rt.to_list()
C([["a", "b"], ["c"]]).to_list()
rt.bounding_shape()
rt.bounding_shape(axis=1)
rt.bounding_shape(axis=[0, 1])
r2.bounding_shape(axis=2)
r2.bounding_shape(out_type=tf.int32)
ru.bounding_shape()
rt.row_lengths()
r2.row_lengths(axis=2)
r2.nested_row_lengths()
r2.nested_row_splits
r2.nested_value_rowids()
rt.nrows()
rt.nrows(out_type=tf.int32)
rt.row_starts()
rt.row_limits()
rt.value_rowids()
r2.flat_values
r2.values
r2.ragged_rank
rt.uniform_row_length
uni.uniform_row_length
rt.dtype
rt.merge_dims(0, 1)
r2.merge_dims(0, 1)
r2.merge_dims(1, 2)
r2.merge_dims(0, 2)
r2.merge_dims(-2, -1)
ru.merge_dims(1, 2)
ru.merge_dims(0, 1)
rt.merge_dims(1, 1)
rt.with_values([10, 20, 30, 40, 50])
r2.with_flat_values([9., 8., 7., 6., 5., 4.])
rt.with_row_splits_dtype(tf.int32).row_splits
rt.get_shape()
rt._type_spec
uni._type_spec
ru._type_spec
rt.to_tensor()
rt.to_tensor(-1)
rt.to_tensor(shape=[None, 2])
rt.to_tensor(shape=[4, 4])
rt.to_tensor(default_value=9, shape=[2, None])
r2.to_tensor()
r2.to_tensor(shape=[None, None, 1])
ru.to_tensor()
ru.to_tensor(default_value=[7, 8])
rt.to_sparse()
r2.to_sparse()
ru.to_sparse()
tf.RaggedTensor.from_tensor([[1, 2, 0], [3, 0, 0], [0, 0, 0]])
tf.RaggedTensor.from_tensor([[1, 2, 0], [3, 0, 0], [0, 0, 0]], padding=0)
tf.RaggedTensor.from_tensor([[1, 2, 0], [3, 0, 0], [0, 0, 0]], lengths=[1, 0, 3])
tf.RaggedTensor.from_tensor([[1, 2, 0], [3, 0, 0], [0, 0, 0]], lengths=[1, 0, 9])
tf.RaggedTensor.from_tensor([[[1, 2], [0, 0]], [[3, 4], [5, 6]]], ragged_rank=2)
tf.RaggedTensor.from_tensor([[[1, 2], [0, 0]], [[3, 0], [5, 6]]], padding=0, ragged_rank=2)
tf.RaggedTensor.from_tensor([[[1, 2], [0, 0]], [[3, 4], [0, 0]]], padding=[0, 0])
tf.RaggedTensor.from_tensor([[[1, 2], [0, 0]], [[3, 4], [0, 0]]], lengths=([1, 2], [2, 1, 0]))
tf.RaggedTensor.from_tensor([[1, 2], [3, 4]]).uniform_row_length
tf.RaggedTensor.from_tensor([[1, 2], [3, 4]]).shape
tf.RaggedTensor.from_sparse(tf.SparseTensor([[0, 0], [0, 1], [2, 0]], [1, 2, 3], [4, 3]))
"""

expression_cases(case, EXPRESSIONS)
