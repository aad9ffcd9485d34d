"""What signatures alone cannot say: decorators that keep the types of what they decorate."""

from __future__ import annotations

# What functions return for tensors. Sparse and ragged ones give their like; the source says Any.
RETURNS = {
    "adjoint cast cholesky clip_by_norm clip_by_value identity inv linalg.adjoint linalg.cholesky "
    "linalg.inv math.scalar_mul sparse.reduce_max sparse.reduce_sum": "Tensor",
    "clip_by_global_norm": "tuple[list[Any], Tensor]",
    "strings.bytes_split strings.split strings.unicode_decode strings.unicode_split "
    "ragged.stack": "RaggedTensor",
    "device": "AbstractContextManager[None]",
    "train.load_variable": "ndarray[Any, Any]",
    "distribute.get_strategy": "Strategy",
}
RETURNED = {name: kind for names, kind in RETURNS.items() for name in names.split()}

# Whole definitions. Their private classes are beside them.
OVERLOADS = {
    "function": """
class _Function(Function, Generic[_P, _R]):
    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R: ...
    @overload
    def __get__(self, instance: None, owner: Any = None) -> Self: ...
    @overload
    def __get__(
        self: _Function[Concatenate[Any, _Q], _R], instance: object, owner: Any = None
    ) -> _Function[_Q, _R]: ...

@overload
def function(func: Callable[_P, _R], {options}) -> _Function[_P, _R]:
{doc}
@overload
def function(
    *, {options}
) -> Callable[[Callable[_P, _R]], _Function[_P, _R]]: ...

""",
    "custom_gradient": """
@overload
def custom_gradient(f: Callable[_P, Any]) -> Callable[_P, Any]:
{doc}
@overload
def custom_gradient(f: None = None) -> Callable[[Callable[_P, Any]], Callable[_P, Any]]: ...

""",
    "recompute_grad": """
def recompute_grad(f: Callable[_P, _R]) -> Callable[_P, _R]:
{doc}
""",
    "grad_pass_through": """
def grad_pass_through(f: Callable[_P, _R]) -> Callable[_P, _R]:
{doc}
""",
    "autograph.experimental.do_not_convert": """
def do_not_convert(func: Callable[_P, _R] | None = None) -> Callable[_P, _R]:
{doc}
""",
}
# Type variables of these definitions; the other names are imported (`origins.COMMON`).
VARIABLES = {
    "_P": 'ParamSpec("_P")',
    "_Q": 'ParamSpec("_Q")',
    "_R": 'TypeVar("_R")',
}
