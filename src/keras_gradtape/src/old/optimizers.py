"""An optimizer that is given variables which it does not know yet, as those of Keras 2 were."""

from __future__ import annotations

import functools
from typing import Any

from keras.src import backend
from keras.src.optimizers.base_optimizer import BaseOptimizer

from gradtape.api.compat.old_names import notice, old_names_work
from gradtape.api.compat.scopes import init_scope


def install() -> None:
    """Let one optimizer train several models, one after the other or in turn."""
    check = BaseOptimizer._check_variables_are_known

    @functools.wraps(check)
    def check_variables_are_known(self, variables):
        if old_names_work():
            known = self._trainable_variables_indices
            new = [v for v in variables if self._var_key(v) not in known]
            if new:
                notice(
                    "An optimizer that is given other variables than at first is a manner of "
                    "Keras 2. Make one optimizer for each model."
                )
                with backend.name_scope(self.name, caller=self):
                    _add(self, new)
        check(self, variables)

    base: Any = BaseOptimizer
    base._check_variables_are_known = check_variables_are_known


def _add(optimizer: Any, variables: list) -> None:
    """Make the state of an optimizer's new variables, beside that of those it knows."""
    state = vars(optimizer)
    before, known = dict(state), dict(optimizer._trainable_variables_indices)
    optimizer.built = False
    optimizer.build(variables)  # as for an optimizer that knows no variables
    if optimizer.use_ema:
        # An average starts at what a variable is in the first step, which was another's.
        with init_scope():
            for average, variable in zip(
                optimizer._model_variables_moving_average, variables, strict=True
            ):
                average.assign(variable)
    for key, index in optimizer._trainable_variables_indices.items():
        if key not in known:
            optimizer._trainable_variables_indices[key] = index + len(known)
    for name, value in before.items():
        if state[name] is value or name == "built":
            continue
        if isinstance(value, list):  # with an item for each variable
            state[name] = [*value, *state[name]]
            continue
        # Of the optimizer itself, as Nadam's product is: it stays.
        made, state[name] = state[name], value
        optimizer._variables[:] = [v for v in optimizer._variables if v is not made]
