"""The functions that `import inexlab` offers."""
