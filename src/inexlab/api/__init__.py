"""The room of verbs: what `inexlab VERB` does, as a function with the same names of options.

The command line parses, calls one of these, and prints. `import inexlab` offers them all by name, and loads
them when they are first used. Each returns a value that shows itself: in one line, as a table in a notebook,
as a frame of pandas or polars, and as a figure where there is one.
"""
