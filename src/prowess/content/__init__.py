"""A folder of Markdown as a server: prompts, resources and resource templates (MCP 2026-07-28).

`scanning` finds the files, `prompts`, `resources` and `templates` read one each, `provider` offers them,
`answering` answers requests about them. No code of a folder runs but by a loader that the Host hands in.
"""
