"""ByTopic from files: every format gives the same matrix, and damaged files say where."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inexlab.errors import InexlabError, InputError, UsageError
from inexlab.scores import Scores
from inexlab.statistics.score_files import holds_scores, read_scores

ByTopic = dict[str, dict[str, float]]
SCORES: ByTopic = {"x": {"t1": 0.5, "t2": 0.25, "t3": 0.0}, "y": {"t1": 0.75, "t2": 0.125, "t3": 1.0}}


def as_json(scores: ByTopic, measure: str = "MAiP") -> str:
    rows = [
        {"run": system, "topic": topic, "measure": measure, "value": value}
        for system, topics in scores.items()
        for topic, value in [*topics.items(), ("all", sum(topics.values()) / len(topics))]
    ]
    return json.dumps(rows)


def as_long_csv(scores: ByTopic, measure: str = "MAiP") -> str:
    rows = [
        f"{system},{topic},{measure},{value}"
        for system, topics in scores.items()
        for topic, value in [*topics.items(), ("all", 9.0)]
    ]
    return "\n".join(["run,topic,measure,value", *rows, ""])


def as_csv_matrix(scores: ByTopic) -> str:
    topics = next(iter(scores.values()))
    rows = [",".join([t, *(str(scores[s][t]) for s in scores)]) for t in topics]
    return "\n".join([",".join(["topic", *scores]), *rows, ""])


def as_inex_eval(system: str, topics: dict[str, float], measure: str = "MAiP") -> str:
    rows = [f"{measure}\t\t{topic}\t{value}" for topic, value in [*topics.items(), ("all", 9.0)]]
    return "\n".join([f'<eval run-id="{system}" file="runs/{system}.txt">', *rows, "</eval>", ""])


def as_trec_eval(system: str, topics: dict[str, float], measure: str = "MAiP") -> str:
    rows = [f"{measure}                  \t{topic}\t{value}" for topic, value in topics.items()]
    return "\n".join([*rows, f"runid                 \tall\t{system}", f"{measure}\tall\t9.0", ""])


def assert_is_scores(matrix: Scores, scores: ByTopic = SCORES) -> None:
    assert matrix.systems == tuple(scores)
    assert matrix.topics == tuple(sorted(next(iter(scores.values()))))
    assert matrix.values.tolist() == [[topics[t] for t in matrix.topics] for topics in scores.values()]


@pytest.mark.parametrize("measure", ["", "MAiP"])
@pytest.mark.parametrize("write", [as_json, as_long_csv])
def test_what_evaluate_wrote(tmp_path: Path, write: Callable[[ByTopic], str], measure: str) -> None:
    file = tmp_path / "scores"
    file.write_text(write(SCORES))
    assert_is_scores(read_scores([file], measure))
    assert holds_scores(file)


@pytest.mark.parametrize("separator", [",", "\t", ";"])
@pytest.mark.parametrize("first", ["topic", "Topic", '"topic"', "", '""', "qid", "query_id", "# topic"])
def test_a_matrix_of_a_spreadsheet_or_data_frame(tmp_path: Path, first: str, separator: str) -> None:
    file = tmp_path / "scores.csv"
    text = as_csv_matrix(SCORES).replace("topic", first.strip("# "), 1).replace(",", separator)
    file.write_text(f"# a comment, with a comma\n{text}" if first.startswith("#") else text)
    assert holds_scores(file)
    assert_is_scores(read_scores([file]))


@pytest.mark.parametrize("first", ["run", "system", "System", '"run"'])
def test_a_matrix_with_systems_as_rows(tmp_path: Path, first: str) -> None:
    file = tmp_path / "scores.csv"
    rows = [f"{system},{','.join(map(str, topics.values()))}" for system, topics in SCORES.items()]
    file.write_text("\n".join([f"{first},t1,t2,t3", *rows, ""]))
    assert holds_scores(file)
    assert_is_scores(read_scores([file]))


@pytest.mark.parametrize("summary", ["all", "mean", "Mean", "average", "AVG", "total", "amean"])
def test_a_summary_is_no_topic(tmp_path: Path, summary: str) -> None:
    topics_first, systems_first = tmp_path / "1.csv", tmp_path / "2.csv"
    topics_first.write_text(as_csv_matrix(SCORES) + f"{summary},9,9\n")
    systems_first.write_text(f"run,t1,t2,t3,{summary}\nx,.5,.25,0,9\ny,.75,.125,1,9\n")
    for file in (topics_first, systems_first):
        assert_is_scores(read_scores([file]))


def test_a_csv_matrix(tmp_path: Path) -> None:
    file = tmp_path / "scores.csv"
    file.write_text(as_csv_matrix(SCORES))
    assert_is_scores(read_scores([file]))
    assert holds_scores(file)


@pytest.mark.parametrize("write", [as_inex_eval, as_trec_eval])
def test_outputs_one_file_a_system_or_a_folder_of_them(
    tmp_path: Path, write: Callable[[str, dict[str, float]], str]
) -> None:
    folder = tmp_path / "outputs"
    (folder / "deeper").mkdir(parents=True)
    files = [folder / "1.txt", folder / "deeper" / "2.txt"]
    for file, (system, topics) in zip(files, SCORES.items(), strict=True):
        file.write_text(write(system, topics))
        assert holds_scores(file)
    assert holds_scores(folder)
    assert_is_scores(read_scores([folder], "MAiP"))
    assert_is_scores(read_scores(files, "MAiP"))


def test_an_output_without_a_name_has_that_of_its_file(tmp_path: Path) -> None:
    for system, topics in SCORES.items():
        rows = (f"map {topic} {value}" for topic, value in topics.items())
        (tmp_path / f"{system}.txt").write_text("\n".join(rows))
    assert_is_scores(read_scores([tmp_path]))


def test_three_columns_of_the_thesis(tmp_path: Path) -> None:
    file = tmp_path / "663_664.txt"
    file.write_text("# 663 and 664\n2009001\t0.5\t0.75\n\n2009002   0.25 0.125\n")
    found = read_scores([file])
    assert found.systems == ("second column", "third column")
    assert found.topics == ("2009001", "2009002")
    assert found.values.tolist() == [[0.5, 0.25], [0.75, 0.125]]


@pytest.mark.parametrize("header", ["", "topic x y\n", "qid x y\n", "# made today\nTopic x y\n"])
def test_three_columns_whose_topics_are_no_numbers(tmp_path: Path, header: str) -> None:
    """The integers in the first line are scores: no word comes twice in the first column."""
    file = tmp_path / "pairs.txt"
    file.write_text(header + "q301 0 0.41\nq302 1 0.25\nmean 9 9\n")
    assert holds_scores(file)
    found = read_scores([file])
    assert found.systems == (("x", "y") if header else ("second column", "third column"))
    assert found.topics == ("q301", "q302")
    assert found.values.tolist() == [[0, 1], [0.41, 0.25]]


@pytest.mark.parametrize(
    "output",
    [
        "map 301 0.5\nmap 302 0.25\n",
        "map 301 0.5\nmap all 0.5\n",
        "# made today\nrunid all x\nmap 301 0.5\nmap 302 0.25\n",
        "num_q 301 1\nmap 301 0.5\nnum_q 302 1\n# and\nmap 302 0.25\n\nnum_q all 2\nmap all 0.375\n",
        "map q301 0.5\nmap q302 0.25\n",
    ],
)
def test_outputs_are_no_pairs(tmp_path: Path, output: str) -> None:
    file = tmp_path / "x.txt"
    file.write_text(output)
    found = read_scores([file], "map")
    assert found.systems == ("x",)
    assert [topic.strip("q") for topic in found.topics] == ["301", "302"][: len(found.topics)]
    assert found.values.tolist() == [[0.5, 0.25][: len(found.topics)]]


def test_outputs_of_one_run_id_are_told_apart_by_their_files(tmp_path: Path) -> None:
    """Every output of trec_eval may be of STANDARD; a name that comes once is kept."""
    for system, topics in SCORES.items():
        (tmp_path / f"{system}.txt").write_text(as_trec_eval("STANDARD", topics))
    assert_is_scores(read_scores([tmp_path]))
    (tmp_path / "z.txt").write_text(as_inex_eval("own", SCORES["x"]))
    assert_is_scores(read_scores([tmp_path]), {**SCORES, "own": SCORES["x"]})


def test_hidden_files_of_a_folder_are_no_scores(tmp_path: Path) -> None:
    for system, topics in SCORES.items():
        (tmp_path / f"{system}.txt").write_text(as_trec_eval(system, topics))
    (tmp_path / ".DS_Store").write_bytes(b"\0\1\2")
    (tmp_path / ".checkpoints").mkdir()
    (tmp_path / ".checkpoints" / "z.txt").write_text(as_trec_eval("z", SCORES["x"]))
    assert holds_scores(tmp_path)
    assert_is_scores(read_scores([tmp_path]))


def test_a_file_in_a_folder_that_is_not_scores_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text(as_trec_eval("x", SCORES["x"]))
    (tmp_path / "y-notes.txt").write_text("\nthese are outputs of trec_eval\n")
    with pytest.raises(InputError, match="is not scores in a known format") as refusal:
        read_scores([tmp_path])
    assert (refusal.value.file, refusal.value.line) == (str(tmp_path / "y-notes.txt"), 2)


def test_a_zipped_file_and_one_with_a_byte_order_mark(tmp_path: Path) -> None:
    zipped, marked = tmp_path / "a.json.gz", tmp_path / "b.csv"
    zipped.write_bytes(gzip.compress(as_json(SCORES).encode()))
    marked.write_text(as_csv_matrix(SCORES), encoding="utf-8-sig")
    assert_is_scores(read_scores([zipped]))
    assert_is_scores(read_scores([marked]))


def test_formats_that_name_their_measure_can_be_mixed(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(as_json({"x": SCORES["x"]}))
    (tmp_path / "y.txt").write_text(as_inex_eval("y", SCORES["y"]))
    (tmp_path / "z.csv").write_text(as_long_csv({"z": SCORES["x"]}))
    found = read_scores([tmp_path / name for name in ("x.json", "y.txt", "z.csv")], "MAiP")
    assert_is_scores(found, {**SCORES, "z": SCORES["x"]})


@settings(deadline=None, max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.floats(0, 1), min_size=1, max_size=6).flatmap(
        lambda first: st.lists(
            st.lists(st.floats(0, 1), min_size=len(first), max_size=len(first)), min_size=1, max_size=4
        )
    )
)
def test_every_digit_survives_every_format(tmp_path: Path, rows: list[list[float]]) -> None:
    scores = {f"s{i}": {f"t{j}": value for j, value in enumerate(row)} for i, row in enumerate(rows)}
    for content in (as_json(scores), as_long_csv(scores), as_csv_matrix(scores)):
        (tmp_path / "scores").write_text(content)
        assert_is_scores(read_scores([tmp_path / "scores"]), scores)


# --- several measures


def test_of_several_measures_one_is_chosen(tmp_path: Path) -> None:
    file = tmp_path / "scores.csv"
    file.write_text(as_long_csv(SCORES) + as_long_csv({"x": SCORES["y"]}, "gP[5]").partition("\n")[2])
    assert_is_scores(read_scores([file], "MAiP"))
    assert_is_scores(read_scores([file], "gP[5]"), {"x": SCORES["y"]})
    with pytest.raises(UsageError, match=r"scores by 2 measures; choose one with `measure=`: MAiP, gP\[5\]"):
        read_scores([file])
    with pytest.raises(
        UsageError, match=r"no scores by 'maip' \(did you mean 'MAiP'\?\); choose one with `measure=`"
    ):
        read_scores([file], "maip")


def test_a_cutoff_is_found_as_inex_eval_writes_it(tmp_path: Path) -> None:
    file = tmp_path / "scores.csv"
    rows = [as_long_csv(SCORES, "iP[0.01]"), as_long_csv({"x": SCORES["y"]}, "iP[0.10]").partition("\n")[2]]
    file.write_text("".join(rows))
    assert_is_scores(read_scores([file], "iP@0.01"))
    assert_is_scores(read_scores([file], "iP[0.01]"))
    assert_is_scores(read_scores([file], "iP@0.10"), {"x": SCORES["y"]})


# --- topics


def test_missing_topics_are_named_unless_common_ones_are_asked_for() -> None:
    scores = {
        "x": {"1": 0.1, "2": 0.2, "3": 0.3},
        "y": {"1": 0.4, "3": 0.6},
        "z": {"1": 0.7, "2": 0.8, "3": 0.9},
    }
    with pytest.raises(UsageError, match=r"different topics: y has none on 2\. `common_topics=True`"):
        Scores.of(scores, "").complete()
    found = Scores.of(scores, "m").complete(common=True)
    assert (found.topics, found.name) == (("1", "3"), "m")
    assert found.left_out == ("2",)
    assert found.values.tolist() == [[0.1, 0.3], [0.4, 0.6], [0.7, 0.9]]


def test_many_missing_topics_are_cut_short() -> None:
    scores = {"x": {str(t): 0.0 for t in range(9)}, "y": {"0": 0.5}}
    with pytest.raises(UsageError, match="y has none on 1, 2, 3, 4, 5 …"):
        Scores.of(scores, "").complete()


def test_up_to_three_systems_that_lack_topics_are_named() -> None:
    full = {"1": 0.1, "2": 0.2}
    lacking = {name: {"1": 0.5} for name in ("a", "b", "c")}
    three = "a has none on 2; b has none on 2; c has none on 2"
    with pytest.raises(UsageError, match=rf"different topics: {three}\. `common_topics=True`"):
        Scores.of({"full": full, **lacking}, "").complete()
    with pytest.raises(UsageError, match=f"different topics: {three}; 2 more systems lack some"):
        Scores.of({"full": full, **lacking, "d": {"2": 0.5}, "e": {"1": 0.5}}, "").complete()


def test_an_undefined_score_is_a_missing_one() -> None:
    """NaN on all systems leaves the topic out; NaN on one is like a missing line."""
    nan = float("nan")
    found = Scores.of({"x": {"1": 0.5, "2": nan}, "y": {"1": 0.25, "2": nan}}, "").complete()
    assert (found.topics, found.left_out) == (("1",), ("2",))
    with pytest.raises(UsageError, match="x has none on 2"):
        Scores.of({"x": {"1": 0.5, "2": nan}, "y": {"1": 0.25, "2": 0.5}}, "").complete()


def test_no_common_topic() -> None:
    with pytest.raises(UsageError, match="no topic on which all systems have a score"):
        Scores.of({"x": {"1": 0.5}, "y": {"2": 0.5}}, "").complete(common=True)


@pytest.mark.parametrize("undefined", ["", "nan", "NaN"])
def test_empty_and_nan_fields_of_a_csv(tmp_path: Path, undefined: str) -> None:
    file = tmp_path / "scores.csv"
    file.write_text(f"topic,x,y\n1,0.5,0.25\n2,{undefined},0.5\n")
    found = read_scores([file], common=True)
    assert found.topics == ("1",)
    np.testing.assert_array_equal(found.values, [[0.5], [0.25]])


def test_null_in_json(tmp_path: Path) -> None:
    file = tmp_path / "scores.json"
    file.write_text(as_json(SCORES).replace("0.75", "null"))
    assert read_scores([file], common=True).topics == ("t2", "t3")


# --- damaged files: name → content, line, what is said
DAMAGED: dict[str, tuple[str, int | None, str]] = {
    "json cut off": (as_json(SCORES)[:-9], None, "is not the JSON of `inexlab evaluate -q`"),
    "json of another kind": ('[{"run": "x"}]', None, "is not the JSON of `inexlab evaluate -q`"),
    "json of words": ('["x", "y"]', None, "is not the JSON of `inexlab evaluate -q`"),
    "json without end of nesting": ("[" * 100_000, None, "is not the JSON of `inexlab evaluate -q`"),
    "json with text for a score": (
        as_json(SCORES).replace("0.75", '"high"'),
        None,
        "'high' of y on topic t1",
    ),
    "json with true for a score": (as_json(SCORES).replace("0.75", "true"), None, "True of y on topic t1"),
    "json twice": (as_json(SCORES).replace('"t2"', '"t1"'), None, "a second score of x on topic t1"),
    "json without topics": (
        '[{"run": "x", "topic": "all", "measure": "m", "value": 1}]',
        None,
        "no scores of",
    ),
    "csv with a field missing": ("topic,x,y\n1,2,3\n2,3\n", 3, "2 fields, expected 3"),
    "csv with a word": ("topic,x,y\n1,2,3\n2,3,high\n", 3, "'high' is not a number"),
    "csv with a topic twice": ("topic,x,y\n1,2,3\n1,2,3\n", 3, "a second score of x on topic 1"),
    "csv with a system twice": ("topic,x,x\n1,2,3\n", 1, "two columns are called 'x'"),
    "csv without a header": ("301,0.5,0.25\n302,1,1\n", 1, "has no header"),
    "csv with semicolons without a header": ("301;0.5;0.25\n302;1;1\n", 1, "is not scores in a known format"),
    "csv of topics alone": ("topic,\n301,\n", 2, "a system without a name has a score on topic 301"),
    "csv of systems, one without a name": ("run,1,2\nx,1,2\n,3,4\n", 3, "a system without a name"),
    "output of a run without a name": (
        '<eval run-id="">\nmap\t1\t.5\n',
        2,
        "a system without a name has a score on topic 1",
    ),
    "csv with underscores": ("topic,x,y\n1,2,1_0\n", 2, "'1_0' is not a number"),
    "output with a column missing": (
        '<eval run-id="x">\nmap\t1\t.5\nmap\t2\n',
        3,
        "2 columns, expected measure",
    ),
    "output with a word": ('<eval run-id="x">\nmap\t1\thigh\n', 2, "'high' is not a number"),
    "output with a topic twice": (
        '<eval run-id="x">\nmap 1 .5\nmap 1 .5\n',
        3,
        "a second score of x on topic 1",
    ),
    "output without topics": ('<eval run-id="x">\nmap all .5\n</eval>\n', None, "holds no scores of topics"),
    "three columns and then two": ("1 .5 .5\n2 .5\n", 2, "2 columns, expected topic and two scores"),
    "three columns with a word": ("1 .5 .5\n2 .5 x\n", 2, "'x' is not a number"),
    "no format": ("once upon a time\n", 1, "is not scores in a known format"),
    "no format, and a form feed in three words": (
        "once\x0cupon time\n",
        1,
        "is not scores in a known format",
    ),
    "no format after comments": ("# a tale\n\nonce upon a time\n", 3, "is not scores in a known format"),
    "empty": ("", None, "is empty"),
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_damaged_files_name_file_and_line(tmp_path: Path, damage: str) -> None:
    content, line, message = DAMAGED[damage]
    file = tmp_path / "bad"
    file.write_text(content)
    with pytest.raises(InputError) as refusal:
        read_scores([file])
    assert (refusal.value.file, refusal.value.line) == (str(file), line)
    assert message in str(refusal.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_scores([tmp_path / "nothing.json"])


@pytest.mark.parametrize(
    "content",
    [
        "1 Q0 A 60 100 0 0:60\n",
        "1 Q0 A,a 60 100 0 0:60\n",
        '{"topic": "1", "doc": "A"}\n',
        "<assessments topic='1'>\n</assessments>\n",
        "<?xml version='1.0'?>\n<assessments topic='1'>\n</assessments>\n",
        '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE a>\n<assessments topic="1"/>\n',
    ],
)
def test_judgements_are_not_taken_for_scores(tmp_path: Path, content: str) -> None:
    file = tmp_path / "judgements"
    file.write_text(content)
    assert not holds_scores(file)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from([as_json(SCORES), as_csv_matrix(SCORES), as_inex_eval("x", SCORES["x"])]), st.data())
def test_any_damage_is_refused_in_words_or_read(tmp_path: Path, content: str, data: st.DataObject) -> None:
    """Cut out a stretch and put anything printable in: a matrix or an InexlabError, nothing else."""
    start = data.draw(st.integers(0, len(content)))
    end = data.draw(st.integers(start, min(len(content), start + 12)))
    junk = data.draw(st.text(st.characters(codec="ascii", categories=("L", "N", "P", "Zs")), max_size=6))
    (tmp_path / "bad").write_text(content[:start] + junk + content[end:])
    try:
        found = read_scores([tmp_path / "bad"], common=True)
    except InexlabError:
        return
    assert np.isfinite(found.values).all()
