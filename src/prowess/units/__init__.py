"""Skill units: capabilities written in Python, one model behind both ways of writing one.

A decorated async function (`@prowess.unit`) or a folder with `schema.json` and `skill.py`. Nothing
here knows how a unit is exposed: `UnitProvider` offers units to a Host like any other Provider.
Importing this package imports nothing else.
"""
