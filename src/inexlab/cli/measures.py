"""`inexlab measures`: the list of measures, or the manual page of one."""

from __future__ import annotations

import sys
import textwrap
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import typer

from inexlab.cli.terminal import terminal_width

if TYPE_CHECKING:
    from inexlab.measures import Definition


def measures(
    name: Annotated[str, typer.Argument(help="A measure, for example iP or gP.")] = "",
    output: Annotated[str, typer.Option("-o", "--output", help="Format: table or json.")] = "table",
) -> None:
    """List the measures, or show one measure's formula, source, parameters and worked example.

    Examples: `inexlab measures`, `inexlab measures MAgP`
    """
    import json

    from inexlab.errors import UnknownNameError
    from inexlab.measures.measure import definitions, parse

    if output not in ("table", "json"):
        raise UnknownNameError("output format", output, ("table", "json"))
    base = name.partition("(")[0].partition("@")[0]
    chosen = definitions.values()
    if base:
        chosen = [definitions[base] if base in definitions else parse(name).definition]

    def example(definition: Definition) -> str:
        at = {
            "rank": "@10",
            "optional rank": "[@10]",
            "recall": "@0.01",
            "optional recall": "[@0.1]",
            "none": "",
        }[definition.cutoff]
        inner = ",".join(f"{p.name}=…" for p in definition.parameters if p.when is None and not p.quiet)
        return definition.name + (f"({inner})" if inner else "") + at

    if output == "json":
        rows = [
            {
                "name": d.name,
                "form": example(d),
                "summary": d.summary,
                "total": d.total,
                "parameters": {p.name: {"default": str(p.default), "help": p.help} for p in d.parameters},
                "doc": d.doc,
            }
            for d in chosen
        ]
        print(json.dumps(rows, ensure_ascii=False, indent=1))
    elif base:
        sys.stdout.write(_page(chosen[0], example(chosen[0])))
    else:
        longest = max(len(example(d)) for d in chosen)
        for d in chosen:
            summary = d.summary.partition(": `")[0].rstrip(".")
            first, *more = textwrap.wrap(summary, max(30, terminal_width() - longest - 3))
            print(f"{example(d):<{longest}}   {first}")
            for line in more:
                print(f"{'':<{longest}}   {line}")
        print("\n`inexlab measures NAME` shows formula, source, parameters and a worked example.")
        print("Measures of documents are those of ir_measures: AP, P@10, R@10, RR, nDCG@10, ….")


def _page(definition: Definition, form: str) -> str:
    from inexlab.judgements.quantisation import quantisations
    from inexlab.measures.sources import REFERENCES

    lines = [form, "", definition.doc, ""]
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
