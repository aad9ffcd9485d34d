"""What a name that does not exist may mean: another library's name, a namespace, a misspelling."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

# Names of NumPy, PyTorch and JAX, and abbreviations; the old names of TensorFlow's own are in
# `compat/old_names.py`.
_ELSEWHERE: dict[str, str] = {
    pair.partition("=")[0]: pair.partition("=")[2]
    for pair in """
    absolute=abs allclose=debugging.assert_near amax=reduce_max amin=reduce_min arange=range
    arccos=acos arcsin=asin arctan2=atan2 arctan=atan array=constant as_tensor=convert_to_tensor
    asarray=convert_to_tensor astype=cast average=reduce_mean avg=reduce_mean bmm=matmul cat=concat
    checkpoint=recompute_grad chunk=split clamp=clip_by_value clip=clip_by_value compile=function
    conditional=cond cross_entropy=nn.softmax_cross_entropy_with_logits cumulative_sum=cumsum
    dataset=data.Dataset Dataset=data.Dataset detach=stop_gradient dot=tensordot empty=zeros
    enable_grad=GradientTape flatten=reshape flip=reverse float=float32 from_numpy=convert_to_tensor
    full=fill full_like=fill get_default_dtype=keras.backend.floatx hstack=concat
    index_select=gather int=int32 jit=function layer_norm=keras.layers.LayerNormalization
    layernorm=keras.layers.LayerNormalization lgamma=math.lgamma linear=keras.layers.Dense
    ln=math.log long=int64 manual_seed=random.set_seed masked_select=boolean_mask median=sort
    mm=matmul mv=linalg.matvec nan_to_num=where ndarray=Tensor no_grad=stop_gradient nonzero=where
    optim=keras.optimizers parameter=Variable Parameter=Variable permutation=random.shuffle
    permute=transpose power=pow rand=random.uniform randint=random.uniform randn=random.normal
    randperm=random.shuffle ravel=reshape reduce_avg=reduce_mean remainder=math.floormod
    seed=random.set_seed sgn=sign std=math.reduce_std swapaxes=transpose take=gather tensor=constant
    to_tensor=convert_to_tensor unbind=unstack unsqueeze=expand_dims
    value_and_gradient=value_and_grad var=math.reduce_variance view=reshape vstack=concat
    """.split()
}
# Where else a name is looked for, in this order.
_NAMESPACES = "nn math linalg random data image signal strings sparse ragged io train".split()


def suggestion(name: str, public: Iterable[str]) -> str | None:
    """Return the public name that a missing one may mean, such as "nn.softmax"."""
    path, _, last = name.rpartition(".")
    start = f"{path}." if path else ""
    names = set(public)
    # Of each that is in the same namespace, the part that follows.
    near = {n.removeprefix(start).partition(".")[0] for n in names if n.startswith(start)}
    meant = _ELSEWHERE.get(last, f"reduce_{last}")
    if start + meant in names or (not path and last in _ELSEWHERE):
        return start + meant
    alike = {_plain(n): n for n in sorted(near)}
    if _plain(last) in alike:
        return start + alike[_plain(last)]
    best = _nearest(last, near) if path else None
    if best is not None:
        return start + best
    if last in _ELSEWHERE:
        return meant
    for space in ("", *_NAMESPACES):
        other = f"{space}.{last}" if space else last
        if other in names:
            return other
    best = _nearest(last, near)
    if best is not None:
        return start + best
    elsewhere = {
        n.rpartition(".")[2]: n
        for space in reversed(_NAMESPACES)
        for n in names
        if n.startswith(f"{space}.")
    }
    best = _nearest(last, [n for n in elsewhere if n[0] == last[0]])
    return None if best is None else elsewhere[best]


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def _nearest(word: str, names: Iterable[str]) -> str | None:
    """Return the name that a word is a misspelling, the beginning or a longer form of."""
    word = _plain(word)
    plain = {_plain(name): name for name in sorted(names)}
    longer = min((n for n in plain if n.startswith(word)), key=len, default="")
    if len(word) > 4 and longer and len(longer) < len(word) + 5:
        return plain[longer]
    close = difflib.get_close_matches(word, plain, n=1, cutoff=0.76)
    if close:
        return plain[close[0]]
    if longer and len(word) > 2:
        return plain[longer]
    shorter = max((n for n in plain if word.startswith(n)), key=len, default="")
    return plain[shorter] if len(shorter) > 2 else None
