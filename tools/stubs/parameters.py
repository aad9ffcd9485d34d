"""Types of parameters that have no annotation in the source, by their names.

Functions here take TensorFlow's arguments under TensorFlow's names, so that a name means the same
nearly everywhere. An annotation in the source has precedence.
"""

from __future__ import annotations

import inspect

_BY_TYPE = {
    "str": """
        name scope message encoding errors unit separator padding_mode mode direction side
        dct_method density_unit method combiner compression_type equation input_encoding
        output_encoding rewrite diagonals_format align round_mode bad_indices_policy
        description placeholder template loss_collection reduction field_delim na_value
        device_name default_name shared_name executor_type noise
    """,
    "TensorLike": """
        a a1 a2 ary arr array audio b bands base_paddings begin biases boxes box_indices
        bounding_boxes chol clip_norm clip_value_max clip_value_min coeffs condition
        contents contrast_factor counts crops data deltas depthwise_filter diagonal elems
        embedding_weights end features filter filters frequency_weights global_step
        gradients image images img1 img2 imag indices input input_ input_max input_min
        input_tensor inputs json_examples labels lam learning_rate lengths limit limits
        log_input log_mel_spectrograms logit_length logits lower_upper m mask mat1 mat2
        matrix max_delta mdcts mean mean_ss multi_class_labels multiples num_lower num_upper
        off_value on_value offsets onehot_labels operand out_backprop overlaps paddings
        params partitions per_example_loss pointwise_filter pos_weight pred predictions
        primals probs q rate real records regularization_loss repeats rhs s0 s1 sample
        saturation_factor scalar scores segment_ids seq_lengths sequence_length serialized
        signal signals sorted_sequence splits starts stfts t targets tensor tf_tensor
        true_classes updates value value_range variance variance_ss vectors weights x x1 x2
        y z fill_value gamma gain minval maxval start stop delta means stddevs minvals
        maxvals stddev pattern constant_values padding_value pad_value min max threshold
        alpha beta bias label_smoothing step
    """,
    "AxisLike": "axis axes dim",
    "IntLike | Sequence[Any]": "k",
    "int | Sequence[int]": "argnums",
    "int | Sequence[Any] | None": "in_axes",
    "str | float": "ord",
    "int": "axis1 axis2 axisa axisb axisc seq_axis batch_axis ndim",
    "DTypeLike": """
        dtype out_type output_type dtype_hint out_idx index_type output_dtype Treal Tcomplex
        row_splits_dtype tensor_dtype output_idx_type type1 type2
    """,
    "ShapeLike": """
        shape dims size noise_shape output_shape batch_shape newshape reps block_shape
        input_sizes filter_sizes window_shape ksize strides dilations fft_length
    """,
    "IntLike": """
        num num_rows num_columns N M depth num_segments num_partitions num_buckets
        num_classes num_samples num_results maxlen minlength maxlength frame_length
        frame_step window_length target_height target_width offset_height offset_width nbins
        top_paths beam_width max_output_size block_size
    """,
    "bool": "keepdims transpose_a transpose_b adjoint_a adjoint_b enabled",
    "Callable[..., Any]": """
        fn func body cond true_fn false_fn map_func key_func window_fn forward_window_fn
        reduce_func f function variable_creator conversion_func op uniform_sampler
    """,
    "Sequence[Any]": "tup arrays condlist choicelist sp_inputs datasets",
}
TYPES = {name: kind for kind, names in _BY_TYPE.items() for name in names.split()}


def type_of(parameter: inspect.Parameter) -> str:
    """Return the type of a parameter without annotation."""
    default = parameter.default
    if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
        return "Any"
    known = TYPES.get(parameter.name)
    if known is not None:
        accepts_none = "Like" in known and known in ("AxisLike", "ShapeLike")
        return f"{known} | None" if default is None and not accepts_none else known
    if isinstance(default, bool):
        return "bool"
    if isinstance(default, str):
        return "str"
    if isinstance(default, int):
        return "IntLike"
    if isinstance(default, float):
        return "TensorLike"
    return "Any"
