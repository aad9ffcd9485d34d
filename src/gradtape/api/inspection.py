"""Public names of what explains and exports: loaded by the first use, or at once if asked for."""

from __future__ import annotations

import os

from gradtape.api.export import export_lazily

export_lazily(
    "gradtape.explain.watchdog", debug_nonfinite="debug_nonfinite", NonFiniteError="NonFiniteError"
)
export_lazily(
    "gradtape.explain.check_numerics",
    enable_check_numerics="debugging.enable_check_numerics",
    disable_check_numerics="debugging.disable_check_numerics",
)
export_lazily("gradtape.explain.transfers", debug_transfers="debug_transfers")
export_lazily("gradtape.explain.why_none", NoGradientWarning="NoGradientWarning")
export_lazily("gradtape.explain.origins", track_origins="config.track_origins")
export_lazily("gradtape.explain.health", GradientLog="health.GradientLog")
export_lazily("gradtape.explain.health_callback", keras_callback="health.keras_callback")
export_lazily("gradtape.exporting.onnx.model", onnx="export.onnx")
export_lazily("gradtape.exporting.stablehlo", stablehlo="export.stablehlo")

if os.environ.get("GRADTAPE_TRACK_ORIGINS", "0") not in ("", "0"):
    from gradtape.explain.origins import track_origins

    track_origins(True)
