"""Functions of sparse tensors that models use: bags of embeddings and decoders."""

from __future__ import annotations

from ..case import CaseList
from ..inputs import array, normal

case = CaseList()

TABLE = normal(5, 2)


def _ids(tf):
    return tf.sparse.SparseTensor(
        [[0, 0], [0, 1], [1, 0], [2, 0]], tf.constant([1, 3, 0, 3], tf.int64), [3, 2]
    )


def _weights(tf):
    return tf.sparse.SparseTensor([[0, 0], [0, 1], [1, 0], [2, 0]], [0.5, 2.0, 1.0, 3.0], [3, 2])


for combiner in ("sum", "mean", "sqrtn"):
    case(
        f"embedding_lookup_sparse_{combiner}",
        lambda tf, x, c=combiner: tf.nn.embedding_lookup_sparse(x, _ids(tf), None, combiner=c),
        x=TABLE,
    )
    case(
        f"embedding_lookup_sparse_weighted_{combiner}",
        lambda tf, x, c=combiner: tf.nn.embedding_lookup_sparse(
            x, _ids(tf), _weights(tf), combiner=c
        ),
        x=TABLE,
    )
case(
    "safe_embedding_lookup_sparse",
    lambda tf, x: tf.nn.safe_embedding_lookup_sparse(x, _ids(tf), combiner="sum"),
    x=TABLE,
)


def _parts(sparse):
    return sparse.indices, sparse.values, sparse.dense_shape


def _greedy(tf, x, **options):
    (decoded,), score = tf.nn.ctc_greedy_decoder(x, [4, 3], **options)
    return _parts(decoded), score


def _beam(tf, x):
    decoded, score = tf.nn.ctc_beam_search_decoder(x, [4, 3], beam_width=4, top_paths=2)
    return [_parts(path) for path in decoded], score


case("ctc_greedy_decoder", _greedy, wrt="", x=normal(4, 2, 3))
case(
    "ctc_greedy_decoder_repeats",
    lambda tf, x: _greedy(tf, x, merge_repeated=False),
    wrt="",
    x=normal(4, 2, 3),
)
case(
    "ctc_greedy_decoder_blank",
    lambda tf, x: _greedy(tf, x, blank_index=0),
    wrt="",
    x=normal(4, 2, 3),
)
case("ctc_beam_search_decoder", _beam, wrt="", x=normal(4, 2, 3))
case("to_dense", lambda tf: tf.sparse.to_dense(_weights(tf)))
case(
    "to_dense_gradient",
    lambda tf, v: tf.sparse.to_dense(tf.sparse.SparseTensor([[0, 1], [2, 0]], v, [3, 2])),
    v=normal(2),
)
case(
    "from_dense",
    lambda tf, x: _parts(tf.sparse.from_dense(x)),
    wrt="",
    x=array([[0.0, 2.0], [3.0, 0.0]]),
)
case(
    "sparse_dense_matmul",
    lambda tf, v, b: tf.sparse.sparse_dense_matmul(
        tf.sparse.SparseTensor([[0, 1], [2, 0]], v, [3, 2]), b
    ),
    v=normal(2),
    b=normal(2, 2),
)
case(
    "reduce_sum",
    lambda tf, v: tf.sparse.reduce_sum(tf.sparse.SparseTensor([[0, 1], [2, 0]], v, [3, 2]), axis=1),
    v=normal(2),
)
