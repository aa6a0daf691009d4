"""A comparison in print: systems by mean with their groups, who beats whom, or all against a baseline."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from inexlab.report.grids import FORMATS, write_grid
from inexlab.report.latex_tables import comparison_table, critical_value_note
from inexlab.report.tables import SUBMITTED, Cell, Grid, separated_line, shortened, with_tasks
from inexlab.statistics import Comparison, Pair
from inexlab.statistics.testing import significance_tests

LARGEST_MATRIX = 40
LARGEST_TABLE = 200  # systems of which all are shown, unless a number is asked for

__all__ = [
    "FORMATS",
    "LARGEST_MATRIX",
    "comparison_parts",
    "systems_shown",
    "write_comparison",
    "write_comparisons",
]


def systems_shown(systems: int, top: int | None) -> int:
    """Return how many systems a table for people shows: `top` (0: all), or a readable number.

    >>> systems_shown(172, None), systems_shown(2000, None), systems_shown(2000, 0), systems_shown(7, 10)
    (172, 40, 2000, 7)
    """
    if top is None:
        return systems if systems <= LARGEST_TABLE else LARGEST_MATRIX
    return min(top or systems, systems)


def write_comparisons(
    named: Sequence[tuple[str, Comparison]],
    output: str,
    *,
    top: int | None = None,
    width: int = 100,
    submitted: Mapping[str, str] | None = None,
) -> str:
    """Return several comparisons, each with a title, as text; a single one without a title as it is."""
    return "".join(comparison_parts(named, output, top=top, width=width, submitted=submitted))


def comparison_parts(
    named: Sequence[tuple[str, Comparison]],
    output: str,
    *,
    top: int | None = None,
    width: int = 100,
    submitted: Mapping[str, str] | None = None,
) -> Iterator[str]:
    """Yield the text of several comparisons part by part: all pairs of 2,000 systems are gigabytes.

    A title says of what (a task, say). For programs every record of several names its measure, and the title
    too if that says more. `submitted` has the task of each system, where these are of several.
    """
    tasks = submitted or {}
    if output == "json":
        yield from _json_parts(named, tasks)
    elif output in ("csv", "tsv"):
        yield from _separated_lines(named, "," if output == "csv" else "\t", tasks)
    else:
        grids = (grid for title, c in named for grid in _grids(c, title, output, top, tasks))
        for number, grid in enumerate(grids):
            yield "\n" if number else ""
            yield write_grid(grid, output, width) if isinstance(grid, Grid) else grid


def _separated_lines(
    named: Sequence[tuple[str, Comparison]], separator: str, tasks: Mapping[str, str]
) -> Iterator[str]:
    """Yield the lines of CSV or TSV: a header, and one for each pair."""
    alone = _alone(named)
    titled = any(_of(title, c) for title, c in named)
    header = [*(["of"] if titled else []), *([] if alone else ["measure"]), *Pair._fields]
    yield separated_line([*header, *(f"{one} {SUBMITTED}" for one in ("a", "b") if tasks)], separator)
    for title, c in named:
        before = [*([title] if titled else []), *([] if alone else [c.matrix.name])]
        for pair in c.pairs():
            cells = (_plain(cell) for cell in pair)
            yield separated_line([*before, *cells, *_tasks_of(pair, tasks).values()], separator)


def _json_parts(named: Sequence[tuple[str, Comparison]], tasks: Mapping[str, str]) -> Iterator[str]:
    """Yield JSON: all but the pairs is made at once, with a hole for the pairs of each comparison."""
    alone = _alone(named)
    records = [
        {"systems": _system_records(c, tasks), "pairs": None}
        if alone
        else {**_of(title, c), **_record(c, tasks), "pairs": None}
        for title, c in named
    ]
    hole = '"pairs": null'  # in a text the quotes would be escaped
    frame = json.dumps(records[0] if alone else records, indent=1).split(hole)
    margin = "\n" + " " * (1 if alone else 2)
    yield frame[0]
    for (_, c), after in zip(named, frame[1:], strict=True):
        yield '"pairs": ['
        of_measure = {} if alone else {"measure": c.matrix.name}
        encoder = json.JSONEncoder(separators=(f",{margin}  ", ": "))
        for number, pair in enumerate(c.pairs()):
            record = {**of_measure, **_pair_record(pair), **_tasks_of(pair, tasks)}
            text = encoder.encode(record)[1:-1]  # all on one line but for the separators
            yield f"{',' if number else ''}{margin} {{{margin}  {text}{margin} }}"
        yield f"{margin}]{after}"
    yield "\n"


def _alone(named: Sequence[tuple[str, Comparison]]) -> bool:
    return len(named) == 1 and not named[0][0]


def write_comparison(comparison: Comparison, output: str, *, top: int | None = None, width: int = 100) -> str:
    """Return the comparison as text; tables for people show the first `top` systems (0: all)."""
    return write_comparisons([("", comparison)], output, top=top, width=width)


def _tasks_of(pair: Pair, submitted: Mapping[str, str]) -> dict[str, str]:
    """Return the tasks of two systems as fields, where systems are of several."""
    both = (("a", pair.a), ("b", pair.b))
    return {f"{one} {SUBMITTED}": submitted.get(system, "") for one, system in both if submitted}


def _of(title: str, comparison: Comparison) -> dict[str, str]:
    """Return the title as a field, where it says more than the name of the measure."""
    return {"of": title} if title and title != comparison.matrix.name else {}


def _plain(cell: str | float | bool) -> Cell:
    return str(cell).lower() if isinstance(cell, bool) else None if cell != cell else cell


def _record(comparison: Comparison, submitted: Mapping[str, str]) -> dict[str, object]:
    """Return what was compared, how, and what was found, with the measure in every record."""
    named = {"measure": comparison.matrix.name}
    return {
        **named,
        "test": comparison.test,
        "tail": comparison.tail,
        "correction": comparison.correction,
        "alpha": comparison.alpha,
        "critical": _finite(comparison.critical_value),
        "topics": len(comparison.matrix.topics),
        "warnings": list(comparison.warnings),
        "systems": [{**named, **record} for record in _system_records(comparison, submitted)],
    }


def _system_records(comparison: Comparison, submitted: Mapping[str, str]) -> list[dict[str, object]]:
    means, letters = comparison.matrix.totals(), comparison.letters()
    return [
        {
            "system": comparison.matrix.systems[s],
            **({SUBMITTED: submitted.get(comparison.matrix.systems[s], "")} if submitted else {}),
            "mean": float(means[s]),
            "low": _finite(float(comparison.mean_low[s])),
            "high": _finite(float(comparison.mean_high[s])),
            "letters": group,
            "wins": int(comparison.better[s].sum()),
            "ties": int((comparison.tested[s] & ~comparison.better[s] & ~comparison.better[:, s]).sum()),
            "losses": int(comparison.better[:, s].sum()),
        }
        for s, group in zip(comparison.order(), letters, strict=True)
    ]


def _pair_record(pair: Pair) -> dict[str, object]:
    return {key: _finite(v) if isinstance(v, float) else v for key, v in pair._asdict().items()}


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _grids(
    comparison: Comparison, title: str, output: str, top: int | None, submitted: Mapping[str, str]
) -> Iterator[Grid | str]:
    """Yield the tables for people: the systems; then each baseline, or the matrix of all pairs.

    Where that matrix cannot be of all systems, the pairs that matter most are shown: those of the best.
    """
    order = comparison.order()[: systems_shown(len(comparison.matrix.systems), top)]
    measure = comparison.matrix.name
    name = title if measure in title else ", ".join(filter(None, (title, measure)))
    if output == "latex":
        yield comparison_table(comparison, order, of=name, submitted=submitted)
    else:
        systems = _systems(comparison, name, order)
        yield with_tasks(systems, submitted) if submitted else systems
    baselines = comparison.baselines
    if baselines:
        for baseline in baselines:
            against = _against(comparison, name, baseline, order)
            yield with_tasks(against, submitted) if submitted else against
        return
    if len(order) <= LARGEST_MATRIX:
        yield _matrix(comparison, name, order)
    if len(order) > LARGEST_MATRIX or len(comparison.matrix.systems) > LARGEST_TABLE:
        best = _against(comparison, name, order[0], order[: LARGEST_MATRIX + 1])
        yield with_tasks(best, submitted) if submitted else best


def _systems(comparison: Comparison, name: str, order: list[int]) -> Grid:
    means, letters = comparison.matrix.totals(), comparison.letters()
    level = f"{100 * (1 - comparison.alpha):g}%"
    grouped = any(letters)
    rows: list[list[Cell]] = []
    for place, s in enumerate(order):
        wins, losses = int(comparison.better[s].sum()), int(comparison.better[:, s].sum())
        groups = [shortened(letters[place])] if grouped else []
        others = int(comparison.tested[s].sum())
        interval = _interval(comparison.mean_low[s], comparison.mean_high[s])
        system, mean = comparison.matrix.systems[s], float(means[s])
        rows.append([system, mean, interval, *groups, wins, others - wins - losses, losses])
    header = ["system", "mean", f"{level} interval", *(["group"] if grouped else [])]
    header += ["better than", "no difference", "worse than"]
    notes = [comparison.few_topics] if comparison.few_topics else []
    if not comparison.baselines:  # whose tables have it with t
        notes += critical_value_note(comparison)
    if len(comparison.matrix.systems) > LARGEST_TABLE and not comparison.baselines:
        notes += _in_numbers(comparison, order[0])
    return Grid(header, rows, f"{name}: {comparison.description}" if name else comparison.description, notes)


def _in_numbers(comparison: Comparison, best: int) -> list[str]:
    """Say in numbers what is too much to show: how many pairs differ, how many may equal the best."""
    count = len(comparison.matrix.systems)
    differing = int((comparison.better | comparison.better.T).sum()) // 2
    alike = int((~comparison.better[best]).sum()) - 1
    return [
        f"{differing:,} of {count * (count - 1) // 2:,} pairs of systems are shown to differ.",
        f"The best is not shown to be better than {alike:,} of the {count - 1:,} others.",
    ]


def _interval(low: float, high: float) -> str | None:
    return None if math.isnan(low) else f"{low:.4f} … {high:.4f}"


def _against(comparison: Comparison, name: str, baseline: int, order: list[int]) -> Grid:
    """All systems against one: differences, intervals, and p of the direction that the test leans to."""
    having = np.flatnonzero((comparison.a == baseline) | (comparison.b == baseline)).tolist()
    pairs = {(int(comparison.a[i]), int(comparison.b[i])): i for i in having}
    means, systems = comparison.matrix.totals(), comparison.matrix.systems
    symbol = significance_tests[comparison.test].symbol
    rows: list[list[Cell]] = []
    for s in order:
        places = [pairs[pair] for pair in ((s, baseline), (baseline, s)) if pair in pairs]
        if s == baseline or not places:
            continue
        leaning = min(places, key=lambda i: comparison.p[i])
        first = places[0]
        mirrored = comparison.a[first] == baseline
        statistic = -comparison.statistic[first] if mirrored else comparison.statistic[first]
        low, high = float(comparison.low[first]), float(comparison.high[first])
        better, worse = comparison.better[s, baseline], comparison.better[baseline, s]
        rows.append(
            [
                systems[s],
                float(means[s]),
                f"{means[s] - means[baseline]:+.4f}".replace("-", "−"),
                _interval(-high, -low) if mirrored else _interval(low, high),
                *([_t(statistic)] if symbol else []),
                _p(comparison.p[leaning]),
                _p(comparison.p_adjusted[leaning]),
                "better" if better else "worse" if worse else "not shown to differ",
            ]
        )
    level = f"{100 * (1 - comparison.alpha):g}%"
    header = ["system", "mean", "difference", f"{level} interval", *([symbol] if symbol else [])]
    header += ["p", "adjusted p", "found"]
    of = f"{name}: " if name else ""
    title = f"{of}against {systems[baseline]} (mean {means[baseline]:.4f}), {comparison.tail}-tailed"
    notes = ["p is of the direction that the test leans to."] if comparison.tail == "one" else []
    return Grid(header, rows, title, [*notes, *critical_value_note(comparison)])


def _t(value: float) -> str:
    """Write t; where all differences are the same it has no bound.

    >>> _t(1.35057), _t(-0.5), _t(-math.inf)
    ('1.3506', '−0.5000', '−∞')
    """
    size = "∞" if math.isinf(value) else f"{abs(value):.4f}"
    return f"−{size}" if value < 0 else size


def _p(value: float) -> str:
    """Write a p-value: four digits after the point, or what it is below; no test shows that it is 0.

    >>> _p(0.01234), _p(0.00001), _p(0)
    ('0.0123', '<0.0001', '<0.0001')
    """
    return "<0.0001" if value < 0.0001 else f"{value:.4f}"


def _matrix(comparison: Comparison, name: str, order: list[int]) -> Grid:
    """Who beats whom, the row against the column."""
    names = [str(i + 1) for i in range(len(order))]
    rows: list[list[Cell]] = [
        [f"{i + 1} {comparison.matrix.systems[a]}", *(_mark(comparison, a, b) for b in order)]
        for i, a in enumerate(order)
    ]
    of = f"{name}: the" if name else "The"
    title = f"{of} row against the column: > better, < worse, · not shown to differ"
    return Grid(["system", *names], rows, title)


def _mark(comparison: Comparison, a: int, b: int) -> str:
    if not comparison.tested[a, b]:
        return ""
    return ">" if comparison.better[a, b] else "<" if comparison.better[b, a] else "·"
