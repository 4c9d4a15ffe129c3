"""What `host_client.py` consists of: the configuration, the person, and the use of what is on offer."""
