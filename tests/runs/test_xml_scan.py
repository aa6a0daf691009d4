"""XML runs read at once and result by result: the same run, and whatever is odd is left to the second way."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inexlab.errors import InputError
from inexlab.files import Source
from inexlab.runs import Run
from inexlab.runs.formats import xml
from tests.builders import assert_same_run
from tests.examples import examples
from tests.runs.test_xml import RUN_2005

FILES = ["<file>d</file>", "<file>e</file>", "<file> d\n</file>", "<file>d e</file>"]
PATHS = ["<path>/a[1]</path>", "<path>/a[1]/b[2]</path>", "<path>\t/a[1]</path>"]
RANKS = ["<rank>1</rank>", "<rank> 2 </rank>", ""]
RSVS = ["<rsv>0.5</rsv>", "<rsv>-7</rsv>", "<rsv>1e-3</rsv>", "<rsv>nan</rsv>", "<rsv>+.5</rsv>", ""]
SPANS = ['<fol offset="12" length="3"/>', '<fol offset="0" length="0"/>']
PLAIN = st.tuples(
    st.sampled_from(FILES), st.sampled_from(PATHS), st.sampled_from(RANKS), st.sampled_from(RSVS)
).flatmap(st.permutations)
SPANNED = st.tuples(st.sampled_from(FILES), st.sampled_from(SPANS), st.sampled_from(RSVS)).flatmap(
    st.permutations
)
ODD_FIELDS = [
    "<file>f</file>",
    "<file></file>",
    "<file>d&amp;e</file>",
    "<file>d<!-- x --></file>",
    "<file>d]]></file>",
    "<file>d\x01</file>",
    "<file>d</file >",
    "<file>d\ne</file>",
    "<file>d>e</file>",
    "<file x='1'>d</file>",
    "<file>caf\xe9</file>",
    "<path></path>",
    "<path>/b</path>",
    "<rank>1_0</rank>",
    "<rsv>high</rsv>",
    "<rsv/>",
    "<rsv>1 2</rsv>",
    '<fol offset="" length="3"/>',
    '<fol offset="X" length="3"/>',
    '<fol offset="1" length="-1"/>',
    "<fol offset='1' length='2'/>",
    '<fol length="2" offset="1"/>',
    '<fol offset="1" length="2"></fol>',
    '<passage start="/a" end="/b"/>',
    "<unknown>x</unknown>",
    "some text",
    "<result>",
    "</result>",
    "<topic topic-id='9'>",
    "</topic>",
]
BETWEEN = ["", "\n", "  ", "text", "<!-- x -->", "<!--", "-->", "<![CDATA[", "]]>", "<?x y?>", "<x>", "</x>"]
HEADS = [
    "",
    '<?xml version="1.0"?>',
    '<?xml version="1.0" encoding="utf-7"?>',
    '<?xml version="1.0" encoding="utf-16"?>',
    '<!DOCTYPE inex-submission SYSTEM "x.dtd">',
    '<!DOCTYPE inex-submission [<!ENTITY x "<result></result>">]>',
    "<!-- x -->",
    "\n\n",
]


def source(content: str) -> Source:
    return Source("run.xml", content.encode("iso-8859-1"), is_xml=True)


def document(head: str, *topics: str) -> str:
    inside = "".join(f'<topic topic-id="{k % 2}">{topic}</topic>' for k, topic in enumerate(topics))
    about = "<description>Why not? Yes!</description>"
    return f'{head}<inex-submission run-id="r">{about}{inside}</inex-submission>'


def compare(content: str) -> Run | None:
    """Read a run at once: None where that gives up, else it is what reading result by result gives."""
    fast = xml._read_fast(source(content))
    if fast is not None:
        assert_same_run(fast, xml._read_slowly(source(content)))
    return fast


def result(fields: list[str], between: str = "") -> str:
    return f"<result>{between}{between.join(fields)}{between}</result>"


@given(
    st.lists(st.lists(PLAIN.map(result), max_size=4).map("\n ".join), max_size=3), st.sampled_from(HEADS[:2])
)
@examples(40)
def test_plain_results_are_read_at_once(topics: list[str], head: str) -> None:
    fast = compare(document(head, *topics))
    assert (fast is None) == (not any(topics))


@given(st.lists(SPANNED.map(lambda fields: result(fields, " ")), min_size=1, max_size=5))
@examples(20)
def test_plain_passages_are_read_at_once(results: list[str]) -> None:
    assert compare(document("", "".join(results))) is not None


@given(
    st.lists(st.one_of(st.floats().map(str), st.decimals(allow_nan=False).map(str)), min_size=1, max_size=5)
)
@settings(deadline=None)
def test_scores_are_read_to_the_last_digit(scores: list[str]) -> None:
    results = [result([FILES[0], PATHS[0], f"<rsv>{score}</rsv>"]) for score in scores]
    run = compare(document("", *results))
    assert run is not None
    assert sorted(map(str, run.score.tolist())) == sorted(str(float(score)) for score in scores)


def test_an_official_looking_run_is_read_at_once() -> None:
    for head in (*HEADS[:2], HEADS[4], "\n\n"):
        assert compare(head + RUN_2005) is not None
        assert compare((head + RUN_2005).replace("\n", "\r\n")) is not None


@given(
    st.sampled_from(HEADS),
    st.lists(
        st.one_of(
            PLAIN.map(result),
            SPANNED.map(result),
            st.tuples(PLAIN, st.sampled_from(ODD_FIELDS)).map(lambda drawn: result([*drawn[0], drawn[1]])),
            st.lists(st.sampled_from([*FILES, *PATHS, *RSVS, *SPANS, *ODD_FIELDS]), max_size=4).map(result),
            st.sampled_from(BETWEEN),
        ),
        max_size=5,
    ),
)
@examples(150)
def test_what_is_odd_is_left_to_the_reader_that_explains(head: str, pieces: list[str]) -> None:
    compare(document(head, "".join(pieces)))


def test_ascii_may_stand_for_something_else() -> None:
    content = document('<?xml version="1.0" encoding="utf-7"?>', result(["<file>+AGQ-</file>", PATHS[0]]))
    assert compare(content) is None
    assert list(xml._read(source(content)).docs) == ["d"]


@pytest.mark.parametrize("field", ODD_FIELDS)
def test_an_odd_field(field: str) -> None:
    plain = result([FILES[0], PATHS[0]])
    for odd in (result([FILES[0], PATHS[0], field]), result([field, PATHS[0]]), result([FILES[0], field])):
        for content in (document("", plain + odd), document("", odd + plain), document("", plain, odd)):
            compare(content)


@pytest.mark.parametrize("between", BETWEEN)
def test_something_between_results(between: str) -> None:
    plain = result([FILES[0], PATHS[0]])
    compare(document("", plain + between + plain))
    compare(document("", f"<x>{plain}</x>{between}"))
    compare(document(between, plain).replace("</inex-submission>", plain + "</inex-submission>"))


@pytest.mark.parametrize("cut", range(1, 120, 7))
def test_a_run_that_is_cut_off_is_not_read(cut: int) -> None:
    content = document("", *[result([FILES[0], PATHS[0], RSVS[0]])] * 2)
    assert compare(content[:-cut]) is None
    with pytest.raises(InputError):
        xml._read(source(content[:-cut]))
