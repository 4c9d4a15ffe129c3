"""Metrics of a Host's calls for Prometheus, whoever made them: through HTTP, MCP, a workflow.

Labels are the names of servers and tools on offer and the outcome's word; arguments, callers and
results are in none. How many names are told apart is bounded; the rest are counted as `other`.
"""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from prowess.call.recording import Journal
from prowess.redact import printable
from prowess.store.remembered import CallRecord

MOST_TOOLS = 500
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_OTHER = ("other", "other")


class Metrics:
    """Counts the calls that a journal tells of, in a registry of its own."""

    def __init__(self, journal: Journal) -> None:
        self._registry = CollectorRegistry()
        self._known: set[tuple[str, str]] = set()
        self._calls = Counter(
            "prowess_calls", "Calls that ended.", ("server", "tool", "outcome"), registry=self._registry
        )
        self._seconds = Histogram(
            "prowess_call_duration_seconds",
            "Seconds from the beginning of a call to its outcome.",
            ("server", "tool"),
            buckets=BUCKETS,
            registry=self._registry,
        )
        running = Gauge("prowess_calls_in_flight", "Calls that have not ended.", registry=self._registry)
        running.set_function(lambda: journal.in_flight)
        journal.ended.append(self.hear)

    def hear(self, record: CallRecord) -> None:
        """Count one call."""
        server, tool = self._labels(record)
        self._calls.labels(server, tool, record.outcome).inc()
        self._seconds.labels(server, tool).observe(record.duration_ms / 1_000)

    def text(self) -> bytes:
        """All of it in the text format 0.0.4."""
        return generate_latest(self._registry)

    def _labels(self, record: CallRecord) -> tuple[str, str]:
        name = (printable(record.server, 128), printable(record.tool, 128))
        if name not in self._known and len(self._known) >= MOST_TOOLS:
            return _OTHER
        self._known.add(name)
        return name
