"""The tests mirror the source, room by room."""
