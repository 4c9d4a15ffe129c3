"""Writing things to begin with. Importing this package imports nothing else."""
