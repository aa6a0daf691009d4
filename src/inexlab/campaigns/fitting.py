"""Measures asked for in a task: what their names leave open is as in the task's own measures.

In a Focussed task of 2005 every measure has overlap=on, so `MAep` means `MAep(overlap=on)` there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from inexlab.measures import Measure, Parameter
from inexlab.measures.measure import Value, given_parameters


def fit_measures(asked: Sequence[Measure], own: Sequence[Measure]) -> tuple[list[Measure], dict[str, Value]]:
    """Return the measures as a task with measures of its `own` means them, and the values it gave them.

    A parameter that a name leaves out takes the value that all the own measures which have it share; where
    they do not agree, its default. A value that is the default anyway is not among those returned.
    """
    taken: dict[str, Value] = {}
    fitted = []
    for measure in asked:
        given = given_parameters(measure.given)
        values: dict[str, Value] = {}
        for parameter in measure.definition.parameters:
            if parameter.when is not None and values.get(parameter.when[0]) != parameter.when[1]:
                continue
            name = parameter.name
            shared = _shared(parameter, own)
            if name in given:
                values[name] = measure.parameters[name]
            elif len(shared) == 1:
                [values[name]] = shared
            else:
                values[name] = measure.parameters.get(name, parameter.default)
            if name not in given and values[name] != parameter.default:
                taken[name] = values[name]
        changed = replace(measure, parameters=values)
        fitted.append(measure if changed == measure else replace(changed, given=str(changed)))
    return fitted, taken


def _shared(parameter: Parameter, own: Sequence[Measure]) -> set[Value]:
    """Return the values of a parameter in the measures that have it: one of the same name and choices."""
    return {
        measure.parameters[other.name]
        for measure in own
        for other in measure.definition.parameters
        if (other.name, other.choices) == (parameter.name, parameter.choices)
        and other.name in measure.parameters
    }
