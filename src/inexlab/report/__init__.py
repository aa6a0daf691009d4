"""The room of reports: numbers as tables for people and for programs."""

from typing import TYPE_CHECKING, Any

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        from inexlab import submodule

        return submodule(__name__, name)
