"""Where packages live; the only place that resolves real paths."""
