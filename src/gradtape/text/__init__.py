"""The names of tensorflow_text that libraries use: normalizing, splitting, trimming, masking.

`gradtape run` and `import gradtape.tensorflow` answer `import tensorflow_text` with this package;
`import gradtape.text` works everywhere. What a function returns for a batch of strings is ragged,
inside functions and pipelines too, as in tensorflow_text.
"""

from __future__ import annotations

import importlib
from typing import Any

# The version of tensorflow_text whose names these are.
__version__ = "2.21.1"
_PARTS = {
    "case_fold_utf8": "normalizing",
    "normalize_utf8": "normalizing",
    "regex_split": "splitting",
    "regex_split_with_offsets": "splitting",
    "WhitespaceTokenizer": "splitting",
    "RoundRobinTrimmer": "trimming",
    "Trimmer": "trimming",
    "WaterfallTrimmer": "trimming",
    "MaskValuesChooser": "masking",
    "RandomItemSelector": "masking",
    "mask_language_model": "masking",
    "FastWordpieceTokenizer": "wordpieces",
    "SentencepieceTokenizer": "sentencepieces",
}


def __getattr__(name: str) -> Any:
    if name in _PARTS:
        return getattr(importlib.import_module(f"{__name__}.{_PARTS[name]}"), name)
    raise AttributeError(
        f"tensorflow_text.{name} is not among the names of tensorflow_text that gradtape has: "
        f"{', '.join(_PARTS)}. Use tf.strings, or a tokenizer that is written in Python."
    )


def __dir__() -> list[str]:
    return [*_PARTS, "__version__"]
