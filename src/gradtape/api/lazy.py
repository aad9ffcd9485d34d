"""Names whose modules are imported by their first use, so that `import gradtape` stays fast.

Each module exports its names itself; that they are the ones listed here, a test makes sure.
"""

from __future__ import annotations

from gradtape.api.export import announce

_NUMPY = """
    abs absolute add all allclose amax amin angle any append arange arccos arccosh arcsin
    arcsinh arctan arctan2 arctanh argmax argmin argsort around array array_equal asanyarray
    asarray ascontiguousarray atleast_1d atleast_2d atleast_3d average bitwise_and
    bitwise_not bitwise_or bitwise_xor bool_ broadcast_arrays broadcast_to cbrt ceil clip
    complex128 complex64 complex_ compress concatenate conj conjugate copy cos cosh
    count_nonzero cross cumprod cumsum deg2rad diag diag_indices diagflat diagonal diff
    divide divmod dot dsplit dstack e einsum empty empty_like equal exp exp2 expand_dims
    experimental_enable_numpy_behavior expm1 eye fabs finfo fix flatten flip fliplr flipud
    float16 float32 float64 float_ float_power floor floor_divide full full_like gcd
    geomspace greater greater_equal heaviside hsplit hstack hypot identity iinfo imag
    inexact inf inner int16 int32 int64 int8 int_ isclose iscomplex iscomplexobj isfinite
    isinf isnan isneginf isposinf isreal isrealobj isscalar issubdtype ix_ kron lcm less
    less_equal linspace log log10 log1p log2 logaddexp logaddexp2 logical_and logical_not
    logical_or logical_xor logspace matmul max maximum mean meshgrid min minimum mod
    moveaxis multiply nanmean nanprod nansum ndarray ndim negative newaxis nextafter nonzero
    not_equal object_ ones ones_like outer pad pi polyval positive power prod promote_types
    ptp rad2deg random.poisson random.rand random.randint random.randn random.random
    random.seed random.standard_normal random.uniform ravel real reciprocal remainder repeat
    reshape result_type roll rot90 round select shape sign signbit sin sinc sinh size sort
    split sqrt square squeeze stack std string_ subtract sum swapaxes take take_along_axis
    tan tanh tensordot tile trace transpose tri tril triu true_divide uint16 uint32 uint64
    uint8 unicode_ vander var vdot vsplit vstack where zeros zeros_like
"""

LATER = {
    "dispatch.decorators": """
        experimental.dispatch_for_api experimental.dispatch_for_binary_elementwise_apis
        experimental.dispatch_for_binary_elementwise_assert_apis
        experimental.dispatch_for_unary_elementwise_apis experimental.unregister_dispatch_for
    """,
    "extension_types.base": """
        experimental.BatchableExtensionType experimental.ExtensionType
        experimental.extension_type.as_dict
    """,
    "extension_types.encoders": "experimental.ExtensionTypeBatchEncoder",
    "extension_types.specs": "experimental.ExtensionTypeSpec",
    "ragged.arrays": "ragged.stack",
    "ragged.constant": "ragged.constant",
    "ragged.functions": """
        ragged.cross ragged.cross_hashed ragged.map_flat_values ragged.range
        ragged.row_splits_to_segment_ids ragged.segment_ids_to_row_splits
        ragged.stack_dynamic_partitions
    """,
    "ragged.picking": "ragged.boolean_mask",
    "ragged.spec": "RaggedTensorSpec",
    "ragged.tensor": "RaggedTensor",
    "lookup.initializers": """
        lookup.KeyValueTensorInitializer lookup.TextFileIndex lookup.TextFileInitializer
    """,
    "lookup.mutable_tables": """
        lookup.experimental.DenseHashTable lookup.experimental.MutableHashTable
    """,
    "lookup.static_tables": """
        lookup.StaticHashTable lookup.StaticVocabularyTable
    """,
    "strings.hashing": """
        fingerprint strings.to_hash_bucket strings.to_hash_bucket_fast
        strings.to_hash_bucket_strong
    """,
    "strings.numbers": """
        as_string strings.as_string strings.format strings.to_number
    """,
    "strings.pieces": """
        strings.join strings.length strings.lower strings.reduce_join strings.strip
        strings.substr strings.unsorted_segment_join strings.upper
    """,
    "strings.regex": """
        strings.regex_full_match strings.regex_replace
    """,
    "strings.splitting": """
        strings.bytes_split strings.ngrams strings.split
    """,
    "strings.unicode": """
        strings.unicode_decode strings.unicode_decode_with_offsets strings.unicode_encode
        strings.unicode_script strings.unicode_split strings.unicode_split_with_offsets
        strings.unicode_transcode
    """,
    "io.audio": """
        audio.decode_wav audio.encode_wav
    """,
    "autograph.names": """
        autograph.experimental.Feature autograph.experimental.do_not_convert
        autograph.experimental.set_loop_options autograph.set_verbosity
        autograph.to_code autograph.to_graph autograph.trace
    """,
    "random.candidate_sampling": """
        nn.all_candidate_sampler nn.compute_accidental_hits
        nn.fixed_unigram_candidate_sampler random.all_candidate_sampler
        random.fixed_unigram_candidate_sampler random.log_uniform_candidate_sampler
        random.uniform_candidate_sampler
    """,
    "compat.v1": """
        compat.v1.Print compat.v1.SparseTensorValue compat.v1.assign compat.v1.assign_add
        compat.v1.assign_sub compat.v1.colocate_with compat.v1.control_flow_v2_enabled
        compat.v1.data.make_initializable_iterator compat.v1.data.make_one_shot_iterator
        compat.v1.disable_eager_execution compat.v1.disable_v2_behavior
        compat.v1.enable_control_flow_v2 compat.v1.enable_eager_execution
        compat.v1.enable_resource_variables compat.v1.enable_tensor_equality
        compat.v1.enable_v2_behavior compat.v1.enable_v2_tensorshape
        compat.v1.executing_eagerly_outside_functions compat.v1.global_variables_initializer
        compat.v1.initialize_all_tables compat.v1.initialize_all_variables
        compat.v1.initialize_local_variables compat.v1.initialize_variables
        compat.v1.local_variables_initializer compat.v1.make_template compat.v1.nn.xw_plus_b
        __internal__.tf2.enabled
        compat.v1.reset_default_graph compat.v1.resource_variables_enabled compat.v1.scatter_add
        compat.v1.scatter_div compat.v1.scatter_max compat.v1.scatter_min compat.v1.scatter_mul
        compat.v1.scatter_sub compat.v1.scatter_update compat.v1.tables_initializer
        compat.v1.to_bfloat16 compat.v1.to_complex128 compat.v1.to_complex64 compat.v1.to_double
        compat.v1.to_float compat.v1.to_int32 compat.v1.to_int64 compat.v1.variables_initializer
        compat.v1.where
    """,
    "compat.v1_logging": """
        compat.v1.logging.DEBUG compat.v1.logging.ERROR compat.v1.logging.FATAL
        compat.v1.logging.INFO compat.v1.logging.TaskLevelStatusMessage compat.v1.logging.WARN
        compat.v1.logging.debug compat.v1.logging.error compat.v1.logging.fatal
        compat.v1.logging.flush compat.v1.logging.get_verbosity compat.v1.logging.info
        compat.v1.logging.log compat.v1.logging.log_every_n compat.v1.logging.log_first_n
        compat.v1.logging.log_if compat.v1.logging.set_verbosity compat.v1.logging.vlog
        compat.v1.logging.warn compat.v1.logging.warning
    """,
    "raw_ops": """
        raw_ops.BroadcastGradientArgs raw_ops.FusedBatchNormV2 raw_ops.IgammaGradA
        raw_ops.MatrixDiagPartV2 raw_ops.RandomGammaGrad raw_ops.ResourceApplyGradientDescent
        raw_ops.UniqueWithCountsV2
    """,
    "compat.v1_sessions": """
        compat.v1.ConfigProto compat.v1.GPUOptions compat.v1.GraphKeys compat.v1.GraphOptions
        compat.v1.InteractiveSession compat.v1.OptimizerOptions compat.v1.RunOptions
        compat.v1.Session compat.v1.add_to_collection compat.v1.get_collection
        compat.v1.get_default_graph
        compat.v1.global_variables compat.v1.local_variables compat.v1.losses.get_losses
        compat.v1.losses.get_regularization_losses compat.v1.model_variables
        compat.v1.moving_average_variables compat.v1.placeholder
        compat.v1.placeholder_with_default compat.v1.sparse_placeholder
        compat.v1.trainable_variables
    """,
    "compat.v1_variables": """
        compat.v1.AUTO_REUSE compat.v1.VariableScope compat.v1.get_local_variable
        compat.v1.get_variable compat.v1.get_variable_scope compat.v1.name_scope
        compat.v1.train.create_global_step
        compat.v1.train.get_global_step compat.v1.train.get_or_create_global_step
        compat.v1.train.global_step compat.v1.variable_scope
    """,
    "compat.v1_initializers": """
        compat.v1.glorot_normal_initializer compat.v1.glorot_uniform_initializer
        compat.v1.initializers.glorot_normal compat.v1.initializers.glorot_uniform
        compat.v1.initializers.he_normal compat.v1.initializers.he_uniform
        compat.v1.initializers.lecun_normal compat.v1.initializers.lecun_uniform
        compat.v1.initializers.truncated_normal compat.v1.initializers.variance_scaling
        compat.v1.truncated_normal_initializer compat.v1.variance_scaling_initializer
    """,
    "compat.v1_optimizers": """
        compat.v1.train.AdadeltaOptimizer compat.v1.train.AdagradOptimizer
        compat.v1.train.AdamOptimizer compat.v1.train.FtrlOptimizer
        compat.v1.train.GradientDescentOptimizer
        compat.v1.train.MomentumOptimizer compat.v1.train.Optimizer
        compat.v1.train.RMSPropOptimizer
    """,
    "compat.v1_losses": """
        compat.v1.losses.Reduction compat.v1.losses.absolute_difference
        compat.v1.losses.compute_weighted_loss compat.v1.losses.cosine_distance
        compat.v1.losses.hinge_loss compat.v1.losses.huber_loss compat.v1.losses.log_loss
        compat.v1.losses.mean_squared_error compat.v1.losses.sigmoid_cross_entropy
        compat.v1.losses.softmax_cross_entropy compat.v1.losses.sparse_softmax_cross_entropy
        compat.v1.train.cosine_decay compat.v1.train.exponential_decay
        compat.v1.train.inverse_time_decay compat.v1.train.natural_exp_decay
        compat.v1.train.piecewise_constant compat.v1.train.piecewise_constant_decay
        compat.v1.train.polynomial_decay
    """,
    "config.devices": """
        config.LogicalDevice config.LogicalDeviceConfiguration config.PhysicalDevice
        config.experimental.VirtualDeviceConfiguration
        config.experimental.enable_op_determinism
        config.experimental.enable_tensor_float_32_execution
        config.experimental.get_device_details config.experimental.get_device_policy
        config.experimental.get_memory_growth config.experimental.get_memory_info
        config.experimental.get_memory_usage
        config.experimental.get_synchronous_execution
        config.experimental.get_virtual_device_configuration
        config.experimental.get_visible_devices config.experimental.list_logical_devices
        config.experimental.list_physical_devices config.experimental.reset_memory_stats
        config.experimental.set_device_policy config.experimental.set_memory_growth
        config.experimental.set_synchronous_execution
        config.experimental.set_virtual_device_configuration
        config.experimental.set_visible_devices
        config.experimental.tensor_float_32_execution_enabled
        config.get_logical_device_configuration config.get_soft_device_placement
        config.get_visible_devices config.list_logical_devices
        config.list_physical_devices config.optimizer.get_experimental_options
        config.optimizer.get_jit config.optimizer.set_experimental_options
        config.optimizer.set_jit config.set_logical_device_configuration
        config.set_soft_device_placement config.set_visible_devices
        config.threading.get_inter_op_parallelism_threads
        config.threading.get_intra_op_parallelism_threads
        config.threading.set_inter_op_parallelism_threads
        config.threading.set_intra_op_parallelism_threads config.set_num_threads
    """,
    "io.csv": """
        io.decode_csv
    """,
    "nn.ctc": """
        nn.collapse_repeated nn.ctc_loss nn.ctc_unique_labels
    """,
    "nn.ctc_decoders": """
        nn.ctc_beam_search_decoder nn.ctc_greedy_decoder
    """,
    "math.edit_distance": """
        edit_distance
    """,
    "io.example_parsing": """
        io.parse_example io.parse_sequence_example io.parse_single_example
        io.parse_single_sequence_example
    """,
    "io.features": """
        io.FixedLenFeature io.FixedLenSequenceFeature io.SparseFeature io.VarLenFeature
    """,
    "io.ragged_features": """
        io.RaggedFeature
    """,
    "io.json_examples": """
        io.decode_json_example
    """,
    "io.protos": """
        io.decode_proto io.encode_proto
    """,
    "io.tensor_protos": """
        make_ndarray make_tensor_proto
    """,
    "io.record_reader": """
        compat.v1.io.tf_record_iterator compat.v1.python_io.tf_record_iterator
    """,
    "io.record_writer": """
        io.TFRecordOptions io.TFRecordWriter
    """,
    "io.tensors": """
        io.deserialize_many_sparse io.parse_tensor io.serialize_many_sparse
        io.serialize_sparse io.serialize_tensor
    """,
    "io.files": """
        io.decode_base64 io.decode_compressed io.decode_raw io.encode_base64
        io.gfile.GFile io.gfile.copy io.gfile.exists io.gfile.get_registered_schemes
        io.gfile.glob io.gfile.isdir io.gfile.join io.gfile.listdir io.gfile.makedirs
        io.gfile.mkdir io.gfile.remove io.gfile.rename io.gfile.rmtree io.gfile.stat
        io.gfile.walk io.match_filenames_once io.matching_files io.read_file io.write_file
    """,
    "math.fourier": """
        fftnd ifftnd irfftnd rfftnd signal.dct signal.fft signal.fft2d signal.fft3d
        signal.fftnd signal.fftshift signal.idct signal.ifft signal.ifft2d signal.ifft3d
        signal.ifftnd signal.ifftshift signal.irfft signal.irfft2d signal.irfft3d
        signal.irfftnd signal.rfft signal.rfft2d signal.rfft3d signal.rfftnd
    """,
    "function.compiled": """
        xla.experimental.compile xla.experimental.jit_scope
    """,
    "function.graphs": """
        graph.print graph.text
    """,
    "image.boxes": """
        image.crop_and_resize image.draw_bounding_boxes
    """,
    "image.suppression": """
        image.combined_non_max_suppression image.non_max_suppression
        image.non_max_suppression_overlaps image.non_max_suppression_padded
        image.non_max_suppression_with_scores
    """,
    "image.color": """
        image.adjust_brightness image.adjust_contrast image.adjust_gamma
        image.adjust_hue image.adjust_saturation image.convert_image_dtype
        image.grayscale_to_rgb image.hsv_to_rgb image.per_image_standardization
        image.rgb_to_grayscale image.rgb_to_hsv image.rgb_to_yiq image.rgb_to_yuv
        image.yiq_to_rgb image.yuv_to_rgb
    """,
    "io.image_decoding": """
        image.decode_and_crop_jpeg image.decode_bmp image.decode_gif image.decode_image
        image.decode_jpeg image.decode_png image.decode_webp image.extract_jpeg_shape
        image.is_jpeg io.decode_and_crop_jpeg io.decode_bmp io.decode_gif
        io.decode_image io.decode_jpeg io.decode_png io.decode_webp
        io.extract_jpeg_shape io.is_jpeg
    """,
    "io.image_encoding": """
        image.adjust_jpeg_quality image.encode_jpeg image.encode_png io.encode_jpeg
        io.encode_png
    """,
    "image.resize_v1": """
        compat.v1.image.ResizeMethod compat.v1.image.resize
        compat.v1.image.resize_area compat.v1.image.resize_bicubic
        compat.v1.image.resize_bilinear compat.v1.image.resize_image_with_pad
        compat.v1.image.resize_images compat.v1.image.resize_nearest_neighbor
    """,
    "image.geometry": """
        image.central_crop image.crop_to_bounding_box image.extract_glimpse
        image.extract_patches image.flip_left_right image.flip_up_down
        image.pad_to_bounding_box image.resize_with_crop_or_pad image.rot90
        image.transpose
    """,
    "image.quality": """
        image.image_gradients image.psnr image.sobel_edges image.ssim
        image.ssim_multiscale image.total_variation
    """,
    "image.random": """
        image.random_brightness image.random_contrast image.random_crop
        image.random_flip_left_right image.random_flip_up_down image.random_hue
        image.random_jpeg_quality image.random_saturation
        image.sample_distorted_bounding_box image.stateless_random_brightness
        image.stateless_random_contrast image.stateless_random_crop
        image.stateless_random_flip_left_right image.stateless_random_flip_up_down
        image.stateless_random_hue image.stateless_random_jpeg_quality
        image.stateless_random_saturation image.stateless_sample_distorted_bounding_box
    """,
    "image.resize": """
        image.ResizeMethod image.resize image.resize_with_pad
    """,
    "random.learned_sampling": """
        nn.learned_unigram_candidate_sampler random.learned_unigram_candidate_sampler
    """,
    "linear_operators": """
        linalg.LinearOperator linalg.LinearOperatorAdjoint linalg.LinearOperatorBlockDiag
        linalg.LinearOperatorBlockLowerTriangular linalg.LinearOperatorCirculant
        linalg.LinearOperatorCirculant2D linalg.LinearOperatorCirculant3D
        linalg.LinearOperatorComposition linalg.LinearOperatorDiag
        linalg.LinearOperatorFullMatrix linalg.LinearOperatorHouseholder
        linalg.LinearOperatorIdentity linalg.LinearOperatorInversion
        linalg.LinearOperatorKronecker linalg.LinearOperatorLowRankUpdate
        linalg.LinearOperatorLowerTriangular linalg.LinearOperatorPermutation
        linalg.LinearOperatorScaledIdentity linalg.LinearOperatorToeplitz
        linalg.LinearOperatorTridiag linalg.LinearOperatorZeros
        linalg.experimental.conjugate_gradient
    """,
    "nn.morphology": """
        extract_volume_patches nn.dilation2d nn.erosion2d nn.fractional_avg_pool
        nn.fractional_max_pool nn.with_space_to_batch
    """,
    "nn.moving_average": """
        train.ExponentialMovingAverage
    """,
    "math.quantization": """
        quantization.fake_quant_with_min_max_args
        quantization.fake_quant_with_min_max_args_gradient
        quantization.fake_quant_with_min_max_vars
        quantization.fake_quant_with_min_max_vars_gradient
        quantization.fake_quant_with_min_max_vars_per_channel
        quantization.fake_quant_with_min_max_vars_per_channel_gradient
        quantization.quantize_and_dequantize quantization.quantize_and_dequantize_v2
    """,
    "nn.raw_convolution": """
        conv conv2d_backprop_filter_v2 conv2d_backprop_input_v2
    """,
    "nn.sampled_losses": """
        nn.nce_loss nn.sampled_softmax_loss
    """,
    "math.sets": """
        sets.difference sets.intersection sets.size sets.union
    """,
    "math.signal": """
        signal.frame signal.hamming_window signal.hann_window signal.inverse_mdct
        signal.inverse_stft signal.inverse_stft_window_fn
        signal.kaiser_bessel_derived_window signal.kaiser_window
        signal.linear_to_mel_weight_matrix signal.mdct
        signal.mfccs_from_log_mel_spectrograms signal.overlap_and_add signal.stft
        signal.vorbis_window
    """,
    "math.sobol": """
        math.sobol_sample
    """,
    "sparse.construction": """
        sparse.concat sparse.expand_dims sparse.eye sparse.fill_empty_rows
        sparse.from_dense sparse.mask sparse.reorder sparse.reset_shape sparse.reshape
        sparse.retain sparse.slice sparse.split sparse.to_dense sparse.to_indicator
        sparse.transpose
    """,
    "sparse.crossing": """
        sparse.cross sparse.cross_hashed
    """,
    "sparse.embeddings": """
        nn.embedding_lookup_sparse nn.safe_embedding_lookup_sparse
    """,
    "sparse.math": """
        sparse.add sparse.bincount sparse.map_values sparse.maximum sparse.minimum
        sparse.reduce_max sparse.reduce_sum sparse.sampled_addmm sparse.softmax
        sparse.sparse_dense_matmul
    """,
    "debugging.test_tools": """
        test.Benchmark test.TestCase test.compute_gradient test.disable_with_predicate
        test.gpu_device_name test.is_built_with_cuda test.is_built_with_gpu_support
        test.is_built_with_rocm test.is_built_with_xla test.is_cpu_target_available
        test.is_gpu_available test.main test.with_eager_op_as_function
    """,
    "tf_numpy": " ".join(f"experimental.numpy.{name}" for name in _NUMPY.split()),
}

for _module, _names in LATER.items():
    announce(f"gradtape.api.{_module}", _names)
