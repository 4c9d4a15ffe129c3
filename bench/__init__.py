"""Benchmarks: how much time and memory Prowess takes, against peers measured in the same run.

`python -m bench` runs them all, `python -m bench.check` (or `.start`, `.bring_up`, `.call`) one of them.
"""
