"""A session as in a notebook: frames in, evaluate, compare, figure, frames out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

import inexlab

pytestmark = pytest.mark.usefixtures("here")


def frames_of_the_demo(library: str) -> tuple[Any, Any]:
    """Return what somebody has in a notebook: judgements, and all runs in one frame."""
    judged = inexlab.read_judgements("demo/judgements.qrels").to_pandas(names="pyterrier")
    runs = [inexlab.read_run(file) for file in sorted(Path("demo/runs").glob("focused-*.*"))]
    together = pd.concat([run.to_pandas(names="pyterrier") for run in runs], ignore_index=True)
    if library == "pandas":
        return judged, together
    together = together.astype(object).where(together.notna(), None)
    return pl.DataFrame(judged.to_dict("list")), pl.DataFrame(together.to_dict("list"))


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_session(library: str, here: Path) -> None:
    pytest.importorskip("altair", reason="figures need the extra `figures`")
    judged, runs = frames_of_the_demo(library)

    scores = inexlab.evaluate(judged, runs, ["MAiP", "iP@0.01"], collection="demo/articles")
    assert len(scores["MAiP"].systems) == 4
    found = inexlab.compare(scores["MAiP"], test="t")
    figure = found.plot("ranking")
    figure.save("ranking.svg")
    assert (here / "ranking.svg").read_text().startswith("<svg")

    # the same numbers as on the command line, from the files
    files = sorted(Path("demo/runs").glob("focused-*.*"))
    by_path = inexlab.evaluate(
        "demo/judgements.qrels", files, ["MAiP", "iP@0.01"], collection="demo/articles"
    )
    assert scores.to_pandas().equals(by_path.to_pandas())

    out = scores.to_pandas() if library == "pandas" else scores.to_polars()
    assert list(out.columns) == ["run", "topic", "measure", "value"]
    assert len(out) == 4 * 7 * 2  # runs, topics and their mean, measures
    pairs = found.to_pandas() if library == "pandas" else found.to_polars()
    assert {"a", "b", "p", "p_adjusted", "significant"} <= set(pairs.columns)
    drawn = figure.to_pandas() if library == "pandas" else figure.to_polars()
    assert list(drawn["system"]) == [scores["MAiP"].systems[s] for s in found.order()]


@pytest.mark.parametrize(
    "kind",
    [
        *("ranking", "curves", "heatmap", "significance", "differences", "agreement", "correlation"),
        *("granularity", "depth", "topics"),
    ],
)
def test_an_evaluation_draws_every_figure(kind: str) -> None:
    pytest.importorskip("altair", reason="figures need the extra `figures`")
    runs = sorted(Path("demo/runs").glob("focused-*.*"))[:3]
    scores = inexlab.evaluate("demo/judgements.qrels", runs, ["iP@0.01", "MAiP"], collection="demo/articles")
    figure = scores.plot(kind, test="t")
    assert repr(figure).startswith(f"Plot({kind!r}, ")
    assert len(repr(figure).splitlines()) == 1
    assert kind == "agreement" or not figure.to_pandas().empty  # of which these runs have none
    assert "vega" in figure._repr_mimebundle_()["text/html"]


def test_what_cannot_be_drawn_is_told() -> None:
    scores = inexlab.evaluate("demo/judgements.qrels", "demo/runs/focused-chunks.jsonl", "MAiP")
    with pytest.raises(
        inexlab.InexlabError, match=r"a table of scores cannot draw 'ranking'; it draws heatmap"
    ):
        scores["MAiP"].plot("ranking")
    with pytest.raises(inexlab.InexlabError, match="unknown figure 'pie'"):
        scores.plot("pie")
    with pytest.raises(inexlab.InexlabError, match="compares two measures"):
        scores.plot("correlation")
