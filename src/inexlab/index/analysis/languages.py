"""Languages: their codes, Snowball's stemmers, stop words, and which one a text is in.

A language is known by the first part of its tag (BCP 47), in its shorter form: `de` for `de-AT`, `deu` and
`ger`. Languages without a stemmer are kept apart all the same.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Mapping
from importlib.resources import files
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from inexlab.errors import UnknownNameError
from inexlab.index.analysis.words import tokens

AUTO, NONE = "auto", "none"
UNKNOWN = 0  # the number of no language
_UNLESS = "en"  # the language of a text whose words do not tell
_TELLING = 40  # of the most frequent words of a language, by which it is known


class Language(NamedTuple):
    """A language that has a stemmer, and other codes for it."""

    stemmer: str
    codes: tuple[str, ...] = ()


# by code; the stemmer's name is the language's, in English
LANGUAGES: Mapping[str, Language] = {
    "ar": Language("arabic", ("ara",)),
    "ca": Language("catalan", ("cat",)),
    "cs": Language("czech", ("ces", "cze")),
    "da": Language("danish", ("dan",)),
    "de": Language("german", ("deu", "ger")),
    "el": Language("greek", ("ell", "gre")),
    "en": Language("english", ("eng",)),
    "eo": Language("esperanto", ("epo",)),
    "es": Language("spanish", ("spa",)),
    "et": Language("estonian", ("est",)),
    "eu": Language("basque", ("eus", "baq")),
    "fa": Language("persian", ("fas", "per")),
    "fi": Language("finnish", ("fin",)),
    "fr": Language("french", ("fra", "fre")),
    "ga": Language("irish", ("gle",)),
    "hi": Language("hindi", ("hin",)),
    "hu": Language("hungarian", ("hun",)),
    "hy": Language("armenian", ("hye", "arm")),
    "id": Language("indonesian", ("ind",)),
    "it": Language("italian", ("ita",)),
    "lt": Language("lithuanian", ("lit",)),
    "ne": Language("nepali", ("nep",)),
    "nl": Language("dutch", ("nld", "dut")),
    "no": Language("norwegian", ("nor", "nb", "nob", "nn", "nno")),
    "pl": Language("polish", ("pol",)),
    "pt": Language("portuguese", ("por",)),
    "ro": Language("romanian", ("ron", "rum")),
    "ru": Language("russian", ("rus",)),
    "sr": Language("serbian", ("srp",)),
    "st": Language("sesotho", ("sot",)),
    "sv": Language("swedish", ("swe",)),
    "ta": Language("tamil", ("tam",)),
    "tr": Language("turkish", ("tur",)),
    "yi": Language("yiddish", ("yid",)),
}
# of some languages without a stemmer, the longer codes
_OTHERS = {
    **{
        "zho": "zh",
        "chi": "zh",
        "jpn": "ja",
        "kor": "ko",
        "tha": "th",
        "lao": "lo",
        "khm": "km",
        "mya": "my",
    },
    **{
        "bur": "my",
        "lat": "la",
        "heb": "he",
        "ukr": "uk",
        "bul": "bg",
        "hrv": "hr",
        "slk": "sk",
        "slo": "sk",
    },
    **{
        "slv": "sl",
        "lav": "lv",
        "isl": "is",
        "ice": "is",
        "vie": "vi",
        "ben": "bn",
        "urd": "ur",
        "kat": "ka",
    },
    **{
        "geo": "ka",
        "cym": "cy",
        "wel": "cy",
        "san": "sa",
        "bod": "bo",
        "tib": "bo",
        "mkd": "mk",
        "bel": "be",
    },
}
# no language in particular
_NO_LANGUAGE = ("und", "zxx", "mul", "mis")
_ALIASES = {
    **{code: language for language, one in LANGUAGES.items() for code in (one.stemmer, *one.codes)},
    **_OTHERS,
    **dict.fromkeys(_NO_LANGUAGE, ""),
}
_COMMENT = re.compile(r"(?<!\S)#|\|")
_HEBREW_FORMS = [(unicodedata.normalize("NFC", letter), letter) for letter in map(chr, range(0xFB1D, 0xFB50))]
_TAG = re.compile(r"[ \t\r\n]*([A-Za-z]{2,3})(?![A-Za-z0-9])")
_LETTERS = 27  # of a code as a number, no letter included
NUMBERS = _LETTERS**3


def language_of(tag: str) -> str:
    """Return the language that a tag such as `de-AT` names; empty if it names none.

    >>> language_of("de-AT"), language_of("GER"), language_of("ja"), language_of("und"), language_of("")
    ('de', 'de', 'ja', '', '')
    """
    found = _TAG.match(tag)
    code = found[1].lower() if found else ""
    return _ALIASES.get(code, code)


def need_language(name: str) -> str:
    """Return the code of a language that a user names: a code, or a name in English."""
    if name in (AUTO, NONE):
        return name
    code = code_named(name)
    if code not in LANGUAGES:
        raise UnknownNameError("language", name, (AUTO, NONE, *LANGUAGES))
    return code


def code_named(name: str) -> str:
    """Return the code of a language, with a stemmer or without: of its tag, or its name in English.

    >>> code_named("German"), code_named("de-AT"), code_named("grc"), code_named("Klingon")
    ('de', 'de', 'grc', '')
    """
    return language_of(name) or _ALIASES.get(name.lower(), "")


def language_name(code: str) -> str:
    """Return what to call a language: its name in English, or its code.

    >>> language_name("de"), language_name("grc"), language_name("")
    ('German', 'grc', 'no language')
    """
    return LANGUAGES[code].stemmer.capitalize() if code in LANGUAGES else code or "no language"


def number_of(language: str) -> int:
    """Return the number by which loops know a language, UNKNOWN for none."""
    number = 0
    for letter in language.ljust(3, "`") if language else "":
        number = number * _LETTERS + ord(letter) - ord("`")
    return number


def code_of(number: int) -> str:
    """Return the language with a number.

    >>> code_of(number_of("de")), code_of(number_of("grc")), code_of(UNKNOWN)
    ('de', 'grc', '')
    """
    letters = ""
    while number:
        number, letter = divmod(number, _LETTERS)
        letters = chr(letter + ord("`")) + letters
    return letters.strip("`")


@functools.cache
def numbers_of_tags() -> npt.NDArray[np.uint16]:
    """Return the language that every first part of a tag names, both as numbers, for compiled loops."""
    numbers = np.arange(NUMBERS, dtype=np.uint16)
    for alias, language in _ALIASES.items():
        if len(alias) <= 3:
            numbers[number_of(alias)] = number_of(language)
    return numbers


def stop_words_of(language: str) -> tuple[str, ...]:
    """Return the stop words of a language in the form of words, the most frequent first; none of most."""
    return tuple(_written_stop_words(language))


@functools.cache
def _written_stop_words(language: str) -> dict[str, str]:
    """Return the stop words of a language, each with one way to write it."""
    if language not in LANGUAGES:
        return {}
    text = (files(__package__) / "stop" / f"{language}.txt").read_text(encoding="utf-8")
    written: dict[str, str] = {}
    for listed in words_of_list(text):
        for word in in_one_word([listed]):
            written.setdefault(word, listed)
    return written


def words_of_list(text: str) -> list[str]:
    """Return the words of a list, up to a `#` or `|` in a line; that of `C#` is part of a word.

    >>> words_of_list("the C# # and so on")
    ['the', 'C#']
    """
    return [word for line in text.splitlines() for word in _COMMENT.split(line)[0].split()]


def in_one_word(listed: list[str]) -> list[str]:
    """Bring words into the form of an index; what is several there, such as `don't`, is left out."""
    return [found[0] for found in map(tokens, listed) if len(found) == 1]


@functools.cache
def indicative_words() -> dict[str, int]:
    """Return the words by which languages are known, and of which: a bit for each in their order.

    In all forms that texts have them in before they are composed.
    """
    telling: dict[str, int] = {}
    for place, language in enumerate(LANGUAGES):
        for word, written in list(_written_stop_words(language).items())[:_TELLING]:
            for form in _forms(word) | _forms(written.lower()):
                telling[form] = telling.get(form, 0) | 1 << place
    return telling


def _forms(word: str) -> set[str]:
    """Return a word as it is, composed, decomposed, and with the letters that Unicode composes no more."""
    joined = word = unicodedata.normalize("NFC", word)
    for apart, letter in _HEBREW_FORMS:
        joined = joined.replace(apart, letter)
    return {word, unicodedata.normalize("NFD", word), joined}


def guessed(counts: npt.NDArray[np.int64]) -> npt.NDArray[np.uint16]:
    """Return the numbers of the languages of texts with so many telling words; English in doubt.

    There is a row for each text, and a column for each language.
    """
    first, most = counts.argmax(axis=1), counts.max(axis=1)
    english = list(LANGUAGES).index(_UNLESS)
    best = np.where(counts[:, english] == most, english, first)
    return np.array([number_of(language) for language in LANGUAGES], dtype=np.uint16)[best]
