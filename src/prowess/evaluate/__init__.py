"""Whether a unit does what it says: its examples, schemas and faults tried, its coverage measured, its
readiness summed up. Everything goes through a Host's own call path. Importing this imports nothing else.
"""
