"""FarmHash's fingerprints: the extension's beside Python's."""

from __future__ import annotations

import numpy as np
import pytest

from gradtape.api.strings.farmhash import fingerprint64_in_python
from gradtape.backends.native.extension import extension
from tests.backends.native.kernels import needs_extension

pytestmark = needs_extension


def test_texts_of_every_length():
    values = np.random.default_rng(0).integers(0, 256, 300).astype(np.uint8).tobytes()
    for size in range(300):
        assert extension.fingerprint64(values[:size]) == fingerprint64_in_python(values[:size])


def test_what_is_not_bytes_is_refused():
    with pytest.raises(TypeError, match="bytes"):
        extension.fingerprint64("text")
