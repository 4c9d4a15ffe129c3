"""Remove double records from exported RIS files by DOI, then by title."""
import re, sys
seen, kept = set(), []
for rec in re.split(r"(?m)^ER  -.*$", open(sys.argv[1], encoding="utf-8").read()):
    doi = re.search(r"(?m)^DO  - (\S+)", rec)
    ti = re.search(r"(?m)^T[I1]  - (.+)", rec)
    if not ti:
        continue
    key = doi[1].lower() if doi else re.sub(r"\W", "", ti[1].lower())
    if key not in seen:
        seen.add(key)
        kept.append(rec.strip())
print("\nER  - \n\n".join(kept) + "\nER  - ")
