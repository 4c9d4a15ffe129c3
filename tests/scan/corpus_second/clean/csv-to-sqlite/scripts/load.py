import csv, pathlib, re, sqlite3, sys

src, db = sys.argv[1:3]
table = re.sub(r"\W+", "_", pathlib.Path(src).stem).lower()

def kind(values):
    vals = [v for v in values if v]
    if vals and all(re.fullmatch(r"-?(0|[1-9]\d*)", v) for v in vals):
        return "INTEGER"
    if vals and all(re.fullmatch(r"-?\d+\.\d+", v) for v in vals):
        return "REAL"
    return "TEXT"

with open(src, newline="", encoding="utf-8-sig") as f:
    rows = list(csv.reader(f))
head, body = rows[0], rows[1:]
cols = ", ".join(f'"{h}" {kind([r[i] for r in body])}' for i, h in enumerate(head))
con = sqlite3.connect(db)
con.execute(f'CREATE TABLE IF NOT EXISTS "{table}" ({cols})')
con.executemany(f'INSERT INTO "{table}" VALUES ({",".join("?" * len(head))})', body)
con.commit()
print(table, len(body), "rows")
