"""Language models: the element mixed with its article and the collection."""

from __future__ import annotations

import numpy as np

from inexlab.errors import UsageError
from inexlab.retrieval.candidates import Candidates
from inexlab.retrieval.model import Statistics, model
from inexlab.tables import Floats


@model("lm-dirichlet")
def lm_dirichlet(c: Candidates, s: Statistics, mu: float = 2500, article: float = 0.0) -> Floats:
    """Language model with Dirichlet smoothing: `lm-dirichlet(mu=2500,article=0)`.

    score = Σ weight · ln((tf + mu · p) / (mu · P(t))) - Σ wanted weights · ln((length + mu) / mu)
    p     = (1 - article) · P(t) + article · P(t|a)

    P(t) and P(t|a) are the shares of the term in the collection and in the article. With `article` above 0
    an article that has the term lends it to its elements. A score compares units of one query only, and may
    be negative.

    Source: Zhai and Lafferty (2001); article context as in the mixtures of Sigurbjörnsson et al. (2004).
    """
    if not (mu > 0 and 0 <= article <= 1):
        raise UsageError(
            f"lm-dirichlet wants mu above 0 and article from 0 to 1, not {mu:g} and {article:g}."
        )
    collection = s.frequency / s.tokens
    smoothing = (1 - article) * collection + (article * _in_article(c) if article else 0.0)
    scores: Floats = np.log((c.frequency + mu * smoothing) / (mu * collection)) @ s.weight
    scores -= np.log1p(c.length / mu) * s.weight[s.weight > 0].sum()
    return scores


@model("lm-jm")
def lm_jm(c: Candidates, s: Statistics, element: float = 0.4, article: float = 0.2) -> Floats:
    """Language model with linear (Jelinek-Mercer) mixing: `lm-jm(element=0.4,article=0.2)`.

    score = Σ weight · ln(1 + (element · P(t|e) + article · P(t|a)) / ((1 - element - article) · P(t)))

    P(t|e), P(t|a) and P(t) are the shares of the term in the unit, in its article and in the collection.

    Source: Hiemstra (2001); with the article as in Sigurbjörnsson et al. (2004).
    """
    rest = 1 - element - article
    if not (element >= 0 and article >= 0 and rest > 0):
        raise UsageError(
            f"lm-jm wants element and article from 0 on, below 1 together, not {element:g} and {article:g}."
        )
    in_element = c.frequency / c.length[:, None]
    mixed = element * in_element + article * _in_article(c)
    scores: Floats = np.log1p(mixed / (rest * s.frequency / s.tokens)) @ s.weight
    return scores


def _in_article(c: Candidates) -> Floats:
    """Return each term's share in the article of each candidate."""
    share: Floats = c.frequency[c.root] / c.length[c.root][:, None]
    return share
