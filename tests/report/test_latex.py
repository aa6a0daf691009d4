"""Tables in LaTeX: escaped, aligned, turned where too wide, with a caption; and pdflatex takes them all."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.experiments import Experiment, Scored
from inexlab.measures import Evaluation, parse
from inexlab.report.agreement import write_agreement
from inexlab.report.comparison import write_comparisons
from inexlab.report.grids import write_grid
from inexlab.report.latex import PAGE_WIDTH, Tex, latex_text, to_latex
from inexlab.report.results import write_results_page
from inexlab.report.scores import write_scores
from inexlab.report.tables import Grid
from inexlab.scores import Scores
from inexlab.statistics import compare
from inexlab.statistics.agreement import agreement
from tests.builders import calm, judged

SCORES = Grid(
    ["run", "MAiP", "MAgP(score=F,beta=0.25)", "num_ret"],
    [["first", 0.123456, 0.5, 1500], ["second-run", 1.0, None, 7]],
)
HOSTILE = r"a_b&50% #1 {$x$} \back ^~ |bar| <tag> 'q' `t` --x-- [0] ?` !` é ü " + '"q" … – — · τ'


def rows_of(latex: str) -> list[list[str]]:
    lines = re.search(r"\\toprule\n(.*)\\bottomrule", latex, re.DOTALL)
    assert lines is not None
    return [line.removesuffix(r" \\").split(" & ") for line in lines[1].splitlines() if line != r"\midrule"]


def alignment(latex: str) -> str:
    found = re.search(r"\\begin\{tabular\}\{([lr]+)\}", latex)
    assert found is not None
    return found[1]


def caption(latex: str) -> str:
    found = re.search(r"\\caption\{(.*)\}\n", latex)
    assert found is not None
    return found[1]


def test_latex() -> None:
    assert to_latex(SCORES) == (
        "\\begin{table}\n"
        "\\centering\n"
        "\\caption{MAiP, MAgP(score=F,beta=0.25), num\\_ret by run.}\n"
        "\\begin{tabular}{lrrr}\n"
        "\\toprule\n"
        "run & MAiP & MAgP(score=F,beta=0.25) & num\\_ret \\\\\n"
        "\\midrule\n"
        "first & 0.1235 & 0.5000 & 1500 \\\\\n"
        "second-run & 1.0000 & -- & 7 \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
        "\\end{table}\n"
    )


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("a_b", r"a\_b"),
        ("50%", r"50\%"),
        ("a&b", r"a\&b"),
        ("#1 {$x$}", r"\#1 \{\$x\$\}"),
        ("a\\b", r"a\textbackslash{}b"),
        ("a^b~c", r"a\textasciicircum{}b\textasciitilde{}c"),
        ("a|b", r"a\textbar{}b"),
        ("<1%", r"\textless{}1\%"),
        (">", r"\textgreater{}"),
        ("a--b", "a-{}-b"),
        ("0.1 … 0.2", r"0.1 \ldots{} 0.2"),
        ("two\nlines", "two lines"),
        ("[0]", "{}[0]"),
    ],
)
def test_what_latex_would_obey_is_escaped(name: str, written: str) -> None:
    assert f"\n{written} & 0.5000 \\\\\n" in to_latex(Grid(["run", "MAiP"], [[name, 0.5]]))


@calm
@given(st.text(st.characters(codec="ascii", exclude_categories=["C"]), min_size=1))
def test_no_special_character_of_latex_is_left_bare(name: str) -> None:
    cell = latex_text(name)
    cell = Tex(re.sub(r"\\(?:text[a-z]+|char34|ldots)\{\}", "", cell))
    cell = Tex(re.sub(r"\\[&%$#_{}]", "", cell).replace("-{}", "-"))
    assert not set(cell) & set('&%$#_{}~^\\|<>`"')
    assert "--" not in latex_text(name)


def test_text_begins_in_line_and_numbers_end_in_line() -> None:
    grid = Grid(
        ["rank", "run", "MAiP", "unjudged", "description"],
        [
            [1, "a", Tex(r"\textbf{0.5000}$^{\downarrow}$"), "13%", "terms, no structure"],
            [2, "b", 0.1, "<1%", ""],
        ],
    )
    assert alignment(to_latex(grid)) == "rlrrl"


def test_a_table_too_wide_for_a_page_is_turned() -> None:
    measures = [f"MAgP(score=F,beta=0.{i})" for i in range(1, 8)]
    grid = Grid(["run", *measures], [["a_run", *[0.5] * 7], ["another", *[0.25] * 7]], "Scores")
    latex = to_latex(grid)
    assert rows_of(latex)[0] == ["run", r"a\_run", "another"]
    assert [row[0] for row in rows_of(latex)[1:]] == measures
    assert alignment(latex) == "lrr"
    assert rows_of(to_latex(grid, width=1000))[0] == ["run", *measures]
    assert len("".join(grid.header)) > PAGE_WIDTH


def test_a_table_too_wide_either_way_is_small() -> None:
    grid = Grid(
        ["run", *[f"measure{i}" for i in range(12)]], [[f"long-name-{r}", *[0.5] * 12] for r in range(12)]
    )
    assert r"\footnotesize" in to_latex(grid)
    assert r"\footnotesize" not in to_latex(SCORES)


def test_the_caption_is_the_title_with_the_notes() -> None:
    grid = Grid(SCORES.header, SCORES.rows, "50% of it", ["Few topics: 3."])
    assert caption(to_latex(grid)) == r"50\% of it. Few topics: 3."


TOPICS = tuple(map(str, range(1, 7)))


def evaluation() -> Evaluation:
    """Three runs by two quantisations: strictly, only two of six topics have anything relevant."""
    random = np.random.default_rng(4)
    generous, strict = random.random((3, 6)), random.random((3, 6))
    strict[:, 2:] = np.nan
    systems = (HOSTILE, "second", "third")
    measures = ("precall(quant=gen)", "precall(quant=strict)", "num_ret")
    scores = [
        parse(name).tabulate(systems, TOPICS, values)
        for name, values in zip(measures, (generous, strict, np.full((3, 6), 7.0)), strict=True)
    ]
    return Evaluation(tuple(scores), (), unjudged={HOSTILE: 0.003, "second": 0.25, "third": 0.0})


def test_each_measure_has_its_own_number_of_topics() -> None:
    message = caption(write_scores(evaluation(), "latex"))
    generous, strict, _ = (str(s.measure) for s in evaluation().scores)
    assert message.startswith(f"Means over 6 topics ({generous}), 2 topics ({strict}); the best in bold.")
    only = Evaluation(evaluation().scores[:1], ())
    assert caption(write_scores(only, "latex")) == "Means over 6 topics; the best in bold."


def test_systems_with_topics_of_their_own_are_said_so() -> None:
    values = np.array([[0.5, np.nan, np.nan], [0.5, 0.5, 0.5]])
    scores = parse("MAiP").tabulate(("a", "b"), ("1", "2", "3"), values)
    assert caption(write_scores(Evaluation((scores,), ()), "latex")).startswith("Means over 1 to 3 topics;")


# All that is written in LaTeX, through pdflatex.


def tables() -> list[str]:
    scores = evaluation()
    generous = Scores(scores.scores[0].systems, TOPICS, scores.scores[0].values, "a_b@10")
    few = generous.on(TOPICS[:3])
    compared = [compare(generous, test="t"), compare(few, test="t"), compare(generous, baselines=["second"])]
    task = Scored(
        Experiment("j.qrels", (), name="focused", title="Focused & more"),
        judged("A 0:60"),
        scores,
        {},
        dict.fromkeys(generous.systems, "p"),
        dict.fromkeys(generous.systems, HOSTILE),
    )
    one = compare(Scores(generous.systems, TOPICS, 1 - generous.values, "other_100%"), test="t")
    wide = Grid(["run", *[f"measure_{i}" for i in range(30)]], [[f"r_{r}", *[0.5] * 30] for r in range(20)])
    return [
        write_scores(scores, "latex"),
        write_scores(scores, "latex", per_topic=True),
        write_scores(scores, "latex", comparisons=[compared[0], None, None]),
        write_comparisons([(f"task_{i}", c) for i, c in enumerate(compared)], "latex"),
        write_results_page([task], "latex", best=False, comparisons=[[compared[0], None, None]]),
        write_agreement([("x_y", agreement([compared[0], one]))], "latex"),
        write_grid(wide, "latex"),
        write_grid(Grid([HOSTILE, HOSTILE], [[HOSTILE, 0.5]], HOSTILE, [HOSTILE]), "latex"),
    ]


def test_every_table_has_a_caption() -> None:
    for latex in tables():
        assert latex.count(r"\caption{") == latex.count(r"\begin{tabular}") == latex.count(r"\begin{table}")


def has_latex() -> bool:
    """Whether there is a pdflatex with booktabs."""
    if shutil.which("pdflatex") is None or shutil.which("kpsewhich") is None:
        return False
    return subprocess.run(["kpsewhich", "booktabs.sty"], capture_output=True, check=False).returncode == 0


def compiled(latex: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run pdflatex over a document of these tables."""
    parts = [r"\documentclass{article}", r"\usepackage{booktabs}", r"\begin{document}"]
    parts += [f"{table}\n\\clearpage" for table in latex]
    (folder / "tables.tex").write_text("\n".join([*parts, r"\end{document}"]), encoding="utf-8")
    return subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "tables.tex"],
        cwd=folder,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=120,
        check=False,
    )


@pytest.mark.skipif(
    not has_latex(), reason="needs pdflatex and booktabs: `make latex` (as root) installs them"
)
def test_pdflatex_takes_every_table(tmp_path: Path) -> None:
    done = compiled(tables(), tmp_path)
    assert done.returncode == 0, done.stdout[-2000:]
    assert (tmp_path / "tables.pdf").stat().st_size > 10_000
    log = (tmp_path / "tables.log").read_text(encoding="utf-8", errors="replace")
    assert "Missing character" not in log
