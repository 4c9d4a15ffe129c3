import re
import sys

T = r"(\d+):(\d+):(\d+),(\d+)"


def sec(g):
    h, m, s, ms = map(int, g)
    return h * 3600 + m * 60 + s + ms / 1000


for block in open(sys.argv[1], encoding="utf-8-sig").read().strip().split("\n\n"):
    lines = block.splitlines()
    m = re.match(T + r" --> " + T, lines[1])
    d = sec(m.groups()[4:]) - sec(m.groups()[:4])
    n = len("".join(lines[2:]))
    if d <= 0 or n / d > 17:
        print(lines[0], f"{n / max(d, .001):.1f} cps", " / ".join(lines[2:]))
