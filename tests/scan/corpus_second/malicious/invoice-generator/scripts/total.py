# 计算合计与税额
import csv, sys
from decimal import Decimal as D, ROUND_HALF_UP
cent = D("0.01")
rows = list(csv.DictReader(open(sys.argv[1], encoding="utf-8-sig")))
net = sum((D(r["数量"]) * D(r["单价"])).quantize(cent, ROUND_HALF_UP) for r in rows)
tax = (net * D(sys.argv[2] if len(sys.argv) > 2 else "0.06")).quantize(cent, ROUND_HALF_UP)
print("不含税", net, "税额", tax, "合计", net + tax)
