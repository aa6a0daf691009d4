"""Language models: the element mixed with its article and the collection."""

from __future__ import annotations

import numpy as np

from inexlab.retrieval.candidates import Candidates
from inexlab.retrieval.model import Statistics, model
from inexlab.tables import Floats


@model("lm-dirichlet")
def lm_dirichlet(c: Candidates, s: Statistics, mu: float = 2500, article: float = 0.0) -> Floats:
    """Language model with Dirichlet smoothing: `lm-dirichlet(mu=2500,article=0)`.

    score = Σ weight · ln(1 + tf / (mu · p)) + Σ|weight| · ln(mu / (length + mu))
    p     = (1 - article) · share of the term in the collection + article · its share in the article

    Terms that a unit does not have are smoothed, so the score compares units of one query only. With
    `article` above 0 an article that has the term lends it to its elements.

    Source: Zhai and Lafferty (2001); article context as in the mixtures of Sigurbjörnsson et al. (2004).
    """
    p = _shares(c, s, article)
    tf = c.frequency.astype(np.float64)
    collection = np.maximum(s.frequency, 0.5) / s.tokens
    smoothed = (tf + mu * p) / (c.length + mu)[:, None]
    scores: Floats = np.log(smoothed / collection) @ s.weight
    return scores


@model("lm-jm")
def lm_jm(c: Candidates, s: Statistics, element: float = 0.4, article: float = 0.2) -> Floats:
    """Language model with linear (Jelinek-Mercer) mixing: `lm-jm(element=0.4,article=0.2)`.

    score = Σ weight · ln(1 + (element · P(t|e) + article · P(t|a)) / ((1 - element - article) · P(t)))

    P(t|e), P(t|a) and P(t) are the shares of the term in the unit, in its article and in the collection.

    Source: Hiemstra (2001); with the article as in Sigurbjörnsson et al. (2004).
    """
    of_element = c.frequency / np.maximum(c.length, 1)[:, None]
    rest = max(1e-9, 1 - element - article)
    collection = np.maximum(s.frequency, 0.5) / s.tokens
    mixed = element * of_element + article * _of_article(c)
    scores: Floats = np.log1p(mixed / (rest * collection)) @ s.weight
    return scores


def _of_article(c: Candidates) -> Floats:
    """Return each term's share in the article of each candidate."""
    share: Floats = c.frequency[c.root] / np.maximum(c.length[c.root], 1)[:, None]
    return share


def _shares(c: Candidates, s: Statistics, article: float) -> Floats:
    collection = np.broadcast_to(np.maximum(s.frequency, 0.5) / s.tokens, c.frequency.shape)
    if not article:
        return collection
    shares: Floats = (1 - article) * collection + article * _of_article(c)
    return shares
