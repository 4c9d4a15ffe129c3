"""What a path offers, brought to life: every server at once, each failure its own."""

from prowess.host.host import Host

__all__ = ["Host"]
