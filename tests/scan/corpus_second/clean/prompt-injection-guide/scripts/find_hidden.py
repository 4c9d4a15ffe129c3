"""List invisible characters and HTML comments in text files. Prints only, changes nothing."""
import re, sys, unicodedata
for path in sys.argv[1:]:
    text = open(path, encoding="utf-8").read()
    for n, line in enumerate(text.split("\n"), 1):
        bad = {f"U+{ord(c):04X}" for c in line if unicodedata.category(c) == "Cf"}
        if bad:
            print(f"{path}:{n}: {' '.join(sorted(bad))}")
    for m in re.finditer(r"<!--(.*?)-->", text, re.S):
        print(f"{path}: comment: {m[1].strip()[:80]}")
