"""What there is: `list_measures`, `formats`, `profiles`, and what a query says (`nexi`)."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from inexlab.api.answers import Answer, Table, Text
from inexlab.errors import UnknownNameError
from inexlab.report.grids import known_format
from inexlab.report.queries import description_grid, write_description
from inexlab.report.tables import Cell, Grid
from inexlab.topics.description import QueryDescription, describe_nexi

if TYPE_CHECKING:
    from inexlab.judgements.write import JudgementWriter
    from inexlab.measures import Definition
    from inexlab.runs.write import RunWriter


@dataclass(frozen=True, eq=False, repr=False)
class MeasureList(Answer):
    """Some measures: all of them, or the one that was asked for, with its manual page."""

    definitions: tuple[Definition, ...]
    alone: bool = False

    def __len__(self) -> int:
        return len(self.definitions)

    def __repr__(self) -> str:
        names = ", ".join(definition.name for definition in self.definitions[:4])
        return f"Measures({len(self)}: {names}{' …' if len(self) > 4 else ''})"

    def grid(self, *, for_programs: bool = False) -> Grid:
        """Return one row per measure: name, form, summary and, for programs, all that is known of it."""
        header = ["name", "form", "summary"]
        rows: list[list[Cell]] = [[d.name, form_of(d), d.summary] for d in self.definitions]
        if for_programs:
            header += ["total", "parameters", "doc"]
            for row, d in zip(rows, self.definitions, strict=True):
                row += [d.total, ", ".join(p.name for p in d.parameters), d.doc]
        return Grid(header, rows)

    def text(self, output: str = "table", *, width: int = 100) -> str:
        """Return what the command line prints: the list, or the manual page of a single measure."""
        if output == "json":
            return json.dumps([_record(d) for d in self.definitions], ensure_ascii=False, indent=1) + "\n"
        if output != "table":
            return super().text(output, width=width)
        if self.alone:
            return _page(self.definitions[0])
        lines = []
        longest = max(len(form_of(d)) for d in self.definitions)
        for d in self.definitions:
            summary = d.summary.partition(": `")[0].rstrip(".")
            first, *more = textwrap.wrap(summary, max(30, width - longest - 3))
            lines.append(f"{form_of(d):<{longest}}   {first}")
            lines += [f"{'':<{longest}}   {line}" for line in more]
        lines.append("\n`inexlab measures NAME` shows formula, source, parameters and a worked example.")
        lines.append("Measures of documents are those of ir_measures: AP, P@10, R@10, RR, nDCG@10, ….")
        return "\n".join(lines) + "\n"


def list_measures(name: str = "") -> MeasureList:
    """List the measures, or show one measure's formula, source, parameters and worked example.

    This is `inexlab measures`; `print` shows the manual page.

    >>> import inexlab
    >>> inexlab.list_measures("MAgP")
    Measures(1: MAgP)
    >>> inexlab.list_measures("iP").text().splitlines()[0]
    'iP@0.01'
    """
    from inexlab.measures.measure import definitions, parse

    base = name.partition("(")[0].partition("@")[0]
    if not base:
        return MeasureList(tuple(definitions.values()))
    found = definitions[base] if base in definitions else parse(name).definition
    return MeasureList((found,), alone=True)


def form_of(definition: Definition) -> str:
    """Return how the name of a measure is written, with its parameters and its cut-off."""
    at = {
        "rank": "@10",
        "optional rank": "[@10]",
        "optional rank or budget": "[@10]",
        "recall": "@0.01",
        "optional recall": "[@0.1]",
        "none": "",
    }[definition.cutoff]
    inner = ",".join(f"{p.name}=…" for p in definition.parameters if p.when is None and not p.quiet)
    return definition.name + (f"({inner})" if inner else "") + at


def _record(d: Definition) -> dict[str, object]:
    return {
        "name": d.name,
        "form": form_of(d),
        "summary": d.summary,
        "total": d.total,
        "parameters": {p.name: {"default": str(p.default), "help": p.help} for p in d.parameters},
        "doc": d.doc,
    }


def _page(definition: Definition) -> str:
    from inexlab.judgements.quantisation import quantisations
    from inexlab.measures.sources import REFERENCES

    lines = [form_of(definition), "", definition.doc, ""]
    if definition.parameters:
        lines.append("Parameters:")
        for p in definition.parameters:
            values = f" ({', '.join(p.choices)})" if p.choices else ""
            needs = f", with {'='.join(p.when)}" if p.when else ""
            default = f"{float(p.default):g}" if isinstance(p.default, Fraction) else p.default
            lines += _wrapped(f"{p.name}: {p.help}{values}{needs}; default {default}")
        lines.append("")
    if any(p.name == "quant" for p in definition.parameters):
        lines += ["Quantisations (`gen` and `strict` mean the one for the judgements' years):"]
        lines += [line for k in quantisations.values() for line in _wrapped(f"{k.name}: {k.doc}")]
        lines.append("")
    for short, full in REFERENCES.items():
        if short in definition.doc:
            lines += textwrap.wrap(f"{short}: {full}", 100, subsequent_indent="  ")
    total = "the mean over topics" if definition.total == "mean" else "the sum over topics"
    return "\n".join([*lines, f"Over all topics: {total}.", ""])


def _wrapped(entry: str) -> list[str]:
    return textwrap.wrap(entry, 100, initial_indent="  ", subsequent_indent="      ")


def formats() -> Table:
    """List the formats of runs, judgements and pools: what each carries, its years, who reads and writes it.

    `read as` is the name for `input_format`, `format` the name that `convert` takes as `to`.

    >>> import inexlab
    >>> inexlab.formats().to_pandas()["of"].unique().tolist()
    ['runs', 'judgements', 'pools']
    """
    from inexlab.judgements.read import judgement_formats
    from inexlab.judgements.write import judgement_writers
    from inexlab.pooling.files import pool_writers
    from inexlab.runs.read import run_formats
    from inexlab.runs.write import run_writers

    rows = [
        *format_rows("runs", list(run_formats), run_writers.values()),
        *format_rows("judgements", list(judgement_formats), judgement_writers.values()),
        *(("pools", w.name, w.name, "yes", None, w.carries) for w in pool_writers.values()),
    ]
    return Table("Formats", Grid(("of", "format", "read as", "written", "years", "carries"), rows))


def format_rows(
    kind: str, readers: Sequence[str], writers: Sequence[RunWriter | JudgementWriter]
) -> Iterator[Sequence[Cell]]:
    """Yield a row for each format: those that are written, then those that are only read."""
    for writer in sorted(writers, key=lambda writer: (writer.years or "later", writer.name)):
        yield kind, writer.name, writer.read_by or None, "yes", writer.years or None, writer.carries
    written = {writer.read_by for writer in writers}
    for name in readers:
        if name not in written:  # a plug-in that only reads
            yield kind, name, name, "no", None, None


def profiles(name: str = "") -> Table | Text:
    """List the profiles that say what tags mean, or return the file of one to start from.

    A custom profile is a TOML file with the same keys, for the option `profile` of `build_index`; with
    `extends = "jats"` it says only what is different.

    >>> import inexlab
    >>> "docbook" in inexlab.profiles().to_pandas()["profile"].tolist()
    True
    >>> inexlab.profiles("docbook").content.splitlines()[0].startswith("#")
    True
    """
    from inexlab.collection.profile import built_in_profiles, profile_text, read_profile

    if name:
        return Text("Profile", profile_text(name))
    rows = [[each, read_profile(each).title] for each in built_in_profiles()]
    return Table("Profiles", Grid(["profile", "for"], rows))


@dataclass(frozen=True, eq=False, repr=False)
class QueryResult(Answer):
    """What a query says: its kind, its target, its support elements, its clauses, its tree."""

    described: QueryDescription

    @property
    def notes(self) -> tuple[str, ...]:  # type: ignore[override]
        """What was ignored."""
        return self.described.notes

    def __repr__(self) -> str:
        return f"Query({self.described.type}: {self.described.query})"

    def grid(self, *, for_programs: bool = False) -> Grid:  # noqa: ARG002 - one for both
        """Return a part of the query to a row."""
        return description_grid(self.described)

    def text(self, output: str = "table", *, width: int = 100) -> str:  # noqa: ARG002
        """Return what the command line prints; JSON is one object."""
        known_format(output)
        return write_description(self.described, output)


def nexi(query: str) -> QueryResult:
    """Return what a query says: its tree, its target, its support elements and its single clauses.

    >>> import inexlab
    >>> asked = inexlab.nexi("//article[about(., bees)]//sec[about(.//st, dance)]")
    >>> asked.described.target, asked.described.support
    ('//article//sec', ('//article', '//article//sec//st'))
    """
    # bytes of another encoding cannot be printed
    return QueryResult(describe_nexi(query.encode(errors="surrogateescape").decode(errors="replace")))


def known_output(output: str, known: Sequence[str]) -> None:
    """Refuse an output format that a verb does not have."""
    if output not in known:
        raise UnknownNameError("output format", output, known)
