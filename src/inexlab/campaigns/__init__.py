"""The room of campaigns: which measures and policies each INEX year used, as data."""

from typing import TYPE_CHECKING, Any

from inexlab.campaigns.presets import Preset, campaigns, preset, tasks

__all__ = ["Preset", "campaigns", "preset", "tasks"]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        from inexlab import submodule

        return submodule(__name__, name)
