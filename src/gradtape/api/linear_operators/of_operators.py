"""The part that operators made of others have in common."""

from __future__ import annotations

from typing import Any

from gradtape.api.linear_operators.arguments import hints_of_all, one_dtype
from gradtape.api.linear_operators.base import LinearOperator


class OfOperators(LinearOperator):
    """An operator made of others, its first argument."""

    _matrix_axes = (("operators", 0),)
    _operators: list

    @property
    def operators(self) -> list:
        return self._operators

    def _init_with_hints_of_all(
        self, parameters: dict[str, Any], whole: str, separator: str
    ) -> None:
        """Initialize an operator that has every property which all it is made of have."""
        operators = self._operators = list(parameters["operators"])
        super().__init__(
            one_dtype(operators, type(self).__name__),
            is_square=parameters["is_square"],
            name=parameters["name"] or separator.join(o.name for o in operators),
            parameters=parameters,
            **hints_of_all(operators, parameters, whole),
        )
