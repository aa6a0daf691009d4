"""How text becomes terms: one definition for documents, queries, stop lists and snippets.

    character_classes.py  what each character is to words
    words.py              a text is cut into words, each is brought into one form: the plain definition
    folding.py            what is left of a word without accents and ligatures
    languages.py          which languages there are, their stemmers and stop words, and which one a text is in
    terms.py              words of a language become terms

The loops that go through documents (`scan`, `bits`, `vocabulary`) do the same, compiled; tests compare the
two for every character there is. A change to any of its results needs a new VERSION: an index is searched
with the analysis it was built with, or not at all.
"""

from __future__ import annotations

import unicodedata

VERSION = 3


def analysis_name() -> str:
    """Return the name of this analysis, which an index keeps: our version, Unicode's and Snowball's."""
    import Stemmer

    return f"{VERSION}, Unicode {unicodedata.unidata_version}, Snowball {Stemmer.version()}"
