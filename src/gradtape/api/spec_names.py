"""Names of classes of specs, by which a file and `tensorflow.python` know them."""

from __future__ import annotations

NAME_TO_TYPE_SPEC: dict[str, type] = {}
TYPE_SPEC_TO_NAME: dict[type, str] = {}


def register(name: str):
    """Give a class of specs a name."""

    def decorate(cls: type) -> type:
        if name in NAME_TO_TYPE_SPEC:
            raise ValueError(f"Name {name} has already been registered for class {cls}.")
        TYPE_SPEC_TO_NAME[cls] = name
        NAME_TO_TYPE_SPEC[name] = cls
        return cls

    return decorate


def get_name(cls: type) -> str:
    """Return the name of a class of specs."""
    if cls not in TYPE_SPEC_TO_NAME:
        raise ValueError(f"TypeSpec {cls} has not been registered.")
    return TYPE_SPEC_TO_NAME[cls]


def lookup(name: str) -> type:
    """Return the class of specs of a name."""
    if name not in NAME_TO_TYPE_SPEC:
        raise ValueError(f"No TypeSpec has been registered with name {name!r}")
    return NAME_TO_TYPE_SPEC[name]
