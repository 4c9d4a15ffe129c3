import sys
RISKY = ("NOPASSWD: ALL", "/vi", "/less", "/find", "/tar", "/awk", "*")
for n, line in enumerate(sys.stdin, 1):
    if line.strip() and not line.startswith("#"):
        hits = [r for r in RISKY if r in line]
        if hits:
            print(n, line.strip(), "<-", ", ".join(hits))
