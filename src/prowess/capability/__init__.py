"""What is on offer: capabilities as their servers sent them, snapshots, and what differs between two."""
