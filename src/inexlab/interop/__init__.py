"""The room of neighbours: inexlab inside ir_measures and PyTerrier, and campaigns as ir_datasets has them.

Nothing here imports another library before it is used.
"""

from typing import TYPE_CHECKING, Any

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        from inexlab import submodule

        return submodule(__name__, name)
