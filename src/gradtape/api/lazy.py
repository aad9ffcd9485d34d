"""Public names whose modules are loaded by their first use: rare ones, with large imports."""

from __future__ import annotations

from gradtape.api.export import export_lazily

export_lazily(
    "gradtape.api.test_tools",
    **{
        name: f"test.{name}"
        for name in (
            "Benchmark", "TestCase", "compute_gradient", "disable_with_predicate",
            "gpu_device_name", "is_built_with_cuda", "is_built_with_gpu_support",
            "is_built_with_rocm", "is_built_with_xla", "is_cpu_target_available",
            "is_gpu_available", "main", "with_eager_op_as_function",
        )
    },
)  # fmt: skip
