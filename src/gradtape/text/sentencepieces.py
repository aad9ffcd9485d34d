"""Sentences as pieces of a model of SentencePiece, by the package of that name."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape import ops
from gradtape.core.dtypes import as_dtype, int32, string
from gradtape.text.rows import join_rows, split_each


class SentencepieceTokenizer:
    """Splits sentences by a model of SentencePiece, given as the bytes of its file.

    `reverse` turns the order of the pieces around. (To sample from several ways to split,
    `nbest_size`, is left out.)
    """

    def __init__(
        self,
        model=None,
        out_type="int32",
        nbest_size=0,
        alpha=1.0,
        reverse=False,
        add_bos=False,
        add_eos=False,
        return_nbest=False,
        name=None,
    ) -> None:
        if return_nbest or nbest_size not in (0, 1):
            raise NotImplementedError(
                "SentencepieceTokenizer gives the best way to split alone: leave nbest_size=0 and "
                "return_nbest=False."
            )
        try:
            import sentencepiece  # pyright: ignore[reportMissingImports] (optional)
        except ImportError:
            raise ImportError(
                "SentencepieceTokenizer needs the package sentencepiece: pip install sentencepiece."
            ) from None
        self._dtype = as_dtype(out_type)
        if isinstance(model, str):
            model = model.encode()
        elif model is not None and not isinstance(model, bytes):
            model = np.asarray(ops.to_tensor(model).numpy(), object).item()
        self._model: Any = sentencepiece.SentencePieceProcessor()
        self._model.LoadFromSerializedProto(model)
        self._options = {"add_bos": bool(add_bos), "add_eos": bool(add_eos)}
        self._options["reverse"] = bool(reverse)

    def tokenize(self, input, name=None) -> Any:
        """Return the pieces of each sentence, or their numbers."""
        kind = str if self._dtype is string else int

        def split(text: bytes) -> list[list]:
            pieces = self._model.Encode(text, out_type=kind, **self._options)
            return [[p.encode() for p in pieces] if kind is str else pieces]

        return split_each(split, input, "SentencepieceTokenizeOp", [self._dtype])[0]

    def split(self, input) -> Any:
        """Return the pieces of each sentence, or their numbers."""
        return self.tokenize(input)

    def detokenize(self, input, name=None) -> Any:
        """Return the sentence of each row of pieces or numbers."""

        def join(items: list) -> bytes:
            known = [x.decode(errors="replace") if isinstance(x, bytes) else x for x in items]
            return self._model.Decode(known).encode() if known else b""

        return join_rows(join, input)

    def vocab_size(self, name=None) -> Any:
        """Return how many pieces the model has."""
        return ops.to_tensor(self._model.GetPieceSize(), int32)

    def id_to_string(self, input, name=None) -> Any:
        """Return the pieces that numbers stand for."""
        return _each(input, int32, string, lambda i: self._model.IdToPiece(i).encode())

    def string_to_id(self, input, name=None) -> Any:
        """Return the numbers of pieces."""
        return _each(input, string, int32, lambda piece: self._model.PieceToId(piece.decode()))


def _each(input: Any, source: Any, target: Any, change: Any) -> Any:
    tensor = ops.to_tensor(input, None if ops.is_tensor_like(input) else source)

    def compute(items: np.ndarray) -> np.ndarray:
        changed = [change(item) for item in items.ravel().tolist()]
        return np.fromiter(changed, target.dtype, len(changed)).reshape(items.shape)

    return ops.host_call(compute, [tensor], target, tensor.shape)
