"""What a file holds, and judgements and runs given in each other's place."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from inexlab.contents import contents_of, refuse_swapped
from inexlab.errors import InputError
from inexlab.files import Source

JUDGEMENTS = {
    "qrels": "1 Q0 A 5 9 0 0:5\n",
    "qrels, nothing relevant": "1 Q0 A 0 9\n",
    "qrels of TREC": "1 0 A 2\n",
    "jsonl": '{"topic": "1", "doc": "A", "spans": [[0, 5]]}\n',
    "assessments": '<assessments topic="1"><file name="A"/></assessments>',
}
RUNS = {
    "passages": "1 Q0 A 1 0.5 r 0 5\n",
    "paths": "1 Q0 A 1 0.5 r /a[1]\n",
    "documents": "1 Q0 A 1 0.5 r\n",
    "jsonl": '{"topic": "1", "doc": "A", "start": 0, "end": 5}\n',
    "xml": '<inex-submission run-id="r"><topic topic-id="1"/></inex-submission>',
}


@pytest.mark.parametrize(
    ("content", "kind"),
    [*((text, "judgements") for text in JUDGEMENTS.values()), *((text, "runs") for text in RUNS.values())],
)
def test_every_format_is_told(content: str, kind: str) -> None:
    assert contents_of(Source("file", content.encode(), is_xml=content.startswith("<"))) == kind


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("judgements", JUDGEMENTS)
def test_swapped_files_are_recognised(judgements: str, run: str, tmp_path: Path) -> None:
    q, r, other = tmp_path / "q", tmp_path / "r", tmp_path / "other"
    q.write_bytes(gzip.compress(JUDGEMENTS[judgements].encode()))
    r.write_text(RUNS[run])
    other.write_text(RUNS[run])
    refuse_swapped(q, [r, other])
    with pytest.raises(InputError) as caught:
        refuse_swapped(r, [other, q])
    expected = f"{r}: looks like a run, and {q} like judgements. Judgements come first, then runs."
    assert str(caught.value) == expected


def test_what_cannot_be_told_is_left_to_the_readers(tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("")
    (tmp_path / "run").write_text(RUNS["passages"])
    refuse_swapped(tmp_path / "empty", [tmp_path / "run"])
    refuse_swapped(tmp_path / "missing", [tmp_path / "run"])
    refuse_swapped(tmp_path / "run", [tmp_path, "-", tmp_path / "missing", tmp_path / "run"])
