"""What is chosen among what is there: versions by range, callers by bucket. Pure.

Importing this package imports nothing else.
"""
