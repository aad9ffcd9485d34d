"""Cross-entropies and other losses."""

from __future__ import annotations

from ..case import CaseList, call
from ..inputs import array, distribution, integers, normal, positive, uniform

case = CaseList()

for dtype in ("float32", "float64"):
    logits = normal(3, 4, dtype=dtype)
    labels = uniform(3, 4, dtype=dtype)
    case(
        f"softmax_cross_entropy_{dtype}",
        call("nn.softmax_cross_entropy_with_logits"),
        labels=distribution(3, 4, dtype=dtype),
        logits=logits,
    )
    case(
        f"sparse_softmax_cross_entropy_{dtype}",
        call("nn.sparse_softmax_cross_entropy_with_logits"),
        labels=integers(3, high=4),
        logits=logits,
    )
    case(
        f"sigmoid_cross_entropy_{dtype}",
        lambda tf, labels, logits: tf.nn.sigmoid_cross_entropy_with_logits(
            labels=labels, logits=logits
        ),
        labels=labels,
        logits=logits,
    )
    case(
        f"weighted_cross_entropy_{dtype}",
        call("nn.weighted_cross_entropy_with_logits", pos_weight=2.5),
        labels=labels,
        logits=logits,
    )
    case(
        f"log_poisson_loss_{dtype}",
        call("nn.log_poisson_loss"),
        wrt="log_input",
        targets=positive(4, dtype=dtype),
        log_input=normal(4, dtype=dtype),
    )
    case(f"l2_loss_{dtype}", call("nn.l2_loss"), x=normal(2, 3, dtype=dtype))
case(
    "softmax_cross_entropy_one_hot",
    lambda tf, logits: tf.nn.softmax_cross_entropy_with_logits(tf.one_hot([1, 0], 3), logits),
    logits=normal(2, 3),
)
case(
    "softmax_cross_entropy_axis",
    call("nn.softmax_cross_entropy_with_logits", axis=0),
    labels=distribution(3, 2, axis=0),
    logits=normal(3, 2),
)
case(
    "softmax_cross_entropy_rank3",
    call("nn.softmax_cross_entropy_with_logits"),
    labels=distribution(2, 2, 3),
    logits=normal(2, 2, 3),
)
case(
    "softmax_cross_entropy_vector",
    call("nn.softmax_cross_entropy_with_logits"),
    labels=distribution(3),
    logits=normal(3),
)
case(
    "softmax_cross_entropy_broadcast",
    call("nn.softmax_cross_entropy_with_logits"),
    wrt="logits",
    labels=distribution(1, 3),
    logits=normal(2, 3),
)
case(
    "softmax_cross_entropy_large_logits",
    call("nn.softmax_cross_entropy_with_logits"),
    labels=array([[0.0, 1.0], [1.0, 0.0]]),
    logits=array([[1000.0, 0.0], [1000.0, 0.0]]),
)
case(
    "softmax_cross_entropy_stopped_labels",
    lambda tf, labels, logits: tf.nn.softmax_cross_entropy_with_logits(
        tf.stop_gradient(labels), logits
    ),
    labels=distribution(2, 3),
    logits=normal(2, 3),
)
case(
    "softmax_cross_entropy_float16",
    call("nn.softmax_cross_entropy_with_logits"),
    labels=distribution(2, 3, dtype="float16"),
    logits=normal(2, 3, dtype="float16"),
)
# The gradient takes the labels for a distribution even where they are none.
case(
    "softmax_cross_entropy_of_labels_that_are_no_distribution",
    call("nn.softmax_cross_entropy_with_logits"),
    labels=uniform(2, 3),
    logits=normal(2, 3),
)
case(
    "sparse_softmax_cross_entropy_rank3",
    call("nn.sparse_softmax_cross_entropy_with_logits"),
    labels=integers(2, 2, high=3),
    logits=normal(2, 2, 3),
)
case(
    "sparse_softmax_cross_entropy_int64",
    call("nn.sparse_softmax_cross_entropy_with_logits"),
    labels=array([2, 0], "int64"),
    logits=normal(2, 3),
)
case(
    "sparse_softmax_cross_entropy_scalar",
    call("nn.sparse_softmax_cross_entropy_with_logits"),
    labels=array(1, "int32"),
    logits=normal(3),
)
case(
    "sparse_softmax_cross_entropy_large",
    call("nn.sparse_softmax_cross_entropy_with_logits"),
    labels=array([0, 1], "int32"),
    logits=array([[500.0, -500.0], [500.0, -500.0]]),
)
case(
    "sparse_softmax_cross_entropy_bfloat16",
    call("nn.sparse_softmax_cross_entropy_with_logits"),
    labels=array([0, 1], "int32"),
    logits=normal(2, 3, dtype="bfloat16"),
)
case(
    "sigmoid_cross_entropy_far_out",
    call("nn.sigmoid_cross_entropy_with_logits"),
    labels=array([0.0, 1.0, 0.0, 1.0]),
    logits=array([100.0, 100.0, -100.0, -100.0]),
)
case(
    "sigmoid_cross_entropy_zero",
    call("nn.sigmoid_cross_entropy_with_logits"),
    labels=array([0.0, 1.0]),
    logits=array([0.0, 0.0]),
)
case(
    "weighted_cross_entropy_far_out",
    call("nn.weighted_cross_entropy_with_logits", pos_weight=3.0),
    labels=array([0.0, 1.0, 1.0]),
    logits=array([50.0, 50.0, -50.0]),
)
case(
    "weighted_cross_entropy_weight_gradient",
    call("nn.weighted_cross_entropy_with_logits"),
    labels=uniform(3),
    logits=normal(3),
    w=positive(3),
)
case(
    "log_poisson_loss_full",
    call("nn.log_poisson_loss", compute_full_loss=True),
    wrt="log_input",
    targets=array([0.0, 0.5, 1.0, 4.0]),
    log_input=normal(4),
)
case("compute_average_loss", call("nn.compute_average_loss", global_batch_size=8), x=normal(4))
case(
    "compute_average_loss_weighted",
    lambda tf, x, w: tf.nn.compute_average_loss(x, sample_weight=w, global_batch_size=4),
    x=normal(4),
    w=normal(4),
)
case("scale_regularization_loss", call("nn.scale_regularization_loss"), x=normal())
case(
    "mean_squared_error_by_hand",
    lambda tf, x, y: tf.reduce_mean(tf.math.squared_difference(x, y), axis=-1),
    x=normal(3, 2),
    y=normal(3, 2),
)
case(
    "huber_by_hand",
    lambda tf, x: tf.where(tf.abs(x) < 1.0, 0.5 * x * x, tf.abs(x) - 0.5),
    x=normal(6, scale=2.0),
)

CTC = {
    "labels": array([[1, 2, 0], [3, 3, 1]], "int32"),
    "logits": normal(6, 2, 5),
    "label_length": array([2, 3], "int32"),
    "logit_length": array([5, 6], "int32"),
}
case("ctc_loss", call("nn.ctc_loss", blank_index=0), rtol=1e-4, **CTC)
case("ctc_loss_blank_last", call("nn.ctc_loss", blank_index=-1), rtol=1e-4, **CTC)
case(
    "ctc_loss_batch_major",
    call("nn.ctc_loss", logits_time_major=False, blank_index=0),
    rtol=1e-4,
    **{**CTC, "logits": normal(2, 6, 5)},
)
case(
    "ctc_loss_short",
    call("nn.ctc_loss", blank_index=0),
    rtol=1e-4,
    labels=array([[1]], "int32"),
    logits=normal(3, 1, 3),
    label_length=array([1], "int32"),
    logit_length=array([3], "int32"),
)
case(
    "ctc_unique_labels", call("nn.ctc_unique_labels"), labels=array([[1, 2, 1], [3, 3, 0]], "int32")
)
case(
    "collapse_repeated",
    call("nn.collapse_repeated"),
    labels=array([[1, 1, 2, 2, 1], [3, 3, 3, 0, 0]], "int32"),
    lengths=array([5, 4], "int32"),
)

SAMPLES = (array([0, 2], "int64"), array([[0.5], [0.25]]), array([0.5, 0.3]))
for name in ("nce_loss", "sampled_softmax_loss"):
    case(
        name,
        lambda tf, w, b, x, labels, ids, true, sampled, f=name: getattr(tf.nn, f)(
            w, b, labels, x, num_sampled=2, num_classes=4, sampled_values=(ids, true, sampled)
        ),
        wrt="w b x",
        w=normal(4, 3),
        b=normal(4),
        x=normal(2, 3),
        labels=array([[1], [3]], "int64"),
        ids=SAMPLES[0],
        true=SAMPLES[1],
        sampled=SAMPLES[2],
    )
case(
    "compute_accidental_hits",
    call("nn.compute_accidental_hits", num_true=1),
    labels=array([[1], [3]], "int64"),
    sampled=array([3, 0, 1], "int64"),
)
