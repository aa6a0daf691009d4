"""The room of commands: one small file per verb."""
