"""The room of campaigns: which measures and policies each INEX year used, as data."""

from inexlab.campaigns.presets import Preset, campaigns, preset, tasks

__all__ = ["Preset", "campaigns", "preset", "tasks"]
