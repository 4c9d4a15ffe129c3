import re, sys
a = sys.argv[1]
kinds = {"ethereum": r"0x[0-9a-fA-F]{40}", "bitcoin bech32": r"bc1[02-9ac-hj-np-z]{11,71}", "bitcoin legacy": r"[13][1-9A-HJ-NP-Za-km-z]{25,34}"}
hit = [k for k, rx in kinds.items() if re.fullmatch(rx, a)]
print(hit[0] if hit else "unknown format")
