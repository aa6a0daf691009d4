"""Tables and formulas as people read them."""

from __future__ import annotations

import pytest

from inexlab.collection import read_document
from inexlab.collection.readable import ReadableDocument

M = "mml:"


def formula(content: str) -> str:
    document = read_document(f"<math>{content}</math>".encode(), "d", "d.xml")
    return ReadableDocument(document).formula(0)


@pytest.mark.parametrize(
    ("content", "written"),
    [
        ("<msub><mi>x</mi><mi>i</mi></msub><mo>=</mo><mn>2</mn>", "x_i = 2"),
        ("<msup><mi>x</mi><mrow><mi>n</mi><mo>+</mo><mn>1</mn></mrow></msup>", "x^(n + 1)"),
        ("<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mi>c</mi></mfrac>", "(a + b)/c"),
        ("<mfrac><mn>2</mn><mi>π</mi></mfrac><mfrac><mi>E</mi><mi>c</mi></mfrac><mi>x</mi>", "2/π E/c x"),
        ("<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt>", "√(x + 1)"),
        (
            "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover>"
            "<mi>x</mi>",
            "∑_(i = 1)^n x",
        ),
        ("<mover><mi>x</mi><mo>¯</mo></mover>", "x̄"),
        ("<mroot><mi>x</mi><mn>3</mn></mroot>", "root(x, 3)"),
        ("<msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup>", "x_1^2"),
        ("<mi>sin</mi><mo>(</mo><mi>x</mi><mo>)</mo>", "sin(x)"),
        ("<mtable><mtr><mtd><mn>1</mn></mtd><mtd/></mtr><mtr><mtd/><mtd/></mtr></mtable>", "[1,; ,]"),
        ("<semantics><mi>x</mi><annotation>x</annotation></semantics>", "x"),
        ("<msub><mi>x</mi></msub>", "x"),  # not as it should be
    ],
)
def test_formulas(content: str, written: str) -> None:
    assert formula(content) == written
    prefixed = content.replace("</", "\0").replace("<", f"<{M}").replace("\0", f"</{M}")
    assert formula(prefixed) == written


@pytest.mark.parametrize(
    "source",
    [
        "<table><thead><tr><th>Name</th><th>Value</th></tr></thead>"
        "<tr><td>a\n <b>b</b></td><td>{m}</td></tr></table>",
        "<table><tgroup><row><entry>Name</entry><entry>Value</entry></row>"
        "<row><entry>a b</entry><entry>{m}</entry></row></tgroup></table>",
        "<simpletable><sthead><stentry>Name</stentry><stentry>Value</stentry></sthead>"
        "<strow><stentry>a b</stentry><stentry>{m}</stentry></strow></simpletable>",
    ],
)
def test_tables(source: str) -> None:
    math = "<m:math><m:msub><m:mi>x</m:mi><m:mn>1</m:mn></m:msub></m:math> and"
    document = read_document(f"<p>1{source.format(m=math)}2</p>".encode(), "d", "d.xml")
    reading = ReadableDocument(document)
    (part,) = reading.special_parts(0)
    assert reading.written(part) == "Name | Value\na b  | x_1 and"


def test_latex_without_its_frame() -> None:
    source = r"<p><tex-math>\documentclass{minimal} \begin{document}$$ x_1 $$\end{document}</tex-math></p>"
    reading = ReadableDocument(read_document(source.encode(), "d", "d.xml"))
    assert [reading.written(part) for part in reading.special_parts(0)] == ["x_1"]
