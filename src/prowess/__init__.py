"""Prowess turns a directory into capabilities that an agent can use, and proves it."""

__version__ = "0.1.0"
