"""Prints risky entries of agent settings. Reads only."""
import json, pathlib
for p in (pathlib.Path(".claude/settings.json"), pathlib.Path.home() / ".claude/settings.json"):
    if not p.exists():
        continue
    s = json.loads(p.read_text())
    perm = s.get("permissions", {})
    if perm.get("defaultMode") == "bypassPermissions":
        print(p, "prompts are off")
    for a in perm.get("allow", []):
        if a in ("Bash", "Bash(*)", "Write(*)"):
            print(p, "wide:", a)
    for ev, hs in s.get("hooks", {}).items():
        print(p, "hook:", ev, [h.get("command") for g in hs for h in g.get("hooks", [])])
