"""Running the public MCP conformance suite: what is installed, what is tested, what came out of it.

`install` gets the suite and its Node, `subjects` starts what is tested, `legs` runs one revision of it,
`results` reads what the suite left, `expected` holds that against what is known to fail, `report` says so.
"""
