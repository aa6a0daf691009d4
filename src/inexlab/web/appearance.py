"""What the elements of the well-known vocabularies look like on a page, by their names without prefix.

JATS, DocBook, DITA, TEI, HTML, the collections of INEX and our own articles. What is not named here is a
paragraph where it holds text, and a box around its parts where it does not.
"""

from __future__ import annotations

LISTS = {
    **dict.fromkeys(("ul", "list", "itemizedlist", "simplelist", "sl", "choices", "l1", "l2", "l3"), "ul"),
    **dict.fromkeys(("normallist", "bulleted-list", "bullet-list", "steps-unordered"), "ul"),
    **dict.fromkeys(("ol", "orderedlist", "procedure", "steps", "substeps", "numeric-list"), "ol"),
    **dict.fromkeys(("numbered-list", "numberlist"), "ol"),
}
ITEMS = frozenset(
    ("li", "item", "list-item", "listitem", "member", "sli", "choice", "step", "substep", "item-numeric")
)
ROW_GROUPS = {"thead": "thead", "tbody": "tbody", "tfoot": "tfoot"}
HEADER_CELLS = frozenset(("th", "choptionhd", "chdeschd", "proptypehd", "propvaluehd", "propdeschd"))
HEADER_ROWS = frozenset(("thead", "sthead", "prophead", "chhead"))
LINE_BREAKS = frozenset(("br", "lb", "break"))

# boxes with a look of their own: the class of each
BOXES = {
    **dict.fromkeys(("fig", "figure", "image", "table-wrap", "fig-group", "media"), "figure"),
    **dict.fromkeys(
        ("boxed-text", "sidebar", "aside", "note", "tip", "warning", "caution", "important"), "box"
    ),
    **dict.fromkeys(("caption", "figcaption", "fgc", "figDesc", "table-wrap-foot"), "caption"),
    **dict.fromkeys(("abstract", "abs", "shortdesc", "trans-abstract"), "abstract"),
    **dict.fromkeys(("blockquote", "disp-quote", "lq", "cit", "epigraph", "attrib"), "quotation"),
    **dict.fromkeys(("disp-formula", "equation", "informalequation", "tmath", "dformula"), "formula"),
    **dict.fromkeys(("dd", "def", "glossdef"), "definition"),
    **dict.fromkeys(("dt", "term", "glossterm", "speaker"), "term"),
    **dict.fromkeys(("label", "no", "la"), "label"),
    **dict.fromkeys(("pre", "programlisting", "screen", "preformat", "codeblock", "msgblock"), "code"),
    **dict.fromkeys(("synopsis", "literallayout", "code", "html-block", "frontmatter"), "code"),
    **dict.fromkeys(("plaintext",), "plain-text"),
    **dict.fromkeys(("verse-group", "lg", "lines", "poem"), "verse"),
    **dict.fromkeys(("l", "verse-line", "stage"), "line"),
    **dict.fromkeys(("ref", "bb", "biblStruct", "biblioentry", "bibliomixed"), "reference"),
}

# inline mark-up: the tag and the class of each
_SPAN = ("span", "")
INLINE = {
    **dict.fromkeys(
        ("i", "em", "italic", "it", "emph", "emph2", "emphasis", "hi", "cite", "var"), ("em", "")
    ),
    **dict.fromkeys(("citetitle", "foreign", "foreignphrase", "firstterm", "dfn", "replaceable"), ("em", "")),
    **dict.fromkeys(("b", "bold", "strong", "emph3", "guilabel", "uicontrol", "wintitle"), ("strong", "")),
    **dict.fromkeys(("sub", "subscript"), ("sub", "")),
    **dict.fromkeys(("sup", "super", "superscript"), ("sup", "")),
    **dict.fromkeys(
        ("code", "tt", "monospace", "literal", "kbd", "samp", "codeph", "filename"), ("code", "")
    ),
    **dict.fromkeys(("command", "function", "constant", "option", "parameter", "varname"), ("code", "")),
    **dict.fromkeys(("classname", "methodname", "userinput", "systemoutput", "filepath"), ("code", "")),
    **dict.fromkeys(("u", "underline", "ins", "add"), ("span", "underline")),
    **dict.fromkeys(("s", "strike", "del", "line-through"), ("span", "struck")),
    **dict.fromkeys(("sc", "scp"), ("span", "small-capitals")),
    **dict.fromkeys(("q", "quote", "soCalled"), ("span", "quoted")),
    **dict.fromkeys(("link-target", "raw-html", "link-definition"), ("span", "faint")),
    **dict.fromkeys(("tex-math",), ("span", "tex")),
}

# elements of MathML that browsers lay out; in a formula all others are groups
MATHML = frozenset(
    (
        *("math", "maction", "annotation", "annotation-xml", "merror", "mfrac", "mi", "mmultiscripts", "mn"),
        *("mo", "mover", "mpadded", "mphantom", "mprescripts", "mroot", "mrow", "ms", "mspace", "msqrt"),
        *("mstyle", "msub", "msubsup", "msup", "mtable", "mtd", "mtext", "mtr", "munder", "munderover"),
        *("none", "semantics"),
    )
)
MATHML_TOKENS = frozenset(("mi", "mn", "mo", "ms", "mtext"))

# where titles of parts are headings, beside what the profile calls sections
SECTIONS = frozenset(
    (
        *("ref-list", "glossary", "fn-group", "back", "body", "bib", "bibl", "bm", "bdy", "notes"),
        *("app-group", "header"),
    )
)
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


def inline_look(name: str) -> tuple[str, str]:
    """Return the tag and the class of inline mark-up.

    >>> inline_look("italic"), inline_look("xref")
    (('em', ''), ('span', ''))
    """
    return INLINE.get(name, _SPAN)
