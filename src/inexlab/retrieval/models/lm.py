"""Language models: the element mixed with its article and the collection."""

from __future__ import annotations

from math import log, log1p  # which are the same, compiled or not; those of numpy are not

import numpy as np

from inexlab.accelerate import Kernel
from inexlab.errors import UsageError
from inexlab.retrieval.candidates import Candidates, Frequencies
from inexlab.retrieval.model import Statistics, model
from inexlab.tables import Codes, Floats


@model("lm-dirichlet", bound=True)
def lm_dirichlet(c: Candidates, s: Statistics, mu: float = 2500, article: float = 0.0) -> Floats:
    """Language model with Dirichlet smoothing: `lm-dirichlet(mu=2500,article=0)`.

    score = Σ weight · ln((tf + mu · p) / (mu · P(t))) - Σ wanted weights · ln((length + mu) / mu)
    p     = (1 - article) · P(t) + article · P(t|a)

    P(t) and P(t|a) are the shares of the term in the collection and in the article. With `article` above 0
    an article that has the term lends it to its elements. A score compares units of one query only, and may
    be negative.

    Source: Zhai and Lafferty (2001); article context as in the mixtures of Sigurbjörnsson et al. (2004).
    """
    if not (mu > 0 and 0 <= article < 1):  # with article=1 what an article lacks would count without end
        raise UsageError(
            f"lm-dirichlet: mu must be > 0 and article >= 0 and < 1, not {mu:g} and {article:g}."
        )
    score = _dirichlet.for_work(4 * c.frequency.size)
    wanted = float(s.weight[s.weight > 0].sum())
    articles = c.article_frequency, c.article_length
    share = s.frequency / s.tokens
    return score(c.frequency, c.length, c.root, *articles, s.weight, wanted, share, mu, article)


@model("lm-jm", bound=True)
def lm_jm(c: Candidates, s: Statistics, element: float = 0.4, article: float = 0.2) -> Floats:
    """Language model with linear (Jelinek-Mercer) mixing: `lm-jm(element=0.4,article=0.2)`.

    score = Σ weight · ln(1 + (element · P(t|e) + article · P(t|a)) / ((1 - element - article) · P(t)))

    P(t|e), P(t|a) and P(t) are the shares of the term in the unit, in its article and in the collection.

    Source: Hiemstra (2001); with the article as in Sigurbjörnsson et al. (2004).
    """
    rest = 1 - element - article
    if not (element >= 0 and article >= 0 and 0 < rest < 1):
        raise UsageError(
            "lm-jm: element and article must be >= 0, their sum > 0 and < 1, "
            f"not {element:g} and {article:g}."
        )
    score = _jelinek_mercer.for_work(4 * c.frequency.size)
    articles = c.article_frequency, c.article_length
    share = rest * s.frequency / s.tokens
    return score(c.frequency, c.length, c.root, *articles, s.weight, share, element, article)


@Kernel
def _dirichlet(
    frequency: Frequencies,
    length: Codes,
    root: Codes,
    article_frequency: Frequencies,
    article_length: Codes,
    weight: Floats,
    wanted: float,
    share: Floats,
    mu: float,
    article: float,
) -> Floats:
    # a place for every candidate, as in all columns of candidates; `root` is one of these places
    scores = np.empty(len(length))
    for c in range(len(length)):
        scores[c] = -wanted * log1p(length[c] / mu)
        for t in range(len(weight)):
            # (tf + mu · p) / (mu · P(t))
            ratio = frequency[c, t] / (mu * share[t]) + 1
            if article:
                in_article = article_frequency[root[c], t] / article_length[root[c]]
                ratio += article * (in_article / share[t] - 1)
            if ratio != 1:
                scores[c] += weight[t] * log(ratio)
    return scores


@Kernel
def _jelinek_mercer(
    frequency: Frequencies,
    length: Codes,
    root: Codes,
    article_frequency: Frequencies,
    article_length: Codes,
    weight: Floats,
    share: Floats,
    element: float,
    article: float,
) -> Floats:
    # a place for every candidate, as in all columns of candidates; `root` is one of these places
    scores = np.zeros(len(length))
    for c in range(len(length)):
        for t in range(len(weight)):
            in_article = article_frequency[root[c], t]
            if in_article:
                mixed = element * frequency[c, t] / length[c] + article * in_article / article_length[root[c]]
                scores[c] += weight[t] * log1p(mixed / share[t])
    return scores
