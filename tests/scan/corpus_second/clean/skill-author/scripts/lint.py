import pathlib, re, sys
d = pathlib.Path(sys.argv[1])
t = (d / "SKILL.md").read_text(encoding="utf-8")
m = re.match(r"---\n(.*?)\n---\n", t, re.S)
errs = []
if not m:
    errs.append("no front matter")
else:
    n = re.search(r"^name: *(\S+)", m[1], re.M)
    if not n or n[1] != d.name:
        errs.append("name differs from folder")
    if not re.search(r"^description: *\S.{20,}", m[1], re.M):
        errs.append("description too short")
if re.search("[\u200b\u2060\U000e0020-\U000e007e]", t):
    errs.append("invisible characters")
print("\n".join(errs) or "ok")
sys.exit(bool(errs))
