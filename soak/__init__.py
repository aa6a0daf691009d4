"""Long trials of what must not break: damaged input, kills, full disks, readers beside writers.

`make soak` runs all of them, in less than an hour; `make test` runs a small share of each. Every trial prints
its seed and what it counted, and `python -m soak --seed N PART` does the same again.
"""
