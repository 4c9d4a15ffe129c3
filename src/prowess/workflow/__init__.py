"""Workflows: a list of calls with data flowing between them, written in YAML, run durably.

definition.py    what a workflow is, as values
reading.py       a YAML file as a definition, every fault with its line
expressions.py   the small closed language between {{ and }}
templates.py     values with expressions in them, and how they are filled in
checking.py      what can be known to be wrong before a run
picture.py       a definition, or a run of it, as a Mermaid flowchart
"""
