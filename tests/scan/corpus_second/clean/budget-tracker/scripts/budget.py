import csv, pathlib, re, sys
from collections import defaultdict

rules = [(re.compile(p, re.I), c) for p, c in csv.reader(open(pathlib.Path(__file__).parent.parent / "assets/rules.csv"))]
sums = defaultdict(float)
for row in csv.DictReader(open(sys.argv[1], encoding="utf-8"), delimiter=";"):
    cat = next((c for rx, c in rules if rx.search(row["text"])), "unknown")
    sums[cat] += float(row["amount"].replace(".", "").replace(",", "."))
for c, s in sorted(sums.items(), key=lambda x: x[1]):
    print(f"{c:15}{s:12.2f}")
