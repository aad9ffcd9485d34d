"""Names and parameters that differ between `tf.compat.v1` and TensorFlow 2."""

from __future__ import annotations

# old name -> the present one, with the same parameters in the same order
OLD_NAMES: dict[str, str] = {
    pair.partition("=")[0]: pair.partition("=")[2]
    for pair in """
    saved_model.load_v2=saved_model.load
    accumulate_n=math.accumulate_n angle=math.angle betainc=math.betainc ceil=math.ceil
    assert_greater_equal=debugging.assert_greater_equal assert_integer=debugging.assert_integer
    assert_less_equal=debugging.assert_less_equal assert_near=debugging.assert_near
    assert_positive=debugging.assert_positive assert_negative=debugging.assert_negative
    assert_non_negative=debugging.assert_non_negative assert_scalar=debugging.assert_scalar
    assert_non_positive=debugging.assert_non_positive assert_type=debugging.assert_type
    assert_rank_at_least=debugging.assert_rank_at_least assert_rank_in=debugging.assert_rank_in
    batch_to_space_nd=batch_to_space check_numerics=debugging.check_numerics
    cholesky=linalg.cholesky cholesky_solve=linalg.cholesky_solve conj=math.conj
    cross=linalg.cross cumprod=math.cumprod diag=linalg.tensor_diag
    diag_part=linalg.tensor_diag_part digamma=math.digamma div_no_nan=math.divide_no_nan
    erf=math.erf erfc=math.erfc expm1=math.expm1 fft=signal.fft fft2d=signal.fft2d
    fft3d=signal.fft3d ifft=signal.ifft ifft2d=signal.ifft2d ifft3d=signal.ifft3d
    floordiv=math.floordiv floor_div=math.floordiv floormod=math.floormod mod=math.floormod
    global_norm=linalg.global_norm igamma=math.igamma igammac=math.igammac imag=math.imag
    invert_permutation=math.invert_permutation is_finite=math.is_finite is_inf=math.is_inf
    is_nan=math.is_nan is_non_decreasing=math.is_non_decreasing debugging.is_nan=math.is_nan
    debugging.is_inf=math.is_inf debugging.is_finite=math.is_finite
    is_strictly_increasing=math.is_strictly_increasing lbeta=math.lbeta lgamma=math.lgamma
    is_numeric_tensor=debugging.is_numeric_tensor lin_space=linspace log=math.log
    log1p=math.log1p log_sigmoid=math.log_sigmoid logical_xor=math.logical_xor
    matrix_band_part=linalg.band_part matrix_determinant=linalg.det matrix_diag=linalg.diag
    matrix_diag_part=linalg.diag_part matrix_inverse=linalg.inv matrix_set_diag=linalg.set_diag
    matrix_solve=linalg.solve matrix_solve_ls=linalg.lstsq
    matrix_transpose=linalg.matrix_transpose linalg.transpose=linalg.matrix_transpose
    matrix_triangular_solve=linalg.triangular_solve nn.avg_pool_v2=nn.avg_pool
    nn.ctc_loss_v2=nn.ctc_loss nn.ctc_beam_search_decoder_v2=nn.ctc_beam_search_decoder
    nn.max_pool_v2=nn.max_pool polygamma=math.polygamma qr=linalg.qr
    nn.softmax_cross_entropy_with_logits_v2=nn.softmax_cross_entropy_with_logits
    random_crop=image.random_crop random_gamma=random.gamma random_normal=random.normal
    random_shuffle=random.shuffle random_uniform=random.uniform
    truncated_normal=random.truncated_normal set_random_seed=random.set_seed
    random.set_random_seed=random.set_seed read_file=io.read_file write_file=io.write_file
    real=math.real reciprocal=math.reciprocal reverse_v2=reverse rint=math.rint rsqrt=math.rsqrt
    segment_max=math.segment_max segment_mean=math.segment_mean segment_min=math.segment_min
    segment_prod=math.segment_prod segment_sum=math.segment_sum
    self_adjoint_eig=linalg.eigh self_adjoint_eigvals=linalg.eigvalsh
    space_to_depth=nn.space_to_depth depth_to_space=nn.depth_to_space
    squared_difference=math.squared_difference string_join=strings.join svd=linalg.svd
    tensor_scatter_add=tensor_scatter_nd_add tensor_scatter_sub=tensor_scatter_nd_sub
    tensor_scatter_update=tensor_scatter_nd_update trace=linalg.trace where_v2=where
    unsorted_segment_max=math.unsorted_segment_max unsorted_segment_min=math.unsorted_segment_min
    unsorted_segment_mean=math.unsorted_segment_mean
    unsorted_segment_prod=math.unsorted_segment_prod
    unsorted_segment_sqrt_n=math.unsorted_segment_sqrt_n
    unsorted_segment_sum=math.unsorted_segment_sum
    verify_tensor_all_finite=debugging.assert_all_finite
    zeta=math.zeta dtypes.as_string=as_string dimension_value=compat.dimension_value
    dimension_at_index=compat.dimension_at_index
    image.resize_image_with_crop_or_pad=image.resize_with_crop_or_pad
    image.transpose_image=image.transpose sparse_tensor_dense_matmul=sparse.sparse_dense_matmul
    sparse_tensor_to_dense=sparse.to_dense string_to_number=strings.to_number
    io.gfile=io.gfile div=math.divide py_func=numpy_function
    bincount=math.bincount decode_base64=io.decode_base64
    encode_base64=io.encode_base64 decode_csv=io.decode_csv decode_raw=io.decode_raw
    fake_quant_with_min_max_args=quantization.fake_quant_with_min_max_args
    matching_files=io.matching_files
    sets.set_difference=sets.difference
    sets.set_intersection=sets.intersection sets.set_size=sets.size sets.set_union=sets.union
    manip.batch_to_space_nd=batch_to_space manip.gather_nd=gather_nd manip.reshape=reshape
    manip.reverse=reverse manip.roll=roll manip.scatter_nd=scatter_nd manip.tile=tile
    parse_example=io.parse_example parse_single_example=io.parse_single_example
    parse_single_sequence_example=io.parse_single_sequence_example parse_tensor=io.parse_tensor
    serialize_tensor=io.serialize_tensor FixedLenFeature=io.FixedLenFeature
    FixedLenSequenceFeature=io.FixedLenSequenceFeature VarLenFeature=io.VarLenFeature
    SparseFeature=io.SparseFeature python_io.TFRecordOptions=io.TFRecordOptions
    python_io.TFRecordWriter=io.TFRecordWriter regex_replace=strings.regex_replace
    reduce_join=strings.reduce_join string_strip=strings.strip substr=strings.substr
    string_to_hash_bucket_fast=strings.to_hash_bucket_fast
    string_to_hash_bucket_strong=strings.to_hash_bucket_strong
    gfile.Copy=io.gfile.copy gfile.DeleteRecursively=io.gfile.rmtree gfile.Exists=io.gfile.exists
    gfile.FastGFile=io.gfile.GFile gfile.GFile=io.gfile.GFile gfile.Open=io.gfile.GFile
    gfile.Glob=io.gfile.glob gfile.IsDirectory=io.gfile.isdir gfile.ListDirectory=io.gfile.listdir
    gfile.MakeDirs=io.gfile.makedirs gfile.MkDir=io.gfile.mkdir gfile.Remove=io.gfile.remove
    gfile.Rename=io.gfile.rename gfile.Stat=io.gfile.stat gfile.Walk=io.gfile.walk
    spectral.dct=signal.dct spectral.idct=signal.idct spectral.fft=signal.fft
    spectral.fft2d=signal.fft2d spectral.fft3d=signal.fft3d spectral.ifft=signal.ifft
    spectral.ifft2d=signal.ifft2d spectral.ifft3d=signal.ifft3d spectral.rfft=signal.rfft
    spectral.rfft2d=signal.rfft2d spectral.rfft3d=signal.rfft3d spectral.irfft=signal.irfft
    spectral.irfft2d=signal.irfft2d spectral.irfft3d=signal.irfft3d
    sparse_add=sparse.add sparse_concat=sparse.concat sparse_mask=sparse.mask
    sparse_fill_empty_rows=sparse.fill_empty_rows sparse_maximum=sparse.maximum
    sparse_minimum=sparse.minimum sparse_reduce_max=sparse.reduce_max
    sparse_reduce_sum=sparse.reduce_sum sparse_reorder=sparse.reorder
    sparse_reset_shape=sparse.reset_shape sparse_reshape=sparse.reshape
    sparse_retain=sparse.retain sparse_segment_mean=sparse.segment_mean
    sparse_segment_sqrt_n=sparse.segment_sqrt_n sparse_segment_sum=sparse.segment_sum
    sparse_slice=sparse.slice sparse_softmax=sparse.softmax sparse_split=sparse.split
    sparse_to_indicator=sparse.to_indicator sparse_transpose=sparse.transpose
    nn.depthwise_conv2d_native=nn.depthwise_conv2d
    nn.log_uniform_candidate_sampler=random.log_uniform_candidate_sampler
    nn.uniform_candidate_sampler=random.uniform_candidate_sampler
    debugging.is_non_decreasing=math.is_non_decreasing OpError=errors.OpError
    debugging.is_strictly_increasing=math.is_strictly_increasing
    initializers.zeros=zeros_initializer initializers.ones=ones_initializer
    initializers.constant=constant_initializer
    initializers.random_normal=random_normal_initializer VERSION=version.VERSION
    initializers.random_uniform=random_uniform_initializer GIT_VERSION=version.GIT_VERSION
    GRAPH_DEF_VERSION=version.GRAPH_DEF_VERSION train.NewCheckpointReader=train.load_checkpoint
    """.split()
}

# name -> its old parameters in their old order; "old=new" renames, "old-" is dropped
_REDUCTION = "input_tensor axis keepdims name reduction_indices=axis keep_dims=keepdims"
_ASSERTION = "x y data- summarize message name"
_SIGN = "x data- summarize message name"
OLD_PARAMETERS = {
    **{f"reduce_{kind}": _REDUCTION for kind in "all any logsumexp max mean min prod sum".split()},
    **{
        f"math.reduce_{kind}": _REDUCTION
        for kind in "all any logsumexp max mean min prod sum".split()
    },
    **{
        f"{where}assert_{kind}": _ASSERTION
        for kind in "equal greater greater_equal less less_equal none_equal".split()
        for where in ("debugging.", "")
    },
    **{
        f"{where}assert_{kind}": _SIGN
        for kind in "negative non_negative non_positive positive".split()
        for where in ("debugging.", "")
    },
    "argmax": "input axis name dimension=axis output_type",
    "argmin": "input axis name dimension=axis output_type",
    "math.argmax": "input axis name dimension=axis output_type",
    "math.argmin": "input axis name dimension=axis output_type",
    "batch_to_space": "input crops block_size=block_shape name block_shape",
    "boolean_mask": "tensor mask name axis",
    "cond": "pred true_fn false_fn strict- name fn1=true_fn fn2=false_fn",
    "constant": "value dtype shape name verify_shape-",
    "convert_to_tensor": "value dtype name preferred_dtype=dtype_hint dtype_hint",
    "expand_dims": "input axis name dim=axis",
    "gather": "params indices validate_indices name axis batch_dims",
    "gather_nd": "params indices name batch_dims bad_indices_policy",
    "gradients": "ys xs grad_ys name colocate_gradients_with_ops- gate_gradients "
    "aggregation_method stop_gradients unconnected_gradients",
    "hessians": "ys xs name colocate_gradients_with_ops- gate_gradients aggregation_method",
    "image.crop_and_resize": "image boxes box_ind=box_indices crop_size method "
    "extrapolation_value name box_indices",
    "linalg.norm": "tensor ord axis keepdims name keep_dims=keepdims",
    "norm": "tensor ord axis keepdims name keep_dims=keepdims",
    "math.confusion_matrix": "labels predictions num_classes dtype name weights",
    "confusion_matrix": "labels predictions num_classes dtype name weights",
    "math.count_nonzero": "input_tensor=input axis keepdims dtype name reduction_indices=axis "
    "keep_dims=keepdims input",
    "count_nonzero": "input_tensor=input axis keepdims dtype name reduction_indices=axis "
    "keep_dims=keepdims input",
    "math.in_top_k": "predictions targets k name",
    "nn.in_top_k": "predictions targets k name",
    "math.log_softmax": "logits axis name dim=axis",
    "nn.log_softmax": "logits axis name dim=axis",
    "math.softmax": "logits axis name dim=axis",
    "nn.softmax": "logits axis name dim=axis",
    "nn.avg_pool": "value=input ksize strides padding data_format name input",
    "nn.avg_pool2d": "value=input ksize strides padding data_format name input",
    "nn.max_pool": "value=input ksize strides padding data_format name input",
    "nn.conv1d": "value=input filters stride padding use_cudnn_on_gpu- data_format name input "
    "dilations",
    "nn.conv2d": "input filter=filters strides padding use_cudnn_on_gpu- data_format dilations "
    "name filters",
    "nn.conv2d_transpose": "value=input filter=filters output_shape strides padding data_format "
    "name input filters dilations",
    "nn.conv3d": "input filter=filters strides padding data_format dilations name filters",
    "nn.convolution": "input filter=filters padding strides dilation_rate=dilations name "
    "data_format filters dilations",
    "nn.crelu": "features name axis",
    "nn.depthwise_conv2d": "input filter strides padding rate=dilations name data_format dilations",
    "nn.depth_to_space": "input block_size name data_format",
    "nn.space_to_depth": "input block_size name data_format",
    "nn.embedding_lookup": "params ids partition_strategy- name validate_indices- max_norm",
    "nn.moments": "x axes shift name keep_dims=keepdims keepdims",
    "nn.weighted_moments": "x axes frequency_weights name keep_dims=keepdims keepdims",
    "nn.sufficient_statistics": "x axes shift keep_dims=keepdims name keepdims",
    "nn.pool": "input window_shape pooling_type padding dilation_rate=dilations strides name "
    "data_format dilations",
    "nn.separable_conv2d": "input depthwise_filter pointwise_filter strides padding "
    "rate=dilations name data_format dilations",
    "nn.softmax_cross_entropy_with_logits": "labels logits dim=axis name axis",
    "nn.weighted_cross_entropy_with_logits": "labels logits pos_weight name targets=labels",
    "nn.nce_loss": "weights biases labels inputs num_sampled num_classes num_true sampled_values "
    "remove_accidental_hits partition_strategy- name",
    "nn.sampled_softmax_loss": "weights biases labels inputs num_sampled num_classes num_true "
    "sampled_values remove_accidental_hits partition_strategy- name seed",
    "ones_like": "tensor=input dtype name optimize-",
    "zeros_like": "tensor=input dtype name optimize-",
    "pad": "tensor paddings mode name constant_values",
    "random.poisson": "lam shape dtype seed name",
    "random_poisson": "lam shape dtype seed name",
    "reverse_sequence": "input seq_lengths seq_axis batch_axis name seq_dim=seq_axis "
    "batch_dim=batch_axis",
    "shape": "input name out_type",
    "size": "input name out_type",
    "space_to_batch": "input paddings block_size=block_shape name block_shape",
    "squeeze": "input axis name squeeze_dims=axis",
    "transpose": "a perm name conjugate",
    "tuple": "tensors name control_inputs",
    "arg_max": "input dimension=axis output_type name",
    "arg_min": "input dimension=axis output_type name",
    "multinomial": "logits num_samples seed name output_dtype=dtype",
    "random.multinomial": "logits num_samples seed name output_dtype=dtype",
    "extract_image_patches": "images ksizes=sizes strides rates padding name sizes",
    "image.extract_image_patches": "images ksizes=sizes strides rates padding name sizes",
    "while_loop": "cond body loop_vars shape_invariants parallel_iterations back_prop swap_memory "
    "name maximum_iterations return_same_structure-",
    "strings.length": "input name unit",
    "zeros_initializer": "dtype-",
    "ones_initializer": "dtype-",
    "constant_initializer": "value dtype- verify_shape-",
}
PRESENT = {
    "arg_max": "argmax",
    "arg_min": "argmin",
    "multinomial": "random.categorical",
    "random.multinomial": "random.categorical",
    "extract_image_patches": "image.extract_patches",
    "image.extract_image_patches": "image.extract_patches",
    "confusion_matrix": "math.confusion_matrix",
    "count_nonzero": "math.count_nonzero",
    "random_poisson": "random.poisson",
    **{
        f"assert_{kind}": f"debugging.assert_{kind}"
        for kind in (
            "greater_equal less_equal none_equal negative non_negative non_positive positive"
        ).split()
    },
}
