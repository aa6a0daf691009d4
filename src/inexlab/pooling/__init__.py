"""The room of pooling: what to judge, by whom, and what each run contributed to that."""

from typing import TYPE_CHECKING, Any

from inexlab.pooling.files import read_pool, write_pool
from inexlab.pooling.making import make_pool
from inexlab.pooling.table import Pool, PooledDocument

__all__ = ["Pool", "PooledDocument", "make_pool", "read_pool", "write_pool"]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        from inexlab import submodule

        return submodule(__name__, name)
