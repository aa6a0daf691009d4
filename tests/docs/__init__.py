"""The pages of the documentation do what they say."""
