"""`tensorflow.python.framework.test_util`: everything runs eagerly, so that once is enough."""

from __future__ import annotations

import gradtape

TensorFlowTestCase = vars(gradtape)["test"].TestCase


def _once(function=None, **options):
    return _once if function is None else function


run_in_graph_and_eager_modes = run_all_in_graph_and_eager_modes = _once
run_all_in_deprecated_graph_mode_only = run_v1_only = run_v2_only = run_deprecated_v1 = _once
disable_xla = run_without_tensor_float_32 = deprecated_graph_mode_only = _once
