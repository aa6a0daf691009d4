"""The room of chunks: those of other programs as spans of their documents, and gold that fits any of them."""

from inexlab.chunks.gold import Gold, read_gold
from inexlab.chunks.pieces import Piece, pieces_of
from inexlab.chunks.placing import Placements, Sources, place_chunking, place_results

__all__ = [
    "Gold",
    "Piece",
    "Placements",
    "Sources",
    "pieces_of",
    "place_chunking",
    "place_results",
    "read_gold",
]
