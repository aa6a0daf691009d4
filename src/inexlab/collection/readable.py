"""Tables and formulas as people read them: rows in lines, cells in columns, formulas in one line."""

from __future__ import annotations

import functools
from collections.abc import Callable

from inexlab.collection.document import Document
from inexlab.collection.paths import local_name

TABLES = frozenset(("table", "informaltable", "tgroup", "simpletable", "properties", "choicetable"))
FORMULAS = frozenset(("math", "tex-math"))
ROWS = frozenset(("tr", "row", "strow", "sthead", "property", "prophead", "chrow", "chhead"))
CELLS = frozenset(
    (
        *("td", "th", "entry", "stentry", "choption", "choptionhd", "chdesc", "chdeschd", "cell"),
        *("proptype", "propvalue", "propdesc", "proptypehd", "propvaluehd", "propdeschd"),
    )
)
_WIDEST = 40  # characters of a column that others are filled up to

# operators that a formula reads better with spaces around
_SPACED = frozenset("=≠<>≤≥≪≫≈≃≅≡∼~∝+−-±∓×·∗→←↔⇒⇔↦∈∉⊂⊆∪∩∧∨|∣:")
_ACCENTS = {"¯": "\u0304", "‾": "\u0304", "^": "\u0302", "ˆ": "\u0302", "~": "\u0303", "˜": "\u0303"} | {
    "˙": "\u0307", "→": "\u20d7", "¨": "\u0308", "_": "\u0332"
}  # fmt: skip


class ReadableDocument:
    """One document, to be read in parts."""

    def __init__(self, document: Document) -> None:
        self._document, self._table = document, document.elements

    @functools.cached_property
    def _children(self) -> list[list[int]]:
        children: list[list[int]] = [[] for _ in range(len(self._table))]
        for number, parent in enumerate(self._table.parent.tolist()):
            if parent >= 0:
                children[parent].append(number)
        return children

    def name(self, number: int) -> str:
        """Return an element's tag without its prefix."""
        return local_name(self._table.tags[self._table.tag[number]])

    def text(self, number: int) -> str:
        """Return an element's text, white space merged."""
        return " ".join(self._document.text[self._table.start[number] : self._table.end[number]].split())

    def special_parts(self, number: int) -> list[int]:
        """Return the outermost tables and formulas in an element, which may be one itself."""
        found: list[int] = []
        waiting = [number]
        while waiting:
            part = waiting.pop()
            if self.name(part) in FORMULAS or (self.name(part) in TABLES and self._rows(part)):
                found.append(part)
            else:
                waiting += reversed(self._children[part])
        return found

    def written(self, number: int) -> str:
        """Return a table or a formula as people read it."""
        if self.name(number) in TABLES:
            return self._written_table(number)
        return self._latex(number) if self.name(number) == "tex-math" else self.formula(number)

    def _rows(self, number: int) -> list[int]:
        found = []
        waiting = list(reversed(self._children[number]))
        while waiting:
            part = waiting.pop()
            if self.name(part) in ROWS:
                found.append(part)
            else:
                waiting += reversed(self._children[part])
        return found

    def _written_table(self, number: int) -> str:
        rows = [
            [self._cell(cell) for cell in self._children[row] if self.name(cell) in CELLS]
            for row in self._rows(number)
        ]
        columns = max((len(row) for row in rows), default=0)
        widths = [
            min(_WIDEST, max((len(row[k]) for row in rows if k < len(row)), default=0))
            for k in range(columns)
        ]
        lines = [
            " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)).rstrip()
            for row in rows
            if row
        ]
        return "\n".join(lines)

    def _cell(self, number: int) -> str:
        """Return the text of a cell, formulas in it written, and blocks parted."""
        pieces = [
            self.written(part) if self.name(part) in FORMULAS else "" for part in self.special_parts(number)
        ]
        if not any(pieces):
            return self.text(number)
        at, out = int(self._table.start[number]), ""
        for part, piece in zip(self.special_parts(number), pieces, strict=True):
            start, end = int(self._table.start[part]), int(self._table.end[part])
            out += self._document.text[at:start] + (piece or self._document.text[start:end])
            at = end
        return " ".join((out + self._document.text[at : int(self._table.end[number])]).split())

    def _latex(self, number: int) -> str:
        """Return LaTeX without what only a printer needs."""
        text = self.text(number)
        inside = text.partition(r"\begin{document}")[2].partition(r"\end{document}")[0]
        return (inside or text).strip(" $")

    def formula(self, number: int) -> str:
        """Return MathML in one line: x_i^2, (a + b)/c, √(x)."""
        name = self.name(number)
        parts = self._children[number]
        shape = _SHAPES.get(name)
        if shape is not None and len(parts) == shape[0]:
            return shape[1](*(self.formula(part) for part in parts))
        if name in ("annotation", "annotation-xml"):
            return ""
        if not parts:
            text = self.text(number)
            return f" {text} " if name == "mo" and text in _SPACED else " " if name == "mspace" else text
        if name in ("mtable", "mtr", "mlabeledtr"):
            joined = ("; " if name == "mtable" else ", ").join(self.formula(part).strip() for part in parts)
            return f"[{joined}]" if name == "mtable" else joined
        inside = "".join(self.formula(part) for part in parts)
        if name == "msqrt":
            return f"√({inside.strip()})"
        if name == "mfenced":
            return f"({', '.join(self.formula(part).strip() for part in parts)})"
        return " ".join(inside.split()) if name == "math" else inside


def _group(text: str) -> str:
    """Return a part of a formula in brackets where it would fall apart without."""
    text = " ".join(text.split())
    return text if text.isalnum() or len(text) < 2 or (text[0] == "(" and text[-1] == ")") else f"({text})"


def _over(base: str, above: str) -> str:
    accent = _ACCENTS.get(above.strip())
    return base + accent if accent and len(base) == 1 else f"{base}^{_group(above)}"


_SHAPES: dict[str, tuple[int, Callable[..., str]]] = {
    "msub": (2, lambda base, sub: f"{base}_{_group(sub)}"),
    "msup": (2, lambda base, sup: f"{base}^{_group(sup)}"),
    "msubsup": (3, lambda base, sub, sup: f"{base}_{_group(sub)}^{_group(sup)}"),
    "munder": (2, lambda base, under: f"{base.strip()}_{_group(under)} "),
    "mover": (2, _over),
    "munderover": (3, lambda base, under, over: f"{base.strip()}_{_group(under)}^{_group(over)} "),
    "mfrac": (2, lambda above, below: f" {_group(above)}/{_group(below)} "),
    "mroot": (2, lambda base, degree: f"root({base.strip()}, {degree.strip()})"),
}
