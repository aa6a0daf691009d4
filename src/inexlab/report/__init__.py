"""The room of reports: numbers as tables for people and for programs."""
