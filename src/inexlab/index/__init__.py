"""The room of the index: terms and their positions on one axis, elements as intervals on it."""
