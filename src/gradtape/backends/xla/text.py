"""Text has no place on a device."""

from __future__ import annotations

from gradtape.backends.xla.host import only_on_host

KERNELS = {"join_text": only_on_host("join_text", "XLA has no text: it stays on the host")}
