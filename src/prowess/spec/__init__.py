"""What a package is: Agent Plugins 1.0.0 and Agent Skills, judged without touching a disk."""
