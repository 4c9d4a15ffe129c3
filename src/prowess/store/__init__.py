"""What is remembered between runs: where it lives on this machine, plugin data, protocol eras."""
