"""Which arguments a registered function is for: checks made of annotations."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from typing import Any

from gradtape.api.extension_types.annotations import is_list, is_union
from gradtape.core.protocols import has_type_spec, is_composite

# What a check says of a value: that it does not fit; that it does; that it does, and is one for
# whose sake a call is dispatched (a composite).
NO, FITS, DISPATCHES = 0, 1, 2
Check = Callable[[Any], int]
# Classes besides those of composites for whose sake a call is dispatched.
DISPATCHED: set[type] = set()


def check_of(annotation: Any) -> Check:
    """Return the check of values that an annotation stands for."""
    arguments = typing.get_args(annotation)
    if is_union(annotation):
        options = [check_of(each) for each in arguments]
        return lambda value: max(option(value) for option in options)
    if is_list(annotation):
        of_item = check_of(arguments[0])
        return lambda value: _of_list(value, of_item)
    if annotation is None:
        annotation = type(None)
    if isinstance(annotation, type):
        return lambda value: _of_class(value, annotation)
    raise ValueError(
        f"Type annotation {annotation} is not currently supported by dispatch.  Supported "
        "annotations: type objects,  List[...], and Union[...]"
    )


def _of_class(value: Any, kind: type) -> int:
    if not isinstance(value, kind):
        return NO
    is_reason = is_composite(value) or has_type_spec(value) or isinstance(value, (*DISPATCHED,))
    return DISPATCHES if is_reason else FITS


def _of_list(value: Any, of_item: Check) -> int:
    if not isinstance(value, (list, tuple)):
        return NO
    answers = [of_item(item) for item in value]
    return min(answers) and max(answers) if answers else FITS


class Signature:
    """Says which of a function's arguments have to fit which annotations."""

    def __init__(self, api: inspect.Signature, annotations: Any) -> None:
        if not (
            isinstance(annotations, dict) and all(isinstance(k, (str, int)) for k in annotations)
        ):
            raise TypeError(
                "signatures must be dictionaries mapping parameter names to type annotations."
            )
        self.annotations = annotations
        names = list(api.parameters)
        self._checks: list[tuple[int, str, Check]] = []
        for name, annotation in annotations.items():
            if isinstance(name, int) and name < len(names):
                name = names[name]
            parameter = api.parameters.get(name)  # pyright: ignore[reportArgumentType] (an int has none)
            if parameter is None:
                raise ValueError(f"signature includes annotation for unknown parameter {name!r}.")
            if parameter.kind not in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
                raise ValueError(
                    "Dispatch currently only supports type annotations for positional parameters; "
                    f"can't handle annotation for {parameter.kind!r} parameter {name}."
                )
            self._checks.append((names.index(parameter.name), parameter.name, check_of(annotation)))
        self._defaults = {p.name: p.default for p in api.parameters.values()}

    def fits(self, args: tuple, kwargs: dict) -> bool:
        """Return whether a call's arguments fit, and one of them is a reason to dispatch."""
        dispatches = False
        for index, name, check in self._checks:
            given = args[index] if index < len(args) else kwargs.get(name, self._defaults[name])
            answer = check(given)
            if answer == NO:
                return False
            dispatches = dispatches or answer == DISPATCHES
        return dispatches


def annotations_of(target: Callable) -> dict[str, Any]:
    """Return the annotations of a function's parameters, which say what it is for."""
    parameters = inspect.signature(target, eval_str=True).parameters
    annotated = {
        name: parameter.annotation
        for name, parameter in parameters.items()
        if parameter.annotation is not inspect.Parameter.empty
    }
    if not annotated:
        raise ValueError(
            "The dispatch_for_api decorator must be called with at least one signature, or applied "
            "to a function that has type annotations on its parameters."
        )
    return annotated


def check_parameters(api: inspect.Signature, target: Callable) -> None:
    """Raise unless a function has the parameters of the public function that it stands in for."""
    made = inspect.signature(target)
    kinds = [parameter.kind for parameter in made.parameters.values()]
    if kinds == [inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD]:
        return
    mine = [(p.name, p.kind) for p in made.parameters.values()]
    if mine != [(p.name, p.kind) for p in api.parameters.values()]:
        raise ValueError(
            f"Dispatch function's signature {made} does not match API's signature {api}."
        )
