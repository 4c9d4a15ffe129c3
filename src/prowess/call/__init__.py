"""Calling a capability: validated, allowed, attempted, redacted, recorded. One path for whoever asks."""
